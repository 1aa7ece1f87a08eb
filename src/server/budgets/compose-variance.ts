/** Sums of compared months: of a month, of a year, of an account, of what it belongs to. Pure: cells in, decimal text out. */
import type { BudgetFigures, BudgetMonth, BudgetYear } from '#contract/budgets/budget-variance.ts'
import { coverage, percentChange } from '#contract/dashboard/metrics.ts'
import type { CalendarMonth } from '#contract/kernel/date.ts'
import { sumCents, wireOf } from '#contract/kernel/money.ts'
import type { PlannedCell } from './planned-cells.ts'

export function composeYear(cells: readonly PlannedCell[], months: readonly CalendarMonth[]): BudgetYear {
  const byMonth = Map.groupBy(cells, (cell) => cell.month)
  const actualOf = (which: (cell: PlannedCell) => boolean): string => wireOf(sumCents(cells.filter(which).map(({ now }) => now.actual)))
  return {
    ...figuresOf(cells),
    unbudgeted_actual: actualOf(({ budget, now }) => now.complete && budget === null),
    open_actual: actualOf(({ now }) => !now.complete),
    months: months.map((month) => composeMonth(month, byMonth.get(month) ?? [])),
  }
}

function composeMonth(month: CalendarMonth, cells: readonly PlannedCell[]): BudgetMonth {
  const sum = (of: 'covered' | 'expected'): number => cells.reduce((days, { now }) => days + now[of], 0)
  const bases = new Set(cells.flatMap(({ forecast }) => forecast.basis ?? []))
  const [basis = null] = bases
  return {
    ...figuresOf(cells),
    month,
    coverage: coverage(sum('covered'), sum('expected')),
    complete: cells.length > 0 && cells.every(({ now }) => now.complete),
    forecast_basis: bases.size > 1 ? 'mixed' : basis,
  }
}

function figuresOf(cells: readonly PlannedCell[]): BudgetFigures {
  const budgets = cells.flatMap(({ budget }) => budget ?? [])
  const compared = cells.flatMap(({ budget, now }) => (now.complete && budget !== null ? [{ budget, actual: now.actual }] : []))
  const forecasts = cells.flatMap(({ forecast }) => forecast.cents ?? [])
  const ahead = cells.flatMap(({ budget, forecast }) => (budget === null || forecast.cents === null ? [] : [forecast.cents - budget]))
  const [planned, spent] = [sumOrNone(compared.map(({ budget }) => budget)), sumOrNone(compared.map(({ actual }) => actual))]
  return {
    budget: sumOrNone(budgets),
    actual: wireOf(sumCents(cells.map(({ now }) => now.actual))),
    compared_budget: planned,
    compared_actual: spent,
    variance: sumOrNone(compared.map(({ budget, actual }) => actual - budget)),
    variance_percent: percentChange(spent, planned),
    forecast: sumOrNone(forecasts),
    forecast_variance: sumOrNone(ahead),
    without_forecast: cells.filter(({ forecast }) => forecast.cents === null).length,
  }
}

function sumOrNone(cents: readonly number[]): string | null {
  return cents.length === 0 ? null : wireOf(sumCents(cents))
}
