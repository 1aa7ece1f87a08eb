/** How texts are searched: for what they hold in whatever case, numbers without the spaces and dashes that papers print, words in any order. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'

type Condition = RawBuilder<SqlBool>

/** One word of what somebody searches for; a record matches where it has every word somewhere. */
export interface SearchedWord {
  readonly text: string
  /** For `ilike`: holds the word. */
  readonly pattern: string
  /** The client within whom is searched, where it is one. */
  readonly clientId: number | undefined
}

/** Words beyond these are not looked for. */
const wordsMax = 8
/** Fewer letters are in most texts somewhere, and an index of trigrams finds nothing by them. */
export const trigramLetters = 3

/** The words of a search term. */
export function searchedWords(term: string, clientId: number | undefined): SearchedWord[] {
  const texts = term.split(/\s+/).filter((text) => text !== '')
  return texts.slice(0, wordsMax).map((text) => ({ text, pattern: containing(text), clientId }))
}

/** A number without spaces and dashes; of nothing but these, the text as it is. */
export function plainNumber(text: string): string {
  return text.replaceAll(/[ -]/g, '') || text
}

/** The same in SQL, the way the indexes have it. */
export function plainNumberColumn(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`translate(${column}, ' -', '')`
}

/** A number's column and what is typed, as they are compared. */
export function comparedNumber(column: RawBuilder<unknown>, text: string): { column: RawBuilder<unknown>; text: string } {
  return /^[ -]*$/.test(text) ? { column, text } : { column: plainNumberColumn(column), text: plainNumber(text) }
}

/** `%` and `_` are letters to whoever types them. */
export function containing(value: string): string {
  return `%${value.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`
}

/**
 * Whether the column holds this text, in whatever case. Text without letters has no case: comparing it as it is takes a third of the time.
 * Fewer than three letters are in most rows somewhere: an index of trigrams would answer with all of them, and is kept from trying.
 */
export function contains(column: RawBuilder<unknown>, text: string): Condition {
  const compared = text.length < trigramLetters ? sql`(${column} || '')` : column
  return hasNoLetters.test(text) ? sql<SqlBool>`${compared} like ${containing(text)}` : sql<SqlBool>`${compared} ilike ${containing(text)}`
}

/** Whether a number holds this one, whatever signs part either. */
export function containsNumber(column: RawBuilder<unknown>, text: string): Condition {
  const compared = comparedNumber(column, text)
  return contains(compared.column, compared.text)
}

/** Beyond ASCII nobody needs to decide what has a case. */
const hasNoLetters = /^[\x20-@[-`{-~]*$/
