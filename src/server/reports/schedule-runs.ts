/** The runs of scheduled reports: each due time starts one, with a task for each subscriber; its owner is told once of whom it did not reach. */
import type { ReportSchedule } from '#contract/reports/report-schedule.ts'
import { nextDue, type ScheduleTimes } from '#contract/reports/schedule-times.ts'
import { todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { loadPrincipal } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { mayIn, type Principal } from '../kernel/principal.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { startTask } from '../kernel/work/task.ts'
import { tellNextOwner } from './schedule-failures.ts'
import { personName } from './schedule-readers.ts'
import { scheduledKind } from './scheduled-report.ts'

/** Most schedules that one look starts; the rest is due a minute later. */
const runsAtOnce = 200
/** Deliveries are listed for so long. */
const deliveriesKeptDays = 400

export const reportScheduleJobs: readonly JobDefinition[] = [
  {
    name: 'report_schedules',
    cron: '* * * * *',
    run: ({ machinery, signal }) => startDueReports(machinery, signal),
  },
]

export async function startDueReports(machinery: Machinery, signal: AbortSignal): Promise<void> {
  for (let started = 0; started < runsAtOnce && !signal.aborted; started += 1)
    if (!(await asProgram(machinery, (context) => startNext(context)))) break
  for (let told = 0; told < runsAtOnce && !signal.aborted; told += 1)
    if (!(await asProgram(machinery, (context) => tellNextOwner(context)))) break
}

/** One transaction that nobody asked for. */
async function asProgram<T>(machinery: Machinery, work: (context: Context) => Promise<T>): Promise<T> {
  return machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(tx, { principal: null, ip: null, requestId: 'report-schedules', connectionId: null }, [], machinery)
    const done = await work(unit.context)
    await unit.finish()
    return done
  })
}

type Due = ScheduleTimes &
  Pick<ReportSchedule, 'id' | 'client_id' | 'name' | 'zone' | 'shared'> & { readonly user_id: number | null; readonly next_run_at: string }

/** Starts the run that is due the longest. What was missed while the program was down is one run. @returns false if none is due. */
async function startNext(context: Context): Promise<boolean> {
  const { tx } = context
  const { rows } =
    await sql<Due>`select client_id, id, name, zone, shared, user_id, frequency, weekday, month_rule, month_day, hour, next_run_at
    from report_schedules where next_run_at <= ${now()} order by next_run_at, id limit 1 for update skip locked`.execute(tx)
  const [due] = rows
  if (!due) return false
  context.touch(due.client_id)
  if (await isOrphan(tx, due)) {
    await pause(context, due)
    return true
  }
  await sql`update report_schedules set next_run_at = ${nextDue(due, now())} where client_id = ${due.client_id} and id = ${due.id}`.execute(
    tx,
  )
  await startRun(context, due, { dueAt: due.next_run_at, byHand: false })
  return true
}

/** Nobody but its owner can stop what is not shared: it stops when the owner cannot. */
async function isOrphan(tx: Tx, { shared, user_id: ownerId, client_id: clientId }: Due): Promise<boolean> {
  if (shared) return false
  const owner = ownerId === null ? null : await loadPrincipal(tx, ownerId)
  return owner === null || !mayIn(owner, 'generated_report.create', clientId)
}

async function pause({ tx, audit }: Context, { client_id: clientId, id }: Due): Promise<void> {
  const reason = 'Its owner may not make reports any more.'
  await sql`update report_schedules set paused = true, paused_reason = ${reason}, next_run_at = null, lock_version = lock_version + 1
    where client_id = ${clientId} and id = ${id}`.execute(tx)
  await audit.updated('report_schedule', id, clientId, { paused: { from: false, to: true }, paused_reason: { from: null, to: reason } })
}

interface Run {
  readonly dueAt: string
  readonly byHand: boolean
}

type Started = Pick<ReportSchedule, 'id' | 'client_id' | 'name' | 'zone'>

export async function isUnderWay(tx: Tx, { clientId, id }: { clientId: number; id: number }): Promise<boolean> {
  const { rows } = await sql`select from report_deliveries
    where client_id = ${clientId} and report_schedule_id = ${id} and state = 'waiting' limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Starts a run in the transaction that holds the schedule's row. Each subscriber has one delivery for a due time, whoever starts it; one who
 * has no active account any more is skipped. @returns the number of reports that are made.
 */
export async function startRun(
  context: Context,
  { id, client_id: clientId, name, zone }: Started,
  { dueAt, byHand }: Run,
): Promise<number> {
  const { tx } = context
  await sql`delete from report_deliveries old where client_id = ${clientId} and report_schedule_id = ${id}
      and due_at < now() - make_interval(days => ${deliveriesKeptDays}::int) and told_at is not null
      and not exists (select from generated_reports where client_id = ${clientId} and report_delivery_id = old.id)`.execute(tx)
  const { rows } = await sql<{ id: number; user_id: number; state: string }>`
    insert into report_deliveries (client_id, report_schedule_id, due_at, run_on, by_hand, user_id, subscriber, state, error, finished_at)
    select ${clientId}, ${id}, ${dueAt}::timestamptz, ${todayIn(zone, new Date(dueAt))}::date, ${byHand}, given.id,
      coalesce(${personName}, 'A deleted person'),
      case when person.status = 'active' then 'waiting' else 'skipped' end,
      case when person.status = 'active' then null else 'This person has no active account any more.' end,
      case when person.status = 'active' then null else now() end
    from report_schedules schedule, unnest(schedule.subscriber_ids) with ordinality as given (id, place) left join users person on person.id = given.id
    where schedule.client_id = ${clientId} and schedule.id = ${id} order by given.place
    on conflict do nothing returning id, user_id, state`.execute(tx)
  const waiting = rows.filter(({ state }) => state === 'waiting')
  for (const { id: deliveryId, user_id: userId } of waiting) {
    const task = await startTask(inNameOf(context, userId), {
      kind: scheduledKind,
      clientId,
      input: { report_delivery_id: deliveryId, name },
    })
    await sql`update report_deliveries set task_id = ${task.id} where client_id = ${clientId} and id = ${deliveryId}`.execute(tx)
  }
  context.touch(clientId)
  return waiting.length
}

/** The task is the subscriber's, and looks up the rights that they have when it runs. */
function inNameOf({ tx, machinery }: Context, userId: number): Context {
  const principal: Principal = { user_id: userId, email: '', grants: [], masked: new Map(), session_id: 0 }
  return unitOfWork(tx, { principal, ip: null, requestId: 'report-schedules', connectionId: null }, [], machinery).context
}
