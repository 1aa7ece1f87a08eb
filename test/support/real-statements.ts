/** The real statements, in a folder outside the project if they exist. The project itself does not contain them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the real statements. `npm run test:real` runs the test files that import this module. */
export const realFolder = process.env['REAL_STATEMENTS'] ?? join(import.meta.dirname, '../../../shared/data/statements')

/**
 * Returns the names of the statement files in `realFolder`, one per utility; none if the folder is absent.
 * @param otherwise printed text for a run without them: 'made ones are imported instead'
 */
export function realFiles(otherwise = 'their tests are skipped'): readonly string[] {
  const files = existsSync(realFolder) ? readdirSync(realFolder).filter((name) => name.endsWith('.ndjson')) : []
  if (files.length === 0)
    console.warn(`SKIPPED: no real statements in ${realFolder}, ${otherwise}; set REAL_STATEMENTS to the folder that holds them`)
  return files
}
