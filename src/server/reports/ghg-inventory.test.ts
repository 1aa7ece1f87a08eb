/** The GHG inventory: worked examples, its ties to the dashboards, an oracle in plain SQL, and its files. */
import { dashboardCalls } from '#contract/dashboard/dashboard.ts'
import { plus, roundTo, times, unitsOf } from '#contract/kernel/decimal.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { madeReport, type ReadRows } from '../../../test/support/made-report.ts'
import { addOwedBill, line } from '../../../test/support/report-bills.ts'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { readWorld } from '../../../test/oracles/raw-months.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'

const { ask, database } = await startTestApp()
const { db } = database
const staff = await makePerson(db, 'super_admin')
const year2025 = { date_range: { from: '2025-01-01', to: '2025-12-31' } }

async function factsOf(clientId: number): Promise<void> {
  await db.transaction().execute((tx) => rebuildFacts(tx, clientId))
  await sql`insert into data_versions (client_id, version) values (${clientId}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    db,
  )
}
const inventoryOf = (clientId: number, data: object = year2025) =>
  madeReport(db, 'GHG Inventory Report', data, { clientId, today: '2026-02-15' })

interface Billed {
  readonly service: number
  readonly account?: { readonly billable_account_id: number } | { readonly supply_account_id: number }
  readonly from?: string
  readonly to?: string
  readonly usage?: string | null
  readonly standard?: string | null
}

/** A bill of a service, over the year 2025 unless its days are given. */
async function bill(
  ground: Ground,
  { service, account, from = '2025-01-01', to = '2026-01-01', usage = null, standard }: Billed,
): Promise<number> {
  return addOwedBill(db, ground.clientId, {
    account: account ?? { billable_account_id: ground.accountId },
    date: to,
    current_charges: '100.00',
    lines: [line(service, from, to, '100.00', { usage, ...(standard === undefined ? {} : { standard_usage: standard }) })],
  })
}

const shown = ({ rows }: ReadRows, ...keys: readonly string[]) => rows.map((row) => keys.map((key) => row[key] ?? null))

describe('a row of the inventory', () => {
  it('has scope, year, facility, utility service, usage with its unit, the factor with its unit, source and year, and both tonnes', async () => {
    const ground = await makeGround(db)
    await bill(ground, { service: ground.electricId, usage: '3650' })
    await bill(ground, { service: ground.gasId, usage: '365' })
    await factsOf(ground.clientId)
    const read = await inventoryOf(ground.clientId)
    // 365 therms at 5.3115 kg, and 3,650 kWh at 0.3497 kg.
    expect(
      shown(
        read,
        'scope',
        'year',
        'facility',
        'utility_service',
        'usage',
        'unit',
        'factor',
        'factor_year',
        'location_tonnes',
        'market_tonnes',
        'coverage',
        'note',
      ),
    ).toEqual([
      ['Scope 1', '2025', 'Store 1', 'Natural Gas', '365', 'therm', '5.3115', '2025', '1.9386975', '1.9386975', '100.00', null],
      ['Scope 2', '2025', 'Store 1', 'Electric', '3650', 'kWh', '0.3497', '2023', '1.276405', '1.276405', '100.00', null],
    ])
    expect(shown(read, 'factor_source')).toEqual([
      ['EPA Emission Factors Hub, 2025, table 1'],
      ['EPA eGRID, eGRID2023 revision 2 (June 2025)'],
    ])
    expect(read.totals).toMatchObject({ location_tonnes: '3.2151025', market_tonnes: '3.2151025' })
    expect(read.remarks).toContainEqual('Scope 2: 1.276 t CO2e location-based, 1.276 market-based.')
  })

  it('is one for each year and each factor in force in it', async () => {
    const ground = await makeGround(db)
    await bill(ground, { service: ground.gasId, from: '2024-12-02', to: '2025-01-11', usage: '400' })
    await factsOf(ground.clientId)
    const read = await inventoryOf(ground.clientId, { date_range: { from: '2024-12-01', to: '2025-01-31' } })
    // Forty days of ten therms: thirty of them in December.
    expect(shown(read, 'year', 'usage', 'location_tonnes', 'note').filter(([, usage]) => usage !== null)).toEqual([
      ['2024', '300', '1.59345', 'partial'],
      ['2025', '100', '0.53115', 'partial'],
    ])
    expect(read.remarks[0]).toBe('Months 2024-12 to 2025-01, whole ones, which are not whole calendar years.')
  })

  it('is by the supplier’s factor of its year on the market’s basis, and by the meter’s own factor with its source on the location’s', async () => {
    const ground = await makeGround(db)
    const { clientId, electricId, accountId } = ground
    const plain = await makeService(db, clientId, accountId, 'electric', 'E-2')
    for (const service of [electricId, plain]) await bill(ground, { service, usage: '3650' })
    await sql`update services set emissions_factor = 0.5, emissions_factor_source = 'eGRID RFCW', emissions_factor_year = 2022
      where client_id = ${clientId} and id = ${electricId}`.execute(db)
    await sql`insert into service_supplier_factors (client_id, service_id, year, value, source)
      values (${clientId}, ${electricId}, 2025, 0.1, 'Green Power Co'), (${clientId}, ${electricId}, 2024, 0.9, 'Last year')`.execute(db)
    await sql`update services set active = false where client_id = ${clientId} and id = ${ground.gasId}`.execute(db)
    await factsOf(clientId)
    const read = await inventoryOf(clientId)
    const keys = [
      'factor',
      'factor_source',
      'factor_year',
      'location_tonnes',
      'market_factor',
      'market_source',
      'market_year',
      'market_tonnes',
    ]
    expect(shown(read, ...keys)).toEqual([
      ['0.5', 'eGRID RFCW', '2022', '1.825', '0.1', 'Green Power Co', '2025', '0.365'],
      ['0.3497', 'EPA eGRID, eGRID2023 revision 2 (June 2025)', '2023', '1.276405', null, null, null, '1.276405'],
    ])
  })
})

describe('what cannot be computed', () => {
  it('is listed with its reason in a word, and never counted as zero', async () => {
    const ground = await makeGround(db)
    const { clientId, accountId, electricId, gasId } = ground
    const chilled = await makeService(db, clientId, accountId, 'chilled_water', 'C-1')
    const steam = await makeService(db, clientId, accountId, 'steam', 'S-1')
    await makeService(db, clientId, accountId, 'propane', 'P-1')
    await bill(ground, { service: chilled, usage: '50' })
    await bill(ground, { service: electricId, from: '2025-01-01', to: '2025-07-02', usage: '1820' })
    // Demand in kW does not convert into energy; the bill of the steam has no usage.
    await bill(ground, { service: gasId, usage: '12', standard: null })
    await sql`update service_bills set unit_id = null, raw_unit = 'kW' where client_id = ${clientId} and service_id = ${gasId}`.execute(db)
    await bill(ground, { service: steam })
    await factsOf(clientId)
    const read = await inventoryOf(clientId)
    expect(shown(read, 'scope', 'utility_service', 'usage', 'unit', 'location_tonnes', 'market_tonnes', 'note')).toEqual([
      ['Scope 1', 'Natural Gas', '12', 'kW', null, null, 'unit'],
      ['Scope 1', 'Propane', null, null, null, null, 'no bills'],
      ['Scope 2', 'Chilled Water', '50', 'ton-hr', null, null, 'no factor'],
      ['Scope 2', 'Electric', '1820', 'kWh', '0.636454', '0.636454', 'partial'],
      ['Scope 2', 'Steam', null, null, null, null, 'no usage'],
    ])
    expect(read.rows.find((row) => row['note'] === 'partial')?.['coverage']).toBe('49.86')
    expect(read.remarks).toContainEqual('Rows that are listed and not counted: 1 no factor, 1 unit, 1 no usage, 1 no bills.')
  })

  it('is not a bill that corrects only the cost of days whose usage counts, and not a meter that a supplier meters again', async () => {
    const ground = await makeGround(db)
    const { clientId, electricId } = ground
    await sql`update services set active = false where client_id = ${clientId} and id = ${ground.gasId}`.execute(db)
    const supplier = await makeSupplyAccount(db, ground, 'SUP-1')
    const again = await makeService(db, clientId, supplier, 'electric', 'E-1', 'supply_account_id')
    // Nothing is billed of this one, which is no gap either.
    await makeService(db, clientId, supplier, 'electric', 'E-9', 'supply_account_id')
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${clientId}, ${supplier}, ${electricId})`.execute(
      db,
    )
    await bill(ground, { service: electricId, usage: '1000' })
    await bill(ground, { service: electricId, from: '2025-03-01', to: '2025-04-01' })
    await bill(ground, { service: again, account: { supply_account_id: supplier }, usage: '1000' })
    await bill(ground, { service: again, account: { supply_account_id: supplier }, from: '2025-05-01', to: '2025-06-01' })
    await factsOf(clientId)
    expect(shown(await inventoryOf(clientId), 'utility_service', 'usage', 'note')).toEqual([['Electric', '1000', null]])
  })

  it('is a line between two with usage, without any of its own', async () => {
    const ground = await makeGround(db)
    await sql`update services set active = false where client_id = ${ground.clientId} and id = ${ground.gasId}`.execute(db)
    await bill(ground, { service: ground.electricId, from: '2025-01-01', to: '2025-02-01', usage: '31' })
    await bill(ground, { service: ground.electricId, from: '2025-02-01', to: '2025-03-01' })
    await bill(ground, { service: ground.electricId, from: '2025-03-01', to: '2025-04-01', usage: '31' })
    await factsOf(ground.clientId)
    const read = await inventoryOf(ground.clientId, { date_range: { from: '2025-01-01', to: '2025-03-31' } })
    expect(shown(read, 'usage', 'note', 'coverage')).toEqual([
      ['62', null, '100.00'],
      [null, 'no usage', null],
    ])
  })

  it('is in each year that the line reaches into', async () => {
    const ground = await makeGround(db)
    await sql`update services set active = false where client_id = ${ground.clientId}`.execute(db)
    await bill(ground, { service: ground.gasId, from: '2024-12-15', to: '2025-01-15', usage: '12', standard: null })
    await factsOf(ground.clientId)
    const both = await inventoryOf(ground.clientId, { date_range: { from: '2024-01-01', to: '2025-12-31' } })
    expect(shown(both, 'year', 'note')).toEqual([
      ['2024', 'unit'],
      ['2025', 'unit'],
    ])
    expect(shown(await inventoryOf(ground.clientId), 'year', 'usage', 'note')).toEqual([['2025', '12', 'unit']])
  })
})

