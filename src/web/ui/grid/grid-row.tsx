import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { cx } from '../class-names.ts'
import { CellEditor, type FinishEdit } from './cell-editor.tsx'
import styles from './data-grid.module.css'
import type { CardPart, CellMark, GridColumn, RowMarks } from './grid-types.ts'
import type { ShownColumn } from './grid-types.ts'

export type GridRowProps<Row> = {
  row: Row
  index: number
  /** Row number for screen readers, from 1, header lines included. */
  ariaIndex: number
  /** Pixels from the first row. */
  top: number
  label: string
  shown: readonly ShownColumn<Row>[]
  hasSelect: boolean
  hasActions: boolean
  /** Whether the row has no checkbox, or a read-only one. */
  box: 'none' | 'fixed' | undefined
  selected: boolean
  /** Why it cannot be selected. */
  reason: string | undefined
  faded: boolean
  struck: boolean
  /** Whether the row is to be found at a glance. */
  lit: boolean
  /** Whether the row is being dragged. */
  dragged: boolean
  /** Column of the active cell; −1 if it is in another row. */
  activeCol: number
  /** The cell of this row that is being edited. */
  editing: { key: string; text: string } | null
  marks: RowMarks | undefined
  finishEdit: FinishEdit
}

/** One row. It rerenders only when one of its own props changes, so all of them must be stable. */
export function GridRow<Row>(props: GridRowProps<Row>) {
  const { row, index, ariaIndex, top, label, shown, hasSelect, hasActions, selected, reason, activeCol, editing, marks, finishEdit } = props
  const { box, faded, struck, lit, dragged } = props
  const element = useRef<HTMLDivElement>(null)
  const lead = hasSelect ? 1 : 0
  const actionsCol = lead + shown.length
  const isCard = shown[0]?.card !== undefined
  const [isOpen, setOpen] = useState(false)
  // The arrows reach the rest of a card too, which is open while they are in it.
  const showsRest = isOpen || shown[activeCol - lead]?.card === 'rest'
  // The elements stay the same while only the selection changes, so selecting a thousand rows rerenders checkboxes and no cells.
  const cells = useMemo(
    () =>
      shown.map(({ column, pinned, lastPinned, card }, place) => (
        <GridCell
          key={column.key}
          row={row}
          column={column}
          card={card}
          col={place + lead}
          pin={pinned ? place : undefined}
          lastPinned={lastPinned}
          active={activeCol === place + lead}
          editText={editing?.key === column.key ? editing.text : undefined}
          mark={marks?.[column.key]}
          finishEdit={finishEdit}
        />
      )),
    [shown, row, lead, activeCol, editing, marks, finishEdit],
  )
  // Links inside cells are reached by the arrows and Enter; otherwise Tab would stop at each of them.
  useLayoutEffect(() => {
    for (const link of element.current?.querySelectorAll('[data-cell] a, [data-cell] button') ?? []) link.setAttribute('tabindex', '-1')
  })
  useEffect(() => {
    if (lit) element.current?.scrollIntoView({ block: 'nearest' })
  }, [lit])
  return (
    <div
      ref={element}
      role="row"
      aria-current={lit || undefined}
      aria-rowindex={ariaIndex}
      aria-selected={hasSelect ? selected : undefined}
      data-row={index}
      data-part={isCard ? 'card' : undefined}
      data-has-menu={isCard && hasActions ? '' : undefined}
      data-open={isCard && showsRest ? '' : undefined}
      className={cx(
        styles.row,
        selected && styles.selected,
        (faded || reason !== undefined) && styles.ineligible,
        struck && styles.struckRow,
        lit && styles.litRow,
        dragged && styles.draggedRow,
      )}
      style={{ top }}
    >
      {hasSelect && (
        <div
          role="gridcell"
          aria-colindex={1}
          data-col={0}
          data-part="select"
          data-tip={reason}
          tabIndex={box === 'none' ? (activeCol === 0 ? 0 : -1) : undefined}
          className={cx(styles.cell, styles.select)}
        >
          {box !== 'none' && (
            <input
              type="checkbox"
              data-select=""
              aria-label={reason === undefined ? `Select ${label}` : `Select ${label}: ${reason}`}
              aria-disabled={reason !== undefined || box === 'fixed' || undefined}
              tabIndex={activeCol === 0 ? 0 : -1}
              checked={selected}
              readOnly
            />
          )}
        </div>
      )}
      {cells}
      {hasActions && (
        <div
          role="gridcell"
          aria-colindex={actionsCol + 1}
          data-col={actionsCol}
          data-part="menu"
          className={cx(styles.cell, styles.actions)}
        >
          <button
            type="button"
            data-actions=""
            className={styles.actionsButton}
            aria-label={`Actions for ${label}`}
            aria-haspopup="menu"
            tabIndex={activeCol === actionsCol ? 0 : -1}
          />
        </div>
      )}
      {shown.some(({ card }) => card === 'rest') && (
        <div role="gridcell" aria-colindex={actionsCol + (hasActions ? 2 : 1)} data-part="more" className={styles.cell}>
          <button
            type="button"
            tabIndex={-1}
            aria-label={`${showsRest ? 'Less' : 'More'} of ${label}`}
            aria-expanded={showsRest}
            onClick={() => setOpen(!showsRest)}
          >
            {showsRest ? 'Less' : 'More'}
          </button>
        </div>
      )}
    </div>
  )
}

