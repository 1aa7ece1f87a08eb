import { expect, test } from 'vitest'
import { scaleText } from './chart-scale.ts'

test('a scale has one unit: that of its largest value', () => {
  expect([0, 500, 1000, 1500].map(scaleText(1500, '$'))).toEqual(['$0', '$0.5K', '$1K', '$1.5K'])
  expect([0, 2_500_000, 5_240_000].map(scaleText(5_240_000, '$'))).toEqual(['$0', '$2.5M', '$5.24M'])
  expect([-20, 0, 0.05, 800].map(scaleText(800))).toEqual(['−20', '0', '0.05', '800'])
})
