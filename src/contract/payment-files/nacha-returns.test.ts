/** The reader of return files: what it takes, and what it refuses with the line. */
import { describe, expect, it } from 'vitest'
import { returnFile } from '../../../test/support/bank-files.ts'
import { correctedDetails } from './corrected-details.ts'
import { readReturns } from './nacha-returns.ts'
import { bankCodes, bankCodeWords, returnCodeOf, unknownCodeWords } from './return-codes.ts'

const original = '021000020000007'
const two = [
  { code: 'R03', original, cents: 1_234, remark: 'NO SUCH ACCOUNT' },
  { code: 'C01', original, corrected: '987654321' },
]

describe('a return file', () => {
  it.each(['\n', '\r\n', ''])('is read with records that end in %j', (end) => {
    const answer = readReturns(returnFile(two, { end }))
    expect(answer).toMatchObject({
      faults: [],
      read: {
        day: '2026-11-25',
        bank: 'FIRST BANK',
        returns: [
          {
            line: 4,
            kind: 'return',
            code: 'R03',
            original_trace: original,
            amount: 1_234,
            receiver: 'WIRE AND WATER',
            remark: 'NO SUCH ACCOUNT',
          },
          { line: 6, kind: 'notice', code: 'C01', original_trace: original, amount: 0, corrected: '987654321' },
        ],
      },
    })
  })

  it('is read where the bank cuts the spaces at the end of its records, and with filler', () => {
    const cut = returnFile(two).replaceAll(/ +\n/g, '\n')
    expect(readReturns(`${cut}${'9'.repeat(94)}\n`)).toMatchObject({ faults: [], read: { returns: [{}, {}] } })
  })

  it('that was cut or changed on its way is refused whole, with the line', () => {
    const whole = returnFile(two)
    const lines = whole.split('\n')
    const without = (at: number) => readReturns(lines.filter((_, place) => place !== at).join('\n')).faults
    expect(readReturns('a letter').faults).toEqual(['This is no NACHA file: its first line must begin with 1.'])
    expect(without(7)).toEqual(['The file has no end: its record that begins with 9 is missing.'])
    expect(without(3)).toEqual(['Line 3: the entry has no addenda that says why it came back.'])
    expect(without(2)).toEqual(['Line 3: the addenda belongs to no entry.'])
    expect(readReturns(whole.replace('0000001234', '0000001235')).faults).toEqual([
      'Line 8: the file’s totals are not the sum of its entries.',
    ])
    expect(readReturns(whole.replace(/^9000001000001\d{8}/m, '900000100000100000009')).faults).toEqual([
      'Line 8: the file counts 9 entries and addenda, and holds 4.',
    ])
    expect(readReturns(whole.replace('99R03', '99X03')).faults).toEqual(['Line 4: X03 is no code.'])
    expect(readReturns(whole.replace(original, original.replace('7', 'x'))).faults).toEqual([
      'Line 4: the trace number of the payment has 15 digits.',
    ])
    expect(readReturns(whole.replace('261125', '261345')).faults).toEqual(['Line 1: the day of the file is no date.'])
  })
})

describe('a notice of change', () => {
  it.each([
    ['C01', '987654321', { payment_identifier: '987654321' }],
    ['C02', '021000021', { po_box: '021000021' }],
    ['C03', '021000021   987654321', { po_box: '021000021', payment_identifier: '987654321' }],
    ['C04', 'WIRE & WATER LLC', { account_holder: 'WIRE & WATER LLC' }],
    ['C05', '32', { account_type: 'savings' }],
    ['C06', '987654321           27', { payment_identifier: '987654321', account_type: 'checking' }],
    ['C07', '021000021987654321        32', { po_box: '021000021', payment_identifier: '987654321', account_type: 'savings' }],
    ['C07', '0210000211234567890123456722', { po_box: '021000021', payment_identifier: '12345678901234567', account_type: 'checking' }],
  ] as const)('%s reads %s', (code, corrected, expected) => expect(correctedDetails(code, corrected)).toEqual(expected))

  it.each([
    ['C01', ''],
    ['C01', '1 2 3 4 5'],
    ['C02', '02100002'],
    ['C03', '021000021'],
    ['C05', '92'],
    ['C06', '98765432127'],
    ['C07', '021000021 22'],
  ] as const)('%s with %j is not guessed at', (code, corrected) => expect(correctedDetails(code, corrected)).toBe('unreadable'))

  it('of the payer’s own data changes nothing of a vendor', () => expect(correctedDetails('C11', '1234567890')).toBeNull())
})

it('every code of both lists has words of its own; codes of banks among themselves reopen nothing', () => {
  expect(bankCodes).toHaveLength(51 + 6 + 13 + 14 + 9)
  expect(new Set(bankCodes.map(({ words }) => words)).size).toBe(bankCodes.length)
  expect(bankCodes.filter(({ code }) => returnCodeOf(code)?.isBetweenBanks === true).map(({ code }) => code)).toEqual(
    bankCodes.map(({ code }) => code).filter((code) => code > 'R60' && code < 'R78'),
  )
  expect(bankCodeWords('R99')).toBe(unknownCodeWords)
})
