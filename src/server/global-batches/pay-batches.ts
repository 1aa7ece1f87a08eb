/**
 * Pays batches. One transaction checks everything, writes the files and marks batches, payments and bills paid: either all of it happens, or
 * nothing.
 */
import type { PayType } from '#contract/global-batches/pay-type.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { centsOf, sumCents, wireOf } from '#contract/kernel/money.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import type { FileFormat } from '#contract/payment-files/layout.ts'
import { exportFaults, planFiles } from '#contract/payment-files/payment-files.ts'
import type { ExportInput, FileEntry } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { payBills } from '../payment-batches/payment-batches.ts'
import { chooseBatches, type ChosenBatch } from './chosen-batches.ts'
import { batchFaults, type BatchFault } from './export-checks.ts'
import { holdPayments, readExportData } from './export-data.ts'
import { firstPaymentFaults, mustConfirmFirst, readFirstPayments, type FoundFirst } from './first-payments.ts'
import { afterAct, readList } from './list-batches.ts'
import { storeFiles, type StoredFile } from './store-files.ts'

/** Most faults that a refusal names; all are counted. */
const NAMED_MAX = 200

/** Pays batches by files. `key` is the same for repetitions of one request. */
export async function exportBatches(context: Context, sent: GlobalExport, key: string) {
  if (sent.pay_method === 'NP') throw invalid({ pay_method: ['NP batches are finalized, not exported.'] })
  const batches = await batchesOf(context, sent)
  const { files } = await payByFiles(context, batches, {
    type: sent.pay_method,
    format: formatOf(sent),
    vendor_name: sent.vendor_name ?? null,
    confirmed: sent.confirmed_vendors,
    key,
  })
  return { success: true, message: 'Export was created', files, list: await readList(context, { type: sent.pay_method, today: true }) }
}

/** Returns what an export would write. Nothing is stored: the transaction only reads. */
export async function previewExport(context: Context, sent: GlobalExport) {
  const batches = await batchesOf(context, sent, false)
  const input = await inputOf(context, batches, { type: sent.pay_method, format: formatOf(sent), vendor_name: sent.vendor_name ?? null })
  const first = await readFirstPayments(context, batches, input.type)
  const faults = await allFaults(context, batches, input, first)
  const files = faults.length > 0 ? [] : planFiles(input)
  return {
    faults: faults
      .slice(0, NAMED_MAX)
      .map(({ sentence, client_id, vendor_id, batch_id, bill_id, link }) => ({ sentence, client_id, vendor_id, batch_id, bill_id, link })),
    first_payments: first.map(({ vendor_id, vendor_name, changed_at, changed_by_name, amount }) => ({
      vendor_id,
      vendor_name,
      changed_at,
      changed_by_name,
      amount,
    })),
    files: files.map((file) => ({
      bank_name: file.bank_name,
      effective_date: file.effective_dates[0] ?? null,
      payers: file.payer_count,
      payments: file.payment_count,
      bills: file.bill_count,
      total: wireOf(file.total),
    })),
    payments: input.payments.length,
    total: wireOf(sumCents(batches.map(({ batch_total }) => centsOf(batch_total)))),
  }
}

interface Act {
  readonly ids: readonly number[]
  readonly type?: PayType | undefined
}

/** Marks OP batches paid: staff has paid them at the vendors' own sites. Their worklist is stored as a file. */
export async function payOnline(context: Context, { ids, type }: Act, key: string) {
  const batches = await chooseBatches(context, ids)
  await payByFiles(context, batches, { type: 'OP', format: 'op_worklist', vendor_name: null, key })
  return afterAct(context, batches.length === 1 ? '1 OP batch paid' : `${batches.length} OP batches paid`, type)
}

/** Closes NP batches: nothing is paid out, so they never enter the accounting export. Their register is stored as a file. */
export async function finalizeNoPayment(context: Context, { ids, type }: Act, key: string) {
  const batches = await chooseBatches(context, ids)
  await payByFiles(context, batches, { type: 'NP', format: 'np_register', vendor_name: null, key })
  return afterAct(context, batches.length === 1 ? '1 NP batch finalized' : `${batches.length} NP batches finalized`, type)
}

/** Returns the batches that an export names, directly or by all their bills. */
async function batchesOf(context: Context, { ids, bill_ids }: GlobalExport, lock = true): Promise<ChosenBatch[]> {
  if (ids !== undefined) return chooseBatches(context, ids, lock)
  const wanted = new Set(bill_ids ?? [])
  if (wanted.size === 0) throw invalid({ ids: ['Must have one or more batches to export'] }, 'Must have one or more batches to export')
  const { rows } = await sql<{ id: number }>`select distinct payment_batch_id as id from payment_batch_bills
    where bill_id = any(${[...wanted]}::bigint[]) and released_at is null`.execute(context.tx)
  if (rows.length === 0) throw refused('These bills are in no batch any more. Load the page again.')
  const batches = await chooseBatches(
    context,
    rows.map(({ id }) => id),
    lock,
  )
  const { rows: members } = await sql<{ bill_id: number }>`select bill_id from payment_batch_bills
    where payment_batch_id = any(${rows.map(({ id }) => id)}::bigint[]) and released_at is null`.execute(context.tx)
  if (members.length !== wanted.size || members.some(({ bill_id }) => !wanted.has(bill_id)))
    throw refused('The bills of these batches have changed meanwhile. Load the page again.')
  return batches
}

