/** The fields of a scheduled report that depend on others. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Report } from '#contract/reports/generated-report.ts'
import { relativeDates, type RelativeDates } from '#contract/reports/report-dates.ts'
import { formatsOf, reportFormats, reportSchedule, reportScheduleCalls } from '#contract/reports/report-schedule.ts'
import { monthRules, nextDue, weekdays } from '#contract/reports/schedule-times.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatTime, wallTimeIn } from '#contract/kernel/zone.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import type { FormValues } from '../kernel/forms/form-values.ts'
import { apiQuery } from '../kernel/query.ts'
import { MultiComboboxField } from '../ui/combobox/combobox-field.tsx'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { readChoices } from './report-choices.tsx'
import styles from './reports.module.css'

const datesShown = 3

export function relativeIn(value: unknown): RelativeDates {
  return relativeDates.find((one) => one.value === value)?.value ?? 'as_chosen'
}

/** Relative dates take the place of those of the choices. */
export function Dates({ value, error, disabled, values, setValues }: SlotProps & { report: Report }) {
  const clear = (dates: string) =>
    dates === 'as_chosen' ? {} : { form_data: { ...readChoices(values['form_data']), date_range: { from: null, to: null } } }
  return (
    <SelectField
      label="Dates"
      name="dates"
      value={relativeIn(value)}
      options={relativeDates}
      onChange={(dates) => setValues({ dates, ...clear(dates) })}
      hint="Relative to the day of each run"
      error={error}
      disabled={disabled}
    />
  )
}

export function Weekday(slot: SlotProps) {
  if (slot.values['frequency'] !== 'weekly') return null
  return <Choice {...slot} name="weekday" options={weekdays} />
}

export function MonthRule(slot: SlotProps) {
  if (slot.values['frequency'] !== 'monthly') return null
  return (
    <Choice {...slot} name="month_rule" options={monthRules} hint="Weekends and holidays of the Federal Reserve are no business days" />
  )
}

export function MonthDay({ value, onChange, error, disabled, values }: SlotProps) {
  if (values['frequency'] !== 'monthly' || values['month_rule'] !== 'day') return null
  return (
    <NumberField
      label={reportSchedule.fields.month_day.label}
      name="month_day"
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
      hint="A shorter month is due on its last day"
      error={error}
      disabled={disabled}
    />
  )
}

type ChoiceProps = SlotProps & {
  name: 'weekday' | 'month_rule'
  options: readonly { readonly value: string | number; readonly label: string }[]
  hint?: string
}

function Choice({ value, onChange, error, disabled, name, options, hint }: ChoiceProps) {
  return (
    <SelectField
      label={reportSchedule.fields[name].label}
      name={name}
      value={typeof value === 'string' ? value : ''}
      options={options.map((one) => ({ value: String(one.value), label: one.label }))}
      onChange={onChange}
      hint={hint}
      error={error}
      disabled={disabled}
    />
  )
}

/** The zone, and below it the due times that follow from all choices. */
export function Zone({ value, onChange, error, disabled, values }: SlotProps) {
  const zone = typeof value === 'string' ? value : ''
  const options = useMemo(() => {
    const names = Intl.supportedValuesOf('timeZone')
    return [...new Set([...(zone === '' ? [] : [zone]), 'UTC', ...names])].toSorted().map((name) => ({ value: name, label: name }))
  }, [zone])
  return (
    <SelectField
      label="Time Zone"
      name="zone"
      value={zone}
      options={options}
      onChange={onChange}
      hint={dueText(values)}
      error={error}
      disabled={disabled}
    />
  )
}

/** The next due times, in the zone of the schedule. */
function dueText(values: FormValues): string {
  const { frequency, weekday, month_rule, month_day, hour, zone } = reportSchedule.fields
  const read = {
    frequency: frequency.schema.safeParse(values['frequency']),
    weekday: weekday.schema.safeParse(Number(values['weekday'])),
    month_rule: month_rule.schema.safeParse(values['month_rule']),
    month_day: month_day.schema.safeParse(Number(values['month_day'])),
    hour: hour.schema.safeParse(Number(values['hour'])),
    zone: zone.schema.safeParse(values['zone']),
  }
  if (!read.frequency.success || !read.weekday.success || !read.month_rule.success || !read.hour.success || !read.zone.success) return ''
  if (!read.month_day.success) return ''
  const times = {
    frequency: read.frequency.data,
    weekday: read.weekday.data,
    month_rule: read.month_rule.data,
    month_day: read.month_day.data,
    hour: read.hour.data,
    zone: read.zone.data,
  }
  const dues: string[] = []
  for (let at = new Date(); dues.length < datesShown; at = new Date(dues.at(-1) ?? at)) dues.push(nextDue(times, at))
  return `Due next: ${dues.map((due) => localText(times.zone, due)).join(' · ')}`
}

function localText(zone: string, at: string): string {
  const { date, time } = wallTimeIn(zone, at)
  return `${formatDate(date)} ${formatTime(time)}`
}

export function Formats({ value, onChange, error, disabled, report }: SlotProps & { report: Report }) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : []
  const may = formatsOf(report.export_type)
  const set = (format: string, checked: boolean) => onChange(may.filter((one) => (one === format ? checked : chosen.includes(one))))
  return (
    <fieldset className={styles.checks} aria-invalid={error ? true : undefined}>
      <legend>Files</legend>
      {reportFormats
        .filter((one) => may.includes(one.value))
        .map((one) => (
          <CheckboxField
            key={one.value}
            label={one.label}
            name={one.value}
            checked={chosen.includes(one.value)}
            onChange={(checked) => set(one.value, checked)}
            disabled={disabled}
          />
        ))}
      {error && <p role="alert">{error}</p>}
    </fieldset>
  )
}

export function Subscribers({ value, onChange, error, disabled, clientId, report }: SlotProps & { clientId: number; report: Report }) {
  const params = { client_id: clientId, report_id: report.id }
  const { data, error: failed } = useQuery(apiQuery(reportScheduleCalls.subscribers, { params }))
  const list = useMemo(() => (data?.subscribers ?? []).map(({ id, name }) => ({ id, label: name })), [data])
  const ids = Array.isArray(value) ? value.map(Number) : []
  return (
    <MultiComboboxField
      label="Subscribers"
      name="subscriber_ids"
      required
      source={{ list }}
      value={ids.map((id) => list.find((one) => one.id === id) ?? { id, label: data ? 'No reader any more' : '…' })}
      onChange={(options) => onChange(options.map(({ id }) => id))}
      hint={failed ? 'The people could not be loaded' : 'Each of them gets what they themselves may see'}
      error={error}
      disabled={disabled}
    />
  )
}
