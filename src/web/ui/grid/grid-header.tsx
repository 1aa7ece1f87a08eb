import type { KeyboardEvent, PointerEvent } from 'react'
import { cx } from '../class-names.ts'
import styles from './data-grid.module.css'
import { HEADER_ROW } from './grid-keys.ts'
import type { GridColumn, GridSort } from './grid-types.ts'
import { boundedWidth } from './layout.ts'
import type { ShownColumn } from './grid-types.ts'

/** Pixels by which one key press changes a width. */
const KEY_STEP = 16

export type HeaderProps<Row> = {
  shown: readonly ShownColumn<Row>[]
  hasActions: boolean
  sort: GridSort | null | undefined
  onSort: ((key: string) => void) | undefined
  /** The checkbox that selects the page; undefined without selection. */
  select: { state: 'all' | 'some' | 'none'; toggle: () => void; disabled: boolean } | undefined
  /** Column of the active cell; −1 if it is in the rows. */
  activeCol: number
  /** Reports a width while it changes and once at the end; undefined if widths are fixed. */
  onResize: ((key: string, width: number, done: boolean) => void) | undefined
}

/** The line of column titles: a click or Enter sorts, the edge or Shift with the arrows resizes. */
export function GridHeader<Row>({ shown, hasActions, sort, onSort, select, activeCol, onResize }: HeaderProps<Row>) {
  const lead = select ? 1 : 0
  return (
    <div role="row" aria-rowindex={1} data-row={HEADER_ROW} className={cx(styles.row, styles.header)}>
      {select && (
        <div role="columnheader" aria-colindex={1} data-col={0} className={cx(styles.cell, styles.select)}>
          <input
            type="checkbox"
            aria-label="Select all on this page"
            tabIndex={activeCol === 0 ? 0 : -1}
            checked={select.state === 'all'}
            disabled={select.disabled}
            ref={(element) => {
              if (element) element.indeterminate = select.state === 'some'
            }}
            onChange={select.toggle}
          />
        </div>
      )}
      {shown.map(({ column, pinned, lastPinned }, place) => (
        <HeaderCell
          key={column.key}
          column={column}
          col={place + lead}
          pin={pinned ? place : undefined}
          lastPinned={lastPinned}
          active={activeCol === place + lead}
          direction={sort?.key === column.key ? sort.direction : undefined}
          onSort={column.sortable ? onSort : undefined}
          onResize={onResize}
        />
      ))}
      {hasActions && (
        <div
          role="columnheader"
          aria-colindex={lead + shown.length + 1}
          data-col={lead + shown.length}
          tabIndex={activeCol === lead + shown.length ? 0 : -1}
          className={cx(styles.cell, styles.actions)}
        >
          <span className="sr-only">Actions</span>
        </div>
      )}
    </div>
  )
}

type HeaderCellProps<Row> = {
  column: GridColumn<Row>
  col: number
  pin: number | undefined
  lastPinned: boolean
  active: boolean
  direction: GridSort['direction'] | undefined
  onSort: ((key: string) => void) | undefined
  onResize: HeaderProps<Row>['onResize']
}

function HeaderCell<Row>({ column, col, pin, lastPinned, active, direction, onSort, onResize }: HeaderCellProps<Row>) {
  const isNumber = column.kind === 'number' || column.kind === 'money'
  return (
    <div
      role="columnheader"
      aria-colindex={col + 1}
      aria-sort={onSort ? sortWord(direction) : undefined}
      data-col={col}
      tabIndex={onSort ? undefined : active ? 0 : -1}
      className={cx(styles.cell, isNumber && styles.number, pin !== undefined && styles.pinned, lastPinned && styles.lastPinned)}
      style={pin === undefined ? undefined : { insetInlineStart: `var(--pin-${pin})` }}
      onKeyDown={(event) => resizeByKey(event, column, onResize)}
    >
      {onSort ? (
        <button type="button" className={styles.sort} tabIndex={active ? 0 : -1} onClick={() => onSort(column.key)}>
          <Title column={column} />
          <span className={styles.sortMark} aria-hidden="true">
            {direction === 'asc' ? '↑' : direction === 'desc' ? '↓' : ''}
          </span>
        </button>
      ) : (
        <span className={styles.sort}>
          <Title column={column} />
        </span>
      )}
      {onResize && (
        <span
          className={styles.handle}
          aria-hidden="true"
          onPointerDown={(event) => startResize(event, column, onResize)}
          onDoubleClick={() => onResize(column.key, column.width ?? boundedWidth(column, 0), true)}
        />
      )}
    </div>
  )
}

function Title<Row>({ column }: { column: GridColumn<Row> }) {
  return (
    <span className={styles.title}>
      {column.label}
      {column.unit && <span className={styles.unit}> {column.unit}</span>}
    </span>
  )
}

function sortWord(direction: GridSort['direction'] | undefined): 'ascending' | 'descending' | 'none' {
  if (!direction) return 'none'
  return direction === 'asc' ? 'ascending' : 'descending'
}

type Resize<Row> = { column: GridColumn<Row>; onResize: NonNullable<HeaderProps<Row>['onResize']> }

function startResize<Row>(event: PointerEvent<HTMLElement>, column: Resize<Row>['column'], onResize: Resize<Row>['onResize']): void {
  const handle = event.currentTarget
  const from = handle.parentElement?.offsetWidth ?? 0
  const startX = event.clientX
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  const widthAt = (at: globalThis.PointerEvent) => boundedWidth(column, from + at.clientX - startX)
  const move = (at: globalThis.PointerEvent) => onResize(column.key, widthAt(at), false)
  const stop = (at: globalThis.PointerEvent) => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', stop)
    handle.removeEventListener('pointercancel', stop)
    // A press without movement does not change the width.
    if (at.clientX !== startX) onResize(column.key, widthAt(at), true)
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', stop)
  handle.addEventListener('pointercancel', stop)
}

function resizeByKey<Row>(event: KeyboardEvent<HTMLElement>, column: GridColumn<Row>, onResize: HeaderProps<Row>['onResize']): void {
  if (!onResize || !event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
  event.preventDefault()
  event.stopPropagation()
  const step = event.key === 'ArrowRight' ? KEY_STEP : -KEY_STEP
  onResize(column.key, boundedWidth(column, event.currentTarget.offsetWidth + step), true)
}
