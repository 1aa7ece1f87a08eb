import { useEffect, useState } from 'react'
import { formatDate, isCalendarDate, parseDate } from '#contract/kernel/date.ts'
import { todayIn } from '#contract/kernel/zone.ts'
import { Button } from '../button.tsx'
import { cx } from '../class-names.ts'
import { DateField } from '../fields/date-field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Popover } from '../popover.tsx'
import type { ChoiceFilter, ChoiceFilterProps } from './choice-filter.tsx'
import styles from './data-grid.module.css'
import { SEARCHED_FROM, type GridColumn, type GridFilter, type GridFilters } from './grid-types.ts'
import type { ShownColumn } from './use-columns.ts'

/** Decimals that a number filter accepts. */
const FILTER_SCALE = 4
/** Pause (ms) before the code of the searchable filter is loaded. */
const LATER_MS = 1_000

export type FilterRowProps<Row> = {
  shown: readonly ShownColumn<Row>[]
  hasSelect: boolean
  hasActions: boolean
  filters: GridFilters
  onChange: (filters: GridFilters) => void
}

/** The line below the titles with the filter of each column. */
export function GridFilterRow<Row>({ shown, hasSelect, hasActions, filters, onChange }: FilterRowProps<Row>) {
  const set = (changes: Readonly<Record<string, string>>) => onChange(withChanges(filters, changes))
  const lead = hasSelect ? 1 : 0
  return (
    <div role="row" aria-rowindex={2} className={cx(styles.row, styles.filters)}>
      {hasSelect && <div role="gridcell" aria-colindex={1} className={cx(styles.cell, styles.select)} />}
      {shown.map(({ column, pinned, lastPinned }, place) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={place + lead + 1}
          className={cx(styles.cell, styles.filterCell, pinned && styles.pinned, lastPinned && styles.lastPinned)}
          style={pinned ? { insetInlineStart: `var(--pin-${place})` } : undefined}
        >
          {column.filter && <FilterControl column={column} filter={column.filter} filters={filters} set={set} />}
          {column.filter && column.filterHelp}
        </div>
      ))}
      {hasActions && <div role="gridcell" aria-colindex={lead + shown.length + 1} className={cx(styles.cell, styles.actions)} />}
    </div>
  )
}

/** Returns the filters with these changes, without empty ones. */
export function withChanges(filters: GridFilters, changes: Readonly<Record<string, string>>): GridFilters {
  return Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(([, text]) => text !== ''))
}

type ControlProps<Row, Filter extends GridFilter> = {
  column: GridColumn<Row>
  filter: Filter
  filters: GridFilters
  set: (changes: Readonly<Record<string, string>>) => void
}

function FilterControl<Row>({ column, filter, filters, set }: ControlProps<Row, GridFilter>) {
  const name = `Filter ${column.label}`
  if (filter.kind === 'text')
    return <TextFilter name={name} value={filters[filter.key] ?? ''} onChange={(text) => set({ [filter.key]: text })} />
  if (filter.kind === 'range') return <RangeFilter column={column} filter={filter} filters={filters} set={set} />
  const options =
    filter.kind === 'choice'
      ? filter.options
      : [
          { value: 'true', label: filter.yes ?? 'Yes' },
          { value: 'false', label: filter.no ?? 'No' },
        ]
  return (
    <ChoiceControl name={name} value={filters[filter.key] ?? ''} options={options} onChange={(value) => set({ [filter.key]: value })} />
  )
}

/**
 * A few choices are a native select; many choices are searched by typing, once that code is loaded. A select that has the focus is not replaced
 * until it loses it.
 */
function ChoiceControl(props: ChoiceFilterProps) {
  const { name, value, options, onChange } = props
  const [Searched, setSearched] = useState<typeof ChoiceFilter | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const isMany = options.length >= SEARCHED_FROM
  useEffect(() => {
    if (!isMany) return undefined
    // The first load is measured by its first rows, which do not need this code.
    const timer = setTimeout(() => void import('./choice-filter.tsx').then((module) => setSearched(() => module.ChoiceFilter)), LATER_MS)
    return () => clearTimeout(timer)
  }, [isMany])
  if (Searched && !hasFocus) return <Searched {...props} />
  return (
    <select
      aria-label={name}
      className={cx(styles.filterInput, value !== '' && styles.filterOn)}
      value={value}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">All</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** Keeps the typed text while the caller waits before applying it; a change from outside wins. */
function TextFilter({ name, value, onChange }: { name: string; value: string; onChange: (text: string) => void }) {
  const [draft, setDraft] = useState(value)
  const [reported, setReported] = useState(value)
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== reported) {
      setDraft(value)
      setReported(value)
    }
  }
  return (
    <input
      type="text"
      aria-label={name}
      className={cx(styles.filterInput, draft !== '' && styles.filterOn)}
      value={draft}
      autoComplete="off"
      spellCheck={false}
      placeholder="Contains"
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        setReported(event.currentTarget.value)
        onChange(event.currentTarget.value)
      }}
    />
  )
}

function RangeFilter<Row>({ column, filter, filters, set }: ControlProps<Row, Extract<GridFilter, { kind: 'range' }>>) {
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
