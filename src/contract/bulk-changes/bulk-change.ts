/**
 * Changes of many records at once: previewed, applied as a whole, and undone as a whole. Another list joins with its line in `bulkKinds`, its
 * call in `bulkChangeCalls` and its target on the server.
 */
import { z } from 'zod'
import { bill } from '../bills/bill.ts'
import { billableAccount } from '../accounts/billable-account.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { result } from '../kernel/call.ts'
import {
  boolean,
  choice,
  derived,
  entity,
  instant,
  integer,
  list,
  optional,
  ref,
  shownOnly,
  text,
  type Field,
  type Row,
} from '../kernel/entity.ts'
import { supplyAccount } from '../accounts/supply-account.ts'

/** Maximum records of one bulk change. */
export const bulkRecordsMax = 50_000
/** Rows of one page of a preview. */
export const bulkRowsPerPageMax = 1_000
/** Days during which a bulk change can be undone. */
export const bulkUndoDays = 90

export const bulkKindNames = ['billable_account', 'supply_account', 'bill'] as const
export type BulkKindName = (typeof bulkKindNames)[number]

export interface BulkKind {
  readonly name: BulkKindName
  readonly plural: string
  readonly label: string
  readonly labels: string
  /** Columns that identify its records. */
  readonly columns: { readonly title: string; readonly detail: string }
  /** The fields that a bulk change may set, several at once. */
  readonly fields: Readonly<Record<string, Field<unknown>>>
}

export const billableFields = fieldsOf(billableAccount.fields)
export const supplyFields = fieldsOf(supplyAccount.fields)
export const billFields = {
  parked: bill.fields.parked,
  qc: bill.fields.qc,
  /** Not a column of the bill: every open finding of it is resolved with this reason. */
  resolve_findings: choice('Resolve findings as', findingReasons),
}

export const bulkKinds: Readonly<Record<BulkKindName, BulkKind>> = {
  billable_account: kindOf(billableAccount, 'billable_account', billableFields),
  supply_account: kindOf(supplyAccount, 'supply_account', supplyFields),
  bill: { ...kindOf(bill, 'bill', billFields), columns: { title: 'Account Number', detail: 'Bill Date' } },
}

export const bulkActions = ['change', 'unchanged', 'refused'] as const
export type BulkAction = (typeof bulkActions)[number]

const shown = z.string().nullable()
const value = z.union([z.string(), z.number(), z.boolean()]).nullable()

const bulkRow = z.object({
  id: z.int(),
  /** Names of the record for people. */
  title: z.string(),
  detail: z.string(),
  action: z.enum(bulkActions),
  /** Each changed field, in words. */
  changes: z.record(z.string(), z.object({ from: shown, to: shown })),
  /** Reasons for refusing it. */
  reasons: z.array(z.string()),
  /** Warnings, which do not prevent the change. */
  warnings: z.array(z.string()),
})
export type BulkRow = z.infer<typeof bulkRow>

const counts = z.object({ selected: z.int(), change: z.int(), unchanged: z.int(), refused: z.int(), warned: z.int() })
export type BulkCounts = z.infer<typeof counts>

export const bulkReply = z.intersection(
  result,
  z.object({
    counts,
    /** Identifies the preview: the change is applied only if it would still do the same. */
    token: z.string(),
    /** For a preview: its page of rows. */
    bulk_rows: z.array(bulkRow),
    total: z.int(),
  }),
)
export type BulkReply = z.infer<typeof bulkReply>

export const bulkChange = entity(
  'bulk_change',
  'bulk_changes',
  {
    created_at: derived(instant('When')),
    user_name: derived(text('Who')),
    kind: derived(
      choice(
        'Records',
        bulkKindNames.map((name) => ({ value: name, label: bulkKinds[name].labels })),
      ),
    ),
    changed: derived(list('Changes', z.array(z.object({ key: z.string(), label: z.string(), to: shown })))),
    item_count: derived(integer('How Many')),
    undone_at: derived(optional(instant('Undone'))),
    undone_by_name: derived(optional(text('Undone By'))),
    may_undo: shownOnly(boolean('May Be Undone')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: ['id', 'created_at', 'user_name', 'kind', 'item_count', 'undone_at', 'undone_by_name'],
    sort: ['id', 'created_at', 'user_name', 'kind', 'item_count', 'undone_at', 'undone_by_name'],
    defaultSort: 'id desc',
    sizes: [20, 50, 100],
  },
)
export type BulkChange = Row<typeof bulkChange>

/** The effect of a bulk change on one record. */
export const doneRow = z.object({
  id: z.int(),
  title: shown,
  detail: shown,
  changes: z.record(z.string(), z.object({ from: shown, to: shown })),
  /** The record was changed or deleted since, so the bulk change cannot be undone. */
  in_the_way: z.enum(['changed', 'deleted']).nullable(),
})
export type BulkDoneRow = z.infer<typeof doneRow>

/** A value of a field on the wire. */
export type BulkValue = z.infer<typeof value>

function fieldsOf({
  facility_id,
  vendor_id,
  billing_period,
  active,
}: Readonly<Record<'facility_id' | 'vendor_id' | 'billing_period' | 'active', Field<unknown>>>) {
  return { facility_id, vendor_id, billing_period, active }
}

function kindOf(
  { plural, label, labels }: { readonly plural: string; readonly label: string; readonly labels: string },
  name: BulkKindName,
  fields: BulkKind['fields'],
): BulkKind {
  return { name, plural, label, labels, fields, columns: { title: 'Account Number', detail: 'Name' } }
}
