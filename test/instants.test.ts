/** Instants are said in one zone, and named: whoever compares two screens, or two people who speak about one, see the same time. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** What tells a time by the reader's own clock, or by a format of its own. */
const ownClock =
  /\.(toLocaleTimeString|toLocaleDateString|toDateString|toTimeString|getHours|getMinutes|getDate|getDay)\(|timeZoneName|DateTimeFormat/

test('no file of the console tells a time by the reader’s clock: every instant is New York’s, by one function', () => {
  const files = globSync('src/web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((file) => ownClock.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})
