import { expect, test } from 'vitest'
import { emptySelection, isSelected, pageState, selectedCount, togglePage, toggleRange, toggleRow } from './selection.ts'

const page = [1, 2, 3, 4, 5]
const nobody: number[] = []
const of = (...ids: number[]) => ({ ids: new Set(ids), allMatching: false })

test('a tick adds a row and another takes it away', () => {
  expect(toggleRow(emptySelection, 2, page)).toEqual(of(2))
  expect(toggleRow(of(2, 9), 2, page)).toEqual(of(9))
})

test('unticking one of all matching keeps the other rows of the page', () => {
  expect(toggleRow({ ids: new Set(nobody), allMatching: true }, 2, page)).toEqual(of(1, 3, 4, 5))
})

test('Shift ticks everything in between, upwards too, but no row that cannot be selected', () => {
  expect(toggleRange(of(4), 4, 1, page, [1, 3, 4, 5])).toEqual(of(1, 3, 4))
  expect(toggleRange(of(1, 2, 3), 1, 3, page, page)).toEqual(of())
})

test('Shift from a row that has left the page ticks only the clicked row', () => {
  expect(toggleRange(of(), 77, 3, page, page)).toEqual(of(3))
})

test('the box in the header ticks the rest of the page first, and clears only the page', () => {
  expect(togglePage(of(1, 9), page)).toEqual(of(1, 2, 3, 4, 5, 9))
  expect(togglePage(of(1, 2, 3, 4, 5, 9), page)).toEqual(of(9))
  expect(pageState(of(1), page)).toBe('some')
  expect(pageState({ ids: new Set(nobody), allMatching: true }, page)).toBe('all')
  expect(pageState(of(), [])).toBe('none')
  expect(isSelected(of(1), 2)).toBe(false)
})

test('of all matching rows some are left out where that can be said, one, a range or a page, and come back', () => {
  const all = { ids: new Set(nobody), allMatching: true, except: new Set(nobody) }
  const without = toggleRow(all, 2, page)
  expect(without).toEqual({ ...all, except: new Set([2]) })
  expect([isSelected(without, 2), isSelected(without, 77), selectedCount(without, 40)]).toEqual([false, true, 39])
  expect(toggleRow(without, 2, page)).toEqual(all)
  expect(toggleRange(without, 2, 4, page, [2, 4])).toEqual({ ...all, except: new Set([2, 4]) })
  expect(pageState(without, page)).toBe('some')
  expect(togglePage(without, page)).toEqual(all)
  expect(togglePage(all, page)).toEqual({ ...all, except: new Set(page) })
  expect(selectedCount(of(1, 9), undefined)).toBe(2)
  expect(selectedCount(all, undefined)).toBeUndefined()
})
