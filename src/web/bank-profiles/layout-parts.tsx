import { delimiterLabels } from '#contract/payment-files/layout-words.ts'
import { layout as layoutSchema, type Layout } from '#contract/payment-files/layout.ts'
import { CheckboxField, SelectField } from '../ui/fields/choice-fields.tsx'
import styles from '../ui/layout-editor.module.css'

interface PartsProps {
  readonly layout: Layout
  readonly onChange: (change: Partial<Layout>) => void
}

const kinds = [
  { value: 'delimited', label: 'Delimited text' },
  { value: 'fixed', label: 'Fixed width' },
] as const
const grains = [
  { value: 'payment', label: 'Payment' },
  { value: 'bill', label: 'Bill' },
] as const
const lineEnds = [
  { value: 'crlf', label: 'Carriage return and line feed (CRLF)' },
  { value: 'lf', label: 'Line feed (LF)' },
] as const
const characters = [
  { value: 'utf8', label: 'All (UTF-8)' },
  { value: 'ascii', label: 'Plain letters and digits (ASCII)' },
] as const
const formulas = [
  { value: 'quote', label: 'Begin with a quote' },
  { value: 'refuse', label: 'Prevent the export' },
] as const

/** What holds of the whole file. */
export function LayoutParts({ layout, onChange }: PartsProps) {
  const choose = (key: keyof Layout) => (value: string) => onChange(partOf(key, value))
  return (
    <div className={styles.parts} role="group" aria-label="The whole file">
      <SelectField label="Kind" value={layout.kind} options={kinds} onChange={choose('kind')} />
      {layout.kind === 'delimited' && (
        <SelectField label="Delimiter" value={layout.delimiter} options={delimiterLabels} onChange={choose('delimiter')} />
      )}
      <SelectField label="One Row For Each" value={layout.grain} options={grains} onChange={choose('grain')} />
      <SelectField label="Line End" value={layout.line_end} options={lineEnds} onChange={choose('line_end')} />
      <SelectField label="Characters" value={layout.characters} options={characters} onChange={choose('characters')} />
      <SelectField label="Texts Like Formulas" value={layout.formulas} options={formulas} onChange={choose('formulas')} />
      <CheckboxField label="Heading" checked={layout.heading} onChange={(heading) => onChange({ heading })} />
      <CheckboxField label="Last row with totals" checked={layout.total_row} onChange={(total_row) => onChange({ total_row })} />
    </div>
  )
}

/** Returns the part if it is one of the layout's, else nothing. */
function partOf(key: keyof Layout, value: string): Partial<Layout> {
  const read = layoutSchema.partial().safeParse({ [key]: value })
  if (!read.success) return {}
  return Object.fromEntries(Object.entries(read.data).filter(([one]) => one === key))
}
