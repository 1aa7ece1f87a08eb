import { expect, test } from 'vitest'
import { rowsInSight } from './rows-in-sight.ts'

test('a window shows its rows and some beyond its edges', () => {
  const { from, to } = rowsInSight(3_200, 640, 32)
  expect(from).toBeLessThanOrEqual(100 - 8)
  expect(to).toBeGreaterThanOrEqual(120 + 8)
  expect(to - from).toBeLessThan(60)
})

test('the first row is never before the beginning', () => {
  expect(rowsInSight(0, 640, 32).from).toBe(0)
})

test('a scroll within a step of rows changes nothing', () => {
  expect(rowsInSight(3_210, 640, 32)).toEqual(rowsInSight(3_225, 640, 32))
})
