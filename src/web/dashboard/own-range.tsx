import { useState } from 'react'
import { customRangeFaults } from '#contract/dashboard/date-range.ts'
import { MonthField } from '../ui/fields/month-field.tsx'
import type { DashboardChoices } from './use-dashboard.ts'

interface OwnRangeProps {
  readonly choices: DashboardChoices
  readonly choose: (changed: Partial<DashboardChoices>) => void
}

/** The first and the last month. They are asked for as soon as both are months and make a range; until then the field says why not. */
export function OwnRange({ choices, choose }: OwnRangeProps) {
  const own = { from_month: choices.from_month, to_month: choices.to_month }
  const [typed, setTyped] = useState(own)
  const [known, setKnown] = useState(own)
  // Another address, as by the browser's way back, has other months.
  if (known.from_month !== own.from_month || known.to_month !== own.to_month) {
    setKnown(own)
    setTyped(own)
  }
  const faults = customRangeFaults(typed.from_month || ' ', typed.to_month || ' ')
  const errorOf = (field: keyof typeof typed) => faults.find((fault) => fault.field === field)?.message
  const leave = () => {
    const isChanged = typed.from_month !== own.from_month || typed.to_month !== own.to_month
    if (isChanged && faults.length === 0) choose(typed)
  }
  const field = (key: keyof typeof typed, label: string) => (
    <MonthField
      label={label}
      name={key}
      value={typed[key]}
      error={errorOf(key)}
      onChange={(value) => setTyped((before) => ({ ...before, [key]: value }))}
      onBlur={leave}
    />
  )
  return (
    <form
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      {field('from_month', 'From Month')}
      {field('to_month', 'To Month')}
      <button type="submit" hidden />
    </form>
  )
}
