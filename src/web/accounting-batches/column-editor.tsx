import { useState, type DragEvent, type KeyboardEvent } from 'react'
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import { uploadColumnsMax, type UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import {
  columnFormats,
  columnOf,
  kindOfSource,
  labelOfSource,
  uploadColumn,
  uploadSources,
  type UploadColumn,
} from '#contract/accounting-batches/upload-column.ts'
import type { UploadField } from '#contract/accounting-batches/upload-file.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './accounting-batches.module.css'

interface ColumnEditorProps {
  readonly layout: UploadLayout
  readonly fields: readonly UploadField[]
  readonly onChange: (columns: UploadColumn[]) => void
}

/** The columns of a file as rows, ordered by buttons, by Alt with the arrow keys, or by dragging. */
export function ColumnEditor({ layout: { columns }, fields, onChange }: ColumnEditorProps) {
  const [dragged, setDragged] = useState<number | null>(null)
  const move = (from: number, to: number) => {
    const column = columns[from]
    if (!column || to < 0 || to >= columns.length) return
    const others = columns.filter((_, place) => place !== from)
    onChange([...others.slice(0, to), column, ...others.slice(to)])
  }
  const drop = (event: DragEvent, onto: number) => {
    event.preventDefault()
    if (dragged !== null) move(dragged, onto)
    setDragged(null)
  }
  return (
    <div>
      <ol className={styles.columns} aria-label="Columns" onDragOver={(event) => event.preventDefault()}>
        {columns.map((column, place) => (
          <li
            // A column has no id, so its position is its key.
            key={place}
            className={styles.column}
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
            <ColumnFields
              column={column}
              place={place}
              fields={fields}
              onChange={(change) => onChange(columns.map((one, at) => (at === place ? { ...one, ...change } : one)))}
            />
            <IconButton
              small
              label={`Move column ${place + 1} up`}
              icon={<ArrowUp size={13} aria-hidden="true" />}
              disabled={place === 0}
              onClick={() => move(place, place - 1)}
            />
            <IconButton
              small
              label={`Move column ${place + 1} down`}
              icon={<ArrowDown size={13} aria-hidden="true" />}
              disabled={place === columns.length - 1}
              onClick={() => move(place, place + 1)}
            />
            <IconButton
              small
              label={`Remove column ${place + 1}`}
              icon={<X size={13} aria-hidden="true" />}
              onClick={() => onChange(columns.filter((_, at) => at !== place))}
            />
          </li>
        ))}
      </ol>
      <Button
        small
        disabledReason={columns.length >= uploadColumnsMax ? `A file has at most ${uploadColumnsMax} columns` : undefined}
        onClick={() => onChange([...columns, columnOf('fixed', { heading: '' })])}
      >
        Add a column
      </Button>
    </div>
  )
}

function moveByKey(event: KeyboardEvent, move: (by: number) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  event.preventDefault()
  move(event.key === 'ArrowUp' ? -1 : 1)
}

interface ColumnFieldsProps {
  readonly column: UploadColumn
  readonly place: number
  readonly fields: readonly UploadField[]
  readonly onChange: (change: Partial<UploadColumn>) => void
}

function ColumnFields({ column, place, fields, onChange }: ColumnFieldsProps) {
  const kind = kindOfSource(column.source)
  const of = `of column ${place + 1}`
  const named = (label: string) => ({ label: `${label} ${of}`, labelHidden: true })
  const suiting = columnFormats.filter(({ suits }) => suits.some((one) => one === kind))
  return (
    <>
      <SelectField
        {...named('Source')}
        value={column.source}
        options={uploadSources}
        onChange={(value) => onChange(withSource(column, value))}
      />
      {column.source === 'ledger_field' && (
        <SelectField
          {...named('Ledger field')}
          value={column.field_id === null ? '' : String(column.field_id)}
          emptyLabel="Choose a field"
          options={fields.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(chosen) => onChange({ field_id: chosen === '' ? null : Number(chosen) })}
        />
      )}
      <TextField
        {...named('Heading')}
        value={column.heading}
        maxLength={100}
        placeholder="Heading"
        onChange={(heading) => onChange({ heading })}
      />
      <TextField
        {...named('Width')}
        value={column.width === null ? '' : String(column.width)}
        placeholder="Width"
        maxLength={3}
        onChange={(typed) => onChange({ width: widthOf(typed) })}
      />
      <SelectField
        {...named('Format')}
        value={column.format}
        options={suiting}
        onChange={(value) => onChange(parsedPart({ format: value }))}
      />
      <TextField
        {...named('Default')}
        value={column.default}
        maxLength={100}
        placeholder="Default"
        onChange={(value) => onChange({ default: value })}
      />
      <CheckboxField
        label={<span aria-label={`Cut column ${place + 1} to its width`}>Cut</span>}
        checked={column.cut}
        disabled={kind !== 'text'}
        onChange={(cut) => onChange({ cut })}
      />
    </>
  )
}

/** Changes a column's source. The heading changes too unless it was edited, and options that do not suit the new source are dropped. */
function withSource(column: UploadColumn, value: string): Partial<UploadColumn> {
  const source = uploadSources.find((one) => one.value === value)?.value ?? column.source
  const isOwn = column.heading === '' || column.heading === labelOfSource(column.source)
  return {
    source,
    field_id: null,
    heading: isOwn ? labelOfSource(source) : column.heading,
    format: 'usual',
    cut: column.cut && kindOfSource(source) === 'text',
  }
}

const WIDTH_MAX = 500

function widthOf(typed: string): number | null {
  const digits = typed.replaceAll(/\D/g, '')
  return digits === '' || Number(digits) === 0 ? null : Math.min(Number(digits), WIDTH_MAX)
}

function parsedPart(change: { format: string }): Partial<UploadColumn> {
  const read = uploadColumn.shape.format.safeParse(change.format)
  return read.success ? { format: read.data } : {}
}
