import { expect, test } from 'vitest'
import { withChanges } from './grid-filters.tsx'
import { rangeText } from './range-filter.tsx'
import { pageCount, rangeWords } from './pager.tsx'
import { parseBlock } from './use-cell-edits.ts'
import { nextSort } from './use-grid.ts'

test('a title sorts upwards first, and the same title again turns the direction', () => {
  expect(nextSort(null, 'name')).toEqual({ key: 'name', direction: 'asc' })
  expect(nextSort({ key: 'name', direction: 'asc' }, 'name')).toEqual({ key: 'name', direction: 'desc' })
  expect(nextSort({ key: 'name', direction: 'desc' }, 'name')).toEqual({ key: 'name', direction: 'asc' })
  expect(nextSort({ key: 'name', direction: 'desc' }, 'state')).toEqual({ key: 'state', direction: 'asc' })
})

test('an emptied filter leaves the filters', () => {
  expect(withChanges({ a_cont: 'x', b_eq: 'true' }, { a_cont: '' })).toEqual({ b_eq: 'true' })
})

test('a range reads as its bounds, dates as people write them', () => {
  expect(rangeText('number', '100', '')).toBe('≥ 100')
  expect(rangeText('number', '', '5')).toBe('≤ 5')
  expect(rangeText('date', '2026-10-01', '2026-10-31')).toBe('10/01/2026 – 10/31/2026')
  expect(rangeText('date', '', '')).toBe('')
})

test('a pasted column is one cell a line, whatever ends the lines', () => {
  expect(parseBlock('1\r\n2\r\n')).toEqual([['1'], ['2']])
  expect(parseBlock('1\t2\n\t4')).toEqual([
    ['1', '2'],
    ['', '4'],
  ])
})

test('the pager counts pages up, and waits for a total that is not known yet', () => {
  expect([pageCount(0, 10), pageCount(21, 10), pageCount(41, 20), pageCount(undefined, 10)]).toEqual([1, 3, 3, undefined])
  const words = { page: 2, per: 20, noun: 'bills', rowsOnPage: 20 }
  expect(rangeWords({ ...words, total: 1234 })).toBe('21–40 of 1,234 bills')
  expect(rangeWords({ ...words, total: undefined })).toBe('21–40 of … bills')
  expect(rangeWords({ ...words, total: 0, page: 1 })).toBe('0 bills')
  expect(rangeWords({ ...words, total: 5, rowsOnPage: 0 })).toBe('None of 5 bills on this page')
})
