/**
 * The mapping over every real statement. The expected sums are computed here from the raw JSON with bigint arithmetic of its own, so that
 * they share no code with what they check.
 */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { realFiles, realFolder as folder } from '../../test/support/real-statements.ts'
import { mapStatement, type RetrievedBill } from './map-statement.ts'
import { fileStatement, statementOfFile, type FileStatement } from './statement-file.ts'
import { statement as statementSchema } from './retrieval.ts'

const files = realFiles()

const STATEMENTS = 2_299
const WITHOUT_AMOUNTS = 111
const terms = { client: 'ACME', paymentTermsDays: 19 }

const rawCharge = z.object({ amount: z.string() })
const rawStatement = z.object({
  utility: z.string(),
  new_charges: z.string().nullable(),
  amount_due: z.string().nullable(),
  charges: z.array(rawCharge),
  meters: z.array(z.object({ charges: z.array(rawCharge) })),
})
type Raw = z.infer<typeof rawStatement>

describe.skipIf(files.length === 0)('every real statement', { timeout: 120_000 }, () => {
  test('maps to a bill whose sums are the printed ones, or says why not', async () => {
    const sums = new Map<
      string,
      { statements: number; bills: number; current: bigint; due: bigint; expectedCurrent: bigint; expectedDue: bigint }
    >()
    const odd = new Map<string, number>()
    const reasons = new Map<string, number>()
    let total = 0
    for await (const line of linesOf(files)) {
      total += 1
      const json: unknown = JSON.parse(line)
      const raw = rawStatement.parse(json)
      const file = fileStatement.parse(json)
      const statement = statementSchema.parse(statementOfFile(file))
      const bill = mapStatement(statement, terms)
      const sum = sums.get(raw.utility) ?? { statements: 0, bills: 0, current: 0n, due: 0n, expectedCurrent: 0n, expectedDue: 0n }
      sums.set(raw.utility, sum)
      sum.statements += 1
      sum.expectedCurrent += expectedCurrent(raw)
      sum.expectedDue += cents(raw.amount_due ?? '0.00')
      if ('cannot' in bill) {
        count(reasons, bill.cannot)
        expect(raw.amount_due, file.statement_id).toBeNull()
        continue
      }
      sum.bills += 1
      sum.current += cents(bill.current_charges)
      sum.due += cents(bill.amount_due)
      expect(cents(bill.balance_forward) + cents(bill.current_charges) + cents(bill.late_fee), file.statement_id).toBe(
        cents(bill.amount_due),
      )
      expect(mappedLines(bill), file.statement_id).toBe(printedLines(raw))
      expect(isWellFormed(bill), file.statement_id).toBe(true)
      countOdd(odd, file, bill)
    }
    console.table(
      [...sums].map(([utility, s]) => ({
        utility,
        statements: s.statements,
        bills: s.bills,
        current_charges: String(s.current),
        amount_due: String(s.due),
      })),
    )
    console.table(Object.fromEntries([...odd].toSorted()))
    console.table(Object.fromEntries(reasons))
    expect(total).toBe(STATEMENTS)
    expect([...reasons.values()].reduce((a, b) => a + b, 0)).toBe(WITHOUT_AMOUNTS)
    for (const [utility, sum] of sums) {
      expect(sum.current, utility).toBe(sum.expectedCurrent)
      expect(sum.due, utility).toBe(sum.expectedDue)
    }
  })

  test('usage follows the rule of the format, statement by statement', async () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      // [total] of general_consumption; peaks and demand beside it don't count.
      '017ddb0ead5ed8b3': ['1R8515 1077852.000 kWh'],
      // Registers of one period: the charge line bills 5 + 5 as 10 HCF.
      '2c91a29827868a64': ['48784105 10.000 CCF'],
      // One row printed once a rate period: the charge lines bill 180,400 kWh.
      '421f892d5fdfa80c': ['P185453427 180400.000 kWh'],
      // Two totals, one of which is part of the other: the components add up to the larger.
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

function cents(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}

function printedLines(raw: Raw): bigint {
  return [...raw.charges, ...raw.meters.flatMap((meter) => meter.charges)].reduce((sum, charge) => sum + cents(charge.amount), 0n)
}

function expectedCurrent(raw: Raw): bigint {
  if (raw.new_charges === null) return 0n
  const printed = raw.charges.length + raw.meters.flatMap((meter) => meter.charges).length
  return raw.new_charges === '0.00' && printed > 0 ? printedLines(raw) : cents(raw.new_charges)
}

function mappedLines(bill: RetrievedBill): bigint {
  const values = [
    ...bill.bill_charges.map((charge) => charge.amount),
    ...bill.lines.flatMap((line) => line.entry_fields.map((field) => field.value)),
  ]
  return values.reduce((sum, value) => sum + cents(value), 0n)
}

/** Every line has its service among the needed ones, a number to find it by, dates, and a usage unless a numbered meter shows none. */
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
