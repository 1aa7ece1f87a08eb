import { useEffect, useState } from 'react'
import { cx } from '../class-names.ts'
import type { ChoiceFilter, ChoiceFilterProps } from './choice-filter.tsx'
import styles from './data-grid.module.css'
import { SEARCHED_FROM, type GridFilter, type GridFilters } from './grid-types.ts'
import type { ShownColumn } from './grid-types.ts'
import { type ControlProps, RangeFilter } from './range-filter.tsx'

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
          data-label={column.label}
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
