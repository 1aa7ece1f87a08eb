import { expect, test } from 'vitest'
import { spreadPlaces } from './chart-labels.ts'

test('labels keep their order and stand apart, and move up where there is no room below', () => {
  expect(spreadPlaces([100, 104, 60, 300], 16, 400)).toEqual([100, 116, 60, 300])
  expect(spreadPlaces([390, 395, 399], 16, 400)).toEqual([368, 384, 400])
  expect(spreadPlaces([], 16, 400)).toEqual([])
})
