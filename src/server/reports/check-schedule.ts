/** The checks of a scheduled report that is saved: by the rules of the report itself, as if its owner made it today. */
import { datesOn, type RelativeDates } from '#contract/reports/report-dates.ts'
import { noReportFormData, type ReportFormData } from '#contract/reports/report-form-data.ts'
import { formatsOf, reportFormats, schedulesMax, type ReportSchedule, type ReportScheduleDraft } from '#contract/reports/report-schedule.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { checkChoices, checkReaders, reportFor, type KnownReport } from './asked-report.ts'
import { checkNamed } from './generated-reports.ts'
import { readersOf } from './schedule-readers.ts'

type Sent = Partial<ReportScheduleDraft>

export async function checkSchedule(context: Context, draft: Sent, before: ReportSchedule | null, clientId: number): Promise<void> {
  if (before && draft.report_id !== undefined && draft.report_id !== before.report_id)
    throw invalid({ report_id: ['The report of a schedule cannot be changed'] })
  if (!before) await mustHaveRoom(context, clientId)
  const known = await reportFor(context.tx, context.principal, clientId, draft.report_id ?? before?.report_id ?? 0)
  const data = draft.form_data ?? before?.form_data ?? noReportFormData
  const dates = draft.dates ?? before?.dates ?? 'as_chosen'
  checkDates(known, dates, data)
  checkChoices(
    known,
    { ...data, date_range: datesOn(dates, today(), data.date_range) },
    draft.last_bill_only ?? before?.last_bill_only ?? false,
  )
  checkReaders(context, known, data, 'User')
  checkFormats(known, draft.formats ?? [])
  await checkNamed(context, draft.form_data, before?.form_data, clientId)
  // The last subscriber may have left: such a schedule is saved as it is.
  if (draft.subscriber_ids?.length === 0 && before?.subscriber_ids.length !== 0)
    throw invalid({ subscriber_ids: ['Subscribers must have at least one entry'] })
  await checkSubscribers(context, known, draft.subscriber_ids ?? [], before?.subscriber_ids ?? [], clientId)
}

/** Rejects what a range of dates and relative dates would say differently, and relative dates of a report without dates. */
function checkDates({ form }: KnownReport, dates: RelativeDates, { date_range: { from, to } }: ReportFormData): void {
  if (dates === 'as_chosen') return
  if (!form.fields.includes('date_range')) throw invalid({ dates: ['This report does not ask for it'] })
  if (from !== null || to !== null) throw invalid({ 'form_data.date_range': ['Dates of the choices are taken only where Dates says so'] })
}

function checkFormats({ export_type: type }: KnownReport, formats: readonly string[]): void {
  const may = formatsOf(type)
  const strange = reportFormats.find(({ value }) => formats.includes(value) && !may.includes(value))
  if (strange) throw invalid({ formats: [`This report has no file of the type ${strange.label}`] })
  if (new Set(formats).size < formats.length) throw invalid({ formats: ['Files must be named once'] })
}

/** People who are subscribed already are not checked again: who may not read the report any more is skipped by name. */
async function checkSubscribers(
  { tx, principal }: Context,
  { form }: KnownReport,
  ids: readonly number[],
  before: readonly number[],
  clientId: number,
): Promise<void> {
  const added = ids.filter((id) => !before.includes(id))
  if (new Set(ids).size < ids.length) throw invalid({ subscriber_ids: ['Subscribers must be named once'] })
  if (added.length === 0) return
  const readers = await readersOf(tx, principal, clientId, form)
  if (added.some((id) => !readers.some((reader) => reader.id === id)))
    throw invalid({ subscriber_ids: ['A subscriber cannot be found, or may not read this report'] })
}

async function mustHaveRoom({ tx }: Context, clientId: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from report_schedules where client_id = ${clientId}`.execute(
    tx,
  )
  if ((rows[0]?.count ?? 0) >= schedulesMax) throw refused(`A client has at most ${schedulesMax} scheduled reports.`)
}
