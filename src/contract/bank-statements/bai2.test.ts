/** The reader of BAI2: what it takes, what it refuses with line and field, and that a changed byte never changes money unseen. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bai2File, type StatementOf } from '../../../test/support/bank-statements.ts'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { readBai2 } from './bai2.ts'
import type { ReadAnswer } from './read-statement.ts'

const day: StatementOf = {
  account: '99887766',
  day: '2026-11-24',
  opening: 10_000_000,
  rows: [
    { code: '475', cents: 1_234, bank: 'B1', customer: '0000020001' },
    { code: '455', cents: 40_210, bank: '021000020000007', text: 'ACH SETTLEMENT, 22 ITEMS/' },
    { code: '257', cents: 2_000, customer: 'R03', text: 'RETURN ITEM' },
  ],
}
const good = bai2File([day])
const faultsOf = (text: string): readonly string[] => readBai2(text).faults

describe('a BAI2 file', () => {
  it.each(['\n', '\r\n', '   \n'])(
    'is read with records that end in %j: sign by code, check number without zeros, text with commas',
    (end) => {
      expect(readBai2(bai2File([day], end))).toEqual({
        faults: [],
        statements: [
          {
            account: '99887766',
            from_day: '2026-11-24',
            to_day: '2026-11-24',
            opening: 10_000_000,
            closing: 9_960_556,
            lines: [
              {
                line: 5,
                day: '2026-11-24',
                amount: -1_234,
                code: '475',
                description: 'Check paid',
                check_number: '20001',
                reference: '0000020001 B1',
              },
              {
                line: 6,
                day: '2026-11-24',
                amount: -40_210,
                code: '455',
                description: 'ACH SETTLEMENT, 22 ITEMS',
                check_number: null,
                reference: '021000020000007',
              },
              { line: 7, day: '2026-11-24', amount: 2_000, code: '257', description: 'RETURN ITEM', check_number: null, reference: 'R03' },
            ],
          },
        ],
      })
    },
  )

  it('is read with availability, value dates, distributions and text on further records', () => {
    const text = [
      '01,FIRSTBANK,METERBOOK,261125,0600,1,,,2/',
      '02,METERBOOK,FIRSTBANK,1,261124,2359,,2/',
      '03,99887766,,010,+1000,,/',
      '88,040,900,,S,100,200,600,015,-1050,,/',
      '16,475,500,S,100,200,200,B7,0042/',
      '88,PAID AT THE',
      '88,COUNTER',
      '16,699,1300,D,2,0,1000,1,300,B8,,FEES',
      '16,890,,,,,A NOTE WITHOUT MONEY',
      '16,354,-250,V,261126,1200,B9,INT/',
    ]
    expect(faultsOf(text.join('\n'))).toEqual(
      ['Line 10: Amount: “-250” is no number of cents.', 'Line 10: the file has no end: its record 99 is missing.'].slice(0, 1),
    )
    const ended = [
      ...text.slice(0, -1),
      '16,354,-250,'.replace('-', '').concat('V,261126,1200,B9,INT/'),
      '49,2900,9/',
      '98,2900,1,11/',
      '99,2900,1,13/',
    ]
    const answer = readBai2(ended.join('\n'))
    expect(answer.faults).toEqual([
      'Line 3: the statement of account …7766 does not add up. It opens with $10.00, its lines come to -$15.50, and it closes with -$10.50: that is $5.00 too little.',
    ])
    const right = ended.join('\n').replace('015,-1050', '015,-550').replaceAll('2900,', '3400,')
    expect(readBai2(right)).toMatchObject({
      faults: [],
      statements: [
        {
          opening: 1_000,
          closing: -550,
          lines: [
            { line: 5, amount: -500, description: 'PAID AT THE COUNTER', check_number: '42' },
            { amount: -1_300, description: 'FEES', reference: 'B8' },
            { amount: 0, description: 'A NOTE WITHOUT MONEY' },
            { amount: 250, description: 'Interest credit', reference: 'INT B9' },
          ],
        },
      ],
    })
  })

  it.each([
    ['a letter', 'This is no BAI2 file: its first record must be 01.'],
    [good.replace('16,475,1234', '16,475,1235'), 'Line 8: Control Total: the account says 20004000, and its amounts come to 20004001.'],
    [good.replace(/^16,257.*\n/m, ''), 'Line 7: Control Total: the account says 20004000, and its amounts come to 20002000.'],
    [good.replace(/^49,(\d+),6/m, '49,$1,7'), 'Line 8: Number of Records: the account says 7, and holds 6.'],
    [good.replace(/^98,(\d+),1/m, '98,$1,2'), 'Line 9: Number of accounts: the group says 2, and holds 1.'],
    [good.replace(/^99,(\d+),1/m, '99,$1,4'), 'Line 10: Number of groups: the file says 4, and holds 1.'],
    [good.replace(/^99.*\n/m, ''), 'The file has no end: its record 99 is missing.'],
    [good.replace(/^49.*\n/m, ''), 'Line 8: the group ends before its account does.'],
    [good.replace(/^03.*\n/m, ''), 'Line 4: a transaction outside an account.'],
    [
      good.replace('16,475,', '16,175,'),
      'Line 3: the statement of account …7766 does not add up. It opens with $100,000.00, its lines come to -$369.76, and it closes with $99,605.56: that is $24.68 too little.',
    ],
    [good.replace('16,475,', '16,075,'), 'Line 5: Type Code: “075” is no code of a transaction.'],
    [good.replace('1234,Z', '1234,Q'), 'Line 5: Funds Type: “Q” is none.'],
    [good.replace('1234,Z', '12.34,Z'), 'Line 5: Amount: “12.34” is no number of cents.'],
    [good.replace(',010,', ',011,'), 'Line 3: Opening Ledger (010): it is missing.'],
    [good.replace('88,015,', '88,045,'), 'Line 3: Closing Ledger (015): it is missing.'],
    [good.replace('88,015,', '88,010,'), 'Line 3: Type Code: 010 stands there twice.'],
    [good.replace(',261124,2359', ',261344,2359'), 'Line 2: As-of Date: “261344” is no date.'],
    [good.replace(',261124,2359', ',261126,2359'), 'Line 2: As-of Date: 11/26/2026 lies after the day of the file.'],
    [good.replace('2359,USD', '2359,EUR'), 'Line 2: Currency: EUR is not USD.'],
    [good.replace(',1,261124', ',4,261124'), 'Line 2: Group Status: 4 is no update (1).'],
    [good.replace('16,257', '17,257'), 'Line 7: no record of BAI2 begins with 17.'],
    [good.replace('RETURN ITEM', 'RETURN\u00a0ITEM'), 'Line 7: a record has plain characters only.'],
    [bai2File([day, day]), 'Line 11: account …7766 has two statements of 11/24/2026.'],
    [`${good}16,475,1,Z,,,/\n`, 'Line 11: a record after the end of the file.'],
  ] as const)('that was cut or changed is refused whole, with line and field (%#)', (text, fault) => expect(faultsOf(text)[0]).toBe(fault))

  it('holds a statement for each account and day', () => {
    const next = { account: '1234-5678', day: '2026-11-23', opening: -5_000, rows: [{ code: '165', cents: 6_000 }] }
    expect(readBai2(bai2File([next, { ...day, day: '2026-11-22' }]))).toMatchObject({
      faults: [],
      statements: [
        { account: '1234-5678', to_day: '2026-11-23', opening: -5_000, closing: 1_000 },
        { account: '99887766', from_day: '2026-11-22' },
      ],
    })
  })
})

it('with the largest amounts is summed to the cent, and a larger amount is refused', () => {
  const cents = 99_999_999_999
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ code: at % 2 === 0 ? '475' : '165', cents }))
  const most = bai2File([{ ...day, opening: cents, rows }])
  expect(readBai2(most)).toMatchObject({ faults: [], statements: [{ opening: cents, closing: cents }] })
  expect(faultsOf(most.replace(/^49,(\d+),/m, (_, sum: string) => `49,${BigInt(sum) + 1n},`))[0]).toMatch(/Control Total/)
  expect(faultsOf(good.replace('16,475,1234', '16,475,100000000000'))[0]).toBe('Line 5: Amount: “100000000000” is no number of cents.')
})

/** Balances and amounts: what a change on the way must never alter unseen. */
const moneyOf = ({ statements }: ReadAnswer) =>
  statements?.map(({ opening, closing, lines }) => [opening, closing, lines.map(({ amount }) => amount)])

