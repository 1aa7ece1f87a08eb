/** The caller's reports that have ended since a moment, for the home page. */
import type { HomeReport } from '#contract/home/home.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, expression, scopeCondition } from '../kernel/lists/list.ts'
import { generatedReports, isSeenBy } from './generated-reports.ts'

/** Returns at most `most` reports that the caller made or that are for the caller alone, the newest first. */
export async function endedReports(
  { tx, principal, reach }: Context,
  { clientId, since, most }: { clientId: number | undefined; since: string; most: number },
): Promise<HomeReport[]> {
  const me = principal.user_id
  const column = (key: string) => expression(generatedReports, key, { reach, clientId })
  const own = [
    sql<boolean>`(generated_reports.user_id = ${me} or generated_reports.assignable_user_id = ${me})`,
    isSeenBy(me),
    sql<boolean>`task.finished_at > ${since}::timestamptz`,
    sql<boolean>`${column('state')} in ('done', 'failed')`,
    scopeCondition(generatedReports, { reach, clientId }),
  ]
  const { rows } =
    await sql<HomeReport>`select generated_reports.id, generated_reports.client_id, client.name as client_name, kind.name as report, generated_reports.name,
      ${column('state')} as state, ${column('error')} as error, task.finished_at, ${column('file_url')} as file_url
    from generated_reports join tasks task on task.id = generated_reports.task_id join reports kind on kind.id = generated_reports.report_id
    join clients client on client.id = generated_reports.client_id
    where ${and(own)} order by task.finished_at desc, generated_reports.id desc limit ${most}`.execute(tx)
  return rows
}
