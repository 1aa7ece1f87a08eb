/** The files for ENERGY STAR Portfolio Manager: what is written, in which units, what is left out and named, and what another reader finds. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import readExcelFile from 'read-excel-file/node'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { madeReport, type ReadRows } from '../../../test/support/made-report.ts'
import { addOwedBill, line } from '../../../test/support/report-bills.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
let staff: Person
beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
})

const year2025 = { date_range: { from: '2025-01-01', to: '2025-12-31' } }
const factsOf = (clientId: number) => db.transaction().execute((tx) => rebuildFacts(tx, clientId))
type Name = 'Portfolio Manager Properties Export' | 'Portfolio Manager Bills Export' | 'Portfolio Manager Check Report'
const made = (clientId: number, name: Name, data: object = name === 'Portfolio Manager Properties Export' ? {} : year2025) =>
  madeReport(db, name, data, { clientId, today: '2026-02-15' })
const shown = ({ rows }: ReadRows, ...keys: readonly string[]) => rows.map((row) => keys.map((key) => row[key] ?? null))

interface Billed {
  readonly service: number
  readonly from: string | null
  readonly to: string | null
  readonly date?: string
  readonly usage?: string | null
  readonly standard?: string | null
  readonly cost?: string
  readonly charges?: string
  readonly account?: { readonly billable_account_id: number } | { readonly supply_account_id: number }
}

async function bill(
  { clientId, accountId }: Ground,
  { service, from, to, date, usage = '100', standard, cost = '10.00', charges = cost, account }: Billed,
) {
  return addOwedBill(db, clientId, {
    account: account ?? { billable_account_id: accountId },
    date: date ?? to ?? '2025-06-01',
    current_charges: charges,
    lines: [
      { ...line(service, from ?? '', to ?? '', cost), from, to, usage, ...(standard === undefined ? {} : { standard_usage: standard }) },
    ],
  })
}

/** A client whose electric meter and whose store have their IDs. */
async function makeNamed(): Promise<Ground> {
  const ground = await makeGround(db)
  await name(ground, ground.electricId, '500123')
  await sql`update facilities set portfolio_manager_property_id = '900001', square_footage = 12500.5 where client_id = ${ground.clientId}`.execute(
    db,
  )
  return ground
}

const name = ({ clientId }: Ground, service: number, id: string) =>
  sql`update services set portfolio_manager_meter_id = ${id} where client_id = ${clientId} and id = ${service}`.execute(db)

const unitOf = (service: number, symbol: string) =>
  sql`(select own.id from usage_units own join units on units.id = own.unit_id join services on services.utility_service_id = own.utility_service_id
    where services.id = ${service} and units.symbol = ${symbol})`

