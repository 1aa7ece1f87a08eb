/** A payment file or an accounting file as exported: its bytes are stored encrypted and never change. */
import { z } from 'zod'
import { call, crudCalls } from '../kernel/call.ts'
import { boolean, date, derived, entity, instant, integer, longText, money, optional, text, type Row } from '../kernel/entity.ts'
import { testFormats } from '../payment-files/test-input.ts'
import { globalPageSizes } from './global-bill.ts'

/** The purpose of a file. */
const fileTypes = ['ACH', 'Autopay', 'Avid', 'Check', 'Check - OVERNIGHT', 'NP', 'OP', 'Accounting'] as const
export type FileType = (typeof fileTypes)[number]

export const globalBatchFile = entity(
  'global_batch_file',
  'global_batch_files',
  {
    file_name: derived(text('File Name')),
    created_at: derived(instant('Created')),
    export_type: derived(text('Export Type')),
    /** A test file for a bank: it pays nothing. */
    is_test: derived(boolean('Test')),
    batch_file_url: derived(text('File')),
    format: derived(text('Format')),
    /** The version of a bank profile's own layout that the file was written with; null for a ready-made layout. */
    layout_version: derived(optional(text('Layout'))),
    batch_count: derived(integer('Batches')),
    payment_count: derived(integer('Payments')),
    bill_count: derived(integer('Bills')),
    total: derived(money('Total')),
    byte_size: derived(integer('Bytes')),
    /** Hexadecimal. */
    sha256: derived(text('SHA-256')),
    bank_name: derived(optional(text('Bank'))),
    effective_date: derived(optional(date('Effective Date'))),
    /** The person who asked for the export. */
    created_by_name: derived(optional(text('Created By'))),
    /** The second person who released it; null if it needed none. */
    released_by_name: derived(optional(text('Released By'))),
    /** Each vendor that the file paid for the first time since its bank details changed, with that change. */
    first_payments: derived(optional(longText('First Payments', 100_000))),
    downloads: derived(integer('Downloads')),
    last_downloaded_at: derived(optional(instant('Last Download'))),
  },
  {
    filter: [
      'id',
      'file_name',
      'created_at',
      'export_type',
      'is_test',
      'format',
      'batch_count',
      'payment_count',
      'bill_count',
      'total',
      'bank_name',
      'effective_date',
      'created_by_name',
      'released_by_name',
      'first_payments',
    ],
    sort: ['created_at', 'file_name', 'export_type', 'total', 'released_by_name', 'first_payments', 'id'],
    defaultSort: 'created_at desc',
    sizes: globalPageSizes,
  },
  { label: 'Global Batch File', labels: 'Global Batch Files' },
)
export type GlobalBatchFile = Row<typeof globalBatchFile>

const path = '/global_batch_files'
const { list, exportCsv } = crudCalls(globalBatchFile, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.destroy',
})

export const globalBatchFileCalls = {
  list,
  exportCsv,
  makeTest: call({
    name: 'global_batch_files.make_test',
    method: 'POST',
    path: `${path}/test`,
    may: 'global_batch.update',
    summary:
      'Writes a test file of a bank profile with invented payees, marked as a test; it pays nothing and counts toward no limit and no number of files',
    body: z.strictObject({
      test_file: z.strictObject({ originating_profile_id: z.int().positive(), format: z.enum(testFormats.map(({ value }) => value)) }),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), id: z.int(), file_name: z.string(), batch_file_url: z.string() }),
  }),
  download: call({
    name: 'global_batch_files.download',
    method: 'GET',
    path: `${path}/:id/download`,
    effect: 'write',
    may: 'global_batch.update',
    summary: 'The bytes of a file as they were first written; the download stands in the audit log',
    replyKind: 'stream',
    reply: z.unknown(),
  }),
}
