/** The real statements, which lie beside the project where there are any. The project itself does not carry them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where they are looked for. `npm run test:real` runs the test files that name this module. */
export const realFolder = process.env['REAL_STATEMENTS'] ?? join(import.meta.dirname, '../../../shared/data/statements')

/**
 * Names of the statement files in `realFolder`, one a utility; none where the folder is absent.
 * @param otherwise what a run without them does, said on the console: 'made ones are imported instead'
 */
export function realFiles(otherwise = 'their tests are skipped'): readonly string[] {
  const files = existsSync(realFolder) ? readdirSync(realFolder).filter((name) => name.endsWith('.ndjson')) : []
  if (files.length === 0)
    console.warn(`SKIPPED: no real statements in ${realFolder}, ${otherwise}; set REAL_STATEMENTS to the folder that holds them`)
  return files
}
