/** Tests the files of all services of a client: their imports accept them. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { billableAccountImport, supplyAccountImport } from '#contract/accounts/import-accounts.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeLedgerAccount,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
let staff: Person
let client: number
let facility: number
let vendor: number
let home: number

beforeAll(async () => {
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
  vendor = await makeVendor(db, { name: 'City Power' })
  home = await makeBillableAccount(db, client, facility, vendor, { account_number: '=HOME', name: 'Home' })
  staff = await makePerson(db, 'super_admin')
})

type Cells = Record<string, string>
const exported = async (path: string, who = staff): Promise<{ headers: string[]; rows: Cells[] }> => {
  const { body, status } = await ask(who, 'GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  const text = await exportedText(testApp, who, body['task_id'])
  const rows = parse<Cells>(text, { columns: true })
  return { headers: Object.keys(rows[0] ?? {}), rows }
}
const idOf = async (text: string): Promise<number> => (await sql<{ id: number }>`${sql.raw(text)}`.execute(db)).rows[0]?.id ?? 0

it('hold a whole service in a row, under the headers of the import', async () => {
  const water = await makeBillableAccount(db, client, facility, vendor, { account_number: 'WATER-1' })
  await makeService(db, client, { billable_account_id: water }, { meter_number: 'W-1', utility_service: 'Water' })
  const kind = await idOf("select id from utility_services where name = 'Electric'")
  const ledgers = [await makeLedgerAccount(db, client, 'Office'), await makeLedgerAccount(db, client, 'Plant')]
  const service = {
    meter_number: 'E-1',
    service_name_1: 'Lobby',
    utility_service_id: kind,
    usage_unit_id: await idOf(
      `select usage_units.id from usage_units join units on units.id = unit_id where utility_service_id = ${kind} and symbol = 'MWh'`,
    ),
    usage_factor_ids: [await idOf(`select id from usage_factors where utility_service_id = ${kind} order by name limit 1`)],
    entry_field_ids: [await idOf("select id from entry_fields where name = 'Utility Charges'")],
    emissions_factor: '0.3497',
    meter_multiplier: '1.5',
    effective_from: '2025-01-01',
    notes: 'two\nlines',
    ledger_account_id: ledgers[1],
    shared_accounts_attributes: [
      { ledger_account_id: ledgers[0], share_ratio: '0.25' },
      { ledger_account_id: ledgers[1], share_ratio: '0.75' },
    ],
    additional_entry_fields_attributes: [{ name: 'Peak' }, { name: 'Valley', active: false }],
  }
  const made = await ask(staff, 'POST', `/clients/${client}/billable_accounts/${home}/services`, { service })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const { headers, rows } = await exported(`/clients/${client}/services/export_csv`)
  const names = billableAccountImport.columns.filter(({ part }) => part).map(({ name }) => name)
  expect(headers).toEqual(['account_number', 'vendor_short_code', ...names])
  expect(rows.map((row) => [row['account_number'], row['meter_number']])).toEqual([
    // A spreadsheet would run it as a formula; the import removes the quote.
    ["'=HOME", 'E-1'],
    ['WATER-1', 'W-1'],
  ])
  const code = await sql<{ short_code: string }>`select short_code from vendors where id = ${vendor}`.execute(db)
  expect(rows[0]).toMatchObject({
    vendor_short_code: code.rows[0]?.short_code,
    service_name_1: 'Lobby',
    service_rank: '1',
    usage_unit: 'MWh',
    entry_fields: 'Utility Charges',
    emissions_factor: '0.3497',
    meter_multiplier: '1.5000',
    ledger_account: 'Plant',
    shares: 'Office:0.2500; Plant:0.7500',
    additional_entry_fields: 'Peak; Valley:N',
    service_effective_from: '2025-01-01',
    service_effective_to: '',
    service_notes: 'two\nlines',
    service_active: 'true',
  })
  expect(rows[0]?.['usage_factors']).not.toBe('')
  expect(rows[0]?.['service_utility_code']).not.toBe('')
})

it('are of one kind of account, of the rows that the list of accounts shows, and of what the reader reaches', async () => {
  const supplier = await makeSupplyAccount(db, client, facility, { account_number: 'S-1' })
  await makeService(db, client, { supply_account_id: supplier }, { meter_number: 'S-M-1' })
  const far = await makeFacility(db, client, await makeDivision(db, client))
  const away = await makeBillableAccount(db, client, far, vendor, { account_number: 'AWAY', name: 'Away' })
  await makeService(db, client, { billable_account_id: away }, { meter_number: 'A-1' })
  const other = await makeClient(db)
  const theirs = await makeBillableAccount(db, other, await makeFacility(db, other, await makeDivision(db, other)), vendor)
  await makeService(db, other, { billable_account_id: theirs }, { meter_number: 'THEIRS' })
  const metersOf = async (query: string, who = staff) => {
    const { rows } = await exported(`/clients/${client}/services/${query}`, who)
    return rows.map((row) => row['meter_number'])
  }
  const supply = await exported(`/clients/${client}/services/supply_export_csv`)
  expect(supply.rows).toMatchObject([{ account_number: 'S-1', vendor_short_code: '', meter_number: 'S-M-1', billable_ledgers: 'false' }])
  expect(supply.headers.at(-1)).toBe('billable_ledgers')
  const known = supplyAccountImport.columns.map(({ name }) => name)
  expect(supply.headers.filter((header) => !known.includes(header))).toEqual([])

  expect(await metersOf('export_csv?q[active]=true')).toEqual(['E-1', 'A-1', 'W-1'])
  expect(await metersOf('export_csv?q[account_number]=AWAY')).toEqual(['A-1'])
  expect(await metersOf(`export_csv?facility_id=${far}`)).toEqual(['A-1'])
  expect(await metersOf('export_csv?q[vendor_name]=city&q[name]=Home')).toEqual(['E-1'])
  expect((await ask(staff, 'GET', `/clients/${client}/services/export_csv?q[meter_number]=E-1`)).status).toBe(422)
  const near = await makePerson(db, 'read_only_user', { clients: [client], facility: [[client, facility]] })
  expect(await metersOf('export_csv', near)).toEqual(['E-1', 'W-1'])
})