describe('the sum of the inventory', () => {
  const bases = [
    ['calendarized', 'calendarized', 'service_month_facts'],
    ['billed', 'fiscal', 'bill_line_facts'],
  ] as const

  it.each(bases)('is the emissions of the dashboards of client and facilities, %s', async (basis, shownBasis) => {
    const ground = await makeFiguresWorld(db)
    const { clientId } = ground
    await factsOf(clientId)
    const { rows: facilities } = await sql<{ id: number }>`select id from facilities where client_id = ${clientId} order by id`.execute(db)
    const asked = { basis, date_range: { from: '2025-01-01', to: '2025-12-31' } }
    for (const facility of [null, ...facilities.map(({ id }) => id)]) {
      const read = await inventoryOf(clientId, { ...asked, facility_ids: facility === null ? [] : [facility] })
      const scope = facility === null ? '' : `&scope_type=facility&scope_id=${facility}`
      const answer = await ask(staff, 'GET', `/clients/${clientId}/dashboard?as_of=2026-01-15&basis=${shownBasis}${scope}`)
      expect(answer.status, answer.text).toBe(200)
      const board = dashboardCalls.get.schemas.reply.parse(answer.body)
      if ('error' in board) throw new Error(board.message)
      // Dashboards show tonnes with two decimals.
      expect([facility, roundTo(read.totals['location_tonnes'] ?? '0', 2)]).toEqual([facility, board.dashboard.total_mtc02e.current])
    }
  })

  it.each(bases)('by scope is what plain SQL multiplies out of usage and factors, %s', async (basis, _shown, table) => {
    const { clientId } = await makeFiguresWorld(db)
    await factsOf(clientId)
    const month = table === 'bill_line_facts' ? sql`fact.fiscal_month` : sql`fact.month`
    const { rows: wanted } = await sql<{
      scope: string
      kg: string
    }>`select coalesce('Scope ' || kind.emissions_scope, 'No scope') as scope,
        trim_scale(sum(round(fact.usage * coalesce(service.emissions_factor, (select value from emission_factors where utility_service_id = kind.id
          and effective_from <= ${month} order by effective_from desc limit 1), kind.emissions_factor), 6)))::text as kg
      from ${sql.table(table)} fact join utility_services kind on kind.id = fact.utility_service_id
      join services service on service.client_id = fact.client_id and service.id = fact.service_id
      where fact.client_id = ${clientId} and ${month} between '2025-01-01' and '2025-12-31' and fact.usage is not null and kind.inventoriable
      group by 1 order by 1`.execute(db)
    const read = await inventoryOf(clientId, { ...year2025, basis })
    const sums = new Map<string, string>()
    for (const { scope, location_tonnes } of read.rows)
      if (location_tonnes) sums.set(scope ?? '', plus(sums.get(scope ?? '') ?? '0', location_tonnes))
    expect(wanted.length).toBeGreaterThan(1)
    expect([...sums].map(([scope, tonnes]) => ({ scope, kg: times(tonnes, '1000') }))).toEqual(wanted)
  })

  it.each(bases)('by facility and utility service is what a second program computes from the raw bills, %s', async (basis, rawBasis) => {
    const { clientId } = await makeFiguresWorld(db)
    await factsOf(clientId)
    const raw = new pg.Client({ connectionString: database.url })
    await raw.connect()
    const world = await readWorld(raw, clientId, rawBasis).finally(() => raw.end())
    const wanted = new Map<string, bigint>()
    for (const { owner, month, kg, usage } of world.months) {
      const of = world.owners.get(owner)
      const place = `${world.facilities.get(of?.facility_id ?? 0)?.name} ${world.utilities.get(of?.utility_id ?? 0)?.name}`
      if (month.startsWith('2025') && usage !== null && kg !== 0n) wanted.set(place, (wanted.get(place) ?? 0n) + kg)
    }
    const read = await inventoryOf(clientId, { ...year2025, basis })
    const sums = new Map<string, bigint>()
    for (const { facility, utility_service, location_tonnes } of read.rows) {
      const place = `${facility} ${utility_service}`
      // Billionths of a tonne are millionths of a kilogram.
      if (location_tonnes && location_tonnes !== '0') sums.set(place, (sums.get(place) ?? 0n) + unitsOf(location_tonnes, 9))
    }
    expect(wanted.size).toBeGreaterThan(3)
    expect(new Map([...sums].toSorted())).toEqual(new Map([...wanted].toSorted()))
  })
})

