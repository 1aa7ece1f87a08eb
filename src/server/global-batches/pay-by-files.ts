/**
 * Pays batches by files, at an export or at its release: everything is checked, then the files are written and batches, payments and bills are
 * marked paid, in one transaction.
 */
import type { PayType } from '#contract/global-batches/pay-type.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { sumCents } from '#contract/kernel/money.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import type { FileFormat } from '#contract/payment-files/layout.ts'
import { exportFaults } from '#contract/payment-files/payment-files.ts'
import type { ExportInput, FileEntry } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { Failure } from '../kernel/problem.ts'
import { payBills, queueAdvices } from '../payment-batches/payment-batches.ts'
import type { ChosenBatch } from './chosen-batches.ts'
import { batchFaults, type FoundFault } from './export-checks.ts'
import { holdPayments, readExportData } from './export-data.ts'
import { firstPaymentFaults, mustConfirmFirst, readFirstPayments } from './first-payments.ts'
import type { FoundFirst } from './found-first.ts'
import { addToDay, type Weighed } from './release-rules.ts'
import { storeFiles, type StoredFile } from './store-files.ts'

/** Most faults that a refusal names; all are counted. */
export const NAMED_MAX = 200

export interface Way {
  readonly type: PayType
  readonly format: FileFormat
  readonly vendor_name: string | null
}

/** An export whose batches, bills and vendors are held. */
export interface ReadyExport {
  readonly way: Way
  readonly input: ExportInput
  readonly first: readonly FoundFirst[]
}

/** Holds what the export pays, and reads it. */
export async function holdExport(context: Context, batches: readonly ChosenBatch[], way: Way): Promise<ReadyExport> {
  await holdPayments(
    context,
    batches.map(({ id }) => id),
  )
  const input = await inputOf(context, batches, way)
  return { way, input, first: await readFirstPayments(context, batches, way.type) }
}

/** Throws 422 with everything that prevents the export. `before` are faults that were found already. */
export async function mustBePayable(
  context: Context,
  batches: readonly ChosenBatch[],
  { input, first }: ReadyExport,
  { confirmed, before = [] }: { readonly confirmed: GlobalExport['confirmed_vendors']; readonly before?: readonly FoundFault[] },
): Promise<void> {
  const faults = [...before, ...(await allFaults(context, batches, input, first))]
  if (faults.length > 0) throw refusal(faults)
  mustConfirmFirst(first, confirmed)
}

interface Writing {
  readonly key: string
  readonly weighed: Weighed
  /** Who asked for the export: its maker in the history, to whose sums of the day it counts. */
  readonly asker: number
  /** The request whose release writes the files. */
  readonly release?: number
}

/** Writes the files of an export that is free of faults, and marks what they pay. */
export async function writeFiles(
  context: Context,
  batches: readonly ChosenBatch[],
  { way, input, first }: ReadyExport,
  { key, weighed, asker, release }: Writing,
): Promise<StoredFile[]> {
  const isNoPayment = way.type === 'NP'
  const { files, entries } = await storeFiles(context, {
    input,
    export_type: way.type,
    purpose: isNoPayment ? 'companion' : 'payment',
    exportKey: key,
    total: totalOf(input),
    firstVendors: first.flatMap(({ vendor_id, changed }) => (changed === 'bank' ? vendor_id : [])),
    made: { by: asker, release: release ?? null },
  })
  await markPaid(context, batches, { entries, type: way.type, finalized: isNoPayment })
  await addToDay(context, asker, weighed.totals)
  return files
}

export async function inputOf(context: Context, batches: readonly ChosenBatch[], { type, format, vendor_name }: Way): Promise<ExportInput> {
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

export async function allFaults(
  context: Context,
  batches: readonly ChosenBatch[],
  input: ExportInput,
  first: readonly FoundFirst[],
): Promise<FoundFault[]> {
  const faults = await batchFaults(context, batches, input.type)
  const named = new Set(faults.map(({ vendor_id, bill_id }) => (bill_id === null ? vendor_id : null)))
  const ofFirst = await firstPaymentFaults(
    context,
    first.filter(({ vendor_id }) => !named.has(vendor_id)),
  )
  return [...faults, ...ofFirst, ...exportFaults(input)]
}

function refusal(faults: readonly FoundFault[]) {
  const named = faults.slice(0, NAMED_MAX).map(({ sentence }) => sentence)
  const more = faults.length - named.length
  const message = faults.length === 1 ? (named[0] ?? '') : `${faults.length.toLocaleString('en-US')} things prevent it: ${named.join(' ')}`
  const apart = faults.some((fault) => fault.apart)
  return new Failure('invalid', message, { ids: more > 0 ? [...named, `And ${more.toLocaleString('en-US')} more.`] : named }, { apart })
}

export const totalOf = ({ payments }: ExportInput): number => sumCents(payments.map(({ amount }) => amount))

interface Paid {
  readonly entries: readonly FileEntry[]
  readonly type: PayType
  readonly finalized: boolean
}

/** Marks batches, payments and bills paid together, and queues the remittance advices; what was written to a file stays paid. */
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
    const paid = rows.map(({ id }) => id)
    await payBills(context, { client_id: clientId }, paid, finalized)
    await sql`update payment_batches set is_paid = true, paid_at = ${now()}, paid_as = ${type}, closed = true, has_been_closed = true,
        finalized = ${finalized}, finalized_at = ${finalized ? now() : null}, lock_version = lock_version + 1, updated_at = ${now()}
      where client_id = ${clientId} and id = any(${ids}::bigint[])`.execute(context.tx)
    await queueAdvices(context, clientId, paid)
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
