import { memo, useState, type KeyboardEvent } from 'react'
import { BulkBar } from './bulk-bar.tsx'
import { SelectionWords } from './selection-words.tsx'
import { cx } from '../class-names.ts'
import styles from './data-grid.module.css'
import { GridFilterRow } from './grid-filters.tsx'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { GridNothing, SkeletonRows } from './grid-states.tsx'
import { GridTip } from './grid-tip.tsx'
import { OrderItems } from './order-items.tsx'
import { GridTotalsRows } from './grid-totals.tsx'
import type { DataGridProps, GridSelection, RowId } from './grid-types.ts'
import { RowMenu } from './row-menu.tsx'
import { emptySelection, isSelected } from './selection.ts'
import { placeOf } from './use-active-cell.ts'
import { useGrid, type Grid } from './use-grid.ts'
import { usePrinting } from './use-printing.ts'
import { useRowHeight } from './use-row-height.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

export type { DataGridProps, GridSelection } from './grid-types.ts'

/** Lists up to this many rows are rendered completely, so that the browser's own search finds them. */
const ALL_ROWS_UP_TO = 200

/**
 * The grid of every list. State that outlives it comes in by props and goes out by callbacks: sort, filters, selection, layout. The grid itself
 * keeps only the active cell, the edited cell and the pending edits.
 */
export function DataGrid<Row, Id extends RowId>(props: DataGridProps<Row, Id>) {
  const grid = useGrid(props)
  const { root, setRoot, setScroller, columns, onFocus, handlers } = grid
  const { label, rows, status, filters, onFiltersChange, totals, footer, selection, bulk } = props
  const refetching = status.kind === 'ready' && status.refetching === true
  // If no column can be filtered, there is no filter line.
  const changeFilters = columns.shown.some(({ column }) => column.filter) ? onFiltersChange : undefined
  const headLines = changeFilters ? 2 : 1
  const { cards } = grid
  const [isFiltering, setFiltering] = useState(false)
  const clear = () => {
    props.onSelectionChange?.(emptySelection)
    // The focused button disappears with the bar, so the focus moves to the active cell.
    const cell = root?.querySelector('[role="grid"] [tabindex="0"]')
    if (document.activeElement && !placeOf(document.activeElement) && cell instanceof HTMLElement) cell.focus({ preventScroll: true })
  }
  return (
    <div
      role="presentation"
      className={cx(styles.grid, cards?.cardsClass)}
      data-filtering={isFiltering || undefined}
      ref={setRoot}
      onFocus={onFocus}
      onKeyDown={(event) => !props.isSaidElsewhere && endedByKey(event, selection) && clear()}
    >
      {cards && (
        <cards.CardBar
          {...grid.header}
          label={label}
          filters={changeFilters && (filters ?? {})}
          isFiltering={isFiltering}
          onFilter={() => setFiltering(!isFiltering)}
        />
      )}
      <div
        ref={setScroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + headLines + (totals?.length ?? 0)}
        aria-colcount={grid.cols + (columns.shown.some(({ card }) => card === 'rest') ? 1 : 0)}
        aria-multiselectable={selection ? true : undefined}
        aria-busy={refetching || status.kind === 'loading'}
        className={styles.scroller}
        style={columns.style}
        {...handlers}
      >
        <div role="presentation" className={styles.sheet}>
          <div role="rowgroup" className={styles.head}>
            <GridHeader {...grid.header} />
            {changeFilters && (
              <GridFilterRow
                shown={columns.shown}
                hasSelect={grid.hasSelect}
                hasActions={grid.hasActions}
                filters={filters ?? {}}
                onChange={changeFilters}
              />
            )}
            {refetching && <div role="presentation" className={styles.progress} />}
          </div>
          {rows.length > 0 && cards !== null && <GridBody props={props} grid={grid} headLines={headLines} />}
          {rows.length > 0 && totals && <GridTotalsRows totals={totals} grid={grid} firstIndex={rows.length + headLines + 1} />}
        </div>
      </div>
      {((status.kind === 'loading' && rows.length === 0) || cards === null) && <SkeletonRows />}
      <GridNothing {...props} />
      <GridTip root={root} />
      {grid.menu && props.rowActions && (
        <RowMenu
          key={grid.menu.key}
          anchor={grid.menu.anchor}
          label={`Actions for ${props.rowLabel(grid.menu.row)}`}
          onClose={grid.closeMenu}
        >
          {props.rowActions(grid.menu.row)}
          {props.order && <OrderItems order={props.order} row={grid.menu.row} move={grid.order.move} />}
        </RowMenu>
      )}
      {selection && <SelectionWords selection={selection} total={props.total} />}
      {!props.isSaidElsewhere && (
        <BulkBar {...props} selectableIds={grid.selectableIds} onClear={clear}>
          {selection && bulk?.(selection)}
        </BulkBar>
      )}
      {footer && <div className={styles.footer}>{footer}</div>}
    </div>
  )
}

