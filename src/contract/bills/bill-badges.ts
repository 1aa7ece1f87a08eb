/** Badges of a bill besides its status: holds, flags and dates that the status does not show. */
import { isPayable } from './bill-owed.ts'
import type { StatusFacts } from './status-facts.ts'
import { type CalendarDate, daysBetween } from '../kernel/date.ts'

export type Badge = 'Rebill/Adjustment' | 'Estimated' | `Flagged (${number})` | 'QC' | 'Parked' | 'Past due' | 'Group child' | 'Duplicate?'

export interface BadgeFacts extends Pick<StatusFacts, 'superseded_by_id' | 'finalized' | 'paid' | 'parked' | 'qc' | 'open_errors'> {
  readonly open_warnings: number
  readonly rebill_adjustment: boolean
  readonly any_estimated: boolean
  readonly due_date: CalendarDate | null
  readonly group_bill_id: number | null
  readonly any_duplicate_flag: boolean
}

/** Shown beside the status and never part of it; a bill on hold has its badge whatever its status. */
export function badges(facts: BadgeFacts, today: CalendarDate): Badge[] {
  const open = openFlags(facts)
  const worn: Badge[] = []
  if (facts.rebill_adjustment) worn.push('Rebill/Adjustment')
  if (facts.any_estimated) worn.push('Estimated')
  if (open > 0) worn.push(`Flagged (${open})`)
  if (facts.qc) worn.push('QC')
  if (facts.parked) worn.push('Parked')
  if (isPastDue(facts, today)) worn.push('Past due')
  if (facts.group_bill_id !== null) worn.push('Group child')
  if (facts.any_duplicate_flag) worn.push('Duplicate?')
  return worn
}

/** Returns the number of open findings that are flags, as its page and the lists count them. */
export function openFlags({ open_errors, open_warnings }: Pick<BadgeFacts, 'open_errors' | 'open_warnings'>): number {
  return open_errors + open_warnings
}

/** Returns the days from today to the due date; negative after it has passed. */
export function daysDue(dueDate: CalendarDate, today: CalendarDate): number {
  return daysBetween(today, dueDate)
}

function isPastDue(facts: BadgeFacts, today: CalendarDate): boolean {
  if (!isPayable(facts) || facts.due_date === null) return false
  return daysDue(facts.due_date, today) < 0
}
