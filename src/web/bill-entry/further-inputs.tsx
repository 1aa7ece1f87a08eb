/** Inputs that only the folded parts of the form have. */
import { MonthField } from '../ui/fields/month-field.tsx'
import { TextAreaField } from '../ui/fields/text-field.tsx'
import { BillField, type TextualProps } from './bill-fields.tsx'

export function BillMonth({ value, onChange, ...field }: TextualProps) {
  return <BillField {...field}>{(props) => <MonthField {...props} value={value} onChange={onChange} />}</BillField>
}

export function BillNotes({ value, onChange, ...field }: TextualProps) {
  return <BillField {...field}>{(props) => <TextAreaField {...props} value={value} onChange={onChange} rows={2} />}</BillField>
}
