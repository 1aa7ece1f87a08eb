/** Compares texts without regard to case. */
import { sql, type RawBuilder } from 'kysely'

/**
 * Returns the text in the form in which names are compared. The collation of the column defines its sort order, and must not define its
 * lower case.
 */
export function foldedText(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower((${text}) collate "default")`
}
