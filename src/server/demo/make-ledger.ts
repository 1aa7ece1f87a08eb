/** Makes the ledger of a client of the demo. */
import type { Tx } from '../kernel/postgres/database.ts'
import type { ClientPlan, DivisionPlan } from './plan.ts'
import { insertNumbered, insertRows } from './store-rows.ts'

/** The client's books: a ledger account for each division and utility, and the three that no service names. */
export interface Ledger {
  readonly accounts: ReadonlyMap<string, LedgerAccount>
  readonly prior: LedgerAccount
  readonly lateFee: LedgerAccount
  readonly payable: LedgerAccount
}

export interface LedgerAccount {
  readonly id: number
  readonly name: string
  readonly values: readonly { readonly id: number; readonly name: string; readonly value: string }[]
}

/** Expenses by utility: the object code of the ledger account and its name. */
export const expenses = {
  electric: ['6510', 'Electricity'],
  natural_gas: ['6520', 'Natural Gas'],
  water: ['6530', 'Water'],
  sewer: ['6540', 'Sewer'],
  waste: ['6550', 'Waste Removal'],
  telecom: ['6610', 'Telecom'],
} as const

const fields = [
  { name: 'Company', description: 'Legal entity', order: 1 },
  { name: 'Cost Center', description: 'Division', order: 2 },
  { name: 'Object', description: 'Kind of expense', order: 3 },
] as const

export const expenseKey = (division: DivisionPlan, utility: string): string => `${division.code} ${utility}`

export async function makeLedger(tx: Tx, client: ClientPlan, client_id: number, at: string): Promise<Ledger> {
  const made = { client_id, lock_version: 0, created_at: at, updated_at: at }
  const fieldIds = await insertNumbered(
    tx,
    'ledger_fields',
    fields.map((field) => ({ ...field, ...made })),
  )
  const company = `${(client.place + 1) * 10}`
  const planned = [
    ...client.divisions.flatMap((division, place) =>
      Object.entries(expenses).map(([utility, [object, title]]) => ({
        key: expenseKey(division, utility),
        name: `${title} – ${division.name}`,
        values: [company, `${100 + place * 10}`, object],
      })),
    ),
    { key: 'prior', name: 'Utility Balances Clearing', values: [company, '000', '2190'] },
    { key: 'late', name: 'Late Fees', values: [company, '000', '6590'] },
    { key: 'payable', name: 'Accounts Payable – Utilities', values: [company, '000', '2010'] },
  ]
  const ids = await insertNumbered(
    tx,
    'ledger_accounts',
    planned.map(({ name }) => ({ name, active: true, ...made })),
  )
  await insertNumbered(
    tx,
    'ledger_account_fields',
    planned.flatMap(({ values }, place) =>
      values.map((value, column) => ({
        client_id,
        ledger_account_id: ids[place],
        ledger_field_id: fieldIds[column],
        value,
        created_at: at,
        updated_at: at,
      })),
    ),
  )
  const accounts = new Map(
    planned.map(({ key, name, values }, place): [string, LedgerAccount] => [
      key,
      {
        id: ids[place] ?? 0,
        name,
        values: fields.map((field, at) => ({ id: fieldIds[at] ?? 0, name: field.name, value: values[at] ?? '' })),
      },
    ]),
  )
  const named = (key: string): LedgerAccount => {
    const account = accounts.get(key)
    if (!account) throw new Error(`no ledger account ${key}`)
    return account
  }
  const ledger = { accounts, prior: named('prior'), lateFee: named('late'), payable: named('payable') }
  await insertRows(tx, 'client_ledger_settings', [
    {
      prior_balance_ledger_account_id: ledger.prior.id,
      late_fee_ledger_account_id: ledger.lateFee.id,
      payable_ledger_account_id: ledger.payable.id,
      ...made,
    },
  ])
  return ledger
}
