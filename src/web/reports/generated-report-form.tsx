/** The form that creates a report or edits a generated one: choices on the left, the preview on the right. */
import { useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  generatedReport,
  generatedReportCalls,
  reportAssignees,
  reportCalls,
  type GeneratedReport,
  type Report,
  type ReportAssignee,
} from '#contract/reports/generated-report.ts'
import { missingChoice, missingFieldsTitle } from '#contract/reports/report-form.ts'
import { callWith } from '../kernel/api.ts'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { BackLink } from '../kernel/back-link.tsx'
import { connectionId } from '../kernel/connection.ts'
import { FieldSet, FormNotices, formStyles, type SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'
import { useEntityForm } from '../kernel/forms/use-entity-form.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { useGo, usePathId, useSearchText } from '../kernel/navigation.tsx'
import { seconds } from '../kernel/notices/messages.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/dialogs/notices.ts'
import { SelectField, SwitchField } from '../ui/fields/choice-fields.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { AccrualScoresPane } from './accrual-scores.tsx'
import { dashboardHref, generatedHref } from './report-addresses.ts'
import { readChoices, ReportChoices } from './report-choices.tsx'
import { ReportPreviewPane } from './report-preview.tsx'
import { ReportTabs } from './report-tabs.tsx'
import styles from './reports.module.css'

export function NewReport() {
  const params = { client_id: usePathId('client_id'), id: usePathId('report_id') }
  const asked = useQuery(apiQuery(reportCalls.get, { params }))
  return <RecordGate asked={asked}>{({ report }) => <ReportForm report={report} />}</RecordGate>
}

export function EditReport() {
  const client_id = usePathId('client_id')
  const report = useQuery(apiQuery(reportCalls.get, { params: { client_id, id: usePathId('report_id') } }))
  const made = useQuery(apiQuery(generatedReportCalls.get, { params: { client_id, id: usePathId('generated_report_id') } }))
  const both = report.data && made.data ? { report: report.data.report, row: made.data.generated_report } : undefined
  const refetch = () => {
    void report.refetch()
    void made.refetch()
  }
  return (
    <RecordGate asked={{ data: both, error: report.error ?? made.error, refetch }}>
      {(found) => <ReportForm report={found.report} row={found.row} />}
    </RecordGate>
  )
}

function ReportForm({ report, row }: { report: Report; row?: GeneratedReport }) {
  const go = useGo()
  const client_id = usePathId('client_id')
  const isFromDashboard = useSearchText()['from'] === 'dashboard'
  const cameFrom = row ? (isFromDashboard ? dashboardHref(client_id) : generatedHref(client_id)) : dashboardHref(client_id)
  const ref = useRef<HTMLFormElement>(null)
  const { create, update, get } = generatedReportCalls
  const withWindow = (body: object) => ({ ...body, connection_id: connectionId })
  const form = useEntityForm(
    {
      entity: generatedReport,
      row,
      params: { client_id },
      start: { assignable_type: 'User' },
      fixed: row ? undefined : { report_id: report.id },
      create: (body, intent) => callWith(create, { params: { client_id }, body: create.schemas.body.parse(withWindow(body)), intent }),
      update: (id, body) => callWith(update, { params: { client_id, id }, body: update.schemas.body.parse(withWindow(body)) }),
      load: async (id) => (await callWith(get, { params: { client_id, id } })).generated_report,
      check: (values) => lacking(report, values),
      onRefused: () => sayMissing(report, form.values),
      onSaved: () => go(row ? cameFrom : generatedHref(client_id)),
    },
    ref,
  )
  const slots = {
    assignable_type: (slot: SlotProps) => <AssigneeType {...slot} clientId={client_id} report={report} />,
    assignable_id: (slot: SlotProps) => <Assignee {...slot} clientId={client_id} />,
    form_data: (slot: SlotProps) => <ReportChoices {...slot} clientId={client_id} report={report} />,
    workbook: ({ value, onChange, disabled }: SlotProps) => (
      <SwitchField
        label="Excel Workbook"
        name="workbook"
        hint="One more file beside those that the report always has: numbers as numbers, dates as dates."
        checked={value === true}
        onChange={onChange}
        disabled={disabled}
      />
    ),
    regenerate: ({ value, onChange, disabled }: SlotProps) => (
      <SwitchField
        label="Regenerate Report"
        name="regenerate"
        hint="Makes the files anew with the same choices. Changed choices always do."
        checked={value === true}
        onChange={onChange}
        disabled={disabled}
      />
    ),
  }
  const files = ['workbook', ...(row ? ['regenerate'] : [])]
  const choices = report.fields.some(({ key }) => key === 'last_bill_only') ? ['form_data', 'last_bill_only'] : ['form_data']
  const sections = [
    { fields: ['name'], columns: 1 },
    { title: 'Assigned to', fields: ['assignable_type', 'assignable_id'] },
    { title: 'Choices', fields: choices },
    { title: 'Files', fields: files, columns: 1 },
  ] as const
  const { values } = form
  const asked = {
    form_data: readChoices(values['form_data']),
    assignable_type: assigneeIn(values['assignable_type']) ?? 'User',
    assignable_id: typeof values['assignable_id'] === 'number' ? values['assignable_id'] : null,
  }
  return (
    <>
      <ReportTabs clientId={client_id} current={row ? 'generated' : 'dashboard'} />
      <BackLink href={cameFrom} />
      <PageHeader
        title={row ? 'Edit Form' : 'New Form'}
        count={report.name}
        actions={row && <HistoryButton item={generatedReport.name} id={row.id} clientId={client_id} />}
      />
      <FormNotices entity={generatedReport} form={form} />
      <div className={styles.sides}>
        <form
          ref={ref}
          noValidate
          aria-label={`${report.name} form`}
          className={formStyles.form}
          onSubmit={form.onSubmit}
          onBlur={form.onBlur}
          onKeyDown={form.onKeyDown}
        >
          {form.errors['base'] && (
            <p role="alert" className={formStyles.base}>
              {form.errors['base']}
            </p>
          )}
          {sections.map((section) => (
            <FieldSet key={section.fields.join()} section={section} form={form} props={{ entity: generatedReport, slots, row }} />
          ))}
          <div className={formStyles.foot}>
            <Button kind="primary" type="submit" busy={form.busy} title="Ctrl+Enter">
              Save
            </Button>
            <FailedAttempt attempt={form} again={form.again} />
            {form.dirty && !form.failure && <span className={formStyles.unsaved}>Not saved yet</span>}
          </div>
        </form>
        <div className={styles.beside}>
          {report.fields.some(({ key }) => key === 'accrual_method') && (
            <AccrualScoresPane
              clientId={client_id}
              report={report}
              asked={asked}
              onChoose={(accrual_method) => form.setValues({ form_data: { ...asked.form_data, accrual_method } })}
            />
          )}
          <ReportPreviewPane clientId={client_id} report={report} asked={{ ...asked, last_bill_only: values['last_bill_only'] === true }} />
        </div>
      </div>
    </>
  )
}

/** Returns the errors of missing choices, by the server's rule. */
function lacking(report: Report, values: FormValues): FormErrors {
  const missing = missingChoice(report, readChoices(values['form_data']))
  const type = assigneeIn(values['assignable_type'])
  return {
    ...(missing ? { [`form_data.${missing.field}`]: missing.message } : {}),
    ...(type !== 'User' && type !== undefined && typeof values['assignable_id'] !== 'number'
      ? { assignable_id: 'Assignee is required' }
      : {}),
  }
}

function sayMissing(report: Report, values: FormValues): void {
  const missing = missingChoice(report, readChoices(values['form_data']))
  if (missing) notify({ kind: 'error', title: missingFieldsTitle, message: missing.message, duration: seconds.usual })
}

function assigneeIn(value: unknown): ReportAssignee | undefined {
  return reportAssignees.find((one) => one.value === value)?.value
}

/** Returns the possible assignees of a report with this reach. */
function assigneesOf({ reach }: Report) {
  return reportAssignees.filter(({ value }) => value === 'User' || (reach === 'client' ? value === 'Client' : reach === 'scope'))
}

function AssigneeType({ value, error, disabled, setValues, clientId, report }: SlotProps & { clientId: number; report: Report }) {
  return (
    <SelectField
      label="Assignee Type"
      name="assignable_type"
      required
      value={typeof value === 'string' ? value : ''}
      onChange={(type) => setValues({ assignable_type: type, assignable_id: type === 'Client' ? clientId : null })}
      options={assigneesOf(report)}
      error={error}
      disabled={disabled}
    />
  )
}

/** A report for Me needs no assignee. */
function Assignee({ value, onChange, error, disabled, values, clientId }: SlotProps & { clientId: number }) {
  const type = assigneeIn(values['assignable_type'])
  const isList = type === 'Client' || type === 'Division'
  const query = { type: type ?? 'User' }
  const { data, error: failed } = useQuery({
    ...apiQuery(reportCalls.assignables, { params: { client_id: clientId }, query }),
    enabled: isList,
  })
  if (!isList) return null
  const hint = failed ? 'The assignees could not be loaded' : data?.assignables.length === 0 ? 'Your role reaches none' : undefined
  return (
    <SelectField
      label="Assignee"
      name="assignable_id"
      required
      value={typeof value === 'number' && data?.assignables.some(({ id }) => id === value) ? String(value) : ''}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
      options={(data?.assignables ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      emptyLabel=""
      error={error}
      hint={hint}
      disabled={disabled || data === undefined}
    />
  )
}
