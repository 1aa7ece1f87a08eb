/**
 * The rules of contract/accounting-batches/batch-refusal.ts as SQL over `bills`, so that lists, saves and closes refuse the same bills for the
 * same reasons.
 */
import { batchRefusals, refusedAtCloseOnly, type BatchRefusal } from '#contract/accounting-batches/batch-refusal.ts'
import { sql, type RawBuilder } from 'kysely'
import { batchFault } from '../bills/bills.ts'
import type { Condition } from '../kernel/lists/list.ts'

export interface BatchTerms {
  readonly clientId: number
  /** Null for a batch that does not exist yet. */
  readonly batchId: number | null
  /** True if the client allows bills with open errors in batches. */
  readonly takesFlagged: boolean
  /** True if the batch is about to close, so its bills must be in order now. */
  readonly closing: boolean
}

/** The first reason the batch may not take or keep a bill, or null. */
export function refusalColumn(terms: BatchTerms): RawBuilder<BatchRefusal | null> {
  const rules = batchRefusals.filter((refusal) => applies(refusal, terms))
  return sql`case ${sql.join(
    rules.map((refusal) => sql`when ${conditionOf(refusal, terms)} then ${sql.lit(refusal)}`),
    sql` `,
  )} end`
}

function applies(refusal: BatchRefusal, { takesFlagged, closing }: BatchTerms): boolean {
  if (refusal === 'open_errors') return !takesFlagged
  return closing || !refusedAtCloseOnly.includes(refusal)
}

function conditionOf(refusal: BatchRefusal, { clientId, batchId }: BatchTerms): Condition {
  switch (refusal) {
    case 'other_batch':
      return sql<boolean>`(bills.accounting_batch_id is not null and bills.accounting_batch_id is distinct from ${batchId}::bigint)`
    case 'group_bill':
      return sql<boolean>`exists (select 1 from bills child where child.client_id = ${clientId} and child.group_bill_id = bills.id
        and child.superseded_by_id is null)`
    // A closed month is never changed, so a subaccount's bill that came later is not booked beside the bill that carries it.
    case 'group_booked':
      return sql<boolean>`exists (select 1 from gl_lines line where line.client_id = ${clientId} and line.bill_id = bills.group_bill_id
        and line.reverses_id is null and not exists (select 1 from gl_lines taken where taken.client_id = ${clientId} and taken.reverses_id = line.id))`
    default:
      return batchFault(refusal, clientId)
  }
}
