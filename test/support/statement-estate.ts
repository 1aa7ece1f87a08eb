/** The data that a user would enter by files before the first statement arrives: the estate of a folder of statements, as CSV. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const meter = z.object({ meter_number: z.string(), service: z.string() })
const statement = z.object({ utility: z.string(), account_number: z.string(), amount_due: z.string().nullable(), meters: z.array(meter) })
type Statement = z.infer<typeof statement>

export interface EstateFiles {
  readonly utilities: readonly string[]
  /** Utilities whose accounts and services are in the files; those of the others are created with their statements. */
  readonly written: readonly string[]
  /** Utilities that only supply what others bill: their statements print no amounts, so that they become no bills. */
  readonly supplied: readonly string[]
  readonly csv: Readonly<
    Record<'vendors' | 'divisions' | 'facilities' | 'ledger_fields' | 'ledger_accounts' | 'billable_accounts' | 'supply_accounts', string>
  >
}

const divisions = ['North', 'Middle', 'South'] as const
export const ledgerOf = { electric: '6100 Electricity', natural_gas: '6110 Gas', water: '6120 Water', sewer: '6130 Sewer' } as const
/** Maximum number of utilities in the files. */
const WRITTEN_MAX = 10

export function estateFiles(folder: string): EstateFiles {
  const byUtility = Map.groupBy(statementsIn(folder), ({ utility }) => utility)
  const utilities = [...byUtility.keys()].toSorted()
  const supplied = utilities.filter((utility) => (byUtility.get(utility) ?? []).every(({ amount_due }) => amount_due === null))
  const written = utilities.filter((utility) => !supplied.includes(utility) && isPlain(byUtility.get(utility) ?? [])).slice(0, WRITTEN_MAX)
  const accounts = written.flatMap((utility) => accountRows(utility, byUtility.get(utility) ?? []))
  return {
    utilities,
    written,
    supplied,
    csv: {
      vendors: csvOf(
        ['short_code', 'name'],
        utilities.map((utility) => [codeOf(utility), utility]),
      ),
      divisions: csvOf(
        ['code', 'name', 'short_code'],
        divisions.map((name, at) => [`D${at + 1}`, `${name} Division`, name.slice(0, 1)]),
      ),
      facilities: csvOf(
        ['number', 'name', 'division_code', 'square_footage'],
        [
          ...utilities.map((utility, at) => [numberOf(utility), `Site of ${utility}`, `D${(at % 3) + 1}`, `${1_000 + at}.5`]),
          ['CAMPUS', 'Campus', 'D1', ''],
        ],
      ),
      ledger_fields: csvOf(
        ['name', 'description', 'order'],
        [
          ['Cost Center', 'Who bears the cost', '1'],
          ['Object', 'What it was spent on', '2'],
        ],
      ),
      ledger_accounts: csvOf(
        ['name', 'active', 'Cost Center', 'Object'],
        Object.entries(ledgerOf).map(([service, name], at) => [name, 'Y', `CC-${at}`, service]),
      ),
      billable_accounts: csvOf(accountColumns, accounts),
      supply_accounts: csvOf(accountColumns, [
        ...supplied.flatMap((utility) => accountRows(utility, byUtility.get(utility) ?? [])),
        ['S-2', '', '', 'Supply without a place', '2 Campus Way', 'Austin', 'TX', '78701', 'natural_gas', 'SM-2', '', ledgerOf.natural_gas],
      ]),
    },
  }
}

const accountColumns = [
  'account_number',
  'vendor_short_code',
  'facility_number',
  'name',
  'street_address_1',
  'city',
  'state',
  'zip',
  'service_utility_code',
  'meter_number',
  'service_name_1',
  'ledger_account',
]

/** One row per meter: further rows of an account have its further meters. */
function accountRows(utility: string, statements: readonly Statement[]): string[][] {
  const byAccount = Map.groupBy(statements, ({ account_number }) => account_number)
  return [...byAccount].flatMap(([number, own]) => {
    const meters = new Map(own.flatMap(({ meters: some }) => some).map((one) => [`${one.service} ${one.meter_number}`, one]))
    return [...meters.values()].map(({ meter_number, service }) => [
      number,
      codeOf(utility),
      numberOf(utility),
      `${utility} ${number}`,
      `${number.length} Meter Lane`,
      'Austin',
      'TX',
      '78701',
      service,
      meter_number || 'unnumbered',
      `Line of ${number}`,
      ledgerNamed(service),
    ])
  })
}

/** Returns true if every statement names its meters, each by its own number, and the ledger has accounts for all of them. */
function isPlain(statements: readonly Statement[]): boolean {
  return statements.every(
    ({ meters }) =>
      meters.length > 0 &&
      meters.every((one) => one.meter_number !== '' && ledgerNamed(one.service) !== '') &&
      new Set(meters.map((one) => one.meter_number)).size === meters.length,
  )
}

function ledgerNamed(service: string): string {
  return Object.entries(ledgerOf).find(([name]) => name === service)?.[1] ?? ''
}

function statementsIn(folder: string): Statement[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => statement.parse(JSON.parse(line)))
}

function codeOf(utility: string): string {
  return utility.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 40)
}

function numberOf(utility: string): string {
  return `F-${codeOf(utility)}`
}

function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')
}
