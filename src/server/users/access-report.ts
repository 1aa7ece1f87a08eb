/** Rights of users as a file for auditors: one row per user and role, with the reach of the role and its rights on each model. */
import { Readable } from 'node:stream'
import type { Started } from '#contract/kernel/call.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { exportFileName, exportKey } from '../kernel/lists/export-file.ts'
import { defineTask, startTask, type TaskRun } from '../kernel/work/task.ts'
import { keepTaskFile } from '../kernel/work/task-file.ts'
import { reportHeader, reportLines, type ReportRow } from './access-report-lines.ts'
import { unsubscribedClients } from './unsubscribed-clients.ts'
import { expression } from '../kernel/lists/list.ts'
import { everything } from '../kernel/principal.ts'
import { userRoles } from './role-rows.ts'
import { visibleUsers } from './user-reach.ts'

const kind = 'access_report'
/** Users that one statement reads. */
const batchSize = 500

/** Starts the report; the file is announced over the live channel and the bell. A running report is not started again. */
export async function startAccessReport(context: Context): Promise<Started> {
  const { user_id: userId } = context.principal
  const message = 'Access report started'
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${userId}`}, 0))`.execute(context.tx)
  const { rows } = await sql<{ id: number }>`select id from tasks
    where user_id = ${userId} and kind = ${kind} and state in ('waiting', 'running') order by id desc limit 1`.execute(context.tx)
  const open = rows[0]?.id
  if (open !== undefined) return { success: true, message, task_id: open }
  const task = await startTask(context, { kind, input: {} })
  return { success: true, message, task_id: task.id }
}

defineTask({
  kind,
  moves: null,
  title: () => 'Access report',
  run: async (run) => {
    const key = exportKey(run.id)
    let lines = 0
    const written = await run.machinery.files.put(key, Readable.from(reportText(run, (count) => (lines += count))), 'text/csv')
    const filename = exportFileName(kind)
    await run.step(async ({ tx }) => {
      const fileId = await keepTaskFile(tx, run, { key, filename, contentType: 'text/csv', ...written })
      await run.finish(tx, {
        fileId,
        rowsDone: lines,
        result: { rows: lines, bytes: written.bytes, filename },
        message: {
          type: kind,
          notification_type: 'success',
          message: 'Access report is ready',
          description: [`${filename}, ${lines} ${lines === 1 ? 'row' : 'rows'}`],
          link: `/api/v5/tasks/${run.id}/file`,
          payload: { list: 'users', rows: lines, filename },
        },
      })
    })
    return null
  },
})

/** Yields the file, a few hundred users at a time: memory holds one batch, whatever their number. */
async function* reportText(run: TaskRun, counted: (lines: number) => number): AsyncGenerator<string> {
  const { db } = run.machinery.jobsDatabase
  const unsubscribed = await unsubscribedClients(db)
  yield reportHeader()
  let last = { email: '', id: 0 }
  for (;;) {
    run.signal.throwIfAborted()
    const { rows } = await sql<ReportRow>`with page as (
        select users.* from users where (users.email, users.id) > (${last.email}, ${last.id}) and ${visibleUsers(run.principal)}
        order by users.email, users.id limit ${batchSize})
      select page.id as user_id, page.email, page.username, page.first_name, page.last_name, page.title, page.status, page.account_confirmed,
        page.last_sign_in_at, roles.name as role, user_roles.created_at as granted_at, user_roles.channel_partner_id,
        ${expression(userRoles, 'channel_partner_name', { reach: everything })} as channel_partner, ${expression(userRoles, 'clients', { reach: everything })} as clients,
        ${expression(userRoles, 'divisions', { reach: everything })} as divisions, ${expression(userRoles, 'facilities', { reach: everything })} as facilities,
        ${expression(userRoles, 'billable_accounts', { reach: everything })} as billable_accounts, ${expression(userRoles, 'supply_accounts', { reach: everything })} as supply_accounts
      from page left join user_roles on user_roles.user_id = page.id left join roles on roles.id = user_roles.role_id
      order by page.email, page.id, user_roles.role_id, user_roles.id`.execute(db)
    const end = rows.at(-1)
    if (!end) return
    const lines = reportLines(rows, unsubscribed)
    run.progress(counted(lines.length))
    yield lines.join('')
    last = { email: end.email, id: end.user_id }
  }
}
