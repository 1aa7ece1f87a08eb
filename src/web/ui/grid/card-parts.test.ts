import { expect, test } from 'vitest'
import { cardParts, inCardOrder } from './card-parts.ts'

const text = { key: 'name' }
const other = { key: 'vendor', kind: 'text' } as const
const date = { key: 'due', kind: 'date' } as const
const money = { key: 'amount', kind: 'money' } as const
const count = { key: 'bills', kind: 'number' } as const
const state = { key: 'state', filter: { kind: 'choice', key: 'state', options: [] } } as const

test('a list that says nothing has a card of its first column, amount, choice, next text and date; the others are the rest', () => {
  expect([...cardParts([text, state, count, other, date, money])]).toEqual([
    ['name', 'title'],
    ['state', 'badge'],
    ['bills', 'rest'],
    ['vendor', 'second'],
    ['due', 'second'],
    ['amount', 'figure'],
  ])
})

test('what a list says of its columns comes before what follows from them', () => {
  const parts = cardParts([{ ...text, card: 'rest' }, { ...other, card: 'title' }, { ...date, card: 'second' }, money, state])
  expect([...parts.values()]).toEqual(['rest', 'title', 'second', 'figure', 'badge'])
})

test('a title that is hidden leaves its place to the first column', () => {
  expect(cardParts([other, money]).get('vendor')).toBe('title')
})

test('a card is read title, figure, second line, badge, rest, and loses no column', () => {
  const shown = [state, count, text, date, money].map((column) => ({ column }))
  expect(inCardOrder(shown).map(({ column }) => column.key)).toEqual(['name', 'amount', 'due', 'state', 'bills'])
})
