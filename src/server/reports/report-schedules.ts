/** Scheduled reports: saved by whoever makes reports, seen and changed by their owner and, where shared, by others of the client. */
import {
  reportDeliveryCalls,
  reportSchedule,
  reportScheduleCalls,
  type ReportSchedule,
  type ReportScheduleDraft,
} from '#contract/reports/report-schedule.ts'
import { NEW_YORK } from '#contract/kernel/zone.ts'
import { nextDue } from '#contract/reports/schedule-times.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { answerOne, answerWrite, createRow, destroyRow, exportHandler, listAnswer, readRow, updateRow } from '../kernel/lists/resource.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { reportFor } from './asked-report.ts'
import { reportLinkHandler } from './report-links.ts'
import { readersOf } from './schedule-readers.ts'
import { askedOfDeliveries, askedOfSchedules, reportDeliveries, reportSchedules } from './schedule-rows.ts'
import { isUnderWay, startRun } from './schedule-runs.ts'

type OfOne = { readonly client_id: number; readonly id: number }

export const reportScheduleHandlers: readonly Handler[] = [
  handle(reportScheduleCalls.list, (context, { params, query }) =>
    listAnswer(context, reportSchedules, query, askedOfSchedules(context, params.client_id)),
  ),
  exportHandler(reportScheduleCalls.exportCsv, reportSchedules, (context, params) => askedOfSchedules(context, params.client_id)),
  handle(reportScheduleCalls.get, async (context, { params }) => answerOne('report_schedule', await readSchedule(context, params))),
  handle(reportScheduleCalls.create, async (context, { params, body }) => {
    const row = await createRow(context, reportSchedules, body.report_schedule, params.client_id, { added: storedAs })
    return answerWrite(reportSchedule, 'created', row)
  }),
  handle(reportScheduleCalls.update, async (context, { params, body }) => {
    mayChange(context, await readSchedule(context, params))
    const asked = askedOfSchedules(context, params.client_id)
    const row = await updateRow(context, reportSchedules, params.id, body.report_schedule, asked, { added: storedAs })
    return answerWrite(reportSchedule, 'updated', row)
  }),
  handle(reportScheduleCalls.destroy, async (context, { params }) => {
    const { client_id: clientId, id } = params
    mayChange(context, await readSchedule(context, params))
    await sql`update generated_reports set report_delivery_id = null where client_id = ${clientId} and report_delivery_id in (
      select id from report_deliveries where client_id = ${clientId} and report_schedule_id = ${id})`.execute(context.tx)
    await destroyRow(context, reportSchedules, id, askedOfSchedules(context, clientId))
    return { success: true, message: 'Scheduled Report deleted. What it has made stays under Generated Reports.' }
  }),
  handle(reportScheduleCalls.subscribers, async (context, { params }) => {
    const { form } = await reportFor(context.tx, context.principal, params.client_id, params.report_id)
    return { subscribers: await readersOf(context.tx, context.principal, params.client_id, form) }
  }),
  handle(reportScheduleCalls.sendNow, (context, { params }) => sendNow(context, params)),
  handle(reportScheduleCalls.unsubscribe, (context, { params }) => unsubscribe(context, params)),
  handle(reportDeliveryCalls.list, async (context, { params, query }) =>
    listAnswer(context, reportDeliveries, query, await askedOfDeliveries(context, params)),
  ),
  exportHandler(reportDeliveryCalls.exportCsv, reportDeliveries, askedOfDeliveries),
  reportLinkHandler,
]

function readSchedule(context: Context, { client_id: clientId, id }: OfOne): Promise<ReportSchedule> {
  return readRow(context, reportSchedules, id, askedOfSchedules(context, clientId))
}

/** A definition is changed by its owner and, where it is shared, by whoever may change reports of others. */
function mayChange({ principal }: Context, { owner_id, shared, client_id }: ReportSchedule): void {
  if (owner_id === principal.user_id) return
  if (!shared || !mayIn(principal, 'generated_report.update', client_id)) throw forbidden('You may change your own scheduled reports only.')
}

type Sent = Partial<ReportScheduleDraft>
const timeKeys = ['frequency', 'weekday', 'month_rule', 'month_day', 'hour', 'zone', 'paused'] as const

/** Columns for the lists, the owner, and the next run where the times change. */
async function storedAs({ principal }: Context, draft: Sent, before: ReportSchedule | null): Promise<Readonly<Record<string, unknown>>> {
  return {
    ...(before ? {} : { user_id: principal.user_id }),
    ...(draft.form_data === undefined ? {} : { form_data: JSON.stringify(draft.form_data) }),
    ...(draft.formats === undefined ? {} : { formats: draft.formats }),
    ...(draft.subscriber_ids === undefined ? {} : { subscriber_ids: draft.subscriber_ids }),
    ...nextRunOf(draft, before),
  }
}

function nextRunOf(draft: Sent, before: ReportSchedule | null): Readonly<Record<string, unknown>> {
  if (before && timeKeys.every((key) => draft[key] === undefined || draft[key] === before[key])) return {}
  // A new record has all of them by default.
  const {
    frequency = before?.frequency ?? 'monthly',
    weekday = before?.weekday ?? 1,
    month_rule = before?.month_rule ?? 'first_business_day',
    month_day = before?.month_day ?? 1,
    hour = before?.hour ?? 0,
    zone = before?.zone ?? NEW_YORK,
    paused = before?.paused ?? false,
  } = draft
  if (paused) return { next_run_at: null }
  const times = { frequency, weekday, month_rule, month_day, hour, zone }
  return { next_run_at: nextDue(times, now()), paused_reason: null }
}

async function sendNow(context: Context, { client_id: clientId, id }: OfOne) {
  const row = await readSchedule(context, { client_id: clientId, id })
  mayChange(context, row)
  // The second caller waits here, and then sees the run of the first.
  await sql`select from report_schedules where client_id = ${clientId} and id = ${id} for update`.execute(context.tx)
  if (await isUnderWay(context.tx, { clientId, id })) throw refused('This report is being made already.')
  const count = await startRun(context, row, { dueAt: now().toISOString(), byHand: true })
  return {
    success: true,
    message: count === 1 ? 'The report is made and mailed to 1 person' : `The report is made and mailed to ${count} people`,
    id,
  }
}

async function unsubscribe(context: Context, { client_id: clientId, id }: OfOne) {
  const { user_id: userId } = context.principal
  const { subscriber_ids: before } = await readSchedule(context, { client_id: clientId, id })
  if (!before.includes(userId)) throw refused('You are not subscribed to this report.')
  const { rows } = await sql<{ subscriber_ids: number[] }>`update report_schedules
    set subscriber_ids = array_remove(subscriber_ids, ${userId}::bigint), lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = ${id} returning subscriber_ids`.execute(context.tx)
  await context.audit.updated('report_schedule', id, clientId, { subscriber_ids: { from: before, to: rows[0]?.subscriber_ids ?? [] } })
  return { success: true, message: 'You do not get this report any more', id }
}
