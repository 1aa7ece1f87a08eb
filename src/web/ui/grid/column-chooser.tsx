import { useState, type DragEvent } from 'react'
import { ArrowDown, ArrowUp, Columns3, Pin, RotateCcw } from 'lucide-react'
import { Button, IconButton } from '../button.tsx'
import { cx } from '../class-names.ts'
import { Popover } from '../popover.tsx'
import styles from './column-chooser.module.css'
import type { GridColumn, GridLayout } from './grid-types.ts'
import { resolveLayout, withMoved, withPinned, withVisible, withWidth } from './layout.ts'

export type ColumnChooserProps<Row> = {
  columns: readonly GridColumn<Row>[]
  layout: GridLayout | null | undefined
  /** Null means Reset: the caller forgets the layout. */
  onLayoutChange: (layout: GridLayout | null) => void
}

/** Chooses which columns are shown, in which order and which are pinned, by checkboxes, buttons and dragging. */
export function ColumnChooser<Row>({ columns, layout: changed, onLayoutChange }: ColumnChooserProps<Row>) {
  return (
    <Popover trigger={<Columns3 size={16} aria-hidden="true" />} label="Columns" align="end">
      <ColumnList columns={columns} layout={changed} onLayoutChange={onLayoutChange} />
    </Popover>
  )
}

function ColumnList<Row>({ columns, layout: changed, onLayoutChange }: ColumnChooserProps<Row>) {
  const layout = resolveLayout(columns, changed)
  const [dragged, setDragged] = useState<string | null>(null)
  const drop = (event: DragEvent, onto: string) => {
    event.preventDefault()
    if (dragged !== null && dragged !== onto) onLayoutChange(withMoved(layout, dragged, layout.order.indexOf(onto)))
    setDragged(null)
  }
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>Columns</h2>
        <Button small kind="quiet" disabled={!changed} onClick={() => onLayoutChange(null)}>
          Reset
        </Button>
      </div>
      <ul className={styles.list} onDragOver={(event) => event.preventDefault()}>
        {layout.order.map((key, index) => {
          const column = columns.find((one) => one.key === key)
          if (!column) return null
          return (
            <li
              key={key}
              draggable
              className={cx(styles.line, dragged === key && styles.dragged)}
              onDragStart={() => setDragged(key)}
              onDragEnd={() => setDragged(null)}
              onDrop={(event) => drop(event, key)}
            >
              <ColumnLine column={column} index={index} last={layout.order.length - 1} layout={layout} onLayoutChange={onLayoutChange} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type LineProps<Row> = {
  column: GridColumn<Row>
  index: number
  last: number
  layout: GridLayout
  onLayoutChange: (layout: GridLayout) => void
}

function ColumnLine<Row>({ column, index, last, layout, onLayoutChange }: LineProps<Row>) {
  const { key, label } = column
  const pinned = layout.pinned.includes(key)
  const visible = !layout.hidden.includes(key)
  return (
    <>
      <span className={styles.grip} aria-hidden="true">
        ⠿
      </span>
      <label className={styles.name}>
        <input
          type="checkbox"
          checked={visible}
          disabled={column.fixed || (visible && layout.order.length - layout.hidden.length <= 1)}
          onChange={() => onLayoutChange(withVisible(layout, key, !visible))}
        />
        {label}
      </label>
      {layout.widths[key] !== undefined && (
        <IconButton
          small
          label={`Reset width of ${label}`}
          icon={<RotateCcw size={13} aria-hidden="true" />}
          onClick={() => onLayoutChange(withWidth(layout, key, undefined))}
        />
      )}
      <Button
        small
        kind="quiet"
        aria-label={`Pin ${label}`}
        aria-pressed={pinned}
        title={pinned ? 'Unpin' : 'Pin to the start'}
        onClick={() => onLayoutChange(withPinned(layout, key, !pinned))}
      >
        <Pin size={13} aria-hidden="true" />
      </Button>
      <IconButton
        small
        label={`Move ${label} up`}
        icon={<ArrowUp size={13} aria-hidden="true" />}
        disabled={index === 0}
        onClick={() => onLayoutChange(withMoved(layout, key, index - 1))}
      />
      <IconButton
        small
        label={`Move ${label} down`}
        icon={<ArrowDown size={13} aria-hidden="true" />}
        disabled={index === last}
        onClick={() => onLayoutChange(withMoved(layout, key, index + 1))}
      />
    </>
  )
}
