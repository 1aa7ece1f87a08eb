import { useState } from 'react'
import { baselineFault, type WeatherAnswer } from '#contract/dashboard/dashboard-weather.ts'
import { customRangeFaults } from '#contract/dashboard/date-range.ts'
import { monthOf } from '#contract/kernel/date.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { MonthField } from '../ui/fields/month-field.tsx'
import styles from './dashboard.module.css'
import type { WeatherChoices } from './use-weather.ts'
import { meterName } from './weather-words.ts'

interface ControlsProps {
  readonly answer: WeatherAnswer
  readonly choices: WeatherChoices
  readonly choose: (changed: Partial<WeatherChoices>) => void
}

export function WeatherControls({ answer, choices, choose }: ControlsProps) {
  const { service, service_options: services, meter_options: meters } = answer
  const known = services.some(({ id }) => String(id) === choices.service)
  return (
    <section className={styles.controls} aria-label="What the comparison shows">
      <SelectField
        label="Service"
        name="service"
        value={choices.service || String(service?.id ?? '')}
        options={[
          ...services.map(({ id, name }) => ({ value: String(id), label: name })),
          ...(choices.service && !known ? [{ value: choices.service, label: `Service ${choices.service}` }] : []),
        ]}
        onChange={(wanted) => choose({ service: wanted, meter: '' })}
      />
      <SelectField
        label="Meter"
        name="meter"
        value={choices.meter}
        emptyLabel="All meters"
        options={meters.map((meter) => ({ value: String(meter.id), label: meterName(meter) }))}
        onChange={(meter) => choose({ meter })}
      />
      <Months answer={answer} choose={choose} />
    </section>
  )
}

type Typed = Pick<WeatherChoices, 'baseline_month' | 'from_month' | 'to_month'>

/** The months are asked for as soon as they make a comparison; until then the field says why not. */
function Months({ answer, choose }: Pick<ControlsProps, 'answer' | 'choose'>) {
  const shown: Typed = {
    baseline_month: monthOf(answer.baseline.from),
    from_month: monthOf(answer.report.from),
    to_month: monthOf(answer.report.to),
  }
  const [typed, setTyped] = useState(shown)
  const [known, setKnown] = useState(shown)
  if (monthKeys.some((key) => known[key] !== shown[key])) {
    setKnown(shown)
    setTyped(shown)
  }
  const errors = faultsOf(typed)
  const leave = () => {
    const isChanged = monthKeys.some((key) => typed[key] !== shown[key])
    if (isChanged && Object.keys(errors).length === 0) choose(typed)
  }
  return (
    <form
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      {monthKeys.map((key) => (
        <MonthField
          key={key}
          label={monthLabels[key]}
          name={key}
          value={typed[key]}
          error={errors[key]}
          onChange={(value) => setTyped((before) => ({ ...before, [key]: value }))}
          onBlur={leave}
        />
      ))}
      <button type="submit" hidden />
    </form>
  )
}

const monthKeys = ['baseline_month', 'from_month', 'to_month'] as const
const monthLabels = { baseline_month: 'Baseline Month', from_month: 'From Month', to_month: 'To Month' }

function faultsOf({ baseline_month, from_month, to_month }: Typed): Partial<Record<(typeof monthKeys)[number], string>> {
  const range = customRangeFaults(from_month || ' ', to_month || ' ').map(({ field, message }) => [field, message] as const)
  const baseline = baselineFault(baseline_month || ' ', from_month)
  return Object.fromEntries([...range, ...(baseline === null ? [] : [['baseline_month', baseline] as const])])
}
