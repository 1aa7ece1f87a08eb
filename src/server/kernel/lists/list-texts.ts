/** Text search: substrings regardless of case, numbers without the spaces and dashes of printed documents, words in any order. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'

type Condition = RawBuilder<SqlBool>

/** One word of a search. A record matches if it contains every word somewhere. */
export interface SearchedWord {
  readonly text: string
  /** Pattern for `ilike`: contains the word. */
  readonly pattern: string
  /** Client within which the search runs, if it is one. */
  readonly clientId: number | undefined
}

/** Maximum number of words; further ones are ignored. */
const wordsMax = 8
/** Shorter words occur in most texts, and a trigram index cannot find them. */
export const trigramLetters = 3

/** Returns the words of a search term. */
export function searchedWords(term: string, clientId: number | undefined): SearchedWord[] {
  const texts = term.split(/\s+/).filter((text) => text !== '')
  return texts.slice(0, wordsMax).map((text) => ({ text, pattern: containing(text), clientId }))
}

/** Returns a number without spaces and dashes. A text of nothing else stays unchanged. */
export function plainNumber(text: string): string {
  return text.replaceAll(/[ -]/g, '') || text
}

/** The same in SQL, in the form of the indexes. */
export function plainNumberColumn(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`translate(${column}, ' -', '')`
}

/** Returns a number's column and the typed text in the form in which they are compared. */
export function comparedNumber(column: RawBuilder<unknown>, text: string): { column: RawBuilder<unknown>; text: string } {
  return /^[ -]*$/.test(text) ? { column, text } : { column: plainNumberColumn(column), text: plainNumber(text) }
}

/** Escapes `%` and `_`, which are plain characters to a user. */
export function containing(value: string): string {
  return `%${value.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`
}

/**
 * Returns the condition that the column contains this text, regardless of case. Text without letters has no case: a plain comparison takes
 * a third of the time. Fewer than three letters occur in most rows: a trigram index would return all of them, and the condition prevents
 * its use.
 */
export function contains(column: RawBuilder<unknown>, text: string): Condition {
  const compared = text.length < trigramLetters ? sql`(${column} || '')` : column
  return hasNoLetters.test(text) ? sql<SqlBool>`${compared} like ${containing(text)}` : sql<SqlBool>`${compared} ilike ${containing(text)}`
}

/** Returns the condition that a number contains this one, regardless of separators in either. */
export function containsNumber(column: RawBuilder<unknown>, text: string): Condition {
  const compared = comparedNumber(column, text)
  return contains(compared.column, compared.text)
}

/** Characters beyond ASCII are treated as letters, so that their case need not be decided. */
const hasNoLetters = /^[\x20-@[-`{-~]*$/
