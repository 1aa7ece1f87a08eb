import { describe, expect, test } from 'vitest'
import { fixedPhrase } from './fixed-words.ts'
import { meaningsOf } from './label-words.ts'
import { plainPhrase } from './plain-words.ts'
import { meterColumn } from './meter-words.ts'
import type { Token } from './page-lines.ts'
import { allPrinted, firstPrinted, moneyOf, numberOf, unitOf, type Kind } from './printed-values.ts'
import { dateOf } from './printed-dates.ts'

/** Returns words one after the other, as wide as their letters. */
function tokensOf(text: string): Token[] {
  let x = 0
  return text.split(' ').map((word) => {
    const token = { text: word, x, y: 0, width: word.length * 5, height: 10, confidence: 1 }
    x += word.length * 5 + 3
    return token
  })
}
const first = (kind: Kind, text: string): string | undefined => firstPrinted(kind, tokensOf(text))?.value

describe('printed values', () => {
  test.each([
    ['$1,234.50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['-$12.00', '-12.00'],
    ['(12.00)', '-12.00'],
    ['12.00-', '-12.00'],
    ['49.62CR', '-49.62'],
    ['$0.00CR', '0.00'],
    ['1.234,50', '1234.50'],
    ['$1O4.l5', '104.15'],
    ['12345', null],
    ['2024', null],
    ['12.345', null],
  ])('%s is the amount %s', (printed, value) => expect(moneyOf(printed)).toBe(value))

  test.each([
    ['02/15/2024', '2024-02-15'],
    ['2/5/24', '2024-02-05'],
    ['02-15-2024', '2024-02-15'],
    ['2024-02-15', '2024-02-15'],
    ['Feb 15, 2024', '2024-02-15'],
    ['February 15 2024', '2024-02-15'],
    ['15-Feb-2024', '2024-02-15'],
    ['15 Feb 24', '2024-02-15'],
    ['10/ 09/ 2024', '2024-10-09'],
    ['02/30/2024', null],
    ['13/45/2024', null],
    ['Feb 2024', null],
    ['1-800-555-0142', null],
  ])('%s is the day %s', (printed, value) => expect(dateOf(printed)).toBe(value))

  test.each([
    ['12,345', '12345'],
    ['0012.50', '12.5'],
    ['4123kWh', '4123'],
    ['4123E', '4123'],
    ['12/31', null],
    ['abc', null],
  ])('%s is the number %s', (printed, value) => expect(numberOf(printed)).toBe(value))

  test('a period has two ends, in order', () => {
    expect(allPrinted('period', tokensOf('11/17/24 - 12/18/24'))).toMatchObject([{ value: '2024-11-17', until: '2024-12-18' }])
    expect(allPrinted('period', tokensOf('Nov 15, 2024 to Dec 13, 2024'))).toMatchObject([{ value: '2024-11-15', until: '2024-12-13' }])
    expect(allPrinted('period', tokensOf('12/18/24 - 11/17/24'))).toEqual([])
  })

  test('an account number keeps the groups that it is printed in, and is no date and no amount', () => {
    expect(first('identifier', '4805 6631 75')).toBe('4805 6631 75')
    expect(first('identifier', '# 88-4190.7')).toBe('88-4190.7')
    expect(first('identifier', '02/15/2024')).toBeUndefined()
    expect(first('identifier', '$1,234.50')).toBeUndefined()
    expect(first('identifier', '1234.50')).toBeUndefined()
    // Where a number is expected, six digits before the point are not an amount.
    expect(first('identifier', '911036.40')).toBe('911036.40')
    expect(first('identifier', '89072874, 30 days')).toBe('89072874')
  })

  test('a value is not looked for behind a sentence', () => expect(first('money', 'is not paid in full by then 12.00')).toBeUndefined())

  test('units are ours, and other words are none', () => {
    expect(['kwh', '(CCF)', 'Therms', 'Usage'].map(unitOf)).toEqual(['kWh', 'CCF', 'therm', null])
  })
})

describe('labels', () => {
  const meaning = (words: string): string | undefined => meaningsOf(plainPhrase(words.split(' ')))?.[0]?.field

  test.each([
    ['Acct. No.:', 'account_number'],
    ['Account #', 'account_number'],
    ['Date of Bill', 'date'],
    ['Please pay by', 'due_date'],
    ['Total Amount Due', 'amount_due'],
    ['Balance Brought Forward', 'balance_forward'],
    ['Total New Charges', 'current_charges'],
    ['Late payment charge', 'late_fee'],
    ['Prev. Bal.', 'previous_balance'],
    ['Amount due after', undefined],
    ['Amount Enclosed', undefined],
    ['Capital credits', undefined],
    ['Net Amount Due', 'amount_due'],
    ['Amount Due in Full', 'amount_due'],
    ['To avoid interest charges pay before', 'due_date'],
    ['Balance before new charges', 'balance_forward'],
    ['This Month', undefined],
  ])('%s leads to %s', (words, field) => expect(meaning(words)).toBe(field))

  test.each([
    ['Previous Reading', true, 'previous_reading'],
    ['Previous', true, 'previous_reading'],
    ['Previous', false, null],
    ['Previous Read Date', true, 'previous_read_date'],
    ['Read Dates Current', true, 'read_date'],
    ['Ending read', false, 'meter_reading'],
    ['Meter constant', false, 'multiplier'],
    ['kWh Billed', true, 'usage'],
    ['Number of days', false, 'ignored'],
    ['Current charges', false, null],
  ])('%s, heading %s, names %s', (words, isHeading, column) => {
    expect(meterColumn(plainPhrase(words.split(' ')), isHeading)).toBe(column)
  })

  test('a phrase that is learned holds no word but those of the list', () => {
    expect(fixedPhrase(['Plan', 'Total:'])).toBe('plan total')
    expect(fixedPhrase(['Maple', 'Holdings'])).toBe('')
    expect(fixedPhrase(['Account', 'Kowalski'])).toBe('')
  })
})