it('holds what its maker reaches: a role of one division sees the facilities of it', async () => {
  const ground = await makeGround(db)
  await bill(ground, { service: ground.electricId, usage: '10' })
  const other = await sql<{
    id: number
  }>`insert into divisions (client_id, name, short_code, code) values (${ground.clientId}, 'East', 'E', 'E1') returning id`.execute(db)
  const far = await sql<{ id: number }>`insert into facilities (client_id, division_id, name, number)
    values (${ground.clientId}, ${other.rows[0]?.id ?? 0}, 'Far', 'F-far') returning id`.execute(db)
  const account = await makeAccount(db, { ...ground, facilityId: far.rows[0]?.id ?? 0 }, 'FAR-1')
  const meter = await makeService(db, ground.clientId, account, 'electric', 'E-far')
  await bill(ground, { service: meter, account: { billable_account_id: account }, usage: '10' })
  await factsOf(ground.clientId)
  const narrow = await makePerson(db, 'client_user', { clients: [ground.clientId], division: [[ground.clientId, ground.divisionId]] })
  const { rows } = await sql<{ id: number }>`select id from reports where name = 'GHG Inventory Report'`.execute(db)
  const look = async (who: typeof staff) => {
    const answer = await ask(who, 'POST', `/clients/${ground.clientId}/reports/${rows[0]?.id}/preview`, { form_data: year2025 })
    expect(answer.status, answer.text).toBe(200)
    return answer.text
  }
  expect(await look(staff)).toContain('"Far"')
  expect(await look(narrow)).not.toContain('"Far"')
  expect(await look(narrow)).toContain('"Store 1"')
})
