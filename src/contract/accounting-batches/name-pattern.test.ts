import { describe, expect, test } from 'vitest'
import { codeWords, fileWords, isCounting, nameOf, patternFault } from './name-pattern.ts'

describe('a name pattern', () => {
  test('puts its parts in, numbers with as many digits as it has n', () => {
    expect(nameOf('{client}-{YYYY}-{MM}-{nnn}', { client: 'HLM', date: '2026-11-30', number: 7 })).toBe('HLM-2026-11-007')
    expect(nameOf('{group} {YY}{DD} v{version}', { group: 'North', date: '2026-11-30', version: 12 })).toBe('North 2630 v12')
    expect(nameOf('{group}{batch_code}', { batch_code: 'A' })).toBe('A')
  })

  test('an unknown part and a brace that stands alone are named', () => {
    expect(patternFault('{client}-{month}', codeWords)).toMatch(/^\{month\} is no part of a name\. Use \{client\}, \{group\}/)
    expect(patternFault('{client', codeWords)).toBe('A brace stands alone. A part is written as {YYYY}')
    expect(patternFault('{nnnn}', codeWords)).toBeNull()
    expect(patternFault('{nnnn}', fileWords)).toMatch(/^\{nnnn\} is no part/)
  })

  test('counts only where it asks for a number', () => {
    expect([isCounting('{YYYY}-{nn}'), isCounting('{YYYY}-{MM}'), isCounting('nn')]).toEqual([true, false, false])
  })
})
