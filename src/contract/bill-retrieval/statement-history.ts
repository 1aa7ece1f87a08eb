/** Compares a statement with the account's other ones: its billing cycle, and whether it repeats or corrects an earlier bill. */
import { addDays, daysBetween } from '../kernel/date.ts'
import { compareMoney } from '../kernel/money.ts'
import type { Statement } from './statement.ts'

interface Measured extends Pick<Statement, 'kind' | 'interval_start' | 'interval_end'> {
  readonly meters: readonly Pick<Statement['meters'][number], 'previous_read_date' | 'read_date'>[]
}

/** Returns an account's billing cycle in days: the median length of its statements' periods; null if none has one. Rebills don't count. */
export function billingCycleOf(statements: readonly Measured[]): number | null {
  const lengths = statements.flatMap((statement) => (statement.kind === 'bill' ? (periodLength(statement) ?? []) : []))
  const sorted = lengths.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2)
}

/** Bills older than this on arrival are history. */
export const historyAfterDays = 60

/** Whether a bill of this date is history: rules that compare with today are silent for it. */
export function isHistory(date: string, today: string): boolean {
  return date < addDays(today, -historyAfterDays)
}

/** The values that relate an incoming bill to the earlier ones. */
export interface ComingBill {
  readonly date: string
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly current_charges: string
  readonly amount_due: string
  readonly rebill_adjustment: boolean
}

/** Returns the longest period of its meters; a statement that combines several agreements spans more than each was billed for. */
function periodLength({ interval_start, interval_end, meters }: Measured): number | null {
  const ofMeters = meters.map((meter) => daysOf(meter.previous_read_date, meter.read_date))
  const longest = Math.max(0, ...ofMeters)
  const days = longest > 0 ? longest : daysOf(interval_start, interval_end)
  return days > 0 ? days : null
}

function daysOf(start: string | null, end: string | null): number {
  return start === null || end === null ? 0 : daysBetween(start, end)
}

export interface EarlierBill {
  readonly id: number
  readonly date: string
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly current_charges: string
  readonly amount_due: string
}

/** The relation of a statement to the account's bills: a re-publication, a correction of an earlier bill, or simply the next one. */
export type Relation =
  | { readonly kind: 'next' }
  | { readonly kind: 'duplicate'; readonly bill_id: number }
  | { readonly kind: 'corrects'; readonly mode: 'replace' | 'add'; readonly bill_ids: readonly number[] }

/**
 * A corrected statement for an already billed period replaces that bill; an adjustment over other periods adds to the bills it overlaps. This is
 * only a proposal: statements don't say which of the two they are, so the user decides.
 */
export function relationToEarlier(bill: ComingBill, earlier: readonly EarlierBill[]): Relation {
  const samePeriod = earlier.filter(
    (one) => one.read_date !== null && one.previous_read_date === bill.previous_read_date && one.read_date === bill.read_date,
  )
  const republished = earlier.find(
    (one) =>
      one.date === bill.date &&
      compareMoney(one.amount_due, bill.amount_due) === 0 &&
      compareMoney(one.current_charges, bill.current_charges) === 0,
  )
  if (republished) return { kind: 'duplicate', bill_id: republished.id }
  if (samePeriod.length > 0) return { kind: 'corrects', mode: 'replace', bill_ids: samePeriod.map((one) => one.id) }
  const overlapped = bill.rebill_adjustment ? earlier.filter((one) => overlaps(one, bill)) : []
  return overlapped.length > 0 ? { kind: 'corrects', mode: 'add', bill_ids: overlapped.map((one) => one.id) } : { kind: 'next' }
}

/** One of several bills of an account that arrive together. */
export interface Coming<Item> {
  readonly item: Item
  /** Its number among them, from 1. */
  readonly number: number
  readonly bill: ComingBill
  /** True if it may only follow: it is neither a correction nor a repetition. */
  readonly onlyNext?: boolean | undefined
  /** True to create it although it repeats a bill. */
  readonly insists?: boolean | undefined
  readonly mode?: 'replace' | 'add' | undefined
}

/**
 * The action for an item. A negative id is the number of a bill that arrives with it. Corrections of those are processed in a later round, when
 * they have ids.
 */
export type Plan<Item> =
  | {
      readonly kind: 'make'
      readonly item: Item
      readonly number: number
      readonly round: number
      readonly corrects: { readonly id: number; readonly mode: 'replace' | 'add' } | null
    }
  | { readonly kind: 'repeats'; readonly item: Item; readonly number: number; readonly id: number }

/** Relates the bills of one account, oldest first, to the earlier ones and to each other. */
export function planRelations<Item>(coming: readonly Coming<Item>[], earlier: readonly EarlierBill[]): Plan<Item>[] {
  const plans: Plan<Item>[] = []
  const live = [...earlier]
  const rounds = new Map<number, number>()
  for (const { item, number, bill, onlyNext, insists, mode } of coming) {
    const relation: Relation = onlyNext ? { kind: 'next' } : relationToEarlier(bill, live)
    if (relation.kind === 'duplicate' && !insists) {
      plans.push({ kind: 'repeats', item, number, id: relation.bill_id })
      continue
    }
    const target = relation.kind === 'corrects' ? (relation.bill_ids.at(-1) ?? null) : null
    const corrects = relation.kind === 'corrects' && target !== null ? { id: target, mode: mode ?? relation.mode } : null
    const round = corrects === null ? 0 : (rounds.get(corrects.id) ?? -1) + 1
    if (corrects?.mode === 'replace')
      live.splice(
        live.findIndex((one) => one.id === corrects.id),
        1,
      )
    live.push({ ...bill, id: -number })
    rounds.set(-number, round)
    plans.push({ kind: 'make', item, number, round, corrects })
  }
  return plans
}

interface Period {
  readonly previous_read_date: string | null
  readonly read_date: string | null
}

function overlaps(a: Period, b: Period): boolean {
  if (a.previous_read_date === null || a.read_date === null || b.previous_read_date === null || b.read_date === null) return false
  return a.previous_read_date < b.read_date && b.previous_read_date < a.read_date
}
