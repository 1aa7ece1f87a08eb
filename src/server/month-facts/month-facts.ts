/** The front door of the monthly facts: bills by calendar month, updated with every change of a bill, read by dashboards. */
export { refreshFactsOfBills, factSpans, rebuildFacts, moveFacts, refreshFactsUnder, refreshFacts } from './refresh-facts.ts'
export { ALL_SERVICES } from './fact-totals.ts'
export { factJobs, refreshUtilityService } from './fact-jobs.ts'
export { isCounted, type CountedDays } from './counted-bills.ts'
export { countedCost } from './counted-cost.ts'
export { costedLines, measuredElsewhere } from './fact-lines.ts'
export { lineKilograms } from './fact-months.ts'
export { fiscalMonth } from './line-facts.ts'
