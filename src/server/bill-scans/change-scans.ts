/** Actions of a user on documents that do not become bills, or not yet. */
import { billScanCalls } from '#contract/bill-scans/bill-scan-calls.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { refused, noSuch } from '../kernel/problem.ts'
import { releaseUnused } from './release-unused.ts'
import { billScanScope } from './scan-source.ts'
import { forgetFaults } from './scan-pages.ts'
import { callReader } from './send-scan.ts'

export const changeScanHandlers: readonly Handler[] = [
  handle(billScanCalls.ignore, async (context, { params, body }) => {
    const rows = await lockScans(context, params.client_id, body.ids)
    refuseDone(rows)
    await setStates(context, params.client_id, rows, () => 'ignored')
    return { success: true, message: rows.length === 1 ? 'Document ignored' : `${rows.length} documents ignored` }
  }),
  handle(billScanCalls.takeBack, async (context, { params, body }) => {
    const rows = await lockScans(context, params.client_id, body.ids)
    const ignored = rows.filter(({ state }) => state === 'ignored')
    const stateOf = (row: LockedScan) => (row.is_read ? 'read' : 'waiting')
    await setStates(context, params.client_id, ignored, stateOf)
    await callReader(context.machinery, context.tx, 'quick')
    return { success: true, message: rows.length === 1 ? 'Document taken back' : `${rows.length} documents taken back` }
  }),
  handle(billScanCalls.reread, async (context, { params }) => {
    const rows = await lockScans(context, params.client_id, [params.id])
    refuseDone(rows)
    await setStates(context, params.client_id, rows, () => 'waiting')
    await sql`update bill_scans set tries = 0, reading_ms = 0, set_back = 0, error = null where client_id = ${params.client_id} and id = ${params.id}`.execute(
      context.tx,
    )
    await forgetFaults(context.tx, { client_id: params.client_id, id: params.id })
    await callReader(context.machinery, context.tx, 'quick')
    return { success: true, message: 'The document is read again', id: params.id }
  }),
  handle(billScanCalls.destroy, async (context, { params }) => {
    const [row] = await lockScans(context, params.client_id, [params.id])
    if (!row) throw noSuch('Document')
    refuseDone([row])
    await sql`delete from bill_scans where client_id = ${params.client_id} and id = ${row.id}`.execute(context.tx)
    await context.audit.destroyed('bill_scan', row.id, params.client_id, { filename: row.filename, state: row.state })
    await releaseUnused(context, [row.file_id, row.origin_file_id])
    return { success: true, message: 'Document deleted' }
  }),
]

/** A document that is locked for the transaction. */
export interface LockedScan {
  readonly id: number
  readonly state: string
  readonly filename: string
  readonly file_id: number
  readonly origin_file_id: number | null
  readonly origin_page: number | null
  readonly cut_from: number | null
  readonly cut_to: number | null
  readonly pages: number | null
  readonly bills_inside: number
  readonly is_read: boolean
}

/** Locks all of them, inside the caller's reach, in the order of their ids. Throws not-found if one is missing. */
export async function lockScans(context: Context, clientId: number, ids: readonly number[]): Promise<LockedScan[]> {
  const inside = scopeCondition({ scope: billScanScope }, { reach: context.reach, clientId })
  const { rows } = await sql<LockedScan>`
    select id, state, filename, file_id, origin_file_id, origin_page, cut_from, cut_to, pages, bills_inside, reading is not null as is_read
    from bill_scans where ${inside} and id = any(${[...new Set(ids)]}::bigint[]) order by id for update`.execute(context.tx)
  if (rows.length < new Set(ids).size) throw noSuch('Document')
  return rows
}

/** Throws refused if one of them is a bill's document already. */
export function refuseDone(rows: readonly LockedScan[]): void {
  const done = rows.find(({ state }) => state === 'done')
  if (done) throw refused(`${done.filename} was entered already: its bill keeps it.`)
}

async function setStates(
  context: Context,
  clientId: number,
  rows: readonly LockedScan[],
  stateOf: (row: LockedScan) => string,
): Promise<void> {
  const changed = rows.map((row) => ({ ...row, to: stateOf(row) })).filter(({ state, to }) => state !== to)
  if (changed.length === 0) return
  await sql`update bill_scans set state = changed."to", lane = 'quick', heartbeat_at = null, lock_version = lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as changed(id bigint, "to" text)
    where bill_scans.client_id = ${clientId} and bill_scans.id = changed.id`.execute(context.tx)
  await context.audit.many(
    changed.map(({ id, state, to }) => ({
      event: 'update',
      item_type: 'bill_scan',
      item_id: id,
      client_id: clientId,
      changes: { state: { from: state, to } },
    })),
  )
}
