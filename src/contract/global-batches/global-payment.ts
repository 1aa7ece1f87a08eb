/** Paying global batches: payment files, OP, NP, and the accounting export. */
import { z } from 'zod'
import { call, result } from '../kernel/call.ts'
import { sum } from '../payment-batches/payment-bill.ts'
import { reversalDraft } from '../payment-batches/payment-reversal.ts'
import { acted, batchIds, batchList, chosen, dayText, globalBillsMax, typeName } from './global-batch.ts'
import { confirmedVendor, firstPayment } from './first-payment.ts'
import { achFormats } from './pay-type.ts'

const path = '/global_batches'
/** Most files of an export whose days are compared with what a person was shown. */
const seenFilesMax = 1_000

/**
 * The figures of an export that its person was shown. If others hold by now, because somebody has changed a batch or a cut-off has passed, the
 * export is refused with 409 and nothing is written.
 */
const seenExport = z.strictObject({
  payments: z.int().nonnegative(),
  total: sum,
  /** The effective dates of the files that have one, in the order of the files. */
  effective_dates: z.array(z.iso.date()).max(seenFilesMax),
})
export type SeenExport = z.infer<typeof seenExport>

/** Chosen batches, and the sum of them that the person was shown; if it is another by now, the call is refused with 409. */
const chosenAsSeen = chosen.extend({ seen_total: sum.optional() })

const exportBody = z.strictObject({
  /** The batches to pay. */
  ids: batchIds.optional(),
  /** The bills to pay, as whole batches: if a batch has other bills by now, the response is 409. Either these or `ids`. */
  bill_ids: z.array(z.int().positive()).max(globalBillsMax).optional(),
  pay_method: typeName,
  /** For ACH only; 'standard' by default. */
  ach_format: z.enum(achFormats.map(({ value }) => value)).optional(),
  /** For an export of one exclusive vendor: used in the file names, `&` as 'and'. */
  vendor_name: z.string().max(255).optional(),
  /** The first payments after a change of bank details that the exporter confirms, as the preview names them. */
  confirmed_vendors: z.array(confirmedVendor).max(globalBillsMax).optional(),
  seen: seenExport.optional(),
})
export type GlobalExport = z.infer<typeof exportBody>

/** A file of an export in its preview. */
const plannedFile = z.object({
  bank_name: z.string().nullable(),
  effective_date: z.string().nullable(),
  payers: z.int(),
  payments: z.int(),
  bills: z.int(),
  total: sum,
})
const exportFault = z.object({
  sentence: z.string(),
  client_id: z.int().nullable(),
  vendor_id: z.int().nullable(),
  batch_id: z.int().nullable(),
  bill_id: z.int().nullable(),
  /** The console page where the fault can be fixed. */
  link: z.string().nullable(),
})

export const globalPaymentCalls = {
  exportFiles: call({
    name: 'global_batches.export_files',
    method: 'POST',
    path: `${path}/export`,
    may: 'global_batch.update',
    summary:
      'Pays Global Batches of one effective type: writes their payment files and marks them paid, all or none. Above a limit of a bank profile it asks for a release instead',
    heavy: true,
    body: exportBody,
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      files: z.array(z.object({ id: z.int(), file_name: z.string(), batch_file_url: z.string(), payment_count: z.int(), total: sum })),
      /** The request for a release, where the export waits for a second person: then nothing is written. */
      waits: z.object({ id: z.int(), reasons: z.array(z.string()) }).nullable(),
      list: batchList,
    }),
  }),
  preview: call({
    name: 'global_batches.export_preview',
    method: 'POST',
    path: `${path}/export_preview`,
    effect: 'read',
    may: 'global_batch.read',
    summary: 'What an export would write, and all that prevents it; nothing is stored',
    heavy: true,
    body: exportBody,
    reply: z.object({
      faults: z.array(exportFault),
      /** The export must confirm each of these. */
      first_payments: z.array(firstPayment),
      /** Why the export would wait for a release by a second person; empty if it would not. */
      waits_because: z.array(z.string()),
      /** Warnings about batches that hold several vendors, one of whom became exclusive later. The export pays them. */
      warnings: z.array(z.string()),
      files: z.array(plannedFile),
      payments: z.int(),
      total: sum,
      /** The figures that the export sends back as `seen`. */
      seen: seenExport,
    }),
  }),
  pay: call({
    name: 'global_batches.pay',
    method: 'POST',
    path: `${path}/pay`,
    may: 'global_batch.update',
    summary: 'Marks OP batches paid, with the confirmation numbers that their bills have as notes',
    body: chosenAsSeen,
    reply: acted,
  }),
  finalize: call({
    name: 'global_batches.finalize',
    method: 'POST',
    path: `${path}/finalize`,
    may: 'global_batch.update',
    summary: 'Closes NP batches of at most 1.00: their bills are paid and finalized, and nothing is paid out',
    body: chosenAsSeen,
    reply: acted,
  }),
  reverse: call({
    name: 'global_batches.reverse',
    method: 'POST',
    path: `${path}/:id/vendor_payments/:vendor_payment_id/reverse`,
    may: 'global_batch.update',
    summary: 'Takes back a paid payment of a Global Batch, as a check that is stopped or void: its bills are unpaid again',
    body: z.strictObject({ payment_reversal: reversalDraft }),
    reply: result,
  }),
  paidCount: call({
    name: 'global_batches.paid_count',
    method: 'GET',
    path: `${path}/paid_count`,
    may: 'global_batch.read',
    summary: 'How many batches of the day are paid and not finalized yet',
    query: z.strictObject({ day: dayText }),
    reply: z.object({ count: z.int() }),
  }),
  accountingExport: call({
    name: 'global_batches.accounting_export',
    method: 'GET',
    path: `${path}/accounting_export`,
    effect: 'write',
    may: 'global_batch.update',
    summary: 'Writes the accounting export of all paid batches of the day and finalizes them',
    query: z.strictObject({
      connection_id: z.string().max(100).optional(),
      day: dayText,
      /** The number of paid batches that the person was shown; if it is another by now, the call is refused with 409. */
      seen_count: z
        .string()
        .regex(/^\d{1,6}$/, 'seen_count must be a whole number')
        .optional(),
    }),
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      finalized: z.int(),
      files: z.array(z.object({ id: z.int(), file_name: z.string(), batch_file_url: z.string() })),
    }),
  }),
}
