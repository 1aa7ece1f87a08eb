/** The calls of bulk changes. */
import { exceptsOfFilter, namesOne, selectedIdsMax, selectionShape } from '../kernel/selection.ts'
import { z } from 'zod'
import { call, exportOf, listReply } from '../kernel/call.ts'
import type { Field } from '../kernel/entity.ts'
import type { May, Permission } from '../kernel/permission.ts'
import { listInput, wholeNumber } from '../kernel/query.ts'
import {
  bulkChange,
  billableFields,
  supplyFields,
  billFields,
  doneRow,
  type BulkKindName,
  bulkKinds,
  bulkReply,
  bulkActions,
  type BulkValue,
} from './bulk-change.ts'

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
    query: z.strictObject({ page: wholeNumber.optional(), per: wholeNumber.optional() }),
    reply: z.object({ bulk_rows: z.array(doneRow), total: z.int() }),
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
      ...selectionShape('record', selectedIdsMax),
      changes: z
        .strictObject(shape)
        .refine((changes) => Object.values(changes).some((one) => one !== undefined), 'Say at least one field to change'),
      dry_run: z.boolean({ error: 'must be true or false' }),
      token: z.string().max(100).optional(),
      page: wholeNumber.optional(),
      per: wholeNumber.optional(),
      action: z.enum(bulkActions, { error: `must be one of ${bulkActions.join(', ')}` }).optional(),
    })
    .refine(...namesOne)
    .refine(...exceptsOfFilter)
    .refine(({ filter, dry_run, token }) => filter === undefined || dry_run || token !== undefined, {
      error: 'Everything that matches a filter is changed only with the token of its preview',
      path: ['token'],
    })
}
export type BulkBody = z.infer<ReturnType<typeof bulkBody>>

function typed(schema: z.ZodType): z.ZodType<BulkValue | undefined>
function typed(schema: z.ZodType): z.ZodType {
  return schema
}
