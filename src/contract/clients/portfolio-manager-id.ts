import { formedText, type Field } from '../kernel/entity.ts'

/** An ID of ENERGY STAR Portfolio Manager, which is a number that may outgrow an integer. */
export function portfolioManagerId(label: string): Field<string, 'required'> {
  return formedText(label, DIGITS_MAX, (value) => /^[0-9]+$/.test(value), 'must be a number without spaces')
}
const DIGITS_MAX = 20