type GridCellProps<Row> = {
  row: Row
  column: GridColumn<Row>
  card: CardPart | undefined
  col: number
  pin: number | undefined
  lastPinned: boolean
  active: boolean
  editText: string | undefined
  mark: CellMark | undefined
  finishEdit: FinishEdit
}

function GridCell<Row>({ row, column, card, col, pin, lastPinned, active, editText, mark, finishEdit }: GridCellProps<Row>) {
  const locked = column.edit?.lockedReason?.(row)
  return (
    <div
      role="gridcell"
      aria-colindex={col + 1}
      aria-invalid={mark?.state === 'failed' || undefined}
      data-col={col}
      data-cell=""
      data-card={card}
      data-label={card && column.label}
      data-kind={card && (column.kind === 'number' || column.kind === 'date') ? column.kind : undefined}
      data-tip={mark?.message ?? column.tip?.(row) ?? locked}
      tabIndex={active ? 0 : -1}
      className={cx(
        cellClass(column, pin !== undefined, locked !== undefined, mark),
        lastPinned && styles.lastPinned,
        editText !== undefined && styles.editing,
      )}
      style={pin === undefined ? undefined : { insetInlineStart: `var(--pin-${pin})` }}
    >
      {editText !== undefined && <CellEditor label={column.label} text={editText} options={column.edit?.options} finish={finishEdit} />}
      {editText === undefined && (mark ? <MarkedContent row={row} column={column} mark={mark} /> : column.cell(row))}
    </div>
  )
}

/** The cell while an edit of it is pending, and afterwards. */
function MarkedContent<Row>({ row, column, mark }: { row: Row; column: GridColumn<Row>; mark: CellMark }) {
  return (
    <>
      {mark.state === 'saved' ? column.cell(row) : mark.text}
      <span className={styles.markWord}>{{ saving: '…', saved: '✓', failed: '!' }[mark.state]}</span>
      <span className="sr-only">{{ saving: ' saving', saved: ' saved', failed: ` not saved: ${mark.message ?? ''}` }[mark.state]}</span>
    </>
  )
}

function cellClass<Row>(column: GridColumn<Row>, pinned: boolean, locked: boolean, mark: CellMark | undefined): string {
  return cx(
    styles.cell,
    (column.kind === 'number' || column.kind === 'money') && styles.number,
    column.kind === 'date' && styles.date,
    pinned && styles.pinned,
    column.edit && !locked && styles.editable,
    mark && styles[mark.state],
  )
}
