/** The rows of scheduled reports and of what was delivered, and who sees them. */
import { reportDelivery, reportSchedule } from '#contract/reports/report-schedule.ts'
import { noReportFormData } from '#contract/reports/report-form-data.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhereOf } from '../kernel/lists/export.ts'
import type { Asked, ScopeRule } from '../kernel/lists/list.ts'
import { readRow, resource } from '../kernel/lists/resource.ts'
import { reachesWhole, reachOf, type Principal } from '../kernel/principal.ts'
import { checkSchedule } from './check-schedule.ts'
import { personName } from './schedule-readers.ts'

/** A row is visible by person, and not by the part of the client that a role is narrowed to. */
const anyPart = () => sql<SqlBool>`true`
const scopeOf = (table: string): ScopeRule => ({
  client: sql.ref(`${table}.client_id`),
  levels: { division: anyPart, facility: anyPart, billable_account: anyPart, supply_account: anyPart },
})

const seen = z.object({ user_id: z.int(), client_id: z.int() })
type Seen = z.infer<typeof seen>

/** A shared schedule is visible to people who reach the whole client; any other one to its owner and its subscribers. */
const scheduleIsSeen = (principal: Principal, { user_id, client_id }: Seen, row: 'report_schedules' | 'schedule'): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const isShared = reachesWhole(reachOf(principal, 'generated_report.read'), client_id) ? sql`or ${column('shared')}` : sql``
  return sql<SqlBool>`(${column('user_id')} = ${user_id} ${isShared})`
}
const schedulesSeen = defineWhereOf(
  'report_schedules_seen',
  seen,
  (principal, given) =>
    sql<SqlBool>`(${scheduleIsSeen(principal, given, 'report_schedules')} or ${given.user_id}::bigint = any(report_schedules.subscriber_ids))`,
)
const deliveriesSeen = defineWhereOf(
  'report_deliveries_seen',
  seen.extend({ report_schedule_id: z.int() }),
  (
    principal,
    given,
  ) => sql<SqlBool>`report_deliveries.report_schedule_id = ${given.report_schedule_id} and (report_deliveries.user_id = ${given.user_id} or exists (select from report_schedules schedule
    where schedule.client_id = ${given.client_id} and schedule.id = report_deliveries.report_schedule_id and ${scheduleIsSeen(principal, given, 'schedule')}))`,
)

export function askedOfSchedules({ reach, principal }: Context, clientId: number): Asked {
  return { reach, clientId, ...schedulesSeen(principal, { user_id: principal.user_id, client_id: clientId }) }
}

/** Throws not-found if the person does not see the schedule. A subscriber sees their own deliveries alone. */
export async function askedOfDeliveries(
  context: Context,
  { client_id, report_schedule_id }: { client_id: number; report_schedule_id: number },
): Promise<Asked> {
  const { reach, principal } = context
  await readRow(context, reportSchedules, report_schedule_id, askedOfSchedules(context, client_id))
  return { reach, clientId: client_id, ...deliveriesSeen(principal, { user_id: principal.user_id, client_id, report_schedule_id }) }
}

export const reportSchedules = resource({
  entity: reportSchedule,
  table: 'report_schedules',
  scope: scopeOf('report_schedules'),
  joins: {
    kind: sql`join reports kind on kind.id = report_schedules.report_id`,
    person: sql`left join users person on person.id = report_schedules.user_id`,
    last: sql`left join lateral (
      select due_at, concat_ws(', ', nullif(count(*) filter (where state = 'waiting'), 0) || ' waiting', nullif(count(*) filter (where state = 'sent'), 0) || ' sent',
        nullif(count(*) filter (where state = 'skipped'), 0) || ' skipped', nullif(count(*) filter (where state = 'failed'), 0) || ' failed') as result
      from report_deliveries where report_deliveries.client_id = report_schedules.client_id and report_deliveries.report_schedule_id = report_schedules.id
      group by due_at order by due_at desc limit 1) last on true`,
  },
  columns: {
    report: { sql: sql.ref('kind.name'), joins: ['kind'] },
    owner: { sql: sql`case when person.id is not null then ${personName} end`, joins: ['person'] },
    owner_id: { sql: sql.ref('report_schedules.user_id') },
    form_data: { sql: sql`${sql.lit(JSON.stringify(noReportFormData))}::jsonb || report_schedules.form_data` },
    subscribers: {
      sql: sql`(select coalesce(string_agg(${personName}, ', ' order by person.id), '') from users person where person.id = any(report_schedules.subscriber_ids))`,
    },
    last_run_at: { sql: sql.ref('last.due_at'), joins: ['last'] },
    last_result: { sql: sql`last.result collate natural_order`, joins: ['last'] },
  },
  search: ['name'],
  check: checkSchedule,
})

export const reportDeliveries = resource({
  entity: reportDelivery,
  table: 'report_deliveries',
  scope: scopeOf('report_deliveries'),
  joins: {
    schedule: sql`join report_schedules schedule on schedule.client_id = report_deliveries.client_id and schedule.id = report_deliveries.report_schedule_id`,
    task: sql`left join tasks task on task.id = report_deliveries.task_id`,
    sent: sql`left join mails sent on sent.id = report_deliveries.mail_id`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    schedule: { sql: sql.ref('schedule.name'), joins: ['schedule'] },
    mail: {
      sql: sql`(case sent.state when 'sent' then 'Sent' when 'waiting' then 'Waiting' when 'dead' then 'Not sent' end) collate natural_order`,
      joins: ['sent'],
    },
    finished_at: { sql: sql`coalesce(report_deliveries.finished_at, task.finished_at)`, joins: ['task'] },
  },
})
