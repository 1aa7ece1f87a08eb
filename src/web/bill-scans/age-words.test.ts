import { expect, test } from 'vitest'
import { ageWords } from './age-words.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

test.each([
  ['2026-03-10T12:00:05Z', 'under a minute'],
  ['2026-03-10T11:59:01Z', 'under a minute'],
  ['2026-03-10T11:59:00Z', '1 minute'],
  ['2026-03-10T11:00:01Z', '59 minutes'],
  ['2026-03-10T11:00:00Z', '1 hour'],
  ['2026-03-09T12:00:01Z', '23 hours'],
  ['2026-03-09T12:00:00Z', '1 day'],
  ['2026-01-01T12:00:00Z', '68 days'],
])('a document of %s is %s old', (at, words) => {
  expect(ageWords(at, now)).toBe(words)
})
