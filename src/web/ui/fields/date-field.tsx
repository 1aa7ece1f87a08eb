import { lazy, Suspense, useRef, type Ref } from 'react'
import { CalendarDays } from 'lucide-react'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { whyNoDay } from '#contract/kernel/typed-date.ts'
import { todayIn } from '#contract/kernel/zone.ts'
import { Popover } from '../popover.tsx'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'
import { readTypedDate, steppedDate } from './typed-date.ts'
import { useDraft } from './use-draft.ts'

const Calendar = lazy(() => import('./calendar.tsx').then((module) => ({ default: module.Calendar })))

export type DateFieldProps = FieldProps & {
  /** 'YYYY-MM-DD', '' when empty. Text that is not a date is passed on as typed, and the caller's validation rejects it. */
  value: string
  onChange: (value: string) => void
  /** 'YYYY-MM-DD' bounds of the calendar. */
  min?: string | undefined
  max?: string | undefined
  /** The day that 4/12 and 0412 are interpreted from; today in New York by default. */
  today?: string | undefined
  /** The last day that a date without a year may mean, e.g. a due date after the bill's date; `today` by default. */
  until?: string | undefined
  /** The day that +7 counts from; `today` by default. */
  from?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A calendar date, typed (4.12, 4-12-09, 0412, 04/12/2026, t, +7), moved by arrows or chosen. Alt with the down arrow opens the calendar; Tab skips its button. */
export function DateField(props: DateFieldProps) {
  const { value, onChange, name, disabled, autoFocus, onBlur, ref, min, max } = props
  const today = props.today ?? newYorkToday()
  const last = props.until ?? today
  const draft = useDraft(
    value,
    (typed) => readTypedDate(typed, { today, last, from: isCalendarDate(props.from ?? '') ? (props.from ?? today) : today }),
    (wire) => (isCalendarDate(wire) ? formatDate(wire) : wire),
    onChange,
  )
  const control = useRef<HTMLDivElement>(null)
  return (
    <FieldFrame {...props} error={whyNoDay(value, last) ?? props.error}>
      {(ids) => (
        <div className={styles.control} ref={control}>
          <input
            {...ids}
            ref={ref}
            className={`${styles.input} num`}
            placeholder="MM/DD/YYYY"
            autoComplete="off"
            name={name}
            value={draft.text}
            disabled={disabled}
            data-autofocus={autoFocus || undefined}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => draft.onInput(event.currentTarget.value)}
            aria-keyshortcuts="Alt+ArrowDown"
            onKeyDown={(event) => {
              if (event.key === 'Enter') draft.onLeave()
              if (event.key === 'ArrowDown' && event.altKey) return openCalendar(control.current)
              const day = event.ctrlKey || event.metaKey || event.shiftKey ? null : steppedDate(value, event.key, today)
              if (day === null) return undefined
              event.preventDefault()
              draft.onLeave()
              return onChange(day)
            }}
            onBlur={() => {
              draft.onLeave()
              onBlur?.()
            }}
          />
          {!disabled && (
            <Popover small trigger={<CalendarDays size={14} aria-hidden="true" />} label="Open calendar" align="end" tabIndex={-1}>
              {(close) => (
                <Suspense fallback={<span className={styles.hint}>Loading…</span>}>
                  <Calendar
                    value={isCalendarDate(value) ? value : null}
                    today={today}
                    min={min}
                    max={max}
                    onChoose={(date) => {
                      onChange(date)
                      draft.onLeave()
                      close()
                    }}
                  />
                </Suspense>
              )}
            </Popover>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

function openCalendar(control: HTMLElement | null): void {
  const button = control?.querySelector('[popovertarget]')
  if (button instanceof HTMLElement) button.click()
}

function newYorkToday(): string {
  return todayIn('America/New_York', new Date())
}
