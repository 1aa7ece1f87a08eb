/** The reader of CSV statements: the mapping of columns, what is refused with line and column, and that it adds up. */
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvFile } from '../../../test/support/bank-statements.ts'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { csvMapping, guessMapping, type CsvMapping } from './csv-mapping.ts'
import { readCsvStatement, type CsvRow } from './csv-statement.ts'
import { formatOfFile, type ReadAnswer } from './read-statement.ts'

const today = '2026-11-25'
const rowsOf = (text: string): CsvRow[] => {
  const records: string[][] = parse(text, { relax_column_count: true, skip_empty_lines: true })
  return records.map((cells, at) => ({ cells, line: at + 1 }))
}
function read(
  text: string,
  {
    opening = 10_000_000,
    closing = null,
    mapping,
  }: { opening?: number | null; closing?: number | null; mapping?: Partial<CsvMapping> } = {},
): ReadAnswer {
  const rows = rowsOf(text)
  const chosen = csvMapping.parse({ ...guessMapping(rows[0]?.cells ?? []), ...mapping })
  return readCsvStatement(rows, { mapping: chosen, opening, closing, today })
}

const rows = [
  { day: '2026-11-23', cents: -1_234, text: 'CHECK, PAID', check: '0020001' },
  { day: '2026-11-24', cents: 2_000, text: 'RETURN', reference: 'R03' },
  { day: '2026-11-24', cents: -40_210, text: 'ACH' },
]
const good = csvFile(10_000_000, rows)

describe('a CSV statement', () => {
  it.each([false, true])('with balances is read whichever end the bank writes first (newest first: %s)', (newestFirst) => {
    expect(read(csvFile(10_000_000, rows, { newestFirst }))).toMatchObject({
      faults: [],
      statements: [
        {
          account: null,
          from_day: '2026-11-23',
          to_day: '2026-11-24',
          opening: 10_000_000,
          closing: 9_960_556,
          lines: expect.arrayContaining([
            {
              line: newestFirst ? 4 : 2,
              day: '2026-11-23',
              amount: -1_234,
              code: '',
              description: 'CHECK, PAID',
              check_number: '20001',
              reference: '',
            },
          ]),
        },
      ],
    })
  })

  it('with Money Out and Money In, whatever their sign, needs the balances of the paper, and rows above the headings do not matter', () => {
    const text =
      'Account,…7766,,\nPosting Date,Debit,Credit,Memo\n11/23/26,-12.34,,CHECK\n2026-11-24,,"1,020.00",DEPOSIT\n11/24/2026,(5.00),0.00,FEE\n'
    const mapping = guessMapping(['Posting Date', 'Debit', 'Credit', 'Memo'])
    expect(read(text, { mapping }).faults).toEqual(['Type the closing balance: the file has no column of balances.'])
    expect(read(text, { mapping, opening: null }).faults).toEqual([
      'Type the opening balance: no earlier statement of this account says it.',
    ])
    expect(read(text, { mapping, opening: 100, closing: 200 }).faults).toEqual([
      'The file does not add up. It opens with $1.00, its lines come to $1,002.66, and it closes with $2.00: that is $1,001.66 too little.',
    ])
    expect(read(text, { mapping, opening: 100, closing: 100_366 })).toMatchObject({
      statements: [{ opening: 100, closing: 100_366, lines: [{ amount: -1_234 }, { amount: 102_000 }, { amount: -500 }] }],
    })
  })

  it.each([
    [good.replace('11/23/2026', '13/45/2026'), 'Line 2, Date: “13/45/2026” is no date with its year.'],
    [good.replace('11/23/2026', '11/23'), 'Line 2, Date: “11/23” is no date with its year.'],
    [good.replace('11/24/2026,"ACH"', '11/26/2026,"ACH"'), 'Line 4, Date: “11/26/2026” lies after today.'],
    [good.replace(',-12.34,', ',-12.345,'), 'Line 2, Amount: “-12.345” is no amount.'],
    [good.replace(',-12.34,', ',-12.35,'), 'Line 2, Balance: $99,987.66 does not follow from $100,000.00 and the rows before it.'],
    [good.replace('99605.56', '99605.57'), 'Line 4, Balance: $99,605.57 does not follow from $100,000.00 and the rows before it.'],
    [good.replace('0020001', 'A1'), 'Line 2, Check Number: “A1” is no check number.'],
    [good.replace(',R03,', ',R03,,'), 'Line 3: it has 7 columns, and the headings are 6.'],
    [good.replace(/\n.*/s, ''), 'The file has no rows below its headings.'],
  ] as const)('that says what cannot be is refused whole, with line and column (%#)', (text, fault) => {
    const { faults } = read(text)
    expect(faults[0]).toBe(fault)
  })

  it('that does not begin or end with the balance of the paper is refused, and a heading that is gone or double is named', () => {
    expect(read(good, { opening: 1 }).faults).toEqual(['Line 2, Balance: $99,987.66 does not follow from $0.01 and the rows before it.'])
    expect(read(good, { closing: 1 }).faults[0]).toMatch(/and it closes with \$0\.01: that is \$99,605\.55 too little\.$/)
    const mapping = guessMapping(['Date', 'Amount', 'Balance'])
    expect(read(good, { mapping: { ...mapping, description: 'Memo' } }).faults).toEqual([
      'No row of the file holds the headings Date, Amount, Memo, and Balance.',
    ])
    expect(read(good.replace('Reference', 'Amount')).faults).toEqual(['Amount: two columns are headed Amount.'])
  })

  it('needs a date, and an amount or both of Money Out and Money In', () => {
    const none = guessMapping([])
    const faults = (mapping: object) => csvMapping.safeParse({ ...none, ...mapping }).error?.issues.map(({ message }) => message)
    expect(faults({})).toEqual(['Choose the column of the Date', 'Choose the column of the Amount, or those of Money Out and Money In'])
    expect(faults({ day: 'A', debit: 'B' })).toEqual(['Choose the column of the Amount, or those of Money Out and Money In'])
    expect(faults({ day: 'A', amount: 'B', credit: 'C' })).toEqual(['Choose either the Amount, or Money Out and Money In'])
    expect(faults({ day: 'A', amount: 'B' })).toBeUndefined()
    expect(guessMapping(['Posted Date', 'Withdrawals', 'Deposits', 'Amount', 'Serial Number'])).toMatchObject({
      day: 'Posted Date',
      debit: 'Withdrawals',
      credit: 'Deposits',
      amount: null,
      check_number: 'Serial Number',
    })
  })

  it('is whatever does not begin as BAI2 does', () => {
    expect([formatOfFile('01,BANK,'), formatOfFile('\uFEFF 01,BANK'), formatOfFile('Date,Amount'), formatOfFile('')]).toEqual([
      'bai2',
      'bai2',
      'csv',
      'csv',
    ])
  })
})

