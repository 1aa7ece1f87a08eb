/** Texts that are the same in whatever case. */
import { sql, type RawBuilder } from 'kysely'

/** The text as names are compared: the order of a column says how it is sorted, and must not say what the lower case of its letters is. */
export function foldedText(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower((${text}) collate "default")`
}
