/**
 * Changes of many records at once: previewed, applied as a whole, and undone as a whole. Another list joins with its line in `bulkKinds`, its
 * call in `bulkChangeCalls` and its target on the server.
 */
import { z } from 'zod'
import { bill } from '../bills/bill.ts'
import { billableAccount } from '../accounts/billable-account.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { call, exportOf, listReply, result } from '../kernel/call.ts'
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
import type { May, Permission } from '../kernel/permission.ts'
import { filterLengthMax, filterValuesMax, listInput } from '../kernel/query.ts'
import { supplyAccount } from '../accounts/supply-account.ts'

/** Maximum records of one bulk change. */
export const bulkRecordsMax = 50_000
/** Maximum records that a request may name by id; more are selected by a filter. */
export const bulkIdsMax = 10_000
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

const billableFields = fieldsOf(billableAccount.fields)
const supplyFields = fieldsOf(supplyAccount.fields)
const billFields = {
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

const scalar = z.union([z.string().max(filterLengthMax), z.number(), z.boolean()])
const idList = z
  .array(z.int({ error: 'must be whole numbers' }).positive('must be positive'))
  .max(bulkIdsMax, `At most ${bulkIdsMax} ids can be named`)
const filterSchema = z.strictObject({
  q: z.record(z.string().max(100), z.union([scalar, z.array(z.union([z.string(), z.number()])).max(filterValuesMax)])).optional(),
  search_term: z.string().max(filterLengthMax).optional(),
})
/** The selected records. */
const selectionShape = {
  ids: idList.min(1, 'Name at least one record').optional(),
  filter: filterSchema.optional(),
  /** Records that match the filter but are left out. */
  except: idList.optional(),
}
interface Meant {
  readonly ids?: unknown
  readonly filter?: unknown
  readonly except?: unknown
}
const saysOne = ({ ids, filter }: Meant): boolean => (ids === undefined) !== (filter === undefined)
const exceptsOfFilter = ({ except, filter }: Meant): boolean => except === undefined || filter !== undefined

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

const bulkReply = z.intersection(
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
const doneRow = z.object({
  id: z.int(),
  title: shown,
  detail: shown,
  changes: z.record(z.string(), z.object({ from: shown, to: shown })),
  /** The record was changed or deleted since, so the bulk change cannot be undone. */
  in_the_way: z.enum(['changed', 'deleted']).nullable(),
})
export type BulkDoneRow = z.infer<typeof doneRow>

const whole = z.union([z.string().regex(/^[1-9]\d{0,8}$/, 'must be a positive whole number'), z.int().positive()])
/** The right to change one of these records covers changing many. */
const mayAny: May = ['billable_account.update', 'supply_account.update', 'bill.update']

const listChanges = call({
  name: 'bulk_changes.list',
  method: 'GET',
  path: '/clients/:client_id/bulk_changes',
  may: mayAny,
  summary: 'Lists changes of many records: everybody’s to who changes all of a client’s, else one’s own',
  query: listInput,
  reply: listReply('bulk_changes', bulkChange.row),
})

export const bulkChangeCalls = {
  billable_account: bulkCall(
    'billable_account',
    '/clients/:client_id/billable_accounts/bulk_changes',
    'billable_account.update',
    billableFields,
  ),
  supply_account: bulkCall('supply_account', '/clients/:client_id/supply_accounts/bulk_changes', 'supply_account.update', supplyFields),
  bill: bulkCall('bill', '/clients/:client_id/bills/bulk_changes', 'bill.update', billFields),
  list: listChanges,
  exportCsv: exportOf(listChanges, 'bulk changes'),
  rows: call({
    name: 'bulk_changes.rows',
    method: 'GET',
    path: '/clients/:client_id/bulk_changes/:id/rows',
    may: mayAny,
    summary: 'What one act did to each record, those that stand in the way of its undoing first',
    query: z.strictObject({ page: whole.optional(), per: whole.optional() }),
    reply: z.object({ bulk_rows: z.array(doneRow), total: z.int() }),
  }),
  billSums: call({
    name: 'bills.selection_sums',
    method: 'POST',
    path: '/clients/:client_id/bills/selection_sums',
    effect: 'read',
    may: 'bill.read',
    summary: 'What is owed for the chosen bills: void bills and children of group bills are named and not counted',
    body: z
      .strictObject(selectionShape)
      .refine(saysOne, { error: 'Say either ids or a filter', path: ['ids'] })
      .refine(exceptsOfFilter, { error: 'It belongs to a filter', path: ['except'] }),
    reply: z.object({
      /** Chosen bills, counted or not. */
      count: z.int(),
      current_charges: z.string(),
      amount_due: z.string(),
      left_out: z.object({ void: z.int(), group_child: z.int() }),
    }),
  }),
  undo: call({
    name: 'bulk_changes.undo',
    method: 'POST',
    path: '/clients/:client_id/bulk_changes/:id/undo',
    may: mayAny,
    summary: 'Puts every record of an act back as it was before, or none where one was changed since',
  }),
}

/** `dry_run` returns what would happen, a page of rows at a time; without it, the change is applied. */
function bulkCall<Name extends BulkKindName, Path extends string, F extends Readonly<Record<string, Field<unknown>>>>(
  kind: Name,
  path: Path,
  may: Permission,
  fields: F,
) {
  const { plural, labels } = bulkKinds[kind]
  return call({
    name: `${plural}.bulk_change`,
    method: 'POST',
    path,
    may,
    summary: `Changes many ${labels} in one act; with dry_run says what it would do to each`,
    body: bulkBody(fields),
    reply: bulkReply,
  })
}

function bulkBody(fields: Readonly<Record<string, Field<unknown>>>) {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, typed(z.optional(field.schema))]))
  return z
    .strictObject({
      ...selectionShape,
      changes: z
        .strictObject(shape)
        .refine((changes) => Object.values(changes).some((one) => one !== undefined), 'Say at least one field to change'),
      dry_run: z.boolean({ error: 'must be true or false' }),
      token: z.string().max(100).optional(),
      page: whole.optional(),
      per: whole.optional(),
      action: z.enum(bulkActions, { error: `must be one of ${bulkActions.join(', ')}` }).optional(),
    })
    .refine(saysOne, { error: 'Say either ids or a filter', path: ['ids'] })
    .refine(exceptsOfFilter, { error: 'It belongs to a filter', path: ['except'] })
    .refine(({ filter, dry_run, token }) => filter === undefined || dry_run || token !== undefined, {
      error: 'Everything that matches a filter is changed only with the token of its preview',
      path: ['token'],
    })
}
export type BulkBody = z.infer<ReturnType<typeof bulkBody>>

/** A value of a field on the wire. */
export type BulkValue = z.infer<typeof value>

function typed(schema: z.ZodType): z.ZodType<BulkValue | undefined>
function typed(schema: z.ZodType): z.ZodType {
  return schema
}

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
