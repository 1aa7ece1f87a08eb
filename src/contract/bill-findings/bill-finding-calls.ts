/** The calls of findings. */
import { exceptsOfFilter, namedIds, namesOne, selectionShape } from '../kernel/selection.ts'
import { z } from 'zod'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { call, exportOf, exportInput, listReply, optionsInput, result, started, type ListReply } from '../kernel/call.ts'
import { listInput } from '../kernel/query.ts'
import { findingCommentMax, findingsAtOnceMax, billFindings, findingEvent, findingSeries } from './bill-finding.ts'

const reasons = z.enum(
  findingReasons.map(({ value }) => value),
  { error: `must be one of ${findingReasons.map(({ value }) => value).join(', ')}` },
)
const comment = z.string({ error: 'must be text' }).trim().max(findingCommentMax, `must have at most ${findingCommentMax} characters`)
const remark = comment.optional().nullable()
const manyBody = z
  .strictObject({
    ...selectionShape('finding', findingsAtOnceMax),
    reason: reasons,
    comment: remark,
  })
  .refine(...namesOne)
  .refine(...exceptsOfFilter)

const findingUser = z.int({ error: 'must be whole numbers' }).positive('must be positive')

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
    body: z.strictObject({ assigned_to: findingUser.nullable() }),
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
    body: z.strictObject({ ids: namedIds('finding', findingsAtOnceMax), comment: remark }),
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
