import { text, type Field } from '../kernel/entity.ts'

/** An ID of ENERGY STAR Portfolio Manager, which is a number that may outgrow an integer. */
export function portfolioManagerId(label: string): Field<string, 'required'> {
  const field = text(label, DIGITS_MAX)
  const schema = field.schema.refine((value) => value === '' || /^[0-9]+$/.test(value), `${label} must be a number without spaces`)
  return { ...field, schema }
}
const DIGITS_MAX = 20
