import { expect, test } from 'vitest'
import { placeOf } from './walk.ts'

const items = [
  { href: '/clients/1/bills/5', label: 'A' },
  { href: '/clients/1/bills/new?scan_id=7', label: 'B' },
  { href: '/clients/1/bills/new?scan_id=8', label: 'C' },
]

test('an item of a walk is found by its path and its own parameters, whatever others the address has', () => {
  expect(placeOf(items, '/clients/1/bills/5')).toBe(0)
  expect(placeOf(items, '/clients/1/bills/5?tab=lines')).toBe(0)
  expect(placeOf(items, '/clients/1/bills/new?list=&scan_id=8')).toBe(2)
})

test('a detour is no item of a walk: another record, another document, the list', () => {
  expect(placeOf(items, '/clients/1/bills/50')).toBe(-1)
  expect(placeOf(items, '/clients/1/bills/new?scan_id=9')).toBe(-1)
  expect(placeOf(items, '/clients/1/bills/new')).toBe(-1)
  expect(placeOf(items, '/')).toBe(-1)
})
