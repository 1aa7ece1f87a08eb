import {
  useRef,
  type ClipboardEvent,
  type Dispatch,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type SetStateAction,
} from 'react'
import type { FinishEdit } from './cell-editor.tsx'
import { HEADER_ROW, movedPlace, type CellPlace } from './grid-keys.ts'
import type { DataGridProps, Editing, GridColumn, OpenMenu, RowId } from './grid-types.ts'
import { emptySelection, toggleRange, toggleRow } from './selection.ts'
import { placeOf, type ActiveCell } from './use-active-cell.ts'
import { parseBlock, type CellEdits } from './use-cell-edits.ts'
import type { ShownColumns } from './use-columns.ts'
import type { RowOrdering } from './use-row-order.ts'

/** Rows that PageUp and PageDown move by if the height is unknown. */
const DEFAULT_PAGE_ROWS = 10

export type GridHandlers = {
  onClick: (event: MouseEvent<HTMLElement>) => void
  onDoubleClick: (event: MouseEvent<HTMLElement>) => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onPaste: (event: ClipboardEvent<HTMLElement>) => void
  onCopy: (event: ClipboardEvent<HTMLElement>) => void
  onPointerDown: (event: PointerEvent<HTMLElement>) => void
}

type Input<Row, Id extends RowId> = {
  props: DataGridProps<Row, Id>
  columns: ShownColumns<Row>
  areCards: boolean
  order: RowOrdering<Row>
  hasSelect: boolean
  hasActions: boolean
  cols: number
  cell: ActiveCell
  edits: CellEdits<Row, Id>
  selectableIds: readonly Id[]
  editing: Editing<Id> | null
  setEditing: Dispatch<SetStateAction<Editing<Id> | null>>
  setMenu: Dispatch<SetStateAction<OpenMenu<Row> | null>>
  scroller: HTMLElement | null
}

/** One set of listeners for the whole grid; the target cell of an event determines what it does. */
export function useGridHandlers<Row, Id extends RowId>(input: Input<Row, Id>): { handlers: GridHandlers; finishEdit: FinishEdit } {
  const { props, cell, columns, areCards, hasSelect, hasActions, cols, setMenu, scroller } = input
  const lead = hasSelect ? 1 : 0
  const lastTicked = useRef<Id | null>(null)
  const lastAnchor = useRef<Element | null>(null)
  const closedByPress = useRef<Element | null>(null)
  const editor = useEditing(input)

  const tick = (row: Row, range: boolean) => {
    if (props.ineligible?.(row) !== undefined || props.box?.(row) !== undefined) return
    const id = props.rowId(row)
    const selection = props.selection ?? emptySelection
    const from = lastTicked.current
    lastTicked.current = id
    const next =
      range && from !== null
        ? toggleRange(selection, from, id, props.rows.map(props.rowId), input.selectableIds)
        : toggleRow(selection, id, input.selectableIds)
    props.onSelectionChange?.(next)
  }
  const openMenu = (anchor: HTMLElement, row: Row) => {
    lastAnchor.current = anchor
    setMenu((before) => ({ row, anchor, key: (before?.key ?? 0) + 1 }))
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target instanceof Element ? event.target : null
    const place = target && placeOf(target)
    const row = place ? props.rows[place.row] : undefined
    if (!target || !place || row === undefined) return
    // The box of a card is small for a thumb, so that its whole corner ticks.
    if (target.matches(areCards ? '[data-part=select], [data-part=select] *' : '[data-select]')) {
      if (props.ineligible?.(row) !== undefined || props.box?.(row) !== undefined) event.preventDefault()
      tick(row, event.shiftKey)
      return
    }
    const button = target.closest('[data-actions]')
    if (button instanceof HTMLElement && closedByPress.current !== button) openMenu(button, row)
    closedByPress.current = null
    // A card is opened by one press. A link inside it opens itself.
    if (areCards && !target.closest('a, button, input, select, textarea') && !columns.shown[place.col - lead]?.column.edit)
      props.onOpen?.(row)
  }

  const activate = (event: KeyboardEvent<HTMLElement>, place: CellPlace, row: Row) => {
    const target = event.target instanceof Element ? event.target : null
    if (target?.closest('[data-actions]')) return
    // Enter opens something that takes the focus; without this the rest of the key press would act on that.
    event.preventDefault()
    if (editor.start(place)) return
    const link = target?.querySelector('a, button')
    if (link instanceof HTMLElement) link.click()
    else props.onOpen?.(row)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = event.target instanceof Element ? placeOf(event.target) : undefined
    if (!place || input.order.onKeyDown(event) || event.altKey) return
    const pageRows = scroller && !areCards ? Math.max(1, Math.floor(scroller.clientHeight / 36) - 3) : DEFAULT_PAGE_ROWS
    const next = movedPlace(event, place, { rows: props.rows.length, cols, page: pageRows })
    if (next) {
      event.preventDefault()
      // The titles of cards are not in sight.
      if (areCards && next.row === HEADER_ROW) return
      cell.moveTo(next)
      return
    }
    const row = props.rows[place.row]
    if (place.row === HEADER_ROW || row === undefined) return
    const isPlain = !event.ctrlKey && !event.metaKey
    if (isPlain && props.onRowKey?.(event.key, row, (key) => editor.startAt(place.row, key))) {
      event.preventDefault()
      return
    }
    if (event.key === 'Enter') activate(event, place, row)
    else if (event.key === 'F2') editor.start(place)
    else if (isTickKey(event) && hasSelect && !(event.key === ' ' && hasActions && place.col === cols - 1)) {
      event.preventDefault()
      tick(row, event.shiftKey)
    } else if (event.key === ' ' && props.onPeek && !isOnActions(event.target)) {
      event.preventDefault()
      props.onPeek(row)
    }
  }

  return {
    finishEdit: editor.finish,
    handlers: {
      onClick,
      onKeyDown,
      onPaste: editor.paste,
      onCopy: copyCell,
      onDoubleClick: (event) => {
        const place = event.target instanceof Element && !event.target.closest('a, button, input') ? placeOf(event.target) : undefined
        const row = place && props.rows[place.row]
        if (place && row !== undefined && !editor.start(place)) props.onOpen?.(row)
      },
      // The menu closes on pointer down; without this the following click would open it again.
      onPointerDown: (event) => {
        const button = event.target instanceof Element ? event.target.closest('[data-actions]') : null
        const isOpen = document.querySelector('[role="menu"]:popover-open') !== null
        closedByPress.current = isOpen && button === lastAnchor.current ? button : null
        input.order.onPointerDown(event)
      },
    },
  }
}