const moneyOf = ({ statements }: ReadAnswer) =>
  statements?.map(({ opening, closing, lines }) => [opening, closing, lines.map(({ amount }) => amount).toSorted((a, b) => a - b)])
const aRow = fc.record({ cents: fc.integer({ min: -99_999_999, max: 99_999_999 }), text: fc.stringMatching(/^[A-Z ,]{0,12}$/) })

it('with any one byte below its headings changed it is refused or holds the same money', () => {
  const opening = 5_000_000
  fc.assert(
    fc.property(fc.array(aRow, { minLength: 2, maxLength: 6 }), fc.nat(), fc.integer({ min: 32, max: 126 }), (made, place, byte) => {
      const text = csvFile(
        opening,
        made.map((one, at) => ({ ...one, day: `2026-11-${10 + at}` })),
      )
      const whole = read(text, { opening })
      expect(whole.faults).toEqual([])
      const body = text.indexOf('\n') + 1
      const at = body + (place % (text.length - body))
      const changed = readOrRefuse(text.slice(0, at) + String.fromCodePoint(byte) + text.slice(at + 1), opening)
      if (changed.statements) expect(moneyOf(changed)).toEqual(moneyOf(whole))
    }),
    { numRuns: propertyRuns },
  )
})

/** Text that is no CSV is refused before its rows are read. */
function readOrRefuse(text: string, opening: number): ReadAnswer {
  try {
    return read(text, { opening })
  } catch (error) {
    if (error instanceof CsvError) return { faults: [error.message] }
    throw error
  }
}
