import { expect, test } from 'vitest'
import { glossaryTerms } from './glossary-terms.ts'

test('the glossary is in the order of the alphabet, says each word once, and explains it in sentences', () => {
  const terms = glossaryTerms.map(({ term }) => term)
  expect(terms).toEqual([...new Set(terms)].toSorted((one, other) => one.localeCompare(other, 'en')))
  for (const { term, meaning } of glossaryTerms) expect(meaning, term).toMatch(/^[A-Z].*\.$/)
})
