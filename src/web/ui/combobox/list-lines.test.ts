import { expect, test } from 'vitest'
import { edgesOf, LINE_PX, linesInSight, linesOf, scrollTo } from './list-lines.ts'
import { listNote } from './list-note.ts'

const items = (count: number) => Array.from({ length: count }, () => ({ group: undefined }))

test('each group has its heading before its first option', () => {
  const lines = linesOf([{ group: 'Recent' }, { group: 'Recent' }, { group: 'All' }, {}])
  expect(lines.map((line) => ('head' in line ? line.head : line.place))).toEqual(['Recent', 0, 1, 'All', 2, 3])
})

test('of 20,000 lines only those in sight are drawn, at every place', () => {
  const edges = edgesOf(linesOf(items(20_000)), LINE_PX.two)
  expect(edges.at(-1)).toBe(20_000 * LINE_PX.two)
  for (const top of [0, 44, 400_000, 20_000 * LINE_PX.two - 352]) {
    const { from, to } = linesInSight(edges, top, 352)
    expect(to - from).toBeLessThan(40)
    expect(from * LINE_PX.two).toBeLessThanOrEqual(top)
    expect(to * LINE_PX.two).toBeGreaterThanOrEqual(top + 352)
  }
})

test('a short list is drawn whole', () => {
  expect(linesInSight(edgesOf(linesOf(items(40)), 30), 0, 100)).toEqual({ from: 0, to: 40 })
})

test('the list scrolls as far as the active line needs, and not at all where it is in sight', () => {
  const edges = edgesOf(linesOf(items(100)), 30)
  expect(scrollTo(edges, 2, 0, 300)).toBe(0)
  expect(scrollTo(edges, 20, 0, 300)).toBe(330)
  expect(scrollTo(edges, 2, 330, 300)).toBe(60)
})

test('a list without options says why', () => {
  const of = { status: 'ready', count: 0, term: 'nor', minChars: 3, within: undefined } as const
  expect(listNote(of)).toBe('Nothing found for “nor”')
  expect(listNote({ ...of, within: 'Only those of this client are listed' })).toBe(
    'Nothing found for “nor”. Only those of this client are listed',
  )
  expect(listNote({ ...of, term: '' })).toBe('Nothing to choose from')
  expect(listNote({ ...of, term: 'no', status: 'short' })).toBe('Type 1 more character to search')
  expect(listNote({ ...of, status: 'loading' })).toBe('Searching…')
  expect(listNote({ ...of, status: 'failed' })).toBe('The search failed.')
  expect(listNote({ ...of, status: 'forbidden' })).toContain('no right')
  expect(listNote({ ...of, count: 3 })).toBe('')
})
