/** The task of one subscriber: it makes the report with their rights, and mails the links in the transaction that ends it. */
import { datesOn, type RelativeDates } from '#contract/reports/report-dates.ts'
import { reportFormData } from '#contract/reports/report-form-data.ts'
import type { ReportFormat } from '#contract/reports/report-schedule.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { mayIn, reachOf } from '../kernel/principal.ts'
import { Failure, forbidden, refused } from '../kernel/problem.ts'
import { letterBody } from '../kernel/work/mail-letter.ts'
import { defineTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { createScheduled, removeOlder } from './generated-reports.ts'
import { passwordDigest, reportLink } from './report-links.ts'
import { linkEnd, scheduledLetter } from './schedule-letters.ts'
import { scheduledMailKind } from './scheduled-mail.ts'
import { writeFilesOf } from './write-report.ts'

export const scheduledKind = 'scheduled_report'
const tooLittle = 'The rights of this person do not reach the report any more.'
const input = z.object({ report_delivery_id: z.int(), name: z.string() })

defineTask({
  kind: scheduledKind,
  moves: { table: 'report_deliveries', open: ['waiting'], undone: sql`'failed'` },
  title: (given) => `Scheduled report “${input.parse(given).name}”`,
  // A second start would mail the report a second time; the schedule offers to send it again.
  notRepeatable: true,
  run: deliver,
})

async function deliver(run: TaskRun): Promise<TaskOutcome | null> {
  const { report_delivery_id: id } = input.parse(run.input)
  try {
    const { clientId, principal } = run
    if (!mayIn(principal, 'generated_report.read', clientId)) throw forbidden()
    const asked = await run.step((context) => reportOf(run, context, id), reachOf(principal, 'generated_report.read'))
    await writeFilesOf(run, asked.reportId, (context, rows) => mailIt(context, asked, rows))
  } catch (error) {
    const reason = whySkipped(error)
    if (reason === null) throw error
    await run.step((context) => skip(run, context, id, reason))
  }
  return null
}

interface Delivery {
  readonly id: number
  readonly schedule_id: number
  readonly client_id: number
  readonly client: string
  readonly run_on: string
  readonly name: string
  readonly report_id: number
  readonly report: string
  readonly dates: RelativeDates
  readonly form_data: unknown
  readonly last_bill_only: boolean
  readonly formats: ReportFormat[]
  readonly generated_report_id: number | null
}

async function readDelivery(tx: Tx, run: TaskRun, id: number): Promise<Delivery> {
  const { rows } =
    await sql<Delivery>`select delivery.id, schedule.id as schedule_id, delivery.client_id, client.name as client, delivery.run_on, schedule.name,
      schedule.report_id, kind.name as report, schedule.dates, schedule.form_data, schedule.last_bill_only, schedule.formats,
      (select id from generated_reports where client_id = ${run.clientId} and report_delivery_id = delivery.id) as generated_report_id
    from report_deliveries delivery
      join report_schedules schedule on schedule.client_id = ${run.clientId} and schedule.id = delivery.report_schedule_id
      join clients client on client.id = ${run.clientId}
      join reports kind on kind.id = schedule.report_id
    where delivery.client_id = ${run.clientId} and delivery.id = ${id} and delivery.task_id = ${run.id} and delivery.state = 'waiting'
    for update of delivery`.execute(tx)
  const [delivery] = rows
  if (!delivery) throw refused('The scheduled report was deleted meanwhile.')
  return delivery
}

interface Asked extends Delivery {
  readonly reportId: number
  readonly range: ReturnType<typeof datesOn>
}

/** The report that the task makes: created by its first run, found by a later one. */
async function reportOf(run: TaskRun, context: Context, id: number): Promise<Asked> {
  const delivery = await readDelivery(context.tx, run, id)
  const { report_id, name, last_bill_only, formats } = delivery
  const chosen = reportFormData.parse(delivery.form_data)
  const range = datesOn(delivery.dates, delivery.run_on, chosen.date_range)
  const form_data = { ...chosen, date_range: { from: range.from, to: range.to } }
  const draft = { report_id, name, assignable_type: 'User' as const, last_bill_only, form_data, workbook: formats.includes('xlsx') }
  const reportId = delivery.generated_report_id ?? (await createScheduled(context, run.clientId, { draft, deliveryId: id, taskId: run.id }))
  return { ...delivery, reportId, range }
}

/** The mail, the state and the end of the task are one transaction, so there is one mail, whoever makes the report again. */
async function mailIt(context: Context, asked: Asked, rows: number): Promise<void> {
  const { tx, machinery, principal } = context
  const { id, client_id: clientId, schedule_id: scheduleId } = asked
  const password = await passwordDigest(tx, principal.user_id)
  const report = { clientId, reportId: asked.reportId }
  const links = asked.formats.map((format) => ({ format, url: reportLink(context, report, format, password) }))
  const letter = scheduledLetter({ ...asked, rows, links })
  const about = { client_id: clientId, report_delivery_id: id }
  const mailId = await machinery.mail.send(tx, {
    to: principal.email,
    ...letterBody(letter),
    expiresAt: linkEnd(),
    kind: scheduledMailKind,
    about,
  })
  await sql`update report_deliveries set state = 'sent', mail_id = ${mailId}, finished_at = now()
    where client_id = ${clientId} and id = ${id}`.execute(tx)
  await removeOlder(context, { clientId, scheduleId })
}

/** A person without the right to see or make the report is skipped, with the reason. It is no defect of the report. */
function whySkipped(error: unknown): string | null {
  if (!(error instanceof Failure)) return null
  if (error.code === 'forbidden') return tooLittle
  return error.code === 'invalid' ? 'The choices name records that this person may not see, or that are gone.' : null
}

async function skip(run: TaskRun, { tx, touch }: Context, id: number, reason: string): Promise<void> {
  await sql`update report_deliveries set state = 'skipped', error = ${reason}, finished_at = now()
    where client_id = ${run.clientId} and id = ${id} and task_id = ${run.id}`.execute(tx)
  touch(run.clientId)
  const { name } = input.parse(run.input)
  await run.finish(tx, {
    message: { type: scheduledKind, notification_type: 'warning', message: `“${name}” was not made for you`, description: [reason] },
  })
}
