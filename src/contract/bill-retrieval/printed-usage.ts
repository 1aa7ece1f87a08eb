/**
 * Computes the consumption from a meter's printed usage rows. Statements print it as a total, as peak components, as both, as several registers,
 * and next to demand and reactive rows that are no consumption.
 */
import { absolute, compareDecimals, isZero, sumDecimals } from '../kernel/decimal.ts'
import { addDays, daysBetween } from '../kernel/date.ts'

export interface PrintedUsage {
  readonly kind: string | null
  readonly component: string | null
  readonly unit: string | null
  readonly amount: string
  readonly start: string | null
  readonly end: string | null
}

export interface UsagePeriod {
  readonly previous_read_date: string | null
  readonly read_date: string | null
  /** Null if no consumption is printed. */
  readonly usage: string | null
  readonly unit: string | null
}

/** Unit names found on statements, lower case, and our symbols (domain.md 5f). */
const unitSymbols: Readonly<Record<string, string | null>> = {
  kwh: 'kWh',
  mwh: 'MWh',
  kw: 'kW',
  kva: 'kVA',
  kvar: 'kVAR',
  kvarh: 'kVARh',
  therm: 'therm',
  therms: 'therm',
  ccf: 'CCF',
  hcf: 'CCF',
  mcf: 'MCF',
  cf: 'CF',
  tgal: 'kgal',
  kgal: 'kgal',
  gal: 'gal',
  gallons: 'gal',
  undefined: null,
}
const notConsumption = new Set(['kW', 'kVA', 'kVAR', 'kVARh'])

/** Returns our symbol for a printed unit; null for none or for `Undefined`; an unknown unit stays as printed. */
export function unitSymbol(printed: string | null): string | null {
  if (printed === null || printed.trim() === '') return null
  const known = unitSymbols[printed.trim().toLowerCase()]
  return known === undefined ? printed.trim() : known
}

/**
 * Returns the consumption of one meter, one entry per period, the earliest first. `[total]` rows of kind general_consumption count if there are
 * any; else totals without a kind; else the components in one unit. Rows of one period are registers and add up, except in two cases where the
 * statement itself shows that one figure is repeated: see `sumOfRegisters`.
 * @param billedQuantities quantities of the meter's charge lines: what the utility itself multiplied by its rates
 */
export function usagePeriods(
  rows: readonly PrintedUsage[],
  interval: { start: string | null; end: string | null },
  billedQuantities: readonly string[],
): UsagePeriod[] {
  const chosen = consumptionRows(rows)
  const components = rows.filter((row) => row.kind === 'general_consumption' && row.component !== null && !isTotal(row))
  const measure = (some: readonly PrintedUsage[]): Pick<UsagePeriod, 'usage' | 'unit'> => ({
    usage: some.length === 0 ? null : sumOfRegisters(some, components, billedQuantities),
    unit: unitSymbol(some[0]?.unit ?? null),
  })
  const periods = disjointPeriods(chosen)
  if (periods === null) return [{ previous_read_date: interval.start, read_date: interval.end, ...measure(chosen) }]
  return periods.map(({ start, end, rows: ofPeriod }, place) => ({
    previous_read_date: previousReadDate(start, place === 0 ? interval.start : (periods[place - 1]?.end ?? null)),
    read_date: end,
    ...measure(ofPeriod),
  }))
}

/** Returns the highest kW of the demand rows (a peak of 2,260 in two seasons is 2,260, not 4,520); null if none is printed. */
export function highestDemand(rows: readonly PrintedUsage[]): string | null {
  const peaks = rows.filter((row) => row.kind === 'demand' && unitSymbol(row.unit) === 'kW').map((row) => row.amount)
  return peaks.reduce<string | null>((highest, peak) => (highest === null || compareDecimals(peak, highest) > 0 ? peak : highest), null)
}

/** Returns the rows that count as consumption, all in one unit. */
function consumptionRows(rows: readonly PrintedUsage[]): PrintedUsage[] {
  const consumed = rows.filter((row) => !notConsumption.has(unitSymbol(row.unit) ?? ''))
  const general = consumed.filter((row) => row.kind === 'general_consumption')
  const candidates = [
    general.filter((row) => row.component === '[total]'),
    consumed.filter((row) => row.kind === null && row.component === '[total]'),
    // A row without a component next to named ones is their sum (CleanPowerSF prints it so).
    general.filter((row) => row.component === null),
    general.filter(isTotal),
    general,
  ]
  const chosen = candidates.find((some) => some.length > 0) ?? []
  const unit = chosen[0]?.unit
  return chosen.filter((row) => row.unit === unit)
}

/** `[total]`, and the totals of a season: `[total, winter]`. */
function isTotal(row: PrintedUsage): boolean {
  return row.component !== null && /\btotal\b/.test(row.component)
}

/**
 * Registers of one period add up: 6 and 74 CCF are billed as 80. Two cases are no registers. If the named components add up to one of several
 * totals, that total includes the others. If one row is repeated and a charge line bills the single amount but none bills the sum, the row is
 * printed once per rate period and was used once.
 */
function sumOfRegisters(rows: readonly PrintedUsage[], components: readonly PrintedUsage[], billedQuantities: readonly string[]): string {
  const amounts = rows.map((row) => row.amount)
  const [first] = amounts
  if (first === undefined || amounts.length === 1) return first ?? '0'
  const sum = sumDecimals(amounts)
  const billed = (value: string): boolean => billedQuantities.some((quantity) => compareDecimals(absolute(quantity), absolute(value)) === 0)
  const isRepeated = rows.every((row) => row.amount === first && row.component === rows[0]?.component)
  if (isRepeated && !isZero(first) && billed(first) && !billed(sum)) return first
  const ofUnit = components.filter((row) => row.unit === rows[0]?.unit && row.start === rows[0]?.start && row.end === rows[0]?.end)
  const inParts = sumDecimals(ofUnit.map((row) => row.amount))
  const isWhole = rows.some(isTotal) && ofUnit.length > 0 && amounts.some((amount) => compareDecimals(amount, inParts) === 0)
  return isWhole ? inParts : sum
}

interface PeriodRows {
  start: string
  end: string
  rows: PrintedUsage[]
}

/** Returns the rows by period, if there are several and they don't overlap; null if all of them belong to the meter's one period. */
function disjointPeriods(rows: readonly PrintedUsage[]): PeriodRows[] | null {
  const byPeriod = new Map<string, PeriodRows>()
  for (const row of rows) {
    if (row.start === null || row.end === null) return null
    const key = `${row.start}/${row.end}`
    const period = byPeriod.get(key) ?? { start: row.start, end: row.end, rows: [] }
    period.rows.push(row)
    byPeriod.set(key, period)
  }
  const periods = [...byPeriod.values()].toSorted((a, b) => (a.start < b.start ? -1 : 1))
  const overlaps = periods.some((period, place) => place > 0 && period.start < (periods[place - 1]?.end ?? ''))
  return periods.length < 2 || overlaps ? null : periods
}

/** Sub-periods start the day after the previous one ended; a read closes one period and opens the next. */
function previousReadDate(start: string, before: string | null): string {
  return before !== null && daysBetween(before, start) === 1 ? addDays(start, -1) : start
}
