import { formatMonth, isCalendarMonth } from '#contract/kernel/date.ts'
import { parseMonth } from '#contract/kernel/typed-date.ts'
import type { FieldProps } from './field-frame.tsx'
import { TextField } from './text-field.tsx'
import { useDraft } from './use-draft.ts'

export type MonthFieldProps = FieldProps & {
  /** 'YYYY-MM', '' when empty. Text that is not a month is passed on as typed, and the caller's validation rejects it. */
  value: string
  onChange: (value: string) => void
}

/** A month as MM/YYYY. The text stays as typed until the field loses the focus, because '1/20' is a month, but also the start of '1/2027'. */
export function MonthField({ value, onChange, onBlur, ...field }: MonthFieldProps) {
  const draft = useDraft(value, parseMonth, shownMonth, onChange)
  return (
    <TextField
      {...field}
      placeholder="MM/YYYY"
      value={draft.text}
      onChange={draft.onInput}
      onBlur={() => {
        draft.onLeave()
        onBlur?.()
      }}
    />
  )
}

function shownMonth(value: string): string {
  return isCalendarMonth(value) ? formatMonth(value) : value
}
