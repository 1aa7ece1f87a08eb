import { expect, test } from 'vitest'
import { addressOf, choicesOf, comparisonsFor, monthsOf, queryOf, shownComparison } from './use-dashboard.ts'

test('[DASH-SCREEN-003] the choices stand in the address, what is usual does not, and what is unknown falls back to it', () => {
  const usual = choicesOf({})
  expect(usual).toEqual({
    service: '',
    date_range_type: 'last_12_months',
    from_month: '',
    to_month: '',
    basis: 'calendarized',
    graph_data_type: 'cost',
    compare: 'previous',
    as_of: '',
    by: '',
    order: '',
  })
  expect(addressOf('/clients/1/dashboard', usual)).toBe('/clients/1/dashboard')
  const chosen = {
    service: '4',
    date_range_type: 'year_to_date',
    from_month: '2024-11',
    to_month: '2025-02',
    basis: 'fiscal',
    graph_data_type: 'usage',
    compare: 'last_year',
    as_of: '2024-01-01',
    by: 'facilities',
    order: '-cost_per_sqft_change',
  } as const
  const address = addressOf('/clients/1/dashboard', chosen)
  expect(choicesOf(Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?')))))).toEqual(chosen)
  expect(
    choicesOf({
      service: 'x',
      date_range_type: 'decade',
      from_month: '2025-02',
      to_month: '2025-01',
      basis: 'accrual',
      graph_data_type: 'weather',
      compare_to_last_year: 'maybe',
      as_of: '2024-02-31',
      by: 'planets',
      order: 'a b',
    }),
  ).toEqual(usual)
})

test('the query names the scope, the client and every choice', () => {
  expect(queryOf({ client_id: 1, scope_type: 'facility', scope_id: 7 }, choicesOf({ service: '4' }))).toEqual({
    scope_type: 'facility',
    scope_id: '7',
    client_id: '1',
    service: '4',
    compare_to_last_year: 'false',
    date_range_type: 'last_12_months',
    from_month: undefined,
    to_month: undefined,
    basis: 'calendarized',
    graph_data_type: 'cost',
    summary: 'true',
    as_of: undefined,
  })
})

test('[DASH-CONST-003] a comparison is offered only where it changes something: of twelve months, last year is the window before', () => {
  const of = (search: Record<string, string>) => {
    const choices = choicesOf({ as_of: '2026-01-15', ...search })
    return [comparisonsFor(choices), shownComparison(choices)]
  }
  expect(of({})).toEqual([['last_year', 'none'], 'last_year'])
  expect(of({ date_range_type: 'year_to_date' })).toEqual([['last_year', 'none'], 'last_year'])
  expect(of({ date_range_type: 'year_to_date', as_of: '2025-11-15' })).toEqual([['previous', 'last_year', 'none'], 'previous'])
  expect(of({ date_range_type: 'last_3_months', compare_to_last_year: 'true' })[1]).toBe('last_year')
  expect(of({ compare: 'none' })[1]).toBe('none')
  expect(monthsOf(choicesOf({ as_of: '2026-01-15', date_range_type: 'last_3_months' }))).toEqual({
    from_month: '2025-10',
    to_month: '2025-12',
  })
  expect(of({ from_month: '2025-01', to_month: '2025-02' })).toEqual([['last_year', 'none'], 'last_year'])
  expect(queryOf({ client_id: 1, scope_type: 'client', scope_id: 1 }, choicesOf({ compare: 'none' })).compare_to_last_year).toBe('false')
})
