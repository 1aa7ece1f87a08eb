/** Statements in the format of the folder service, generated for tests: any number of utilities, accounts and months, all different. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileStatement } from '../../src/contract/bill-retrieval/statement-file.ts'
import { addMonths } from '../../src/contract/kernel/date.ts'
import { wireOf } from '../../src/contract/kernel/money.ts'

export interface StatementSet {
  readonly folder: string
  readonly statements: readonly FileStatement[]
}

export interface StatementShape {
  readonly utilities: number
  readonly accounts: number
  readonly months: number
  /** Meters of each account; one by default. */
  readonly meters?: number
}

/** Writes a folder of statements: monthly ones of electric accounts from January 2024 on. */
export async function writeStatements(shape: StatementShape): Promise<StatementSet> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-statements-'))
  const all: FileStatement[] = []
  for (let utility = 1; utility <= shape.utilities; utility += 1) {
    const own = statementsOf(`Utility ${utility}`, utility, shape)
    await writeFile(join(folder, `utility-${utility}.ndjson`), own.map((one) => `${JSON.stringify(one)}\n`).join(''))
    all.push(...own)
  }
  return { folder, statements: all }
}

function statementsOf(name: string, utility: number, { accounts, months, meters = 1 }: StatementShape): FileStatement[] {
  return Array.from({ length: accounts * months }, (_, place) => {
    const account = Math.floor(place / months) + 1
    const month = place % months
    return statementOf({
      name,
      // All of one length, so that no number is part of another one.
      number: `${String(utility).padStart(3, '0')}0${String(account).padStart(4, '0')}`,
      month,
      meters,
      cents: 10_000 + utility * 1_000 + account * 7 + month,
    })
  })
}

interface Made {
  readonly name: string
  readonly number: string
  readonly month: number
  readonly meters: number
  /** Cost of each meter. */
  readonly cents: number
}

function statementOf({ name, number, month, meters, cents }: Made): FileStatement {
  const start = addMonths('2024-01-01', month)
  const end = addMonths('2024-01-01', month + 1)
  const amount = wireOf(cents * meters)
  return {
    statement_id: `${number}-${month}`,
    utility: name,
    account_number: number,
    kind: 'bill',
    statement_date: end,
    interval_start: start,
    interval_end: end,
    previous_balance: '0.00',
    outstanding_balance: '0.00',
    new_charges: amount,
    amount_due: amount,
    total_bill_amount: amount,
    charges: [],
    meters: Array.from({ length: meters }, (_, place) => ({
      meter_number: meters === 1 ? `M${number}` : `M${number}-${place + 1}`,
      service: 'electric',
      tariff: 'Commercial',
      interval_start: start,
      interval_end: end,
      usages: [{ kind: 'general_consumption', component: '[total]', unit: 'kwh', amount: String(cents), start, end }],
      charges: [{ name: 'Energy', amount: wireOf(cents), adjustment: false, supplier: null, units: null, unit: null, rate: null }],
    })),
  }
}
