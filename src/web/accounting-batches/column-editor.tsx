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
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { OrderedRows } from '../ui/ordered-rows.tsx'

interface ColumnEditorProps {
  readonly layout: UploadLayout
  readonly fields: readonly UploadField[]
  readonly onChange: (columns: UploadColumn[]) => void
}

/** The columns of a file as rows. */
export function ColumnEditor({ layout: { columns }, fields, onChange }: ColumnEditorProps) {
  return (
    <OrderedRows
      label="Columns"
      what="column"
      rows={columns}
      max={uploadColumnsMax}
      added={() => columnOf('fixed', { heading: '' })}
      onChange={onChange}
    >
      {(column, place, change) => <ColumnFields column={column} place={place} fields={fields} onChange={change} />}
    </OrderedRows>
  )
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
  const named = (label: string) => ({ label, labelOf: of })
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
      <TextField {...named('Heading')} value={column.heading} maxLength={100} onChange={(heading) => onChange({ heading })} />
      <TextField
        {...named('Width')}
        value={column.width === null ? '' : String(column.width)}
        maxLength={3}
        onChange={(typed) => onChange({ width: widthOf(typed) })}
      />
      <SelectField
        {...named('Format')}
        value={column.format}
        options={suiting}
        onChange={(value) => onChange(parsedPart({ format: value }))}
      />
      <TextField {...named('Default')} value={column.default} maxLength={100} onChange={(value) => onChange({ default: value })} />
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
