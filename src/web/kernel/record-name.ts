import { valueText } from './value-text.ts'

/** Fields that name a record to people, the best first. */
const naming = ['name', 'account_number', 'title', 'email']

/** Returns what people call a record: its name, number, title or address; its id if it has none of them, null without an id. */
export function nameOfRecord(record: object): string | null {
  const known = new Map<string, unknown>(Object.entries(record))
  const found = [...naming, 'id'].map((key) => known.get(key)).find((value) => value !== undefined && value !== null)
  return found === undefined ? null : valueText(found)
}
