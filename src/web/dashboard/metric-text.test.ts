import { describe, expect, test } from 'vitest'
import { changeText, changeWords, fullText, shortText } from './metric-text.ts'

describe('a figure', () => {
  test('[DASH-CONST-004] [DASH-CONST-005] above 1,000 shows with K and above 1,000,000 with m, two decimals; 1,000 itself does not', () => {
    expect(['1000', '1000.01', '999999.99', '1000000', '1000000.01', '-2500'].map((value) => shortText(value, 'money'))).toEqual([
      '$1,000.00',
      '$1.00K',
      '$1,000.00K',
      '$1,000.00K',
      '$1.00m',
      '−$2.50K',
    ])
  })

  test('keeps its full text: money to the cent, unit costs to four places, usage to three though the short one is whole', () => {
    expect(fullText('1234567.89', 'money')).toBe('$1,234,567.89')
    expect([
      shortText('0.1817', 'unit_cost'),
      shortText('812.345', 'usage'),
      fullText('812.345', 'usage'),
      shortText('3', 'count'),
    ]).toEqual(['$0.1817', '812', '812.345', '3'])
    expect([shortText(null, 'money'), fullText(null, 'usage')]).toEqual(['–', '–'])
  })
})

describe('a change', () => {
  test('has an arrow, a direction in words and its amount', () => {
    expect(changeWords('120', '100', 'money')).toEqual({ direction: 'up', amount: '$20.00' })
    expect(changeWords('80', '100', 'money')).toEqual({ direction: 'down', amount: '$20.00' })
    expect(changeWords('1.0', '1.00', 'tonnes')).toEqual({ direction: 'same', amount: '0.00' })
    expect(changeWords(null, '1', 'tonnes')).toBeNull()
    expect([changeText('20.00', 'up'), changeText('-20.00', 'down'), changeText(null, 'up')]).toEqual(['▲ 20.00%', '▼ 20.00%', '▲'])
  })

  test('between shares is in points', () => {
    expect(changeWords('10.65', '10.50', 'percent')).toEqual({ direction: 'up', amount: '0.15 points' })
  })
})
