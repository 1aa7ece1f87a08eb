/** The choices of one report, by the names in its form data. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { reportCalls, type Report } from '#contract/reports/generated-report.ts'
import { accrualMethods, noReportFormData, reportBases, reportFormData, type ReportFormData } from '#contract/reports/report-form-data.ts'
import { reportFields } from '#contract/reports/report-form.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { EntityMultiPicker } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { DateField } from '../ui/fields/date-field.tsx'
import { reportSources } from './report-sources.ts'
import styles from './reports.module.css'

const pickers = [
  'accounting_batch_ids',
  'payment_batch_ids',
  'utility_service_ids',
  'vendor_ids',
  'division_ids',
  'facility_ids',
  'billable_account_ids',
  'supply_account_ids',
] as const

type ChoicesProps = SlotProps & {
  clientId: number
  report: Report
  /** The dates follow from something else. */
  withoutDates?: boolean | undefined
}

export function ReportChoices({ value, onChange, errors, disabled, clientId, report, withoutDates }: ChoicesProps) {
  const sources = useMemo(() => reportSources(clientId), [clientId])
  const data = readChoices(value)
  const { from, to } = data.date_range
  const set = (change: Partial<ReportFormData>) => onChange({ ...data, ...change })
  const has = (key: string) => report.fields.some((field) => field.key === key)
  const hasDates = has('date_range') && withoutDates !== true
  const error = (key: string) => errors[`form_data.${key}`]
  const common = (key: keyof ReportFormData) => ({ label: reportFields[key].label, name: key, error: error(key), disabled })
  const date = (key: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      name={`date_${key}`}
      required={key === 'from' && report.requires === 'date_range_or_client_batch' && data.accounting_batch_ids.length === 0}
      value={data.date_range[key] ?? ''}
      onChange={(day) => set({ date_range: { from, to, [key]: day === '' ? null : day } })}
      error={error(`date_range.${key}`) ?? (key === 'from' ? error('date_range') : undefined)}
      disabled={disabled}
    />
  )
  return (
    <div className={styles.choices} data-wide>
      {hasDates && date('from', 'Date Range From')}
      {hasDates && date('to', 'Date Range To')}
      {pickers.filter(has).map((key) => (
        <EntityMultiPicker
          key={key}
          {...common(key)}
          source={sources[key]}
          value={data[key]}
          onChange={(ids) => set({ [key]: ids })}
          minChars={key === 'payment_batch_ids' ? 1 : undefined}
          required={key === 'utility_service_ids' && report.requires === 'utility_service'}
        />
      ))}
      {has('basis') && (
        <SelectField
          {...common('basis')}
          value={data.basis}
          options={reportBases}
          onChange={(typed) => set({ basis: reportBases.find((one) => one.value === typed)?.value ?? data.basis })}
        />
      )}
      {has('accrual_method') && (
        <SelectField
          {...common('accrual_method')}
          value={data.accrual_method}
          options={accrualMethods}
          onChange={(typed) => set({ accrual_method: accrualMethods.find((one) => one.value === typed)?.value ?? data.accrual_method })}
        />
      )}
      {has('ledger_details') && (
        <CheckboxField {...common('ledger_details')} checked={data.ledger_details} onChange={(ledger_details) => set({ ledger_details })} />
      )}
      {has('all_clients') && (
        <CheckboxField
          {...common('all_clients')}
          hint="For provider staff, and for Me only"
          checked={data.all_clients}
          onChange={(all_clients) => set({ all_clients })}
        />
      )}
      {has('utility_service_fields') && (
        <FieldChecks
          clientId={clientId}
          reportId={report.id}
          value={data.utility_service_fields}
          onChange={(utility_service_fields) => set({ utility_service_fields })}
          error={error('utility_service_fields')}
          disabled={disabled}
        />
      )}
    </div>
  )
}

type Checked = ReportFormData['utility_service_fields'][number]
type FieldChecksProps = {
  clientId: number
  reportId: number
  value: readonly Checked[]
  onChange: (value: Checked[]) => void
  error: string | undefined
  disabled: boolean
}

/** The columns of the file. A report that names none has all of them. */
function FieldChecks({ clientId, reportId, value, onChange, error, disabled }: FieldChecksProps) {
  const asked = useQuery(apiQuery(reportCalls.utilityServiceFields, { params: { client_id: clientId, id: reportId } }))
  const fields = asked.data?.utility_service_fields ?? []
  const isChecked = (name: string) => value.length === 0 || value.some((one) => one.name === name && one.checked)
  const setAll = (checked: (name: string) => boolean) => onChange(fields.map(({ name }) => ({ name, checked: checked(name) })))
  return (
    <fieldset className={styles.checks} data-wide>
      <legend>{reportFields.utility_service_fields.label}</legend>
      {error && (
        <p role="alert" className={styles.bad}>
          {error}
        </p>
      )}
      {asked.error && (
        <p className={styles.bad}>
          The fields could not be loaded.{' '}
          <Button small onClick={() => void asked.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {fields.length > 0 && (
        <p className={styles.checkActs}>
          <Button small disabled={disabled} onClick={() => setAll(() => true)}>
            Check all
          </Button>
          <Button small disabled={disabled} onClick={() => setAll(() => false)}>
            Uncheck all
          </Button>
        </p>
      )}
      {fields.map(({ name, label }) => (
        <CheckboxField
          key={name}
          label={label}
          name={name}
          disabled={disabled}
          checked={isChecked(name)}
          onChange={(checked) => setAll((other) => (other === name ? checked : isChecked(other)))}
        />
      ))}
    </fieldset>
  )
}

/** While dates are typed the value may be incomplete; the readable parts are shown. */
export function readChoices(value: unknown): ReportFormData {
  const read = reportFormData.safeParse(value)
  if (read.success) return read.data
  return isChoices(value) ? value : noReportFormData
}

function isChoices(value: unknown): value is ReportFormData {
  return typeof value === 'object' && value !== null && Object.keys(noReportFormData).every((key) => key in value)
}
