/** The life of a finding: resolved with a reason, reopened, assigned, commented. Events record all of it in order. */
import { z } from 'zod'
import { severities } from '../bill-audits/input.ts'
import { ruleOptions } from '../bill-audits/rule-names.ts'
import { accountTypes } from '../bills/bill.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { call, exportOf, exportInput, listReply, optionsInput, result, started, type ListReply } from '../kernel/call.ts'
import { choice, date, derived, entity, instant, integer, list, money, optional, ref, shownOnly, text, type Row } from '../kernel/entity.ts'
import { filterLengthMax, filterValuesMax, listInput } from '../kernel/query.ts'

export const findingCommentMax = 2_000
/** Most findings that one request resolves. */
export const findingsAtOnceMax = 10_000
/** Earlier values shown with a finding. */
export const findingHistoryMax = 24

const severityWords = { 'E!': 'Holds payment', E: 'Error', W: 'Warning', I: 'Information' } as const

export const findingSeverities = severities.map((value) => ({ value, label: severityWords[value] }))
export const findingStates = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'void', label: 'On a void bill' },
] as const

export const billFindings = entity(
  'bill_finding',
  'bill_findings',
  {
    severity: derived(choice('Severity', findingSeverities)),
    code: derived(choice('Rule', ruleOptions)),
    message: derived(text('Message')),
    state: derived(choice('State', findingStates)),
    bill_id: derived(ref('Bill', 'bills')),
    bill_date: derived(date('Bill Date')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(ref('Account', 'accounts')),
    account_number: derived(text('Account')),
    account_name: derived(optional(text('Account Name'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    client_id: derived(ref('Client', 'clients')),
    client_name: derived(text('Client')),
    amount_due: derived(money('At Stake')),
    expected: derived(optional(text('Expected'))),
    actual: derived(optional(text('Actual'))),
    limit: derived(optional(text('Limit'))),
    created_at: derived(instant('Found')),
    age_days: shownOnly(integer('Age')),
    assigned_to: derived(optional(ref('Assigned To', 'users'))),
    assigned_to_name: derived(optional(text('Assigned To'))),
    resolved_at: derived(optional(instant('Resolved'))),
    resolved_by_name: derived(optional(text('Resolved By'))),
    reason: derived(optional(text('Reason'))),
    comment: derived(optional(text('Comment'))),
    /** The reason the reader may not resolve it, or null. */
    held_reason: shownOnly(optional(list('Held', z.string()))),
    /** The import task that created the bill. */
    import_task_id: derived(optional(integer('Import'))),
  },
  {
    filter: [
      'id',
      'severity',
      'code',
      'message',
      'state',
      'bill_id',
      'bill_date',
      'account_number',
      'vendor_id',
      'vendor_name',
      'client_id',
      'client_name',
      'amount_due',
      'created_at',
      'assigned_to',
      'assigned_to_name',
      'reason',
      'import_task_id',
    ],
    sort: ['id', 'severity', 'code', 'bill_date', 'account_number', 'vendor_name', 'amount_due', 'created_at', 'assigned_to_name'],
    defaultSort: 'severity desc',
    sizes: [20, 50, 100, 1000],
  },
  { label: 'Finding', labels: 'Findings' },
)
export type BillFindingRow = Row<typeof billFindings>

export const findingEvents = ['raised', 'assigned', 'commented', 'resolved', 'reopened', 'changed', 'gone'] as const

const findingEvent = z.object({
  id: z.int(),
  event: z.enum(findingEvents),
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  comment: z.string().nullable(),
  reason: z.string().nullable(),
  assigned_to_name: z.string().nullable(),
  was: z.string().nullable(),
  became: z.string().nullable(),
  created_at: z.string(),
})
export type FindingEvent = z.infer<typeof findingEvent>

/** Earlier values and the flagged one, oldest first; decimals as text. */
const findingSeries = z.object({
  label: z.string(),
  points: z.array(z.object({ bill_id: z.int(), date: z.iso.date(), value: z.string() })),
  /** The usual range of the values by the current thresholds; null if the rule has no range. */
  low: z.string().nullable(),
  high: z.string().nullable(),
})
export type FindingSeries = z.infer<typeof findingSeries>

const reasons = z.enum(
  findingReasons.map(({ value }) => value),
  { error: `must be one of ${findingReasons.map(({ value }) => value).join(', ')}` },
)
const comment = z.string({ error: 'must be text' }).trim().max(findingCommentMax, `must have at most ${findingCommentMax} characters`)
const remark = comment.optional().nullable()
const id = z.int({ error: 'must be whole numbers' }).positive('must be positive')
const scalar = z.union([z.string().max(filterLengthMax), z.number(), z.boolean()])
const filterSchema = z.strictObject({
  q: z.record(z.string().max(100), z.union([scalar, z.array(z.union([z.string(), z.number()])).max(filterValuesMax)])).optional(),
  search_term: z.string().max(filterLengthMax).optional(),
})

const namedIds = z
  .array(id, { error: 'must be a list of ids' })
  .min(1, 'Name at least one finding')
  .max(findingsAtOnceMax, `At most ${findingsAtOnceMax} ids can be named`)

const manyBody = z
  .strictObject({
    ids: namedIds.optional(),
    filter: filterSchema.optional(),
    except: z.array(id).max(findingsAtOnceMax, `At most ${findingsAtOnceMax} ids can be named`).optional(),
    reason: reasons,
    comment: remark,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { error: 'Say either ids or a filter', path: ['ids'] })
  .refine(({ except, filter }) => except === undefined || filter !== undefined, { error: 'It belongs to a filter', path: ['except'] })

const assignee = z.object({ id: z.int(), name: z.string(), email: z.string() })
const assignees: z.ZodType<ListReply<'users', z.infer<typeof assignee>>> = listReply('users', assignee)

const rows = listReply('bill_findings', billFindings.row)
const one = '/clients/:client_id/bill_findings/:id'

const listAllFindings = call({
  name: 'bill_findings.list_all',
  method: 'GET',
  path: '/bill_findings',
  may: 'bill.read',
  summary: 'Lists what audits found on the bills of all clients in reach',
  query: listInput,
  reply: rows,
})

export const billFindingCalls = {
  list: call({
    name: 'bill_findings.list',
    method: 'GET',
    path: '/clients/:client_id/bill_findings',
    may: 'bill.read',
    summary: 'Lists what audits found on the bills of a client',
    query: listInput,
    reply: rows,
  }),
  listAll: listAllFindings,
  exportAll: exportOf(listAllFindings, 'findings of all clients'),
  exportCsv: call({
    name: 'bill_findings.export',
    method: 'GET',
    path: '/clients/:client_id/bill_findings/export_csv',
    effect: 'write',
    may: 'bill.read',
    summary: 'Starts a CSV export of findings',
    query: exportInput,
    reply: started,
  }),
  get: call({
    name: 'bill_findings.get',
    method: 'GET',
    path: one,
    may: 'bill.read',
    summary: 'One finding with all that happened to it, and the values that it is measured against',
    reply: z.object({ bill_finding: billFindings.row, events: z.array(findingEvent), series: findingSeries.nullable() }),
  }),
  resolve: call({
    name: 'bill_findings.resolve',
    method: 'POST',
    path: `${one}/resolve`,
    may: 'bill.update',
    summary: 'Settles a finding with a reason',
    body: z.strictObject({ reason: reasons, comment: remark }),
  }),
  reopen: call({
    name: 'bill_findings.reopen',
    method: 'POST',
    path: `${one}/reopen`,
    may: 'bill.update',
    summary: 'Opens a settled finding again; how it was settled stays in its history',
    body: z.strictObject({ comment: remark }),
  }),
  assign: call({
    name: 'bill_findings.assign',
    method: 'POST',
    path: `${one}/assign`,
    may: 'bill.update',
    summary: 'Gives a finding to somebody who sees its bill, or to nobody; they are told',
    body: z.strictObject({ assigned_to: id.nullable() }),
  }),
  comment: call({
    name: 'bill_findings.comment',
    method: 'POST',
    path: `${one}/comment`,
    may: 'bill.update',
    summary: 'Adds a comment to a finding',
    body: z.strictObject({ comment: comment.min(1, 'is required') }),
  }),
  resolveMany: call({
    name: 'bill_findings.resolve_many',
    method: 'POST',
    path: '/clients/:client_id/bill_findings/resolve',
    may: 'bill.update',
    summary: 'Settles many findings with one reason; those that somebody else must settle stay open and are counted',
    body: manyBody,
    // Ids of the resolved findings, so that exactly these can be reopened; empty if there are too many to list.
    reply: z.intersection(result, z.object({ resolved: z.int(), held: z.int(), ids: z.array(z.int()) })),
  }),
  reopenMany: call({
    name: 'bill_findings.reopen_many',
    method: 'POST',
    path: '/clients/:client_id/bill_findings/reopen',
    may: 'bill.update',
    summary: 'Opens many settled findings again, together; those that are open are left alone',
    body: z.strictObject({ ids: namedIds, comment: remark }),
    reply: z.intersection(result, z.object({ reopened: z.int() })),
  }),
  assignees: call({
    name: 'bill_findings.assignees',
    method: 'GET',
    path: '/clients/:client_id/bill_findings/assignees',
    may: 'bill.update',
    summary: 'The people who see bills of the client, to give a finding to',
    query: optionsInput,
    reply: assignees,
  }),
}

/** Returns the label of a stored reason; a reason outside the list was typed by hand. */
export function reasonLabel(reason: string | null): string | null {
  return findingReasons.find(({ value }) => value === reason)?.label ?? reason
}
