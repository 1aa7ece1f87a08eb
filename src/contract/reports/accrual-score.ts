/**
 * Scores the methods of accrual: hides bills of a meter, accrues as the report does, and compares with what the same days have cost since. Pure.
 */
import { addDays, addToMonth, type CalendarDate, type CalendarMonth, lastDayOf } from '../kernel/date.ts'
import { dividedBy, times } from '../kernel/decimal.ts'
import { type Cents, wireOf } from '../kernel/money.ts'
import { accrue, actualCost, type AccrualLine, type InUse } from './accrual.ts'
import { accrualMethods, type AccrualMethod } from './report-form-data.ts'

/** Month ends of a score. */
export const SCORED_MONTHS = 12

/** The bills that are hidden, and the date up to which is accrued. */
export interface Hidden {
  /** Bills dated later are hidden. */
  readonly after: CalendarDate
  /** The last day that is accrued. */
  readonly to: CalendarDate
}

/** Reasons why nothing can be compared. An account has the first one that holds for any of its meters. */
export const unscoredReasons = [
  { value: 'not_billed_since', label: 'The accrued days are not all billed yet' },
  { value: 'billed_to_end', label: 'Nothing to accrue: each known bill reaches the end' },
  { value: 'no_earlier_bill', label: 'No earlier bill to accrue from' },
  { value: 'no_days', label: 'No bill that covers a day' },
] as const
export type Unscored = (typeof unscoredReasons)[number]['value']

export interface Scored {
  readonly scored: true
  readonly accrued: Cents
  readonly actual: Cents
  /** Accrued less actual. */
  readonly error: Cents
  /** Percent of the actual cost, 1 decimal; null if the cost is zero. */
  readonly percent: string | null
}

export type AccrualScore = Scored | { readonly scored: false; readonly why: Unscored; readonly accrued: Cents | null }

/** Whether a score is possible does not depend on the method, so all methods are compared on the same days. */
export function scoreAccrual(lines: readonly AccrualLine[], { after, to }: Hidden, method: AccrualMethod, inUse?: InUse): AccrualScore {
  if (lines.length === 0) return { scored: false, why: 'no_days', accrued: null }
  const known = lines.filter(({ bill_date }) => bill_date <= after)
  if (known.length === 0) return { scored: false, why: 'no_earlier_bill', accrued: null }
  const said = accrue(known, to, method, inUse)
  if (said === null) return { scored: false, why: 'billed_to_end', accrued: null }
  const actual = actualCost(lines, said.from, said.until)
  if (actual === null) return { scored: false, why: 'not_billed_since', accrued: said.cost }
  const error = said.cost - actual
  return { scored: true, accrued: said.cost, actual, error, percent: percentOf(error, Math.abs(actual)) }
}

/** Returns the last bill of a meter as hidden, accrued to its last day; null if no bill covers a day. */
export function lastBillHidden(lines: readonly AccrualLine[]): Hidden | null {
  const dates = lines.map(({ bill_date }) => bill_date)
  const last = dates.reduce<string | null>((latest, date) => (latest === null || date > latest ? date : latest), null)
  if (last === null) return null
  const ends = lines.filter(({ bill_date }) => bill_date === last).map(({ to }) => to)
  return {
    after: addDays(last, -1),
    to: addDays(
      ends.reduce((latest, end) => (end > latest ? end : latest)),
      -1,
    ),
  }
}

/** Returns the twelve month ends before a month, the oldest first. */
export function monthEndsBefore(month: CalendarMonth): Hidden[] {
  return Array.from({ length: SCORED_MONTHS }, (_, place) => {
    const end = lastDayOf(addToMonth(month, place - SCORED_MONTHS))
    return { after: end, to: end }
  })
}

export interface MethodSum {
  readonly method: AccrualMethod
  /** Comparisons: meters at month ends. */
  readonly scores: number
  readonly accrued: Cents
  readonly actual: Cents
  /** The sum of the errors without their signs, and of the actual costs without theirs. */
  readonly miss: Cents
  readonly size: Cents
}

/** Adds up scores by method. */
export function methodSums(): { add(method: AccrualMethod, score: Scored): void; all(): MethodSum[] } {
  const sums = accrualMethods.map(({ value: method }) => ({ method, scores: 0, accrued: 0, actual: 0, miss: 0, size: 0 }))
  return {
    add(method, { accrued, actual, error }) {
      const sum = sums.find((one) => one.method === method)
      if (!sum) return
      sum.scores += 1
      sum.accrued += accrued
      sum.actual += actual
      sum.miss += Math.abs(error)
      sum.size += Math.abs(actual)
    },
    all: () => sums.map((sum) => ({ ...sum })),
  }
}

/** The mean absolute percentage error, each comparison weighted by its cost: 1 decimal; null if there is no cost. */
export function errorPercent({ miss, size }: Pick<MethodSum, 'miss' | 'size'>): string | null {
  return percentOf(miss, size)
}

/** Accrued less actual of all comparisons, as a percentage of the cost: 1 decimal; null if there is no cost. */
export function biasPercent({ accrued, actual, size }: Pick<MethodSum, 'accrued' | 'actual' | 'size'>): string | null {
  return percentOf(accrued - actual, size)
}

/** Returns the method with the smallest error, and of equal ones the one with the smallest bias; null if nothing was compared. */
export function bestMethod(sums: readonly MethodSum[]): { method: AccrualMethod; reason: string } | null {
  const [best, next] = sums
    .filter(({ scores, size }) => scores > 0 && size > 0)
    .toSorted((a, b) => a.miss - b.miss || Math.abs(a.accrued - a.actual) - Math.abs(b.accrued - b.actual))
  if (!best) return null
  if (!next) return { method: best.method, reason: `Its error is ${errorPercent(best) ?? ''}%.` }
  const than = `${methodName(next.method)} has ${errorPercent(next) ?? ''}%`
  if (best.miss < next.miss) return { method: best.method, reason: `Smallest error: ${errorPercent(best) ?? ''}%; ${than}.` }
  return {
    method: best.method,
    reason: `Smallest bias among equal errors: ${biasPercent(best) ?? ''}%; the error is ${errorPercent(best) ?? ''}%.`,
  }
}

/** The name of a method without its explanation. */
export function methodName(method: AccrualMethod): string {
  const label = accrualMethods.find(({ value }) => value === method)?.label ?? method
  return label.split(':')[0] ?? label
}

function percentOf(part: Cents, whole: Cents): string | null {
  return whole === 0 ? null : dividedBy(times(wireOf(part), '100'), wireOf(whole), 1)
}
