/** Findings of audits: list, detail, resolve, reopen, assign, comment. The front door of the slice. */
import { billFindings, findingsAtOnceMax, type BillFindingRow } from '#contract/bill-findings/bill-finding.ts'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import { sql, type SqlBool } from 'kysely'
import { loadPrincipal } from '../access/access.ts'
import { addFindingEvents, billSource } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { matchingIds, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { invalid, refused, noSuch } from '../kernel/problem.ts'
import { askedBy, exportHandler, listHandler, readRow } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { assigneesOf, knownTo } from './assignees.ts'
import { seriesOf } from './finding-series.ts'
import { findingSource, heldReason } from './finding-source.ts'
import { reopenFindings, settleFindings } from './settle-findings.ts'
import { eventsOf, lineOf } from './finding-history.ts'

export { isHeldFor } from './finding-source.ts'
export { ownFindings } from './own-findings.ts'
export { reopenFindings, settleFindings } from './settle-findings.ts'

const done = (message: string, id: number) => ({ success: true, message, id })

export const billFindingHandlers: readonly Handler[] = [
  listHandler(billFindingCalls.list, findingSource),
  listHandler(billFindingCalls.listAll, findingSource),
  exportHandler(billFindingCalls.exportAll, findingSource),
  exportHandler(billFindingCalls.exportCsv, findingSource),
  handle(billFindingCalls.get, async (context, { params }) => {
    const row = await readRow(context, findingSource, params.id, askedBy(context, params))
    return {
      bill_finding: row,
      events: await eventsOf(context, row),
      series: await seriesOf(context.tx, { ...row, service_bill_id: await lineOf(context, row) }),
    }
  }),
  handle(billFindingCalls.resolve, async (context, { params, body }) => {
    await mustSee(context, params)
    const { resolved, held } = await settleFindings(context, params.client_id, isOne(params.id), body)
    if (held > 0) throw refused(heldReason)
    if (resolved === 0) throw refused('This finding is settled already.')
    return done('Finding resolved', params.id)
  }),
  handle(billFindingCalls.reopen, async (context, { params, body }) => {
    await mustSee(context, params)
    if ((await reopenFindings(context, params.client_id, isOne(params.id), body)) === 0) throw refused('This finding is open already.')
    return done('Finding opened again', params.id)
  }),
  handle(billFindingCalls.assign, (context, { params, body }) => assign(context, params, body.assigned_to)),
  handle(billFindingCalls.comment, async (context, { params, body }) => {
    const row = await mustSee(context, params)
    await addFindingEvents(context, row.client_id, [{ finding_id: row.id, event: 'commented', comment: body.comment }])
    await context.audit.updated('bill', row.bill_id, row.client_id, {
      finding_comment: { from: null, to: `${auditName(row.code)}: ${body.comment}` },
    })
    return done('Comment added', row.id)
  }),
  handle(billFindingCalls.resolveMany, (context, { params, body }) => resolveMany(context, params.client_id, body)),
  handle(billFindingCalls.reopenMany, async (context, { params, body: { ids, comment } }) => {
    await mustSeeAll(context, params.client_id, ids)
    const reopened = await reopenFindings(context, params.client_id, sql<SqlBool>`bill_findings.id = any(${ids}::bigint[])`, { comment })
    if (reopened === 0) throw refused('There is nothing to open: all of these findings are open already.')
    return { success: true, message: `${findingsWords(reopened)} opened again`, reopened }
  }),
  handle(billFindingCalls.assignees, (context, { params, query }) => assigneesOf(context, params.client_id, query)),
]

type OneParams = { readonly client_id: number; readonly id: number }

function mustSee(context: Context, params: OneParams): Promise<BillFindingRow> {
  return readRow(context, findingSource, params.id, askedBy(context, params))
}

function isOne(id: number) {
  return sql<SqlBool>`bill_findings.id = ${id}`
}

type ManyBody = Parameters<typeof settleFindings>[3] & {
  readonly ids?: number[] | undefined
  readonly filter?: Parameters<typeof checkedQuery>[1] | undefined
  readonly except?: number[] | undefined
}

/** Named findings must all be in reach. A filter covers the user's own reach, and findings already resolved are left alone. */
async function resolveMany(context: Context, clientId: number, { ids, filter, except = [], ...settling }: ManyBody) {
  const asked: Asked = { reach: context.reach, clientId }
  if (ids) await mustSeeAll(context, clientId, ids)
  const which = ids
    ? sql<SqlBool>`bill_findings.id = any(${ids}::bigint[])`
    : sql<SqlBool>`bill_findings.id in (${matchingIds(findingSource, checkedQuery(findingSource, { ...filter }), asked)}) and bill_findings.id <> all(${except}::bigint[])`
  const counts = await settleFindings(context, clientId, which, settling)
  if (counts.resolved === 0) throw refused(counts.held > 0 ? heldReason : 'There is nothing to settle: none of these findings is open.')
  const held = counts.held === 0 ? '' : `; ${findingsWords(counts.held)} must be settled by somebody else, since you made the bill`
  const named = counts.ids.length > findingsAtOnceMax ? [] : counts.ids
  return { success: true, message: `${findingsWords(counts.resolved)} resolved${held}`, ...counts, ids: named }
}

async function mustSeeAll({ tx, reach }: Context, clientId: number, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const { rows } = await sql<{ found: number }>`select count(*)::int as found from bill_findings
    where ${scopeCondition(findingSource, { reach, clientId })} and bill_findings.id = any(${wanted}::bigint[])`.execute(tx)
  if (rows[0]?.found !== wanted.length) throw noSuch('Finding')
}

function findingsWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${(count === 1 ? billFindings.label : billFindings.labels).toLowerCase()}`
}

/** Assigns a finding. The assignee must see its bill and is notified, unless they assigned it to themselves. */
async function assign(context: Context, params: OneParams, userId: number | null) {
  const row = await mustSee(context, params)
  if (userId === row.assigned_to) return done('Nothing changed', row.id)
  if (userId !== null) await mustBeGiven(context, userId, row)
  await sql`update bill_findings set assigned_to = ${userId} where client_id = ${row.client_id} and id = ${row.id}`.execute(context.tx)
  await addFindingEvents(context, row.client_id, [{ finding_id: row.id, event: 'assigned', assigned_to: userId }])
  const { assigned_to_name: name } = await mustSee(context, params)
  await context.audit.updated('bill', row.bill_id, row.client_id, {
    finding_assigned_to: {
      from: row.assigned_to_name === null ? null : `${auditName(row.code)}: ${row.assigned_to_name}`,
      to: name === null ? null : `${auditName(row.code)}: ${name}`,
    },
  })
  if (userId !== null && userId !== context.principal.user_id) {
    await context.machinery.live.tell(
      context.tx,
      { userId, connectionId: null },
      {
        type: 'bill_finding',
        notification_type: 'info',
        message: `${context.principal.email} gave you a finding to look at`,
        description: [`${row.vendor_name ?? 'Bill'} ${row.account_number}: ${row.message}`],
        link: `/clients/${row.client_id}/bills/${row.bill_id}`,
      },
    )
  }
  return done(name === null ? 'Finding given to nobody' : `Finding given to ${name}`, row.id)
}

const cannotSee = () => invalid({ assigned_to: ['This person cannot see the bill'] })

/** The assignee must be visible to the caller and able to read the bill. The error is the same for unknown users, so that it reveals nobody. */
async function mustBeGiven(context: Context, userId: number, row: BillFindingRow): Promise<void> {
  const { tx } = context
  const known = await sql`select from users where users.id = ${userId} and ${knownTo(context)}`.execute(tx)
  if (known.rows.length === 0) throw cannotSee()
  const person = await loadPrincipal(tx, userId)
  const reach = person ? reachOf(person, 'bill.read') : []
  const { rows } =
    reach.length === 0
      ? { rows: [] }
      : await sql`select from bills where ${scopeCondition(billSource, { reach, clientId: row.client_id })} and bills.id = ${row.bill_id}`.execute(
          tx,
        )
  if (rows.length === 0) throw cannotSee()
}
