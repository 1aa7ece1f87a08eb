/** The obstacles to paying batches, all at once: those in their rows, before those of the files. */
import type { FileFault } from '#contract/payment-files/payment-file.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { paymentRefusalText } from '#contract/payment-batches/payment-refusal.ts'
import { sql } from 'kysely'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { and } from '../kernel/lists/list.ts'
import { joinsFor, selection } from '../kernel/lists/list-source.ts'
import type { GlobalBill } from '#contract/global-batches/global-bill.ts'
import { batchName, type ChosenBatch } from './chosen-batches.ts'
import { globalBills } from './global-bill-source.ts'

export type BatchFault = Pick<FileFault, 'sentence' | 'client_id' | 'vendor_id' | 'batch_id' | 'bill_id' | 'link'>
/** `apart`: another person must export. The security log has such refusals. */
export type FoundFault = BatchFault & { readonly apart?: true }
/** The references of a fault that has none. */
export const noReference = { client_id: null, vendor_id: null, batch_id: null, bill_id: null, link: null }

const DAY_MS = 86_400_000

/** The batches are locked together with their bills and vendors. */
export async function batchFaults(context: Context, batches: readonly ChosenBatch[], type: string): Promise<FoundFault[]> {
  const strange = batches.filter((batch) => batch.effective_type !== type)
  return [
    ...strange.map((batch) => ({
      ...noReference,
      client_id: batch.client_id,
      batch_id: batch.id,
      sentence: `${batchName(batch)} is of type ${batch.effective_type ?? 'none'}, not ${type}.`,
    })),
    ...(await billFaults(context, batches)),
    ...(await dutyFaults(context, batches)),
    ...(await reversalFaults(context, batches)),
  ]
}

/** Checks again the reasons that keep a bill out of a batch, and the findings on the vendor's payment. */
async function billFaults(context: Context, batches: readonly ChosenBatch[]): Promise<BatchFault[]> {
  const keys = ['id', 'client_id', 'vendor_id', 'batch_id', 'account_number', 'date', 'refusal'] as const
  const { rows } = await sql<
    Pick<GlobalBill, (typeof keys)[number]> & { finding: string | null }
  >`select ${selection(context.tx, globalBills, keys, context).words}, (select finding.message from bill_findings finding where finding.client_id = bills.client_id
      and finding.bill_id = bills.id and finding.code = 'vendor_pay' and finding.resolved_at is null order by finding.id limit 1) as finding
    from bills ${joinsFor(globalBills, keys)} where ${and([sql<boolean>`member.payment_batch_id = any(${batches.map(({ id }) => id)}::bigint[])`])}
    order by bills.client_id, bills.id`.execute(context.tx)
  return rows.flatMap(({ id, client_id, vendor_id, batch_id, account_number, date, refusal, finding }) => {
    const reason = refusal === null ? finding : paymentRefusalText({ refusal, other_batch_id: null })
    if (reason === null) return []
    const sentence = `Bill ${account_number}, ${formatDate(date)} cannot be paid: ${reason.replace(/\.$/, '')}.`
    return [{ sentence, client_id, vendor_id, batch_id, bill_id: id, link: `/clients/${client_id}/bills/${id}` }]
  })
}

/** A user who took a payment back does not pay its bill again: one person could send it twice. */
async function reversalFaults({ tx, principal }: Context, batches: readonly ChosenBatch[]): Promise<FoundFault[]> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const { rows } = await sql<Reversed>`select reversal.client_id, reversal.bill_id, bills.account_number, bills.vendor_id,
      array_agg(distinct reversal.created_by) as makers
    from payment_batch_bills member join payment_reversals reversal on reversal.client_id = member.client_id and reversal.bill_id = member.bill_id
    join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where member.payment_batch_id = any(${batches.map(({ id }) => id)}::bigint[]) and member.released_at is null and reversal.created_at > ${since}
    group by reversal.client_id, reversal.bill_id, bills.account_number, bills.vendor_id order by reversal.client_id, reversal.bill_id`.execute(
    tx,
  )
  if (rows.length === 0) return []
  const own = new Set(await tiedAmong(tx, principal.user_id, [...new Set(rows.flatMap(({ makers }) => makers))]))
  return rows
    .filter(({ makers }) => makers.some((id) => own.has(id)))
    .map(({ client_id, bill_id, account_number, vendor_id }) => ({
      ...noReference,
      apart: true,
      client_id,
      vendor_id,
      bill_id,
      sentence: `You, or somebody who counts as one person with you, took back a payment of bill ${account_number} within ${coolDownDays} days. Somebody else must export it.`,
      link: `/clients/${client_id}/bills/${bill_id}`,
    }))
}

interface Reversed {
  readonly client_id: number
  readonly bill_id: number
  readonly account_number: string
  readonly vendor_id: number | null
  readonly makers: readonly number[]
}

/** A user who changed a vendor's bank account may not send money there before another user has confirmed the change. */
async function dutyFaults({ tx, principal }: Context, batches: readonly ChosenBatch[]): Promise<FoundFault[]> {
  const { rows } = await sql<{ id: number; name: string; makers: readonly number[] }>`
    select vendor.id, vendor.name, array_agg(distinct maker.user_id) as makers from vendors vendor
    cross join lateral (select change.requested_by as user_id from vendor_bank_changes change where change.vendor_id = vendor.id and change.state = 'waiting'
      union all select vendor.bank_changed_by where vendor.bank_changed_by is not null and not exists (select 1 from vendor_bank_changes change
        where change.vendor_id = vendor.id and change.state = 'approved' and change.requested_by = vendor.bank_changed_by
          and change.decided_by <> change.requested_by and change.decided_at >= vendor.bank_changed_at)) as maker
    where vendor.id in (select vendor_id from vendor_payments where payment_batch_id = any(${batches.map(({ id }) => id)}::bigint[]))
    group by vendor.id, vendor.name order by vendor.name, vendor.id`.execute(tx)
  if (rows.length === 0) return []
  const same = new Set(await tiedAmong(tx, principal.user_id, [...new Set(rows.flatMap(({ makers }) => makers))]))
  return rows
    .filter(({ makers }) => makers.some((id) => same.has(id)))
    .map(({ id, name, makers }) => ({
      ...noReference,
      apart: true,
      vendor_id: id,
      sentence: `${makers.includes(principal.user_id) ? 'You' : 'Somebody who counts as one person with you'} changed the bank details of ${name}, and nobody has confirmed them yet. Somebody else must confirm them or export.`,
      link: `/vendors/${id}/edit`,
    }))
}
