/** Rows as cards, for narrow screens: the styles, the order of a card's parts, and the bar above them in place of the column titles. */
import type { HeaderProps } from './grid-header.tsx'
import type { GridFilters } from './grid-types.ts'
import type { ShownColumn } from './grid-types.ts'
import styles from './cards.module.css'

export { inCardOrder } from './card-parts.ts'
export const cardsClass = styles.cards

export type CardBarProps<Row> = Pick<HeaderProps<Row>, 'shown' | 'sort' | 'onSort' | 'select'> & {
  label: string
  /** Undefined where the list has no filters. */
  filters: GridFilters | undefined
  isFiltering: boolean
  onFilter: () => void
}

/** Selects the page, sorts, and opens the filters. */
export function CardBar<Row>({ label, shown, sort, onSort, select, filters, isFiltering, onFilter }: CardBarProps<Row>) {
  const sortable = onSort ? shown.filter(({ column }) => column.sortable) : []
  if (!select && sortable.length === 0 && !filters) return null
  const count = Object.keys(filters ?? {}).length
  return (
    <div className={styles.bar} role="group" aria-label={`Sort, filter and select ${label}`}>
      {select && <SelectPage {...select} />}
      {sortable.length > 0 && onSort && <SortBy sortable={sortable} sort={sort} onSort={onSort} />}
      {filters && (
        <button type="button" className={styles.barButton} aria-expanded={isFiltering} onClick={onFilter}>
          Filters{count > 0 && ` (${count})`}
        </button>
      )}
    </div>
  )
}

function SelectPage({ state, toggle, disabled }: NonNullable<HeaderProps<never>['select']>) {
  return (
    <label className={styles.all}>
      <input
        type="checkbox"
        aria-label="Select all cards on this page"
        checked={state === 'all'}
        disabled={disabled}
        ref={(element) => {
          if (element) element.indeterminate = state === 'some'
        }}
        onChange={toggle}
      />
    </label>
  )
}

type SortByProps<Row> = { sortable: readonly ShownColumn<Row>[]; sort: HeaderProps<Row>['sort']; onSort: (key: string) => void }

function SortBy<Row>({ sortable, sort, onSort }: SortByProps<Row>) {
  const isKnown = sortable.some(({ column }) => column.key === sort?.key)
  return (
    <span className={styles.sort}>
      <select aria-label="Sort by" value={isKnown ? sort?.key : ''} onChange={(event) => onSort(event.currentTarget.value)}>
        {!isKnown && (
          <option value="" disabled>
            Sort by
          </option>
        )}
        {sortable.map(({ column }) => (
          <option key={column.key} value={column.key}>
            {column.label}
          </option>
        ))}
      </select>
      {isKnown && sort && (
        <button
          type="button"
          className={styles.barButton}
          aria-label={sort.direction === 'asc' ? 'Ascending: sort descending' : 'Descending: sort ascending'}
          onClick={() => onSort(sort.key)}
        >
          {sort.direction === 'asc' ? '↑' : '↓'}
        </button>
      )}
    </span>
  )
}
