/**
 * Reads the documents of the sandbox provider: statements of generated accounts, and of the folder of real statements if `REAL_STATEMENTS` is
 * set.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Statement } from '#contract/bill-retrieval/statement.ts'
import { fileStatement, statementOfFile } from '#contract/bill-retrieval/statement-file.ts'
import { proposeBill, readDocument } from '../src/server/bill-reading/bill-reading.ts'
import { sandboxStatements } from '../src/server/bill-retrieval/sandbox-statements.ts'
import { drawStatement } from '../src/server/bill-retrieval/statement-pdf.ts'
import type { Tx } from '../src/server/kernel/postgres/database.ts'
import type { Truth } from '../test/reading/layout.ts'
import { compare, type Measured } from '../test/reading/measure.ts'
import { scanned, type Scanner } from '../test/reading/scan.ts'
import type { ShareRow } from './reading-table.ts'

const sandboxBillsEach = 4
const scanner: Scanner = { dpi: 170, skew: 0.3, specks: 0.001 }

export async function measureSandbox(tx: Tx, { isFull }: { isFull: boolean }): Promise<ShareRow[]> {
  const folder = process.env['REAL_STATEMENTS']
  const made = madeStatements()
  const rows = [
    await measureStatements(tx, 'sandbox PDFs of made accounts', made, null),
    await measureStatements(
      tx,
      'sandbox PDFs of made accounts',
      isFull ? made : made.filter((_, place) => place % sandboxBillsEach === 0),
      scanner,
    ),
  ]
  if (folder === undefined) return rows
  const name = `sandbox PDFs of ${readdirSync(folder).filter(isStatements).length} utilities`
  return [...rows, await measureStatements(tx, name, realStatements(folder), null)]
}

/**
 * Reads the statements and measures the results.
 * @param as scans them; null for the file's own text
 */
async function measureStatements(tx: Tx, name: string, statements: readonly Statement[], as: Scanner | null): Promise<ShareRow> {
  const measured: Measured[] = []
  for (const statement of statements) {
    const pdf = new Uint8Array(await drawStatement(statement))
    const reading = await proposeBill(tx, 0, await readDocument(as === null ? pdf : await scanned(pdf, as)))
    measured.push({ layout: statement.provider_name, taught: 0, ...compare(statementTruth(statement), reading) })
  }
  return { documents: `${name}, ${as === null ? 'text' : 'scan'}, ${statements.length} bills`, taught: 0, measured }
}

function madeStatements(): Statement[] {
  const services = [
    {
      meter_number: 'E-7710042',
      utility_service: 'Electric',
      unit: 'kWh',
      multiplier: '40',
      last_reading: '10450',
      usage_per_day: '52.5',
      rate: '0.16',
    },
    {
      meter_number: 'G-118822',
      utility_service: 'Natural Gas',
      unit: 'therm',
      multiplier: null,
      last_reading: '3310',
      usage_per_day: '4.2',
      rate: '1.31',
    },
    {
      meter_number: 'W-90331',
      utility_service: 'Water',
      unit: 'CCF',
      multiplier: null,
      last_reading: '812',
      usage_per_day: '1.1',
      rate: '4.90',
    },
  ].map((service) => ({ ...service, last_read_date: '2025-01-14' }))
  return ['City Power', 'PacGAndE', 'Harbor Water'].flatMap((vendor_name, place) =>
    sandboxStatements(
      1,
      'DEMO',
      { account_number: `88${place}-41907${place}`, vendor_name, payment_terms_days: 19, services: services.slice(0, place + 1) },
      '2026-01-01',
    )
      .slice(0, sandboxBillsEach)
      .map((one) => one.statement),
  )
}

const isStatements = (name: string): boolean => name.endsWith('.ndjson')

/** Returns the first bills with amounts of each utility. */
function realStatements(folder: string): Statement[] {
  return readdirSync(folder)
    .filter(isStatements)
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
      const bills = lines.slice(0, 40).map((line) => statementOfFile(fileStatement.parse(JSON.parse(line))))
      return bills.filter((one) => one.kind === 'bill' && one.amount_due !== null).slice(0, sandboxBillsEach)
    })
}

function statementTruth(statement: Statement): Truth {
  return {
    values: present({
      account_number: statement.account_number,
      invoice_number: statement.invoice_number,
      date: statement.bill_date,
      due_date: statement.due_date,
      balance_forward: statement.balance_forward,
      current_charges: statement.current_charges,
      late_fee: statement.late_fee,
      amount_due: statement.amount_due,
    }),
    meters: statement.meters.map(
      ({ meter_number, previous_read_date, read_date, previous_reading, meter_reading, multiplier, usage, unit, estimated }) =>
        present({
          meter_number,
          previous_read_date,
          read_date,
          previous_reading,
          meter_reading,
          multiplier,
          usage,
          unit,
          estimated: String(estimated),
        }),
    ),
  }
}

function present<Values extends Readonly<Record<string, string | null>>>(values: Values): { [Key in keyof Values]?: string } {
  const kept: { [Key in keyof Values]?: string } = {}
  for (const key in values) {
    const value = values[key]
    if (typeof value === 'string' && value !== '') kept[key] = value
  }
  return kept
}
