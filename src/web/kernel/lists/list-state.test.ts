import { expect, test } from 'vitest'
import { vendor } from '#contract/vendors/vendor.ts'
import { readListState, viewTextOf, writeListState } from './list-state.ts'
import { wireFilters } from './wire-filters.ts'

test('a list opens at page 1, ten rows, by name ascending [LIST-CONST-001] [LIST-CONST-002] [LIST-CONST-003]', () => {
  expect(readListState({}, vendor)).toEqual({ page: 1, per: 10, sort: { key: 'name', direction: 'asc' }, filters: {}, view: null })
})

test('nonsense in an address counts as not given', () => {
  const state = readListState({ page: '0', per: 'x', sort: 'po_box', po_box: '1', name: '', view: '-1' }, vendor)
  expect(state).toEqual(readListState({}, vendor))
})

test('a list whose size nobody can choose has its own number of rows, whatever its address says [CVN-CONST-001]', () => {
  const search = { per: '50', page: '2' }
  expect(readListState(search, vendor, [], 10, false)).toMatchObject({ per: 10, page: 2 })
  expect(readListState(search, vendor, [], 10, true)).toMatchObject({ per: 50, page: 2 })
})

test('what an address says comes out as it was written', () => {
  const search = { page: '3', per: '50', sort: '-city', name: 'gas', is_exclusive: 'true', view: '9' }
  const written = writeListState(readListState(search, vendor), vendor)
  expect(Object.fromEntries(Object.entries(written).map(([key, value]) => [key, String(value)]))).toEqual(search)
})

test('equal filters in another order are the same view', () => {
  const sort = { key: 'name', direction: 'asc' } as const
  expect(viewTextOf({ city: 'a', name: 'b' }, sort, vendor)).toBe(viewTextOf({ name: 'b', city: 'a' }, sort, vendor))
})

test('dates under gteq and lteq written MM/DD/YYYY travel as YYYY-MM-DD, everything else as it is [LIST-RULE-006]', () => {
  expect(wireFilters({ date_gteq: '4/2/2026', date_lteq: '04/30/2026', name: '04/30/2026', due_gteq: '02/31/2026', x_lteq: '12' })).toEqual(
    {
      date_gteq: '2026-04-02',
      date_lteq: '2026-04-30',
      name: '04/30/2026',
      due_gteq: '02/31/2026',
      x_lteq: '12',
    },
  )
})
