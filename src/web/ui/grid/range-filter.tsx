/** The filter of a range of numbers or days. */
import { lazy, Suspense, useState } from 'react'
import { formatDate, isCalendarDate } from '#contract/kernel/date.ts'
import { parseDate } from '#contract/kernel/typed-date.ts'
import { todayIn } from '#contract/kernel/zone.ts'
import { Button } from '../button.tsx'
import { cx } from '../class-names.ts'
import { DateField } from '../fields/date-field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Popover } from '../popover.tsx'
import styles from './data-grid.module.css'
import type { GridColumn, GridFilter, GridFilters } from './grid-types.ts'

const DateRangeButtons = lazy(() => import('./date-range-buttons.tsx').then((module) => ({ default: module.DateRangeButtons })))

/** Decimals that a number filter accepts. */
const FILTER_SCALE = 4

export type ControlProps<Row, Filter extends GridFilter> = {
  column: GridColumn<Row>
  filter: Filter
  filters: GridFilters
  set: (changes: Readonly<Record<string, string>>) => void
}

export function RangeFilter<Row>({ column, filter, filters, set }: ControlProps<Row, Extract<GridFilter, { kind: 'range' }>>) {
  const from = filters[filter.from] ?? ''
  const to = filters[filter.to] ?? ''
  const shown = rangeText(filter.of, from, to)
  return (
    <Popover
      trigger={<span className={styles.rangeText}>{shown || 'Any'}</span>}
      label={`Filter ${column.label}: ${shown || 'Any'}`}
      small
      className={cx(styles.rangeButton, shown && styles.filterOn)}
    >
      {(close) => (
        <RangeForm
          label={column.label}
          of={filter.of}
          from={from}
          to={to}
          onApply={(low, high) => {
            set({ [filter.from]: low, [filter.to]: high })
            close()
          }}
        />
      )}
    </Popover>
  )
}

type RangeFormProps = { label: string; of: 'number' | 'date'; from: string; to: string; onApply: (from: string, to: string) => void }

function RangeForm({ label, of, from, to, onApply }: RangeFormProps) {
  const [low, setLow] = useState(from)
  const [high, setHigh] = useState(to)
  const Field = of === 'date' ? DateField : RangeNumber
  const lowError = low !== '' && !isWireValue(of, low) ? badText[of] : undefined
  const highError = high !== '' && !isWireValue(of, high) ? badText[of] : undefined
  return (
    <form
      className={styles.rangeForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (!lowError && !highError) onApply(low, high)
      }}
    >
      <Field label={`${label} from`} value={low} onChange={setLow} error={lowError} />
      <Field label={`${label} to`} value={high} onChange={setHigh} error={highError} />
      <div className={styles.rangeButtons}>
        <Button kind="quiet" onClick={() => onApply('', '')}>
          Clear
        </Button>
        <Button kind="primary" type="submit">
          Apply
        </Button>
      </div>
      {of === 'date' && (
        <Suspense fallback={<div className={styles.rangeNames} />}>
          <DateRangeButtons onChoose={onApply} />
        </Suspense>
      )}
    </form>
  )
}

const badText = { date: 'Enter a date as MM/DD/YYYY', number: 'Enter a number' } as const

type RangeNumberProps = { label: string; value: string; onChange: (value: string) => void; error: string | undefined }

function RangeNumber(props: RangeNumberProps) {
  return <NumberField {...props} parse={plainNumber} format={(wire) => wire} scale={FILTER_SCALE} />
}

/** Converts '1,234.50' to '1234.50', keeping the typed decimals. */
function plainNumber(typed: string): string | null {
  const text = typed.trim().replaceAll(',', '').replace(/^\$/, '').replace('−', '-')
  return /^-?\d+(\.\d+)?$/.test(text) ? text : null
}

function isWireValue(of: 'number' | 'date', value: string): boolean {
  return of === 'date' ? isCalendarDate(value) : plainNumber(value) === value
}

/** Formats a range as '≥ 100', '≤ 100' or '100 – 200'; dates as the column shows them. */
export function rangeText(of: 'number' | 'date', from: string, to: string): string {
  const low = from && of === 'date' ? shownDate(from) : from
  const high = to && of === 'date' ? shownDate(to) : to
  if (low && high) return low === high ? low : `${low} – ${high}`
  if (low) return `≥ ${low}`
  return high ? `≤ ${high}` : ''
}

/** An address may contain a filter as it was typed. */
function shownDate(text: string): string {
  return formatDate(parseDate(text, todayIn('America/New_York', new Date()))) || text
}
