/**
 * Pays batches. One transaction checks everything, writes the files and marks batches, payments and bills paid: either all of it happens, or
 * nothing. Above a limit of a bank profile it asks for a release by a second person instead.
 */
import type { PayType } from '#contract/global-batches/pay-type.ts'
import type { GlobalExport } from '#contract/global-batches/global-payment.ts'
import { wireOf } from '#contract/kernel/money.ts'
import type { FileFormat } from '#contract/payment-files/layout.ts'
import type { ExportInput } from '#contract/payment-files/payment-file.ts'
import { planFiles } from '#contract/payment-files/payment-files.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { chooseBatches, mixedWarnings, type ChosenBatch } from './chosen-batches.ts'
import { figuresOf, mustBeAsSeen, mustSumAsSeen } from './as-seen.ts'
import { readFirstPayments } from './first-payments.ts'
import { afterAct, readList } from './list-batches.ts'
import { allFaults, holdExport, inputOf, mustBePayable, NAMED_MAX, totalOf, writeFiles, type Way } from './pay-by-files.ts'
import { askForRelease, waitingFaults, waitsMessage } from './release-requests.ts'
import { weighExport } from './release-rules.ts'
import type { StoredFile } from './store-files.ts'

/** Pays batches by files. `key` is the same for repetitions of one request. */
export async function exportBatches(context: Context, sent: GlobalExport, key: string) {
  if (sent.pay_method === 'NP') throw invalid({ pay_method: ['NP batches are finalized, not exported.'] })
  const batches = await batchesOf(context, sent)
  const { files, waits } = await payByFiles(context, batches, {
    type: sent.pay_method,
    format: formatOf(sent),
    vendor_name: sent.vendor_name ?? null,
    confirmed: sent.confirmed_vendors,
    check: (input) => mustBeAsSeen(sent.seen, input),
    key,
  })
  const message = waits === null ? 'Export was created' : waitsMessage(waits.total)
  return {
    success: true,
    message,
    files,
    waits: waits && { id: waits.id, reasons: waits.reasons },
    list: await readList(context, { type: sent.pay_method, today: true }),
  }
}

/** Returns what an export would write. Nothing is stored: the transaction only reads. */
export async function previewExport(context: Context, sent: GlobalExport) {
  const batches = await batchesOf(context, sent, false)
  const input = await inputOf(context, batches, { type: sent.pay_method, format: formatOf(sent), vendor_name: sent.vendor_name ?? null })
  const first = await readFirstPayments(context, batches, input.type)
  const faults = [...waitingFaults(batches), ...(await allFaults(context, batches, input, first))]
  const { reasons } = await weighExport(context, input, context.principal.user_id, false)
  const files = faults.length > 0 ? [] : planFiles(input)
  const seen = figuresOf(input, files)
  return {
    faults: faults
      .slice(0, NAMED_MAX)
      .map(({ sentence, client_id, vendor_id, batch_id, bill_id, link }) => ({ sentence, client_id, vendor_id, batch_id, bill_id, link })),
    first_payments: first.map(({ vendor_id, vendor_name, changed, changed_at, changed_by_name, amount }) => ({
      vendor_id,
      vendor_name,
      changed,
      changed_at,
      changed_by_name,
      amount,
    })),
    waits_because: [...reasons],
    warnings: mixedWarnings(batches),
    files: files.map((file) => ({
      bank_name: file.bank_name,
      effective_date: file.effective_dates[0] ?? null,
      payers: file.payer_count,
      payments: file.payment_count,
      bills: file.bill_count,
      total: wireOf(file.total),
    })),
    payments: seen.payments,
    total: seen.total,
    seen,
  }
}

interface Act {
  readonly ids: readonly number[]
  readonly type?: PayType | undefined
  readonly seen_total?: string | undefined
}

/** Marks OP batches paid: staff has paid them at the vendors' own sites. Their worklist is stored as a file. */
export async function payOnline(context: Context, { ids, type, seen_total: seen }: Act, key: string) {
  const batches = await chooseBatches(context, ids)
  const check = (input: ExportInput): void => mustSumAsSeen(seen, input)
  const { waits } = await payByFiles(context, batches, { type: 'OP', format: 'op_worklist', vendor_name: null, check, key })
  if (waits !== null) return afterAct(context, waitsMessage(waits.total), type)
  return afterAct(context, batches.length === 1 ? '1 OP batch paid' : `${batches.length} OP batches paid`, type)
}

/** Closes NP batches: nothing is paid out, so they never enter the accounting export. Their register is stored as a file. */
export async function finalizeNoPayment(context: Context, { ids, type, seen_total: seen }: Act, key: string) {
  const batches = await chooseBatches(context, ids)
  const check = (input: ExportInput): void => mustSumAsSeen(seen, input)
  await payByFiles(context, batches, { type: 'NP', format: 'np_register', vendor_name: null, check, key })
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

interface Paid {
  readonly files: readonly StoredFile[]
  /** The request, where the export waits for a release; then nothing is written. */
  readonly waits: { readonly id: number; readonly reasons: string[]; readonly total: string } | null
}

interface Asked {
  readonly key: string
  readonly confirmed?: GlobalExport['confirmed_vendors']
  /** Throws if the export is not what its person was shown. */
  readonly check: (input: ExportInput) => void
}

async function payByFiles(
  context: Context,
  batches: readonly ChosenBatch[],
  { key, confirmed, check, ...way }: Way & Asked,
): Promise<Paid> {
  const ready = await holdExport(context, batches, way)
  // The figures are compared under the locks, so nobody changes them afterwards.
  check(ready.input)
  await mustBePayable(context, batches, ready, { confirmed, before: waitingFaults(batches) })
  const asker = context.principal.user_id
  const weighed = await weighExport(context, ready.input, asker, true)
  if (weighed.reasons.length === 0) return { files: await writeFiles(context, batches, ready, { key, weighed, asker }), waits: null }
  const asked = await askForRelease(context, batches, ready, { weighed, confirmed })
  return { files: [], waits: { ...asked, total: wireOf(totalOf(ready.input)) } }
}
