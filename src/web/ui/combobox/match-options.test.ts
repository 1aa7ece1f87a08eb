import { describe, expect, test } from 'vitest'
import { matchOptions } from './match-options.ts'
import type { PickerOption } from './option-types.ts'

const options: readonly PickerOption[] = [
  { id: 1, label: 'Boiler', hint: '435-641-859-6-5' },
  { id: 2, label: 'Chiller', hint: '972 652 663 4852 36' },
  { id: 3, label: 'School House 1', hint: 'SH' },
  { id: 4, label: 'Old School', hint: '12 Main Street' },
  { id: 5, label: 'Café Águila', words: 'payments' },
  { id: 6, label: 'Schools of the East', hint: 'EA' },
  { id: 7, label: 'Harvest Lane', hint: 'SCHOOL' },
]
const found = (term: string) => matchOptions(options, term).map(({ id }) => id)

describe('a whole list is filtered', () => {
  test.for(['4356418596', '435-641', '435 641 859 6 5', '43564185965', '641859'])('by digits without their signs: %s', (term) => {
    expect(found(term)).toEqual([1])
  })

  test('by digits that another number parts otherwise', () => {
    expect(found('972-652-663')).toEqual([2])
    expect(found('97265266348')).toEqual([2])
    expect(found('652972')).toEqual([])
  })

  test('by words in any order, over name, second line and further words', () => {
    expect(found('house school 1')).toEqual([3])
    expect(found('main old')).toEqual([4])
    expect(found('payments cafe')).toEqual([5])
    expect(found('boiler 4356')).toEqual([1])
    expect(found('boiler 9726')).toEqual([])
  })

  test('the closest first: a whole name or code, names that begin so, names with such a word', () => {
    expect(found('school')).toEqual([7, 3, 6, 4])
    expect(found('sh')).toEqual([3])
  })

  test('and the end of a name with the beginning of a number is none', () => {
    expect(matchOptions([{ id: 1, label: 'Store 1', hint: '234' }], '1234')).toEqual([])
  })

  test('not at all by nothing or by spaces', () => {
    expect(found('  ')).toHaveLength(options.length)
  })

  test('with each group in one piece, the one of the closest match first', () => {
    const grouped = [
      { id: 'a', label: 'Old bills', group: 'Pages' },
      { id: 'b', label: 'Bills', group: 'Actions' },
      { id: 'c', label: 'New bills', group: 'Pages' },
      { id: 'd', label: 'Import bills', group: 'Actions' },
    ]
    expect(matchOptions(grouped, 'bills').map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c'])
  })

  test('of 20,000 in less time than a key takes', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ id: n, label: `Store ${n} Oakland`, hint: `435-641-${n}` }))
    matchOptions(many, 'warm')
    const began = performance.now()
    expect(matchOptions(many, '43564119999').map(({ id }) => id)).toEqual([19_999])
    expect(performance.now() - began).toBeLessThan(500)
  })
})
