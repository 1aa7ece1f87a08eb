/**
 * Documents waiting to become bills: the inbox. Each is read in the background; the reading is a proposal, which the bill's form shows next to
 * the document. Nothing of it is saved unseen.
 */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import {
  choice,
  date,
  derived,
  entity,
  instant,
  integer,
  money,
  optional,
  ref,
  shownOnly,
  text,
  type Row,
  numberText,
} from '../kernel/entity.ts'
import type { UploadKind } from '../uploads/upload-kinds.ts'

export const noNextBillText = 'Choose where the next bill begins'

export const scanStates = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'reading', label: 'Reading' },
  { value: 'read', label: 'Ready' },
  { value: 'failed', label: 'Not read' },
  { value: 'done', label: 'Entered' },
  { value: 'ignored', label: 'Ignored' },
] as const

/** File kinds of a bill document. TIFF is excluded: no browser can show it next to the form. */
export const scanKinds: readonly UploadKind[] = ['pdf', 'png', 'jpeg', 'webp', 'gif']
/** Maximum documents per upload, and ids per call. */
export const scansPerCallMax = 100

export const billScan = entity(
  'bill_scan',
  'bill_scans',
  {
    filename: derived(text('Document')),
    content_type: shownOnly(text('Kind')),
    pages: derived(optional(integer('Pages'))),
    /** Pages read so far, and pages that could not be read. */
    pages_read: shownOnly(integer('Pages Read')),
    pages_failed: derived(integer('Pages Not Read')),
    bills_inside: derived(integer('Bills Inside')),
    state: derived(choice('State', scanStates)),
    error: derived(optional(text('Error'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    account_type: derived(optional(choice('Account Type', accountTypes))),
    account_id: derived(optional(ref('Account', 'billable_accounts'))),
    account_number: derived(optional(numberText('Account Number'))),
    bill_date: derived(optional(date('Bill Date'))),
    due_date: derived(optional(date('Due Date'))),
    amount_due: derived(optional(money('Amount Due'))),
    /** Confidence of the fields needed for a payment: account, both dates and amount, in percent. */
    confidence: derived(optional(integer('Head'))),
    /** Values of the account's service lines that were read, and those still to be keyed. */
    lines_found: shownOnly(optional(integer('Values of Lines'))),
    lines_missing: derived(optional(integer('Lines'))),
    created_at: derived(instant('Received')),
    created_by_name: derived(optional(text('Uploaded By'))),
    read_at: derived(optional(instant('Read'))),
    bill_id: derived(optional(ref('Bill', 'bills'))),
    /** The bill or the earlier document that this seems to repeat: the same file, or the same account, date and amount. */
    same_bill_id: shownOnly(optional(ref('Entered Before As', 'bills'))),
    same_scan_id: shownOnly(optional(ref('Same Document', 'bill_scans'))),
    /** Pages of the whole document that belong to this bill, until they are split off. */
    cut_from: shownOnly(optional(integer('From Page'))),
    cut_to: shownOnly(optional(integer('To Page'))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'filename',
      'state',
      'pages',
      'vendor_id',
      'vendor_name',
      'account_number',
      'bill_date',
      'due_date',
      'amount_due',
      'confidence',
      'lines_missing',
      'created_at',
      'created_by_name',
      'bill_id',
    ],
    sort: [
      'created_at',
      'filename',
      'state',
      'pages',
      'vendor_name',
      'account_number',
      'bill_date',
      'due_date',
      'amount_due',
      'confidence',
      'lines_missing',
      'id',
    ],
    defaultSort: 'created_at asc',
    sizes: [10, 20, 50, 100, 200, 1000],
  },
  { label: 'Document', labels: 'Documents' },
)
export type BillScan = Row<typeof billScan>

/** The shelves of the list: documents that wait for a user, ignored ones, and those that became bills. */
export const scanShelves = ['open', 'ignored', 'done', 'all'] as const
export type ScanShelf = (typeof scanShelves)[number]

/** `changed_at`: the time of the last change to any of them, so that a viewer notices that the list changed. */
export const summary = z.object({ open: z.int(), reading: z.int(), oldest_at: z.string().nullable(), changed_at: z.string().nullable() })
export type ScanSummary = z.infer<typeof summary>

/** One of the bills of a file. */
export const stackPart = z.object({ id: z.int(), state: z.string(), bill_id: z.int().nullable(), amount_due: z.string().nullable() })
export type StackPart = z.infer<typeof stackPart>

export const received = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.int(),
  same_bill_id: z.int().nullable(),
  same_scan_id: z.int().nullable(),
})
export type ReceivedScan = z.infer<typeof received>
