/** The rows that a whole run has compared, and the rows that it has not. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDeclaredRows } from './declared-rows.ts'
import { reasonsOf } from './shape.ts'
import { uncheckedRows } from './unchecked-rows.ts'

export interface ComparedRows {
  declared: number
  /** Names of the rows that the run has not compared as a whole. */
  unchecked: string[]
  /** Those of them that the list does not name. */
  unnamed: string[]
  /** Names on the list of rows that were compared, or are not declared any more. */
  superfluous: string[]
}

/** Reads the names that the processes of a run have written into the folder. */
export function comparedRows(folder: string): ComparedRows {
  const compared = new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')))
  const declared = readDeclaredRows()
  const unchecked = declared.filter(({ name, shape }) => !compared.has(name) || reasonsOf(shape).length > 0).map(({ name }) => name)
  return {
    declared: declared.length,
    unchecked,
    unnamed: unchecked.filter((name) => !uncheckedRows.has(name)),
    superfluous: [...uncheckedRows].filter((name) => !unchecked.includes(name)),
  }
}

/** Counts the rows of the sources that no run compares, without running anything. */
export function countUncheckedRows(): number {
  return readDeclaredRows().filter(({ name }) => uncheckedRows.has(name)).length
}
