import { expect, test } from 'vitest'
import { movedPlace } from './grid-keys.ts'

const size = { rows: 100, cols: 8, page: 15 }
const press = (key: string, row: number, col: number, ctrlKey = false) => movedPlace({ key, ctrlKey, metaKey: false }, { row, col }, size)

test('arrows move by one cell and stop at the edges', () => {
  expect(press('ArrowDown', 3, 2)).toEqual({ row: 4, col: 2 })
  expect(press('ArrowDown', 99, 2)).toEqual({ row: 99, col: 2 })
  expect(press('ArrowLeft', 3, 0)).toEqual({ row: 3, col: 0 })
  expect(press('ArrowRight', 3, 7)).toEqual({ row: 3, col: 7 })
})

test('j goes one row down and k one up, and with Ctrl they are the browser’s', () => {
  expect(press('j', 3, 2)).toEqual({ row: 4, col: 2 })
  expect(press('k', 3, 2)).toEqual({ row: 2, col: 2 })
  expect(press('j', 3, 2, true)).toBeUndefined()
})

test('the arrow up leads from the first row to the titles', () => {
  expect(press('ArrowUp', 0, 2)).toEqual({ row: -1, col: 2 })
  expect(press('ArrowUp', -1, 2)).toEqual({ row: -1, col: 2 })
})

test('Home and End stay in the row, with Ctrl they go to the corners', () => {
  expect(press('Home', 3, 5)).toEqual({ row: 3, col: 0 })
  expect(press('End', 3, 5)).toEqual({ row: 3, col: 7 })
  expect(press('Home', 3, 5, true)).toEqual({ row: 0, col: 0 })
  expect(press('End', 3, 5, true)).toEqual({ row: 99, col: 7 })
})

test('pages move by a window of rows, and other keys do not move', () => {
  expect(press('PageDown', 3, 5)).toEqual({ row: 18, col: 5 })
  expect(press('PageUp', 3, 5)).toEqual({ row: 0, col: 5 })
  expect(press('a', 3, 5)).toBeUndefined()
})
