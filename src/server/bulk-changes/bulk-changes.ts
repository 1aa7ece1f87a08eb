/** Changes of many records at once, with a preview and an undo. The rules of each list are in `targets.ts`. */
import { bulkUndoDays, type BulkCounts, type BulkReply } from '#contract/bulk-changes/bulk-change.ts'
import { bulkChangeCalls, type BulkBody } from '#contract/bulk-changes/bulk-change-calls.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { applyChanges } from './apply-changes.ts'
import type { BulkTarget } from './bulk-target.ts'
import { makePlan, tokenOf, type BulkChanges } from './plan-changes.ts'
import { actExport, listActs, readAct } from './read-changes.ts'
import { doneRows, plannedRows } from './change-rows.ts'
import { sweepBulkChanges } from './sweep-bulk-changes.ts'
import { targetOf } from './targets.ts'
import { undoChange } from './undo-change.ts'

/** Seconds per statement: tens of thousands of records take longer than an ordinary request. */
const statementSecondsMax = 120

export const bulkChangeHandlers: readonly Handler[] = [
  handle(bulkChangeCalls.billable_account, (context, { params, body }) => act(context, 'billable_account', params.client_id, body)),
  handle(bulkChangeCalls.supply_account, (context, { params, body }) => act(context, 'supply_account', params.client_id, body)),
  handle(bulkChangeCalls.bill, (context, { params, body }) => act(context, 'bill', params.client_id, body)),
  handle(bulkChangeCalls.list, (context, { params, query }) => listActs(context, params.client_id, query)),
  actExport,
  handle(bulkChangeCalls.rows, async (context, { params, query }) =>
    doneRows(context, params.client_id, await readAct(context, params.client_id, params.id), query),
  ),
  handle(bulkChangeCalls.undo, (context, { params }) => undo(context, params.client_id, params.id)),
]

export const bulkChangeJobs: readonly JobDefinition[] = [
  { name: 'sweep_bulk_changes', cron: '35 3 * * *', run: ({ machinery }) => sweepBulkChanges(machinery) },
]

async function act(context: Context, kind: string, clientId: number, body: BulkBody): Promise<BulkReply> {
  const target = targetOf(kind)
  const changes = givenChanges(body.changes)
  const parts = { context, clientId, selection: body, changes }
  await takeTime(context)
  const counts = await makePlan(target, parts)
  const token = await tokenOf(context, target, changes)
  if (body.dry_run) {
    const total = body.action === undefined ? counts.selected : counts[body.action]
    return {
      success: true,
      message: words(target, counts.change, 'would change'),
      counts,
      token,
      bulk_rows: await plannedRows(context, target, clientId, body),
      total,
    }
  }
  if (body.token !== undefined && body.token !== token)
    throw refused('The records have changed since the preview, so nothing was done. Please look at them again.')
  if (counts.change === 0) throw refused(nothingWords(counts))
  const id = await applyChanges(target, parts, counts.change)
  return { success: true, message: words(target, counts.change, 'changed'), id, counts, token, bulk_rows: [], total: 0 }
}

/** Returns the sent fields: an undefined field is left unchanged. */
function givenChanges(sent: BulkBody['changes']): BulkChanges {
  return Object.fromEntries(Object.entries(sent).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])))
}

function nothingWords({ selected, refused: refusals }: BulkCounts): string {
  if (selected === 0) return 'There is nothing to change: no record matches.'
  return refusals > 0
    ? 'There is nothing to change: what would change is refused.'
    : 'There is nothing to change: all records are so already.'
}

async function undo(context: Context, clientId: number, id: number) {
  const found = await readAct(context, clientId, id, true)
  if (found.undone_at !== null) throw refused('This change is undone already.')
  if (!found.kept) throw refused(`This change is older than ${bulkUndoDays} days, and cannot be undone any more.`)
  const target = targetOf(found.kind)
  const reach = reachOf(context.principal, target.may)
  if (reach.length === 0) throw forbidden()
  await takeTime(context)
  const count = await undoChange(target, { context: narrowedTo(context, reach), clientId, id })
  return { success: true, message: words(target, count, 'as before'), id }
}

/** The call accepts any of several rights; the records of this change need their own right. */
function narrowedTo(context: Context, reach: Context['reach']): Context {
  return { ...context, principal: context.principal, reach }
}

async function takeTime({ tx }: Context): Promise<void> {
  await sql`select set_config('statement_timeout', ${`${statementSecondsMax}s`}, true)`.execute(tx)
}

/** '12 billable accounts changed'. */
function words({ kind: { label, labels } }: BulkTarget, count: number, verb: string): string {
  return `${count.toLocaleString('en-US')} ${(count === 1 ? label : labels).toLowerCase()} ${verb}`
}
