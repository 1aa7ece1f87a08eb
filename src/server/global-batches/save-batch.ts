/**
 * Creates and changes global batches. A selection of bills becomes one batch per client, all or none, through the code that stores the bills of
 * vendor batches: locks, refusals, payments and sums are the same.
 */
import { globalBatch, type BillAttributes, type GlobalBatch, type GlobalBatchDraft } from '#contract/global-batches/global-batch.ts'
import { mixFault } from '#contract/payment-batches/payment-mix.ts'
import { sql } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { answerWrite, askedBy, createRow, presented, updateRow, type Saving } from '../kernel/lists/resource.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { firstMethodOf, storeAmounts, storePaymentBills } from '../payment-batches/payment-batches.ts'
import { mustBeLocked } from './bank-value.ts'
import { billsOfGlobalBatch } from './global-batch-bills.ts'
import { anyLive, askedOf, globalBatches } from './global-batch-source.ts'
import { voidReleases } from './release-requests.ts'

type Sent = Partial<GlobalBatchDraft>

/** Creates a batch for each client of the chosen bills. Throws 409 while the bank value is not locked, 422 if the bills do not fit together. */
export async function createBatches(context: Context, draft: GlobalBatchDraft) {
  await mustBeLocked(context)
  const ids = [...new Set([...(draft.bill_ids ?? []), ...(draft.new_bill_ids ?? [])])]
  if (ids.length === 0) throw invalid({ bill_ids: ['Must select at least one bill to add.'] })
  const bills = await chosenBills(context, ids)
  refuseOtherPayer(draft, bills)
  refuseStrange(draft.bills_attributes, new Set(ids))
  const fault = mixFault(bills)
  if (fault !== null) throw invalid({ bill_ids: [fault] })
  const clients = [...new Set(bills.map((bill) => bill.client_id))].toSorted((a, b) => a - b)
  const made: GlobalBatch[] = []
  for (const clientId of clients) {
    const own = bills.filter((bill) => bill.client_id === clientId).map((bill) => bill.id)
    const { new_bill_ids: _, ...head } = draft
    const ofClient = new Set(own)
    const bills_attributes = draft.bills_attributes?.filter((one) => ofClient.has(one.id)) ?? []
    made.push(
      await createRow(
        context,
        globalBatches,
        { ...head, payer_id: clientId, client_id: clientId, bill_ids: own, bills_attributes },
        clientId,
        saving,
      ),
    )
  }
  return answerMade(context, made)
}

interface ChosenBill {
  readonly id: number
  readonly client_id: number
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  readonly vendor_is_exclusive: boolean
  readonly payment_method: string | null
}

/** Returns the chosen bills of all clients in reach. Throws 422 if an id is none of them. */
async function chosenBills(context: Context, ids: readonly number[]): Promise<ChosenBill[]> {
  const reached = scopeCondition({ scope: billScope }, askedBy(context, {}))
  const { rows } = await sql<ChosenBill>`select bills.id, bills.client_id, bills.vendor_id, vendor.name as vendor_name,
      coalesce(vendor.is_exclusive, false) as vendor_is_exclusive, ${firstMethodOf(sql`bills.vendor_id`)} as payment_method
    from bills left join vendors vendor on vendor.id = bills.vendor_id
    where bills.id = any(${ids}::bigint[]) and ${reached} order by bills.client_id, bills.id`.execute(context.tx)
  if (rows.length < ids.length) throw invalid({ bill_ids: ['One of these bills cannot be found'] })
  return rows
}

/** Rejects bills of another payer than the named one. */
function refuseOtherPayer({ payer_id, client_id }: Sent, bills: readonly ChosenBill[]): void {
  for (const [key, payer] of Object.entries({ payer_id, client_id })) {
    if (payer === undefined || payer === null) continue
    if (bills.some((bill) => bill.client_id !== payer)) throw invalid({ [key]: ['These bills belong to another client than the payer'] })
  }
}

function refuseStrange(attributes: readonly BillAttributes[] | undefined, chosen: ReadonlySet<number>): void {
  const strange = attributes?.find(({ id }) => !chosen.has(id))
  if (strange) throw invalid({ bills_attributes: [`Bill ${strange.id} is not one of the chosen bills`] })
}

async function answerMade(context: Context, made: readonly GlobalBatch[]) {
  const rows: GlobalBatch[] = []
  for (const row of made) rows.push(await presented(context, globalBatches, row))
  const [first] = rows
  if (!first) throw new Error('no batch was made of bills')
  const answer = answerWrite(globalBatch, 'created', first)
  return { ...answer, message: rows.length === 1 ? answer.message : `${rows.length} Global Batches created`, global_batches: rows }
}

/** Changes one batch. Throws 409 if it is paid, or if bills are added while the bank value is not locked. */
export async function updateBatch(context: Context, id: number, patch: Sent & { lock_version?: number | undefined }) {
  const row = await updateRow(context, globalBatches, id, patch, anyLive(context), saving)
  const shown = await presented(context, globalBatches, row)
  const answer = answerWrite(globalBatch, 'updated', shown)
  const withBills = patch.bill_ids !== undefined || patch.new_bill_ids !== undefined || patch.bills_attributes !== undefined
  return withBills ? { ...answer, bills: await billsOfGlobalBatch(context, shown) } : answer
}