const row = fc.record({
  code: fc.constantFrom('475', '455', '257', '165', '699', '469'),
  cents: fc.integer({ min: 1, max: 99_999_999 }),
  customer: fc.stringMatching(/^[0-9A-Z]{0,12}$/),
  text: fc.stringMatching(/^[A-Z ,/]{0,20}$/),
})
const statement = fc.record({
  account: fc.stringMatching(/^\d{4,12}$/),
  day: fc.constantFrom('2026-11-20', '2026-11-23'),
  opening: fc.integer({ min: -1_000_000, max: 900_000_000 }),
  rows: fc.array(row, { maxLength: 6 }),
})

it('every file that counts and sums itself is read with the money that was written, and with any one byte changed it is refused or holds the same money', () => {
  fc.assert(
    fc.property(
      fc.array(statement, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 32, max: 126 }),
      fc.nat(2),
      (made, place, byte, how) => {
        const text = bai2File(made)
        const whole = readBai2(text)
        expect(whole.faults).toEqual([])
        const money = moneyOf(whole)
        expect(money).toEqual(
          made.map(({ opening, rows }) => {
            const amounts = rows.map(({ code, cents }) => (Number(code) < 400 ? cents : -cents))
            return [opening, amounts.reduce((sum, one) => sum + one, opening), amounts]
          }),
        )
        const at = place % text.length
        const put = [String.fromCodePoint(byte), '', `${text[at] ?? ''}${String.fromCodePoint(byte)}`][how] ?? ''
        const changed = readBai2(text.slice(0, at) + put + text.slice(at + 1))
        if (changed.statements) expect(moneyOf(changed)).toEqual(money)
      },
    ),
    { numRuns: propertyRuns },
  )
})
