/** Times are shown in one named zone, so that all users and screens show the same time. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Code that shows a time by the reader's own clock, or in its own format. */
const ownClock =
  /\.(toLocaleTimeString|toLocaleDateString|toDateString|toTimeString|getHours|getMinutes|getDate|getDay)\(|timeZoneName|DateTimeFormat/

test('no file of the console tells a time by the reader’s clock: every instant is New York’s, by one function', () => {
  const files = globSync('src/web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((file) => ownClock.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})