/** Space, and x as in mail programs. */
function isTickKey({ key, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>): boolean {
  return key === ' ' || (key.toLowerCase() === 'x' && !ctrlKey && !metaKey)
}

function isOnActions(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-actions]') !== null
}

type Editor = {
  start: (place: CellPlace) => boolean
  startAt: (row: number, columnKey: string) => void
  finish: FinishEdit
  paste: (event: ClipboardEvent<HTMLElement>) => void
}

function useEditing<Row, Id extends RowId>(input: Input<Row, Id>): Editor {
  const { props, columns, hasSelect, cell, edits, editing, setEditing } = input
  const lead = hasSelect ? 1 : 0
  const columnAt = (col: number): GridColumn<Row> | undefined => columns.shown[col - lead]?.column
  const start = ({ row: index, col }: CellPlace): boolean => {
    const row = props.rows[index]
    const column = columnAt(col)
    if (row === undefined || !column?.edit || column.edit.lockedReason?.(row) !== undefined) return false
    const id = props.rowId(row)
    const failed = edits.marks.get(id)?.[column.key]
    setEditing({ id, key: column.key, text: failed?.state === 'failed' ? failed.text : column.edit.value(row) })
    return true
  }
  const startAt = (row: number, columnKey: string): void => {
    const col = columns.shown.findIndex(({ column }) => column.key === columnKey) + lead
    if (col >= lead) start({ row, col })
  }
  const finish: FinishEdit = (text, after) => {
    if (!editing) return
    const index = props.rows.findIndex((row) => props.rowId(row) === editing.id)
    const col = columns.shown.findIndex(({ column }) => column.key === editing.key) + lead
    const row = props.rows[index]
    const column = columnAt(col)
    setEditing(null)
    if (row !== undefined && column && text !== null) void edits.save(row, column, text)
    const target = placeAfter(after, { row: index, col })
    // An edit ended by the mouse has moved the focus already, and it stays there.
    if (after === 'stay' && text !== null) return
    cell.moveTo({ row: Math.max(0, Math.min(props.rows.length - 1, target.row)), col: Math.max(0, Math.min(input.cols - 1, target.col)) })
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const place = event.target instanceof Element ? placeOf(event.target) : undefined
    if (!place || place.row === HEADER_ROW || !columnAt(place.col)?.edit) return
    event.preventDefault()
    const cells = parseBlock(event.clipboardData.getData('text/plain')).flatMap((line, down) =>
      line.flatMap((text, right) => {
        const row = props.rows[place.row + down]
        const column = columnAt(place.col + right)
        return row !== undefined && column?.edit ? [{ row, column, text }] : []
      }),
    )
    void edits.saveAll(cells)
  }
  return { start, startAt, finish, paste }
}

function placeAfter(after: Parameters<FinishEdit>[1], { row, col }: CellPlace): CellPlace {
  if (after === 'down') return { row: row + 1, col }
  if (after === 'up') return { row: row - 1, col }
  if (after === 'right') return { row, col: col + 1 }
  return after === 'left' ? { row, col: col - 1 } : { row, col }
}

/** Copies the active cell, unless text is selected. */
function copyCell(event: ClipboardEvent<HTMLElement>): void {
  const cell = event.target instanceof Element ? event.target.closest('[data-cell]') : null
  if (!cell || event.target instanceof HTMLInputElement || document.getSelection()?.isCollapsed === false) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', cell.textContent.trim())
}
