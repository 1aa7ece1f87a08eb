/** What a statement means beside the account's other ones: its billing cycle, and whether it repeats or corrects an earlier bill. */
import { daysBetween } from './kernel/date.ts'
import { compareMoney } from './kernel/money.ts'
import type { RetrievedBill } from './map-statement.ts'
import type { Statement } from './retrieval.ts'

/** An account's billing cycle in days: the median length of its statements' periods; null where none has one. Rebills don't count. */
export function billingCycleOf(statements: readonly Pick<Statement, 'kind' | 'interval_start' | 'interval_end'>[]): number | null {
  const lengths = statements.flatMap((statement) => {
    if (statement.kind !== 'bill' || statement.interval_start === null || statement.interval_end === null) return []
    const days = daysBetween(statement.interval_start, statement.interval_end)
    return days > 0 ? [days] : []
  })
  const sorted = lengths.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2)
}

export interface EarlierBill {
  readonly id: number
  readonly date: string
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly current_charges: string
  readonly amount_due: string
}

/** How a statement stands to the account's bills: a re-publication, a correction of what was billed before, or simply the next one. */
export type Relation =
  | { readonly kind: 'next' }
  | { readonly kind: 'duplicate'; readonly bill_id: number }
  | { readonly kind: 'corrects'; readonly mode: 'replace' | 'add'; readonly bill_ids: readonly number[] }

/**
 * A corrected statement for a period that was billed before replaces that bill; an adjustment over other periods adds to what it overlaps.
 * Only a proposal: statements don't say which of the two they are, so the person decides.
 */
export function relationToEarlier(bill: RetrievedBill, earlier: readonly EarlierBill[]): Relation {
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

interface Period {
  readonly previous_read_date: string | null
  readonly read_date: string | null
}

function overlaps(a: Period, b: Period): boolean {
  if (a.previous_read_date === null || a.read_date === null || b.previous_read_date === null || b.read_date === null) return false
  return a.previous_read_date < b.read_date && b.previous_read_date < a.read_date
}