const saving: Saving<typeof globalBatch.fields> = {
  added: async ({ principal }, sent, before) => {
    if (before !== null) refuseHead(sent, before)
    return {
      ...(before === null ? { is_global: true, created_by: principal.user_id, created_at: now() } : {}),
      ...(sent.closed === true ? { has_been_closed: true } : {}),
    }
  },
  children: storeBills,
}

/** Rejects changing the payer, a paid batch, or the head of a closed batch. */
function refuseHead(sent: Sent, before: GlobalBatch): void {
  if (before.is_paid || before.finalized) throw refused('This batch is paid, so it stays as it is.', before.id)
  for (const key of ['payer_id', 'client_id'] as const)
    if (sent[key] !== undefined && sent[key] !== null && sent[key] !== before.client_id)
      throw invalid({ [key]: ['The payer of a batch does not change'] })
  if (!before.closed || sent.closed === false) return
  for (const key of ['batch_date', 'bills_due_date'] as const)
    if (sent[key] !== undefined && sent[key] !== before[key]) throw invalid({ [key]: ['This batch is closed. Open it again to change it'] })
}

/** Stores the bills first, then their amounts paid, then their notes: one save may do all three. */
async function storeBills(
  context: Context,
  sent: Sent,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: GlobalBatch | null,
): Promise<void> {
  const batch = askedOf({ id, client_id })
  const isClosed = before !== null && before.closed && sent.closed !== false
  const wanted = await wantedBills(context, sent, { id, client_id })
  if (wanted !== null) {
    const moved = await storePaymentBills(context, batch, wanted, null)
    const isChanged = moved.taken.length + moved.released.length > 0
    if (isClosed && isChanged) throw invalid({ bill_ids: ['This batch is closed. Open it again to change its bills'] })
    if (before !== null && moved.taken.length > 0) await mustBeLocked(context)
    if (before !== null && isChanged) {
      await voidReleases(context, [id], 'The bills of a batch were changed.')
      await context.audit.updated('global_batch', id, client_id, {
        bill_count: { from: moved.before, to: moved.before + moved.taken.length - moved.released.length },
      })
    }
  }
  const attributes = sent.bills_attributes ?? []
  const amounts = attributes.flatMap(({ id: bill_id, amount_paid, amount_due, difference_reason }) =>
    amount_paid === undefined && amount_due === undefined && difference_reason === undefined
      ? []
      : [{ bill_id, amount_paid, amount_due, difference_reason }],
  )
  if (amounts.length > 0) {
    const changed = await storeAmounts(context, batch, amounts, 'bills_attributes')
    if (isClosed && changed > 0) throw invalid({ bills_attributes: ['This batch is closed. Open it again to change its amounts'] })
    if (changed > 0) await voidReleases(context, [id], 'Amounts of a batch were changed.')
  }
  await storeNotes(context, { id, client_id }, attributes)
}

/** Returns all bills that the batch should hold, or null if the save does not mention bills. */
async function wantedBills(
  { tx }: Context,
  { bill_ids, new_bill_ids }: Sent,
  { id, client_id: clientId }: { readonly id: number; readonly client_id: number },
): Promise<readonly number[] | null> {
  if (new_bill_ids === undefined || new_bill_ids.length === 0) return bill_ids ?? null
  if (bill_ids !== undefined) return [...new Set([...bill_ids, ...new_bill_ids])]
  // The batch is locked, so no bill can be removed meanwhile.
  const { rows } = await sql<{ bill_id: number }>`select bill_id from payment_batch_bills where client_id = ${clientId}
    and payment_batch_id = ${id} and released_at is null`.execute(tx)
  return [...new Set([...rows.map((row) => row.bill_id), ...new_bill_ids])]
}

/** Notes on a bill belong to its batch: for OP, the confirmation number. */
async function storeNotes(
  context: Context,
  { id, client_id: clientId }: { readonly id: number; readonly client_id: number },
  attributes: readonly BillAttributes[],
): Promise<void> {
  const notes = attributes.flatMap((one) => (one.notes === undefined ? [] : [{ id: one.id, notes: one.notes?.trim() || null }]))
  if (notes.length === 0) return
  const { rows } = await sql<{ bill_id: number; before: string | null; after: string | null }>`
    with sent as (select distinct on (id) id, notes from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as one(id bigint, notes text)),
    changed as (select member.bill_id, member.notes as before, sent.notes as after from payment_batch_bills member join sent on sent.id = member.bill_id
      where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null and member.notes is distinct from sent.notes)
    update payment_batch_bills member set notes = changed.after from changed
    where member.client_id = ${clientId} and member.payment_batch_id = ${id} and member.released_at is null and member.bill_id = changed.bill_id
    returning member.bill_id, changed.before, changed.after`.execute(context.tx)
  await context.audit.many(
    rows.map((row): AuditEntry => ({
      event: 'update',
      item_type: 'bill',
      item_id: row.bill_id,
      client_id: clientId,
      changes: { payment_batch_notes: { from: row.before, to: row.after } },
    })),
  )
}
