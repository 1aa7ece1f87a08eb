/** Spreads cells that were copied from a spreadsheet over the fields of the bill form. */
import { readTable } from '../ui/preview/read-csv.ts'

const TEXT_FIELDS = 'input:not([type="hidden"], [type="file"], [type="checkbox"], [type="radio"], :disabled)'

/**
 * Spreads one row over the text fields from this one on, in the order of Tab. Of several rows each goes to a line of the bill, from the same
 * field on. An empty cell leaves its field as it is.
 */
export function spreadTable(form: HTMLFormElement, here: HTMLInputElement, text: string): void {
  const table = readTable(text)
  const lines = [...form.querySelectorAll<HTMLElement>('[data-line]')]
  const from = lines.findIndex((line) => line.contains(here))
  if (table.length < 2 || from === -1) return spreadRow(form, here, table.flat())
  for (const [down, cells] of table.entries()) {
    const line = lines[from + down]
    const first = line && fieldsOf(line).find((field) => nameInLine(field) === nameInLine(here))
    if (line && first) spreadRow(line, first, cells)
  }
}

function spreadRow(place: HTMLElement, first: HTMLInputElement, cells: readonly string[]): void {
  const fields = fieldsOf(place)
  const start = fields.indexOf(first)
  for (const [right, text] of cells.entries()) {
    const field = fields[start + right]
    if (field && text !== '') enterText(field, text)
  }
}

function fieldsOf(place: HTMLElement): HTMLInputElement[] {
  const fields = [...place.querySelectorAll<HTMLInputElement>(TEXT_FIELDS)]
  return fields.filter((field) => !field.closest('[data-beside]') && field.checkVisibility())
}

/** Returns the field's path without the key of its line. */
function nameInLine({ name }: HTMLInputElement): string {
  return name.replace(/^lines\.[^.]+\./, '')
}

/** Enters the text as typing does: the field reads it, and shows it in its own format once it is left. */
function enterText(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
}
