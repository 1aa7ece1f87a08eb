import { mayCut, mayFillZeros, wordsOfSource } from '#contract/payment-files/layout-faults.ts'
import { columnSourceNames, columnSources } from '#contract/payment-files/layout-sources.ts'
import { columnWidthMax, dateFormats, layoutColumn, totalKinds, type Layout, type LayoutColumn } from '#contract/payment-files/layout.ts'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'

const FIXED = 'fixed_text'
const sources = [...columnSourceNames.map((value) => ({ value, label: columnSources[value].label })), { value: FIXED, label: 'Fixed text' }]
const dates = dateFormats.map((value) => ({ value, label: value }))
const amounts = [
  { value: 'point', label: 'With a point: 12.34' },
  { value: 'cents', label: 'Whole cents: 1234' },
] as const
const sides = [
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
] as const
const totalLabels = {
  label: 'TOTAL',
  batches: 'Number of batches',
  payments: 'Number of payments',
  bills: 'Number of bills',
  amount: 'Amount',
}
const totals = totalKinds.map((value) => ({ value, label: totalLabels[value] }))

export const newColumn = (): LayoutColumn => layoutColumn.parse({ heading: '', source: null })

interface FieldsProps {
  readonly layout: Layout
  readonly column: LayoutColumn
  readonly place: number
  readonly onChange: (change: Partial<LayoutColumn>) => void
}

export function LayoutColumnFields({ layout, column, place, onChange }: FieldsProps) {
  const named = (label: string) => ({ label, labelOf: `of column ${place + 1}` })
  const isText = column.source === null
  return (
    <>
      <SelectField
        {...named('Source')}
        value={column.source ?? FIXED}
        options={sources}
        onChange={(value) => onChange(withSource(column, value))}
      />
      {layout.heading && (
        <TextField {...named('Heading')} value={column.heading} maxLength={80} onChange={(heading) => onChange({ heading })} />
      )}
      {isText && (
        <TextField {...named('Fixed text')} value={column.text} maxLength={columnWidthMax} onChange={(text) => onChange({ text })} />
      )}
      <TextField
        {...named('Width')}
        value={column.width === null ? '' : String(column.width)}
        maxLength={3}
        onChange={(typed) => onChange({ width: widthOf(typed) })}
      />
      <FormatFields layout={layout} column={column} place={place} onChange={onChange} />
      <WordFields column={column} place={place} onChange={onChange} />
      {layout.total_row && (
        <SelectField
          {...named('Last row')}
          value={column.total ?? ''}
          emptyLabel="Empty"
          options={totals}
          onChange={(value) => onChange({ total: totalKinds.find((kind) => kind === value) ?? null })}
        />
      )}
      {!isText && (
        <CheckboxField
          label={<span aria-label={`Column ${place + 1} is required`}>Required</span>}
          checked={column.required}
          onChange={(required) => onChange({ required })}
        />
      )}
    </>
  )
}

/** The format of a date or an amount, and how a value stands in its column. */
function FormatFields({ layout, column, place, onChange }: FieldsProps) {
  const named = (label: string) => ({ label, labelOf: `of column ${place + 1}` })
  const kind = column.source === null ? 'text' : columnSources[column.source].kind
  return (
    <>
      {kind === 'date' && (
        <SelectField {...named('Date format')} value={column.date} options={dates} onChange={(date) => onChange(partOf({ date }))} />
      )}
      {kind === 'amount' && (
        <SelectField
          {...named('Amount format')}
          value={column.amount}
          options={amounts}
          onChange={(amount) => onChange(partOf({ amount }))}
        />
      )}
      {layout.kind === 'fixed' && (
        <SelectField {...named('Side')} value={column.justify} options={sides} onChange={(justify) => onChange(partOf({ justify }))} />
      )}
      {layout.kind === 'fixed' && mayFillZeros(column.source) && (
        <CheckboxField
          label={<span aria-label={`Zeros in front in column ${place + 1}`}>Zeros</span>}
          checked={column.fill === 'zero'}
          onChange={(zeros) => onChange({ fill: zeros ? 'zero' : 'space' })}
        />
      )}
      {mayCut(column.source) && (
        <CheckboxField
          label={<span aria-label={`Cut column ${place + 1} to its width`}>Cut</span>}
          checked={column.too_long === 'cut'}
          onChange={(cut) => onChange({ too_long: cut ? 'cut' : 'refuse' })}
        />
      )}
    </>
  )
}

/** The reader's words for values of which there are few. */
function WordFields({ column, place, onChange }: Omit<FieldsProps, 'layout'>) {
  const words = column.source === null ? undefined : wordsOfSource[column.source]
  return words?.map((word) => (
    <TextField
      key={word}
      label={`Word for ${word}`}
      labelOf={`of column ${place + 1}`}
      value={column.values[word] ?? ''}
      maxLength={40}
      onChange={(said) => onChange({ values: { ...column.values, [word]: said } })}
    />
  ))
}

/** Changes the source. The heading follows unless it was edited, and what does not suit the new source is dropped. */
function withSource(column: LayoutColumn, value: string): Partial<LayoutColumn> {
  const source = columnSourceNames.find((name) => name === value) ?? null
  const before = column.source === null ? '' : columnSources[column.source].label
  const isOwn = column.heading !== '' && column.heading !== before
  return {
    source,
    heading: isOwn || source === null ? column.heading : columnSources[source].label,
    text: source === null ? column.text : '',
    values: {},
    fill: mayFillZeros(source) ? column.fill : 'space',
    too_long: mayCut(source) ? column.too_long : 'refuse',
  }
}

function widthOf(typed: string): number | null {
  const digits = typed.replaceAll(/\D/g, '')
  return digits === '' || Number(digits) === 0 ? null : Math.min(Number(digits), columnWidthMax)
}

function partOf(change: Readonly<Record<string, string>>): Partial<LayoutColumn> {
  const read = layoutColumn.partial().safeParse(change)
  if (!read.success) return {}
  return Object.fromEntries(Object.entries(read.data).filter(([key]) => key in change))
}
