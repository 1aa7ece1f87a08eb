/** Rows in an order that people change: by buttons, by Alt with the arrow keys, or by dragging. */
import { useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { Button, IconButton } from './button.tsx'
import styles from './ordered-rows.module.css'

interface OrderedRowsProps<Row> {
  readonly label: string
  /** What one row is: 'column'. */
  readonly what: string
  readonly rows: readonly Row[]
  readonly max: number
  /** The fields of a row. */
  readonly children: (row: Row, place: number, change: (change: Partial<Row>) => void) => ReactNode
  readonly onChange: (rows: Row[]) => void
  /** Returns a new last row. */
  readonly added: () => Row
}

export function OrderedRows<Row>({ label, what, rows, max, children, onChange, added }: OrderedRowsProps<Row>) {
  const [dragged, setDragged] = useState<number | null>(null)
  const move = (from: number, to: number) => onChange(moved(rows, from, to))
  const drop = (event: DragEvent, onto: number) => {
    event.preventDefault()
    if (dragged !== null) move(dragged, onto)
    setDragged(null)
  }
  return (
    <div>
      <ol className={styles.rows} aria-label={label} onDragOver={(event) => event.preventDefault()}>
        {rows.map((row, place) => (
          <li
            // A row has no id, so its position is its key.
            key={place}
            className={styles.row}
            onDrop={(event) => drop(event, place)}
            onKeyDown={(event) => moveByKey(event, (by) => move(place, place + by))}
          >
            <span
              className={styles.grip}
              draggable
              aria-hidden="true"
              onDragStart={() => setDragged(place)}
              onDragEnd={() => setDragged(null)}
            >
              <GripVertical size={14} />
            </span>
            {children(row, place, (change) => onChange(rows.map((one, at) => (at === place ? { ...one, ...change } : one))))}
            <RowButtons
              name={`${what} ${place + 1}`}
              isFirst={place === 0}
              isLast={place === rows.length - 1}
              onMove={(by) => move(place, place + by)}
              onRemove={() => onChange(rows.filter((_, at) => at !== place))}
            />
          </li>
        ))}
      </ol>
      <Button
        small
        disabledReason={rows.length >= max ? `There are at most ${max}` : undefined}
        onClick={() => onChange([...rows, added()])}
      >{`Add a ${what}`}</Button>
    </div>
  )
}

interface RowButtonsProps {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: number) => void
  readonly onRemove: () => void
}

function RowButtons({ name, isFirst, isLast, onMove, onRemove }: RowButtonsProps) {
  return (
    <>
      <IconButton
        small
        label={`Move ${name} up`}
        icon={<ArrowUp size={13} aria-hidden="true" />}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        small
        label={`Move ${name} down`}
        icon={<ArrowDown size={13} aria-hidden="true" />}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <IconButton small label={`Remove ${name}`} icon={<X size={13} aria-hidden="true" />} onClick={onRemove} />
    </>
  )
}

function moved<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const row = rows[from]
  if (row === undefined || to < 0 || to >= rows.length) return [...rows]
  const others = rows.filter((_, place) => place !== from)
  return [...others.slice(0, to), row, ...others.slice(to)]
}

function moveByKey(event: KeyboardEvent, move: (by: number) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  event.preventDefault()
  move(event.key === 'ArrowUp' ? -1 : 1)
}
