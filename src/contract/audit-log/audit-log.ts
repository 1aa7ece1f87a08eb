/** The audit log: who did what to which record, and when; and the same for one record, its history. */
import { z } from 'zod'
import { auditItemTypes } from './audit-item-types.ts'
import { call, started } from '../kernel/call.ts'
import { choice, derived, entity, instant, integer, longText, optional, text } from '../kernel/entity.ts'
import { isCalendarDate } from '../kernel/date.ts'
import { filterLengthMax, filterValuesMax, wholeNumber } from '../kernel/query.ts'

export const auditPageSize = 10
/** The actor of jobs and of the first start. */
export const systemUser = 'System'

export const auditEvents = [
  { value: 'update', label: 'Update' },
  { value: 'create', label: 'Create' },
  { value: 'login', label: 'Login' },
  { value: 'destroy', label: 'Destroy' },
  { value: 'access', label: 'Access' },
] as const
export type AuditEventName = (typeof auditEvents)[number]['value']
const eventNames = auditEvents.map(({ value }) => value)

/** One cell per value, for the export. */
export const auditVersion = entity(
  'audit_version',
  'audit_log',
  {
    created_at: derived(instant('Time')),
    event: derived(choice('Event', auditEvents)),
    item_type: derived(text('Item Type')),
    item_id: derived(optional(integer('Item ID'))),
    client_name: derived(optional(text('Client'))),
    user: derived(text('User')),
    ip_address: derived(optional(text('IP Address'))),
    object_changes: derived(longText('Changes')),
  },
  { filter: [], sort: ['id', 'created_at'], defaultSort: 'created_at desc' },
  { label: 'Audit Version', labels: 'Audit Log' },
)

/** A changed field in readable words: its label, names instead of ids, dates as in the console. */
const changedField = z.object({ key: z.string(), label: z.string(), from: z.string().nullable(), to: z.string().nullable() })
export type ChangedField = z.infer<typeof changedField>

const version = z.object({
  id: z.int(),
  event: z.enum(eventNames),
  /** The wire name of the changed record: `billable_account`. */
  item_type: z.string(),
  item_label: z.string(),
  item_id: z.int().nullable(),
  /** The current or last name of the record; absent if unknown. */
  item_name: z.string().nullable(),
  /** 0 if it belongs to no client. */
  client_id: z.int(),
  created_at: z.string(),
  object_changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  changes: z.array(changedField),
  user_id: z.int().nullable(),
  /** The email of the actor, or System. */
  user: z.string(),
})

export const auditLogVersion = version.extend({ client_name: z.string().nullable(), ip_address: z.string().nullable() })
export type AuditLogVersion = z.infer<typeof auditLogVersion>

/** A record's history shows users' names; email addresses are shown only in the audit log. */
export type HistoryVersion = z.infer<typeof version>

const id = z.union([z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id'), z.int().positive()])
const flag = z.union([z.boolean(), z.enum(['true', 'false'])])
const idList = z.string().regex(/^\d{1,15}(,\d{1,15})*$/, 'must be ids')
const users = z.union([idList, z.array(z.string().regex(/^\d{1,15}$/, 'must be ids')).max(filterValuesMax), z.int().min(0)])

/** A New York day as YYYY-MM-DD or MM/DD/YYYY; or an instant. */
const day = z
  .string()
  .transform((written) => written.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2'))
  .refine((written) => isCalendarDate(written) || z.iso.datetime({ offset: true }).safeParse(written).success, 'must be a date')

const filters = {
  /** Ids of users; 0 is the System. */
  users: users.optional(),
  from: day.optional(),
  to: day.optional(),
  client_id: id.optional(),
  division_id: id.optional(),
  facility_id: id.optional(),
  billable_account_id: id.optional(),
  supply_account_id: id.optional(),
  /** The name of a changed field. */
  key: z.string().min(1).max(100).optional(),
  /** A text that its old or new value contains. */
  value: z.string().min(1).max(filterLengthMax).optional(),
  event: z.enum(eventNames, { error: `must be one of ${eventNames.join(', ')}` }).optional(),
  item_type: z.enum(auditItemTypes, { error: 'is no kind of item of the audit log' }).optional(),
}
export const auditFilters = z.strictObject(filters)
export type AuditFilters = z.infer<typeof auditFilters>

const recordParams = {
  item_type: z.string().regex(/^[a-z_]{1,60}$/),
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value)),
}
const paging = { page: wholeNumber.optional(), per: wholeNumber.optional(), with_total: flag.optional(), with_rows: flag.optional() }
const historyReply = z.object({ history: z.array(version), total: z.int() })

export const auditLogCalls = {
  list: call({
    name: 'audit_log.list',
    method: 'GET',
    path: '/audit_log',
    may: 'setting.read',
    summary: 'Who did what and when, newest first; a division, facility or account stands for itself and what lies below it',
    query: z.strictObject({ ...filters, ...paging }),
    reply: z.object({ audit_log: z.array(auditLogVersion), total: z.int().optional() }),
  }),
  exportCsv: call({
    name: 'audit_log.export',
    method: 'GET',
    path: '/audit_log/export_csv',
    effect: 'write',
    may: 'setting.read',
    summary: 'Starts a CSV export of the audit log; `f=b` is taken as it is',
    query: z.strictObject({ ...filters, f: z.literal('b').optional(), connection_id: z.string().max(100).optional() }),
    reply: started,
  }),
}

export const historyCalls = {
  ofRecord: call({
    name: 'history.of_record',
    method: 'GET',
    path: '/history/:item_type/:id',
    may: 'signed_in',
    summary: 'The history of a record that no client owns, for whoever may read it',
    params: z.object(recordParams),
    query: z.strictObject({ page: wholeNumber.optional(), per: wholeNumber.optional() }),
    reply: historyReply,
  }),
  ofClientRecord: call({
    name: 'history.of_client_record',
    method: 'GET',
    path: '/clients/:client_id/history/:item_type/:id',
    may: 'signed_in',
    summary: 'The history of a client’s record, for whoever may read it',
    params: z.object({ client_id: recordParams.id, ...recordParams }),
    query: z.strictObject({ page: wholeNumber.optional(), per: wholeNumber.optional() }),
    reply: historyReply,
  }),
}