describe('the bills of a meter', () => {
  it('are written with its IDs, its type, days, usage, units, cost with the share of the account’s charges, and estimation', async () => {
    const ground = await makeNamed()
    // 120.00 are charged, 100.00 of them on the line: the rest is the account's.
    const id = await bill(ground, {
      service: ground.electricId,
      from: '2025-01-10',
      to: '2025-02-09',
      usage: '1234.5',
      cost: '100.00',
      charges: '120.00',
    })
    await sql`update service_bills set estimated = true where client_id = ${ground.clientId} and bill_id = ${id}`.execute(db)
    await factsOf(ground.clientId)
    const read = await made(ground.clientId, 'Portfolio Manager Bills Export')
    expect(read.rows).toEqual([
      {
        property_id: '900001',
        property_name: 'Store 1',
        meter_id: '500123',
        meter_name: 'E-1',
        meter_type: 'Electric - Grid',
        start_date: '2025-01-10',
        end_date: '2025-02-09',
        delivery_date: null,
        usage: '1234.5',
        units: 'kWh (thousand Watt-hours)',
        cost: '120.00',
        estimated: 'Yes',
      },
    ])
    expect(read.totals['cost']).toBe('120.00')
  })

  it('cost what plain SQL sums of their lines and charges', async () => {
    const ground = await makeNamed()
    await name(ground, ground.gasId, '500124')
    for (const [service, from, to, cost] of [
      [ground.electricId, '2025-01-10', '2025-02-09', '31.11'],
      [ground.electricId, '2025-02-09', '2025-03-10', '32.22'],
      [ground.gasId, '2025-01-10', '2025-02-09', '43.33'],
    ] as const)
      await bill(ground, { service, from, to, cost })
    await factsOf(ground.clientId)
    const { rows } = await sql<{ meter: string; cost: string; usage: string }>`select service.portfolio_manager_meter_id as meter,
        sum(bill.current_charges + bill.late_fee)::text as cost, trim_scale(sum(line.usage))::text as usage
      from bills bill join service_bills line on line.client_id = bill.client_id and line.bill_id = bill.id
      join services service on service.client_id = line.client_id and service.id = line.service_id where bill.client_id = ${ground.clientId} group by 1 order by 1`.execute(
      db,
    )
    const read = await made(ground.clientId, 'Portfolio Manager Bills Export')
    const meters = [...Map.groupBy(read.rows, (row) => row['meter_id'])].map(([meter, own]) => {
      const cents = own.reduce((sum, row) => sum + Math.round(Number(row['cost']) * 100), 0)
      return { meter, cost: (cents / 100).toFixed(2), usage: String(own.reduce((sum, row) => sum + Number(row['usage']), 0)) }
    })
    expect(meters).toEqual(rows)
  })

  it('of a supplier go into the period of the delivery, where both have the meter’s ID and the same days', async () => {
    const ground = await makeNamed()
    const { clientId, electricId } = ground
    const supplier = await makeSupplyAccount(db, ground, 'SUP-1')
    const again = await makeService(db, clientId, supplier, 'electric', 'E-1', 'supply_account_id')
    await name(ground, again, '500123')
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${clientId}, ${supplier}, ${electricId})`.execute(
      db,
    )
    const days = { from: '2025-01-10', to: '2025-02-09' }
    await bill(ground, { service: again, ...days, usage: '100', cost: '7.50', account: { supply_account_id: supplier } })
    await bill(ground, { service: electricId, ...days, usage: '100', cost: '10.00' })
    await factsOf(clientId)
    expect(shown(await made(clientId, 'Portfolio Manager Bills Export'), 'meter_id', 'usage', 'cost')).toEqual([['500123', '100', '17.50']])
  })

  it('are in the unit of the meter where it is accepted, and in the standard one where it is not', async () => {
    const ground = await makeNamed()
    const { clientId, gasId, accountId } = ground
    const second = await makeService(db, clientId, accountId, 'natural_gas', 'G-2')
    await sql`update services set usage_unit_id = ${unitOf(gasId, 'CCF')} where client_id = ${clientId} and id = ${gasId}`.execute(db)
    await sql`update services set usage_unit_id = ${unitOf(second, 'Dth')} where client_id = ${clientId} and id = ${second}`.execute(db)
    await name(ground, gasId, '501')
    await name(ground, second, '502')
    const days = { from: '2025-01-10', to: '2025-02-09' }
    await bill(ground, { service: gasId, ...days, usage: '1026', standard: '1026' })
    await bill(ground, { service: second, ...days, usage: '50', standard: '500' })
    await sql`update service_bills line set unit_id = own.unit_id from services service join usage_units own on own.id = service.usage_unit_id
      where line.client_id = ${clientId} and service.client_id = ${clientId} and service.id = line.service_id and service.id = ${second}`.execute(
      db,
    )
    await factsOf(clientId)
    expect(shown(await made(clientId, 'Portfolio Manager Bills Export'), 'meter_id', 'usage', 'units')).toEqual([
      ['501', '1000', 'ccf (hundred cubic feet)'],
      ['502', '500', 'therms'],
    ])
  })

  it('of delivered fuel without days have the day of the delivery', async () => {
    const ground = await makeNamed()
    const tank = await makeService(db, ground.clientId, ground.accountId, 'diesel', 'D-1')
    await name(ground, tank, '600')
    await bill(ground, { service: tank, from: null, to: null, date: '2025-03-17', usage: '250' })
    await factsOf(ground.clientId)
    expect(
      shown(
        await made(ground.clientId, 'Portfolio Manager Bills Export'),
        'meter_id',
        'start_date',
        'end_date',
        'delivery_date',
        'usage',
        'units',
      ),
    ).toEqual([['600', null, null, '2025-03-17', '250', 'Gallons (US)']])
  })
})

describe('what Portfolio Manager would question', () => {
  it('is named beforehand: gaps and overlaps with their bills, meters without an ID, and bills that are not written', async () => {
    const ground = await makeNamed()
    const { clientId, electricId, gasId, accountId } = ground
    const first = await bill(ground, { service: electricId, from: '2025-01-10', to: '2025-02-09' })
    const lapping = await bill(ground, { service: electricId, from: '2025-02-07', to: '2025-03-10' })
    const late = await bill(ground, { service: electricId, from: '2025-03-12', to: '2025-04-10' })
    // The day after the last one is no gap.
    await bill(ground, { service: electricId, from: '2025-04-11', to: '2025-05-10' })
    await bill(ground, { service: gasId, from: '2025-01-10', to: '2025-02-09' })
    const sewer = await makeService(db, clientId, accountId, 'sewer', 'S-1')
    const steam = await makeService(db, clientId, accountId, 'steam', 'ST-1')
    await name(ground, sewer, '700')
    await name(ground, steam, '701')
    const fuel = await bill(ground, { service: sewer, from: '2025-01-10', to: '2025-02-09' })
    const unit = await bill(ground, { service: steam, from: '2025-01-10', to: '2025-02-09', standard: null })
    const usage = await bill(ground, { service: steam, from: '2025-02-09', to: '2025-03-10', usage: null })
    const dates = await bill(ground, { service: steam, from: null, to: null })
    await factsOf(clientId)
    const { rows } = await sql<{ id: number }>`select id from reports where name = 'Portfolio Manager Bills Export'`.execute(db)
    const answer = await ask(staff, 'POST', `/clients/${clientId}/reports/${rows[0]?.id}/preview`, { form_data: year2025 })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body['row_count']).toBe(4)
    expect(answer.body['remarks']).toEqual([
      'Bills dated from 01/01/2025 to 12/31/2025.',
      'Nothing is written for meters without a Portfolio Manager Meter ID (1): G-1 (Natural Gas, Store 1).',
      `Bills that are not written (4): bill ${fuel} of meter 700 (Fuel); bill ${unit} of meter 701 (Unit); bill ${usage} of meter 701 (No usage); bill ${dates} of meter 701 (No dates).`,
      `Bills that overlap the one before (1): bill ${lapping} of meter 500123 from 02/07/2025, where bill ${first} ends on 02/09/2025.`,
      `Bills after a gap (1): bill ${late} of meter 500123 from 03/12/2025, where bill ${lapping} ends on 03/10/2025.`,
    ])
    expect(shown(await made(clientId, 'Portfolio Manager Check Report'), 'problem', 'meter', 'meter_id', 'bill_id', 'written')).toEqual([
      ['No meter ID', 'G-1', null, null, 'No'],
      ['Fuel', 'S-1', '700', String(fuel), 'No'],
      ['Unit', 'ST-1', '701', String(unit), 'No'],
      ['No usage', 'ST-1', '701', String(usage), 'No'],
      ['No dates', 'ST-1', '701', String(dates), 'No'],
      ['Overlap', 'E-1', '500123', String(lapping), 'Yes'],
      ['Gap', 'E-1', '500123', String(late), 'Yes'],
    ])
  })

  it('names the facility without an ID once for each meter, and ten of many bills', async () => {
    const ground = await makeNamed()
    await sql`update facilities set portfolio_manager_property_id = null where client_id = ${ground.clientId}`.execute(db)
    for (let month = 1; month <= 12; month += 1) {
      const at = String(month).padStart(2, '0')
      await bill(ground, { service: ground.electricId, from: `2025-${at}-03`, to: `2025-${at}-28` })
    }
    await factsOf(ground.clientId)
    const read = await made(ground.clientId, 'Portfolio Manager Bills Export')
    expect(read.remarks).toContainEqual('Meters of facilities without a Portfolio Manager Property ID (1): 500123.')
    const gaps = read.remarks.find((remark) => remark.startsWith('Bills after a gap (11)'))
    expect(gaps?.match(/bill \d+ of meter/g)).toHaveLength(10)
    expect(gaps).toMatch(/; the Portfolio Manager Check Report names all\.$/)
    const check = await made(ground.clientId, 'Portfolio Manager Check Report')
    expect(check.rows.map((row) => row['problem'])).toEqual(['No property ID', ...Array.from({ length: 11 }, () => 'Gap')])
  })
})

it('facilities are properties with area and address, those of one ID are one, and those without an ID are named', async () => {
  const ground = await makeNamed()
  await sql`insert into facilities (client_id, division_id, name, number, square_footage, portfolio_manager_property_id)
    values (${ground.clientId}, ${ground.divisionId}, 'Annex', 'A-1', 499.5, '900001'), (${ground.clientId}, ${ground.divisionId}, 'Yard', 'Y-1', null, null)`.execute(
    db,
  )
  const read = await made(ground.clientId, 'Portfolio Manager Properties Export')
  expect(shown(read, 'property_id', 'name', 'gross_floor_area', 'gfa_units', 'custom_id')).toEqual([
    ['900001', 'Annex', '13000', 'Sq. Ft.', 'A-1'],
    [null, 'Yard', null, null, 'Y-1'],
  ])
  expect(read.remarks[0]).toMatch(/^1 facility has no Portfolio Manager Property ID/)
  await sql`delete from facilities where client_id = ${ground.clientId} and name = 'Annex'`.execute(db)
  // The facility has no address of its own.
  expect(
    shown(await made(ground.clientId, 'Portfolio Manager Properties Export'), 'name', 'address_1', 'city', 'state', 'postal_code')[0],
  ).toEqual(['Store 1', '1 Main St', 'Denver', 'CO', '80202'])
})

it('the files of the bills are read by other programs: a CSV with numbers and days, and a workbook with dates as dates', async () => {
  const ground = await makeNamed()
  const { clientId } = ground
  await bill(ground, { service: ground.electricId, from: '2025-01-10', to: '2025-02-09', usage: '1234.5', cost: '100.00' })
  await factsOf(clientId)
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'Portfolio Manager Bills Export'`.execute(db)
  const draft = { report_id: rows[0]?.id, assignable_type: 'User', form_data: year2025, workbook: true }
  const started = await ask(staff, 'POST', `/clients/${clientId}/generated_reports`, { generated_report: draft })
  expect(started.status, started.text).toBe(200)
  const files = await vi.waitFor(
    async () => {
      const { body } = await ask(staff, 'GET', `/clients/${clientId}/generated_reports/${String(started.body['id'])}`)
      return z.object({ file_url: z.string(), workbook_url: z.string() }).parse(body['generated_report'])
    },
    { timeout: 20_000, interval: 50 },
  )
  const csv = parse(await bytesOf(files.file_url), { columns: true })
  expect(csv).toEqual([
    {
      'Portfolio Manager Property ID': '900001',
      'Property Name': 'Store 1',
      'Portfolio Manager Meter ID': '500123',
      'Meter Name': 'E-1',
      'Meter Type': 'Electric - Grid',
      'Start Date': '01/10/2025',
      'End Date': '02/09/2025',
      'Delivery Date': '',
      'Usage/Quantity': '1234.5',
      'Usage Units': 'kWh (thousand Watt-hours)',
      'Cost ($)': '100.00',
      Estimation: 'No',
    },
  ])
  const sheet = (await readExcelFile(await bytesOf(files.workbook_url)))[0]?.data
  expect(sheet?.[0]).toEqual(Object.keys(z.array(z.record(z.string(), z.string())).parse(csv)[0] ?? {}))
  expect(sheet?.[1]).toEqual([
    '900001',
    'Store 1',
    '500123',
    'E-1',
    'Electric - Grid',
    new Date('2025-01-10T00:00:00Z'),
    new Date('2025-02-09T00:00:00Z'),
    null,
    1234.5,
    'kWh (thousand Watt-hours)',
    100,
    'No',
  ])
})

async function bytesOf(url: string): Promise<Buffer> {
  const { body } = await ask(staff, 'GET', url.replace('/api/v5', ''))
  return (await app.server.inject({ method: 'GET', url: String(body['url']) })).rawPayload
}
