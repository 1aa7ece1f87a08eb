/** Sets the bills of a batch. Bills are taken and released under locks, so if two batches want a bill, one gets it and the other is refused. */
import { batchRefusalText } from '#contract/accounting-batches/batch-refusal.ts'
import type { BatchBill } from '#contract/accounting-batches/batch-contents.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { refusedBillsOf, termsOf, type AskedBatch } from './batch-bills.ts'
import { lockBills, type LockedBill } from './lock-bills.ts'

/** Most refused bills that a message names; all are counted. */
const NAMED_MAX = 5

/** Changes of a batch's bills, by id. */
export interface MovedBills {
  /** Number of bills that the batch held before. */
  readonly before: number
  readonly taken: readonly number[]
  readonly released: readonly number[]
}

/**
 * Replaces the bills of the batch by `wanted`, which the caller has locked with `lockBills`. Throws 409 if another batch took a bill first, and 422 if a bill may not be
 * batched or is no bill of the client. Each bill is named with its reason, and nothing is stored.
 */
export async function storeBills(
  context: Context,
  batch: AskedBatch,
  wanted: readonly number[],
  locked: readonly LockedBill[],
): Promise<MovedBills> {
  const held = new Set(locked.filter((bill) => bill.accounting_batch_id === batch.id).map((bill) => bill.id))
  const known = new Set(locked.map((bill) => bill.id))
  const kept = new Set(wanted)
  const taken = wanted.filter((id) => !held.has(id))
  const released = [...held].filter((id) => !kept.has(id))
  if (taken.some((id) => !known.has(id))) throw invalid({ bill_ids: ['One of these bills cannot be found'] })
  await refuseBills(context, batch, taken)
  await moveBills(context, batch, taken, batch.id)
  await moveBills(context, batch, released, null)
  return { before: held.size, taken, released }
}

/** Releases all bills of a batch that is about to be deleted. */
export async function releaseBills(context: Context, batch: AskedBatch): Promise<MovedBills> {
  return storeBills(context, batch, [], await lockBills(context, batch, []))
}

async function refuseBills({ tx }: Context, batch: AskedBatch, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const faulty = await refusedBillsOf(tx, await termsOf(tx, batch), ids)
  const [first] = faulty
  if (first === undefined) return
  const message = refusedBillsText(faulty)
  const tookFirst = faulty.find((bill) => bill.refusal === 'other_batch')
  if (tookFirst) throw refused(message, tookFirst.id)
  throw invalid({ bill_ids: [message] })
}

/** '2 bills cannot be batched: 5582-1, 11/02/2026 (Parked); 771, 11/05/2026 (In client batch HLM-2026-11).' */
export function refusedBillsText(bills: readonly BatchBill[]): string {
  const named = bills.slice(0, NAMED_MAX).map((bill) => `${bill.account_number}, ${formatDate(bill.date)} (${reasonOf(bill)})`)
  const more = bills.length - named.length
  const count = bills.length === 1 ? '1 bill cannot be batched' : `${bills.length.toLocaleString('en-US')} bills cannot be batched`
  return `${count}: ${named.join('; ')}${more > 0 ? `; and ${more.toLocaleString('en-US')} more` : ''}.`
}

function reasonOf({ refusal, other_batch_code }: BatchBill): string {
  return refusal === null ? '' : batchRefusalText({ refusal, other_batch_code })
}

/** Records in each bill's trail which batch it joined or left. The bill's version stays the same, since no bill form edits the batch. */
async function moveBills(context: Context, batch: AskedBatch, ids: readonly number[], to: number | null): Promise<void> {
  if (ids.length === 0) return
  const { client_id } = batch
  await sql`update bills set accounting_batch_id = ${to}::bigint, updated_at = ${now()}
    where client_id = ${client_id} and id = any(${ids}::bigint[])`.execute(context.tx)
  const change = to === null ? { from: batch.id, to: null } : { from: null, to: batch.id }
  await context.audit.many(
    ids.map((item_id): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id,
      client_id,
      changes: { accounting_batch_id: change },
    })),
  )
}
