/** The form of a scheduled report: what it holds, when it is due, and whom it is for. */
import { useQuery } from '@tanstack/react-query'
import { authCalls } from '#contract/access/auth.ts'
import { reportCalls, type Report } from '#contract/reports/generated-report.ts'
import { datesOn } from '#contract/reports/report-dates.ts'
import { missingChoice } from '#contract/reports/report-form.ts'
import { noReportFormData } from '#contract/reports/report-form-data.ts'
import { formatsOf, reportSchedule, reportScheduleCalls, type ReportSchedule } from '#contract/reports/report-schedule.ts'
import { EntityForm, type FormSection, type SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'
import { formCalls } from '../kernel/forms/use-entity-form.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { deliveriesHref, schedulesHref } from './report-addresses.ts'
import { readChoices, ReportChoices } from './report-choices.tsx'
import { ReportTabs } from './report-tabs.tsx'
import { Dates, Formats, MonthDay, MonthRule, relativeIn, Subscribers, Weekday, Zone } from './schedule-fields.tsx'

export function NewReportSchedule() {
  const params = { client_id: usePathId('client_id'), id: usePathId('report_id') }
  const report = useQuery(apiQuery(reportCalls.get, { params }))
  const me = useQuery(apiQuery(authCalls.profile, {}))
  const both = report.data && me.data ? { report: report.data.report, userId: me.data.user.id } : undefined
  const refetch = () => void report.refetch()
  return (
    <RecordGate asked={{ data: both, error: report.error ?? me.error, refetch }}>
      {({ report: of, userId }) => <ScheduleForm report={of} start={startOf(of, userId)} />}
    </RecordGate>
  )
}

export function EditReportSchedule() {
  const client_id = usePathId('client_id')
  const asked = useQuery(apiQuery(reportScheduleCalls.get, { params: { client_id, id: usePathId('report_schedule_id') } }))
  return <RecordGate asked={asked}>{({ report_schedule: row }) => <EditForm row={row} />}</RecordGate>
}

function EditForm({ row }: { row: ReportSchedule }) {
  const asked = useQuery(apiQuery(reportCalls.get, { params: { client_id: row.client_id, id: row.report_id } }))
  return <RecordGate asked={asked}>{({ report }) => <ScheduleForm report={report} row={row} />}</RecordGate>
}

/** A new one is for its maker, monthly, about the month before. */
function startOf(report: Report, userId: number): FormValues {
  const hasDates = report.fields.some(({ key }) => key === 'date_range')
  return {
    name: report.name,
    dates: hasDates ? 'last_month' : 'as_chosen',
    form_data: noReportFormData,
    formats: formatsOf(report.export_type).slice(0, 1),
    subscriber_ids: [userId],
  }
}

function ScheduleForm({ report, row, start }: { report: Report; row?: ReportSchedule; start?: FormValues }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const slots = {
    dates: (slot: SlotProps) => <Dates {...slot} report={report} />,
    form_data: (slot: SlotProps) => (
      <ReportChoices {...slot} clientId={client_id} report={report} withoutDates={slot.values['dates'] !== 'as_chosen'} />
    ),
    formats: (slot: SlotProps) => <Formats {...slot} report={report} />,
    weekday: Weekday,
    month_rule: MonthRule,
    month_day: MonthDay,
    zone: Zone,
    subscriber_ids: (slot: SlotProps) => <Subscribers {...slot} clientId={client_id} report={report} />,
  }
  return (
    <>
      <ReportTabs clientId={client_id} current="scheduled" />
      <EntityForm
        entity={reportSchedule}
        row={row}
        {...formCalls(reportScheduleCalls, 'report_schedule', { client_id })}
        start={start}
        fixed={row ? undefined : { report_id: report.id }}
        check={(values) => lacking(report, values)}
        sections={sectionsOf(report)}
        slots={slots}
        title={row ? `Edit ${row.name}` : `Schedule the ${report.name}`}
        backHref={row ? deliveriesHref(row) : schedulesHref(client_id)}
        onSaved={({ id }) => go(id === undefined ? schedulesHref(client_id) : deliveriesHref({ client_id, id }))}
      />
    </>
  )
}

function sectionsOf(report: Report): readonly FormSection[] {
  const has = (key: string) => report.fields.some((field) => field.key === key)
  return [
    { fields: ['name'], columns: 1 },
    { title: 'When', fields: ['frequency', 'weekday', 'month_rule', 'month_day', 'hour', 'zone'] },
    {
      title: 'What',
      fields: [...(has('date_range') ? ['dates'] : []), 'form_data', ...(has('last_bill_only') ? ['last_bill_only'] : []), 'formats'],
    },
    { title: 'For', fields: ['subscriber_ids', 'shared', 'paused'], columns: 1 },
  ]
}

/** The rule of the server, with the dates that the choice means today. */
function lacking(report: Report, values: FormValues): FormErrors {
  const data = readChoices(values['form_data'])
  const today = new Date().toISOString().slice(0, 10)
  const { from, to } = datesOn(relativeIn(values['dates']), today, data.date_range)
  const missing = missingChoice(report, { ...data, date_range: { from, to } })
  return missing ? { [`form_data.${missing.field}`]: missing.message } : {}
}
