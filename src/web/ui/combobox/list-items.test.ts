import { expect, test } from 'vitest'
import { firstMatch, withRecent, type ListAct } from './list-items.ts'

const options = Array.from({ length: 9 }, (_, at) => ({ id: at + 1, label: `Division ${at + 1}` }))
const recent = [{ id: 7, label: 'Division 7' }]
const act: ListAct = { id: 'add_new', label: 'Add new', run: () => undefined }

test('what was chosen lately stands first and not a second time; in a short list it stays where it is', () => {
  const shown = withRecent(options, recent)
  expect(shown.map(({ id }) => id)).toEqual([7, 1, 2, 3, 4, 5, 6, 8, 9])
  expect(shown.map(({ group }) => group).slice(0, 2)).toEqual(['Recent', 'All'])
  expect(withRecent(options.slice(0, 7), recent)).toEqual(options.slice(0, 7))
  expect(withRecent(options, [])).toBe(options)
})

test('the first match is one that can be chosen; an act only where it stands in for what was not found', () => {
  expect(firstMatch([{ id: 1, label: 'Gone', disabledReason: 'Closed' }, { id: 2, label: 'Open' }, act], false)).toBe(1)
  expect(firstMatch([act], false)).toBe(-1)
  expect(firstMatch([{ ...act, isFallback: true }], false)).toBe(0)
  expect(firstMatch([{ ...act, isFallback: true }], true)).toBe(-1)
})