/** Whether Escape ends the selection. In a field, a menu or an edited cell it ends that first. */
function endedByKey<Id extends RowId>(event: KeyboardEvent<HTMLElement>, selection: GridSelection<Id> | undefined): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented || !selection || (selection.ids.size === 0 && !selection.allMatching)) return false
  const { target } = event
  return target instanceof Element && !target.closest('input:not([type="checkbox"]), select, textarea, dialog, [popover]')
}

type BodyProps<Row, Id extends RowId> = { props: DataGridProps<Row, Id>; grid: Grid<Row, Id>; headLines: number }

/** The rows: the visible ones of a long list, all of a short one and in print. */
function GridBody<Row, Id extends RowId>({ props, grid, headLines }: BodyProps<Row, Id>) {
  const { rows, rowId, rowLabel, selection, ineligible, box, faded, struck, lit } = props
  const { drag } = grid.order
  const rowHeight = useRowHeight()
  // Whether the rows lie below each other by themselves, as high as they are.
  const isFlow = usePrinting() || Boolean(grid.cards)
  const [RowView] = useState(() => memo(GridRow<Row>))
  const litAt = lit === null || lit === undefined ? -1 : rows.findIndex((row) => rowId(row) === lit)
  const shownRows = useShownRows(rows.length, rowHeight, isFlow, grid, litAt)
  return (
    <div role="rowgroup" className={styles.body} style={isFlow ? undefined : { height: rows.length * rowHeight }}>
      {drag && <div role="presentation" className={styles.dropLine} style={{ top: drag.line * rowHeight }} />}
      {shownRows.map((index) => {
        const row = rows[index]
        if (row === undefined) return null
        const id = rowId(row)
        return (
          <RowView
            key={id}
            row={row}
            index={index}
            ariaIndex={index + headLines + 1}
            top={isFlow ? 0 : index * rowHeight}
            label={rowLabel(row)}
            shown={grid.columns.shown}
            hasSelect={grid.hasSelect}
            hasActions={grid.hasActions}
            box={box?.(row)}
            selected={selection ? isSelected(selection, id) && ineligible?.(row) === undefined : false}
            reason={selection ? ineligible?.(row) : undefined}
            faded={faded?.(row) === true}
            struck={struck?.(row) === true}
            lit={index === litAt}
            dragged={drag?.from === index}
            activeCol={grid.active.row === index ? grid.active.col : -1}
            editing={grid.editing?.id === id ? grid.editing : null}
            marks={grid.marks.get(id)}
            finishEdit={grid.finishEdit}
          />
        )
      })}
    </div>
  )
}

function useShownRows<Row, Id extends RowId>(
  count: number,
  rowHeight: number,
  isFlow: boolean,
  grid: Grid<Row, Id>,
  litAt: number,
): readonly number[] {
  const isLong = count > ALL_ROWS_UP_TO && !isFlow
  const { from, to } = useRowsInSight(isLong ? grid.scroller : null, rowHeight)
  if (!isLong) return Array.from({ length: count }, (_, index) => index)
  const end = Math.min(to, count)
  const first = Math.min(from, end)
  const inSight = Array.from({ length: end - first }, (_, index) => first + index)
  // The row with the active cell stays in the page; otherwise scrolling would lose the focus. The lit row stays so that it can be scrolled to.
  const kept = [...new Set([grid.active.row, litAt])].filter((row) => row >= 0 && row < count && (row < first || row >= end))
  return kept.length === 0 ? inSight : [...inSight, ...kept].toSorted((one, other) => one - other)
}
