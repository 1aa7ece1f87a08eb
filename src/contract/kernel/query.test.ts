import { describe, expect, it } from 'vitest'
import { boolean, date, entity, instant, integer, money, optional, text } from './entity.ts'
import { listInput, type ListInput } from './query.ts'
import { readListQuery } from './read-query.ts'

const bill = entity(
  'bill',
  'bills',
  {
    account_number: text('Account'),
    amount_due: money('Amount Due'),
    due_date: date('Due Date'),
    days: integer('Days'),
    paid: boolean('Paid'),
    created_at: instant('Created'),
    notes: optional(text('Notes')),
    null_hint: optional(text('Hint')),
  },
  {
    filter: ['id', 'account_number', 'amount_due', 'due_date', 'days', 'paid', 'created_at', 'null_hint'],
    sort: ['due_date', 'account_number', 'id'],
    defaultSort: 'due_date desc',
  },
)

const read = (input: ListInput) => readListQuery(input, bill)
const filtersOf = (q: NonNullable<ListInput['q']>) => read({ q }).query?.filters
const faultsOf = (input: ListInput) => read(input).faults.map((fault) => fault.key)

describe('the query grammar', () => {
  it('opens at page 1 with 10 rows in the default sort [LIST-CONST-001] [LIST-CONST-003]', () => {
    expect(read({}).query).toMatchObject({
      page: 1,
      per: 10,
      sort: { key: 'due_date', direction: 'desc' },
      filters: [],
      withTotal: true,
      withRows: true,
    })
  })

  it('takes a bare key as contains for text and as equals for others', () => {
    expect(filtersOf({ account_number: '12' })).toEqual([{ key: 'account_number', predicate: 'cont', value: '12' }])
    expect(filtersOf({ paid: 'true' })).toEqual([{ key: 'paid', predicate: 'eq', value: true }])
    expect(filtersOf({ id: '7' })).toEqual([{ key: 'id', predicate: 'eq', value: 7 }])
  })

  it.each([
    ['account_number_cont', '1', 'cont', '1'],
    ['account_number_eq', '1', 'eq', '1'],
    ['days_not_eq', '3', 'not_eq', 3],
    ['due_date_gteq', '2026-01-02', 'gteq', '2026-01-02'],
    ['amount_due_lteq', '10.5', 'lteq', '10.5'],
    ['id_in', '1,2', 'in', [1, 2]],
    ['account_number_null', 'true', 'null', true],
  ] as const)('reads the predicate of %s', (written, value, predicate, typed) => {
    expect(filtersOf({ [written]: value })).toEqual([{ key: written.slice(0, -predicate.length - 1), predicate, value: typed }])
  })

  it('reads a key that itself ends like a predicate', () => {
    expect(filtersOf({ null_hint: 'x' })).toEqual([{ key: 'null_hint', predicate: 'cont', value: 'x' }])
    expect(filtersOf({ null_hint_null: 'true' })).toEqual([{ key: 'null_hint', predicate: 'null', value: true }])
  })

  it('converts MM/DD/YYYY bounds to YYYY-MM-DD [LIST-RULE-006]', () => {
    expect(filtersOf({ due_date_gteq: '02/28/2026' })?.[0]?.value).toBe('2026-02-28')
    expect(faultsOf({ q: { due_date_gteq: '02/30/2026' } })).toEqual(['q[due_date_gteq]'])
  })

  it('sorts by q[s] and refuses a column that is no sort [LIST-API-005]', () => {
    expect(read({ q: { s: 'account_number asc' } }).query?.sort).toEqual({ key: 'account_number', direction: 'asc' })
    expect(read({ q: { s: 'account_number desc' } }).query?.sort).toEqual({ key: 'account_number', direction: 'desc' })
    expect(faultsOf({ q: { s: 'colour desc' } })).toEqual(['q[s]'])
    expect(faultsOf({ q: { s: 'due_date; drop table bills' } })).toEqual(['q[s]'])
  })

  it('names every part that it does not know', () => {
    expect(faultsOf({ q: { colour: 'red', notes: 'x', days_cont: '1' }, page: '0', per: '-1' })).toEqual([
      'q[colour]',
      'q[notes]',
      'q[days_cont]',
      'page',
      'per',
    ])
  })

  it.each(['0', '-1', '1.5', 'x', '1e3', '', 'NaN', ' 1'])('refuses page %j', (page) => {
    expect(faultsOf({ page })).toEqual(['page'])
  })

  it('answers a per above 1,000 with 1,000', () => {
    expect(read({ per: '1001' }).query?.per).toBe(1000)
    expect(read({ per: '999999999' }).query?.per).toBe(1000)
  })

  it('reads values as a JSON list of ids and nothing else', () => {
    expect(read({ values: '[3,1]' }).query?.values).toEqual([3, 1])
    for (const values of ['3', '["a"]', '[0]', '{', '[1.5]']) expect(faultsOf({ values })).toEqual(['values'])
  })

  it('ignores filters that were left empty, as forms send them', () => {
    expect(filtersOf({ account_number: '', due_date_gteq: '', s: '' })).toEqual([])
  })

  it('refuses text that cannot be stored, and parameters that no list has', () => {
    expect(faultsOf({ q: { account_number: 'a\u0000' } })).toEqual(['q[account_number]'])
    expect(listInput.safeParse({ colour: 'red' }).error?.issues[0]?.message).toBe('Unknown parameter: colour')
  })
})