interface Way {
  readonly type: PayType
  readonly format: FileFormat
  readonly vendor_name: string | null
}

function formatOf({ pay_method, ach_format }: GlobalExport): FileFormat {
  switch (pay_method) {
    case 'ACH':
      return ach_format ?? 'standard'
    case 'Autopay':
      return 'autopay_register'
    case 'Avid':
      return 'avid'
    case 'NP':
      return 'np_register'
    case 'OP':
      return 'op_worklist'
    default:
      return 'check_request'
  }
}

async function payByFiles(
  context: Context,
  batches: readonly ChosenBatch[],
  { key, confirmed, ...way }: Way & { readonly key: string; readonly confirmed?: GlobalExport['confirmed_vendors'] },
): Promise<{ files: StoredFile[] }> {
  await holdPayments(
    context,
    batches.map(({ id }) => id),
  )
  const input = await inputOf(context, batches, way)
  const first = await readFirstPayments(context, batches, way.type)
  const faults = await allFaults(context, batches, input, first)
  if (faults.length > 0) throw refusal(faults)
  mustConfirmFirst(first, confirmed)
  const isNoPayment = way.type === 'NP'
  const { files, entries } = await storeFiles(context, {
    input,
    export_type: way.type,
    purpose: isNoPayment ? 'companion' : 'payment',
    exportKey: key,
    total: totalOf(input),
    firstVendors: first.map(({ vendor_id }) => vendor_id),
  })
  await markPaid(context, batches, { entries, type: way.type, finalized: isNoPayment })
  return { files }
}

async function inputOf(context: Context, batches: readonly ChosenBatch[], { type, format, vendor_name }: Way): Promise<ExportInput> {
  const { date, time } = wallTimeIn(NEW_YORK, now())
  return {
    type,
    format,
    moment: { date, time: time.slice(0, 5) },
    ...(await readExportData(context, batches)),
    vendor_name,
    is_test: false,
  }
}

async function allFaults(
  context: Context,
  batches: readonly ChosenBatch[],
  input: ExportInput,
  first: readonly FoundFirst[],
): Promise<BatchFault[]> {
  const faults = await batchFaults(context, batches, input.type)
  const named = new Set(faults.map(({ vendor_id, bill_id }) => (bill_id === null ? vendor_id : null)))
  const ofFirst = await firstPaymentFaults(
    context,
    first.filter(({ vendor_id }) => !named.has(vendor_id)),
  )
  return [...faults, ...ofFirst, ...exportFaults(input)]
}

function refusal(faults: readonly BatchFault[]) {
  const named = faults.slice(0, NAMED_MAX).map(({ sentence }) => sentence)
  const more = faults.length - named.length
  return invalid(
    { ids: more > 0 ? [...named, `And ${more.toLocaleString('en-US')} more.`] : named },
    faults.length === 1 ? named[0] : `${faults.length.toLocaleString('en-US')} things prevent it: ${named.join(' ')}`,
  )
}

export const totalOf = ({ payments }: ExportInput): number => sumCents(payments.map(({ amount }) => amount))

interface Paid {
  readonly entries: readonly FileEntry[]
  readonly type: PayType
  readonly finalized: boolean
}

/** Marks batches, payments and bills paid together; what was written to a file stays paid. */
async function markPaid(context: Context, batches: readonly ChosenBatch[], { entries, type, finalized }: Paid): Promise<void> {
  const byClient = Map.groupBy(batches, ({ client_id }) => client_id)
  for (const [clientId, own] of byClient) {
    const ids = own.map(({ id }) => id)
    const { rows } = await sql<{
      id: number
    }>`update vendor_payments payment set payment_method = ${type}, trace_number = written.trace_number,
        expected_settlement_date = written.effective_date, payment_date = coalesce(payment.payment_date, written.effective_date, ${today()}::date),
        lock_version = payment.lock_version + 1, updated_at = ${now()}
      from (select vendor_payment_id, min(trace_number) as trace_number, min(effective_date) as effective_date
        from jsonb_to_recordset(${JSON.stringify(entries.filter((entry) => entry.client_id === clientId))}::jsonb)
          as one(vendor_payment_id bigint, trace_number text, effective_date date) group by vendor_payment_id) written
      where payment.client_id = ${clientId} and payment.payment_batch_id = any(${ids}::bigint[]) and payment.id = written.vendor_payment_id
      returning payment.id`.execute(context.tx)
    await payBills(
      context,
      { client_id: clientId },
      rows.map(({ id }) => id),
      finalized,
    )
    await sql`update payment_batches set is_paid = true, paid_at = ${now()}, paid_as = ${type}, closed = true, has_been_closed = true,
        finalized = ${finalized}, finalized_at = ${finalized ? now() : null}, lock_version = lock_version + 1, updated_at = ${now()}
      where client_id = ${clientId} and id = any(${ids}::bigint[])`.execute(context.tx)
  }
  await context.audit.many(
    batches.map((batch): AuditEntry => ({
      event: 'update',
      item_type: 'global_batch',
      item_id: batch.id,
      client_id: batch.client_id,
      changes: {
        is_paid: { from: false, to: true },
        paid_as: { from: null, to: type },
        ...(finalized ? { finalized: { from: false, to: true } } : {}),
        ...(batch.closed ? {} : { closed: { from: false, to: true } }),
      },
    })),
  )
}
