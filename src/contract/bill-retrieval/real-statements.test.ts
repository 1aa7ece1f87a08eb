/**
 * Runs the mapping over every real statement. The expected sums are computed here from the raw JSON with separate bigint arithmetic, so that
 * they share no code with the tested one.
 */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { cents, dollars, expectedOf, printedStatements, type Basis } from '../../../test/support/printed-figures.ts'
import { realFiles, realFolder as folder } from '../../../test/support/real-statements.ts'
import { mapStatement, type RetrievedBill } from './map-statement.ts'
import { fileStatement, statementOfFile, type FileStatement } from './statement-file.ts'
import { statement as statementSchema } from './statement.ts'

const files = realFiles()

const STATEMENTS = 2_299
const WITHOUT_AMOUNTS = 111
const terms = { client: 'ACME', paymentTermsDays: 19 }

describe.skipIf(files.length === 0)('every real statement', { timeout: 120_000 }, () => {
  test('maps to a bill whose figures are those that its printed figures agree on, and names what does not agree', async () => {
    const printed = new Map([...printedStatements()].map((one) => [one.statement_id, one]))
    const sums = new Map<string, { statements: number; bills: number; due: bigint; current: bigint; balance: bigint }>()
    const bases = new Map<string, number>()
    const balances = new Map<string, number>()
    const odd = new Map<string, number>()
    const unnamed: string[] = []
    let [total, withoutAmounts] = [0, 0]
    for await (const line of linesOf(files)) {
      total += 1
      const file = fileStatement.parse(JSON.parse(line))
      const raw = printed.get(file.statement_id)
      const bill = mapStatement(statementSchema.parse(statementOfFile(file)), terms)
      const expected = raw ? expectedOf(raw) : null
      const sum = sums.get(file.utility) ?? { statements: 0, bills: 0, due: 0n, current: 0n, balance: 0n }
      sums.set(file.utility, sum)
      sum.statements += 1
      if ('cannot' in bill || expected === null) {
        expect([expected, 'cannot' in bill], file.statement_id).toEqual([null, true])
        withoutAmounts += 1
        continue
      }
      const [due, current, balance] = [bill.amount_due, bill.current_charges, bill.balance_forward].map(cents)
      expect([due, current, balance], file.statement_id).toEqual([expected.due, expected.current, expected.balance])
      sum.bills += 1
      sum.due += expected.due
      sum.current += expected.current
      sum.balance += expected.balance
      count(bases, `${file.utility}: ${expected.basis}`)
      if (expected.balance !== 0n)
        count(balances, cents(file.outstanding_balance ?? '0.00') === 0n ? expected.basis : 'outstanding is printed')
      if (expected.lines === expected.current) expect(mappedLines(bill), file.statement_id).toBe(expected.current)
      else if (hasLines(bill) && mappedLines(bill) !== expected.current && !bill.notes?.includes('printed charges add up'))
        unnamed.push(file.statement_id)
      if (!isNamed(expected.basis, file, bill)) unnamed.push(file.statement_id)
      expect(isWellFormed(bill), file.statement_id).toBe(true)
      countOdd(odd, file, bill)
    }
    console.table(
      [...sums].map(([utility, s]) => ({
        utility,
        statements: s.statements,
        bills: s.bills,
        amount_due: dollars(s.due),
        current_charges: dollars(s.current),
        balance_forward: dollars(s.balance),
      })),
    )
    console.table(Object.fromEntries([...bases].toSorted()))
    console.table(Object.fromEntries([...odd].toSorted()))
    expect([total, withoutAmounts]).toEqual([STATEMENTS, WITHOUT_AMOUNTS])
    expect(unnamed).toEqual([])
    expect(Object.fromEntries(balances)).toEqual({ 'outstanding is printed': 229, 'new charges and lines': 17, 'previous balance': 17 })
  })

  test('usage follows the rule of the format, statement by statement', async () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      // [total] of general_consumption; peaks and demand next to it don't count.
      '017ddb0ead5ed8b3': ['1R8515 1077852.000 kWh'],
      // Registers of one period: the charge line bills 5 + 5 as 10 HCF.
      '2c91a29827868a64': ['48784105 10.000 CCF'],
      // One row printed once per rate period: the charge lines bill 180,400 kWh.
      '421f892d5fdfa80c': ['P185453427 180400.000 kWh'],
      // Two totals, one of which includes the other: the components add up to the larger.
      c95a0bb2b24b0a2f: ['86974565 109767.000 kWh'],
      // Two registers, billed as 80.
      '3fc4a7950691831b': ['54012869 80.000 CCF', '75774955 80.000 CCF'],
      // One meter, three periods caught up in one statement.
      fbbebd0bb6aa9ac1: ['48784105 19.000 CCF', '48784105 7.000 CCF', '48784105 9.000 CCF'],
    }
    const found = new Map<string, string[]>()
    for await (const line of linesOf(files)) {
      const file = fileStatement.parse(JSON.parse(line))
      const bill = file.statement_id in expected ? mapStatement(statementOfFile(file), terms) : null
      if (bill === null || 'cannot' in bill) continue
      found.set(
        file.statement_id,
        bill.lines.map((one) => `${one.meter_number} ${one.usage} ${one.unit}`),
      )
    }
    for (const [id, lines] of Object.entries(expected))
      expect(
        found.get(id)?.filter((one) => lines.includes(one)),
        id,
      ).toEqual(lines)
  })
})

