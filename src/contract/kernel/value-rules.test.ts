import { expect, it } from 'vitest'
import { brokenRules, type ValueRule } from './value-rules.ts'

const rules: readonly ValueRule[] = [{ field: 'last', message: 'Last must not be before First', notBefore: 'first' }]

it('names the field whose day lies before the other one', () => {
  expect(brokenRules(rules, { first: '2026-02-01', last: '2026-01-31' })).toEqual({ last: 'Last must not be before First' })
})

it('holds on the same day, and where a day is empty or absent', () => {
  expect(brokenRules(rules, { first: '2026-02-01', last: '2026-02-01' })).toEqual({})
  expect(brokenRules(rules, { first: '2026-02-01', last: '' })).toEqual({})
  expect(brokenRules(rules, { first: null, last: '2026-01-31' })).toEqual({})
  expect(brokenRules(rules, {})).toEqual({})
})