async function* linesOf(names: readonly string[]): AsyncGenerator<string> {
  for (const name of names) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity }))
      if (line.trim() !== '') yield line
  }
}

/** Disagreements are mentioned in the notes. */
function isNamed(basis: Basis, file: FileStatement, bill: RetrievedBill): boolean {
  const notes = bill.notes ?? ''
  const isUnknown = cents(file.new_charges ?? '0.00') === 0n
  switch (basis) {
    case 'all agree':
    case 'new charges and rest':
      return true
    case 'lines and rest':
      return isUnknown || notes.includes('prints new charges of')
    case 'new charges and lines':
      return notes.includes('The lines and the new charges are')
    case 'previous balance':
      return notes.includes('the previous balance counts as outstanding')
    case 'rest alone':
      return notes.includes('which is taken') || (isUnknown && !hasLines(bill))
  }
}

function hasLines(bill: RetrievedBill): boolean {
  return [
    ...bill.bill_charges.map(({ amount }) => amount),
    ...bill.lines.flatMap((line) => line.entry_fields.map(({ value }) => value)),
  ].some((value) => cents(value) !== 0n)
}

function mappedLines(bill: RetrievedBill): bigint {
  const values = [
    ...bill.bill_charges.map((charge) => charge.amount),
    ...bill.lines.flatMap((line) => line.entry_fields.map((field) => field.value)),
  ]
  return values.reduce((sum, value) => sum + cents(value), 0n)
}

/** Every line has its service among the needed ones, an identifying number, dates, and a usage unless a numbered meter shows none. */
function isWellFormed(bill: RetrievedBill): boolean {
  return bill.lines.every(
    (line) =>
      line.meter_number !== '' &&
      line.previous_read_date !== null &&
      line.read_date !== null &&
      bill.services.some((service) => service.utility_service === line.utility_service && service.meter_number === line.meter_number) &&
      (line.usage !== null || !line.meter_number.startsWith(`${bill.account_number}-`)),
  )
}

function countOdd(odd: Map<string, number>, file: FileStatement, bill: RetrievedBill): void {
  if (file.kind === 'adjustment') count(odd, 'adjustments')
  if (file.statement_date === null) count(odd, 'no statement date')
  if (file.meters.length > 3) count(odd, 'more than three meters')
  if (file.meters.length === 0) count(odd, 'no meter')
  if (file.charges.length > 0) count(odd, 'account-level charges')
  if (file.new_charges === '0.00') count(odd, 'new charges 0.00')
  if (bill.amount_due.startsWith('-')) count(odd, 'credit')
  if (bill.lines.some((line) => line.usage === null)) count(odd, 'missing usage')
  if (bill.lines.some((line) => !line.metered)) count(odd, 'unmetered line')
  if (file.meters.some((meter) => meter.meter_number === '')) count(odd, 'meter without number')
  if (file.meters.some((meter) => meter.usages.some((usage) => usage.unit === 'Undefined'))) count(odd, 'unit Undefined')
  if (bill.lines.some((line) => line.entry_fields.some((field) => field.name === 'Supply Charges'))) count(odd, 'third-party supply')
  if (bill.lines.length > bill.services.length) count(odd, 'several periods of one service')
  if (bill.lines.some((line) => line.notes?.includes('register'))) count(odd, 'registers added up')
  if (bill.notes?.includes('printed charges add up')) count(odd, 'charges differ from current charges')
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
