/**
 * Compares the figures of all reports with recomputations from the raw bills that share no code with them, with each other, and with batches and
 * dashboards.
 */
import { dashboardCalls } from '#contract/dashboard/dashboard.ts'
import { tonnesOf } from '#contract/dashboard/metrics.ts'
import { sumDecimals, times } from '#contract/kernel/decimal.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import type { ReportName } from '#contract/reports/report-form.ts'
import { reportNames } from '#contract/reports/report-form.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insert } from '../../../test/every-call/world.ts'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { readWorld, type World } from '../../../test/oracles/raw-months.ts'
import { bookedByAccount, rowsOf } from '../../../test/oracles/report-figures.ts'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeAccount, makeService, type Ground } from '../../../test/support/bills.ts'
import { makeClient, makeDivision, makeFacility, makeLedgerAccount } from '../../../test/support/estate.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { madeReport, type ReadRows } from '../../../test/support/made-report.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'
import { reportMakers } from './report-makers.ts'
import type { Cell } from './report-table.ts'

const TODAY = '2026-01-15'
const { ask, database } = await startTestApp()
const { db } = database
const oracle = new pg.Client({ connectionString: database.url })
let ground: Ground
let client: number
let world: World
let accruedService: number
const utilities = new Map<string, number>()

beforeAll(async () => {
  await oracle.connect()
  ground = await makeFiguresWorld(db)
  client = ground.clientId
  // A meter billed only to the middle of December: 31 days of 310.00.
  const account = await makeAccount(db, ground, 'ACCRUED-1')
  accruedService = await makeService(db, client, account, 'electric', 'AC-1')
  await addBill(db, client, {
    account: { billable_account_id: account },
    date: '2025-12-18',
    current_charges: '310.00',
    lines: [{ service_id: accruedService, from: '2025-11-15', to: '2025-12-16', utility: '310.00', usage: '620' }],
  })
  await sql`update bills set amount_due = balance_forward + current_charges + late_fee,
      division_id = (select division_id from facilities where facilities.client_id = bills.client_id and facilities.id = account.facility_id),
      facility_id = account.facility_id, vendor_id = account.vendor_id, account_number = account.account_number
    from (select client_id, id, null::bigint as supply_id, facility_id, vendor_id, account_number from billable_accounts
      union all select client_id, null, id, facility_id, vendor_id, account_number from supply_accounts) account
    where bills.client_id = account.client_id and (bills.billable_account_id = account.id or bills.supply_account_id = account.supply_id)`.execute(
    db,
  )
  await sql`update service_bills line set unit_id = unit.unit_id from services service join usage_units unit on unit.utility_service_id = service.utility_service_id and unit.standard
    where line.client_id = ${client} and service.client_id = ${client} and service.id = line.service_id and line.service_id = ${accruedService}`.execute(
    db,
  )
  await sql`update facilities set square_footage = 12500 where client_id = ${client}`.execute(db)
  const [power, water, fees] = await Promise.all(['Power', 'Water', 'Late fees'].map((name) => makeLedgerAccount(db, client, name)))
  await sql`update services set ledger_account_id = ${power} where client_id = ${client} and id <> ${accruedService}`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`select service.id from services service join utility_services kind on kind.id = service.utility_service_id
    where service.client_id = ${client} and kind.code = 'water'`.execute(db)
  for (const [place, [ledger_account_id, share_ratio]] of (
    [
      [power, '0.3333'],
      [water, '0.6667'],
    ] as const
  ).entries())
    await insert(db, 'shared_accounts', { client_id: client, service_id: rows[0]?.id, ledger_account_id, share_ratio, position: place })
  await sql`insert into client_ledger_settings (client_id, late_fee_ledger_account_id) values (${client}, ${fees})`.execute(db)
  await db.transaction().execute((tx) => rebuildFacts(tx, client))
  world = await readWorld(oracle, client)
  for (const { id, code } of world.utilities.values()) utilities.set(code, id)
})
afterAll(() => oracle.end())

const made = (name: ReportName, data: object = {}, more: { lastBillOnly?: boolean; divisionId?: number } = {}): Promise<ReadRows> =>
  madeReport(db, name, data, { clientId: client, today: TODAY, ...more })

const cents = (value: Cell | undefined): bigint => BigInt(centsOf(value ?? '0'))
const sumOf = (read: ReadRows, key: string): bigint => read.rows.reduce((all, row) => all + cents(row[key]), 0n)
const one = async (text: string): Promise<Record<string, string | null>> => (await rowsOf(oracle, text))[0] ?? {}
const of2024 = { date_range: { from: '2024-01-01', to: '2024-12-31' } }
const allServices = () => [...utilities.values()]
/** Returns the cents of the raw months in a range for the chosen owners. */
const rawCost = (
  first: string,
  last: string,
  isMeant: (owner: World['owners'] extends ReadonlyMap<string, infer O> ? O : never) => boolean = () => true,
): bigint =>
  world.months
    .filter(({ month, owner }) => month >= first && month <= last && isMeant(world.owners.get(owner) ?? never()))
    .reduce((all, { utility, supply, other }) => all + utility + supply + other, 0n)
function never(): never {
  throw new Error('a month has no owner')
}

it('every report of the nine names has its maker [REP-CONST-001]', () => {
  expect(Object.keys(reportMakers).toSorted()).toEqual([...reportNames].toSorted())
})

describe('the Trial Balance', () => {
  // The groups of 2025 have children for some months.
  it.each(['2024', '2025'])('books every bill of %s by division and ledger account as the raw bills say, and balances', async (year) => {
    const [from, to] = [`${year}-01-01`, `${year}-12-31`]
    const read = await made('Trial Balance Report', { date_range: { from, to } })
    const expected = await bookedByAccount(oracle, client, from, to)
    const found = new Map<string, bigint>()
    for (const row of read.rows) {
      const name =
        row['ledger_account'] === 'Accounts payable'
          ? 'payable'
          : row['ledger_account'] === 'No ledger account'
            ? ''
            : row['ledger_account']
      const key = `${row['division']} | ${name}`
      found.set(key, (found.get(key) ?? 0n) + cents(row['net']))
    }
    expect(expected.size).toBeGreaterThan(5)
    const told = (sums: Map<string, bigint>) => [...sums].filter(([, amount]) => amount !== 0n).toSorted()
    expect(told(found)).toEqual(told(expected))
    expect(read.totals['debit']).toBe(read.totals['credit'])
    expect(read.totals['net']).toBe('0.00')
    expect(read.rows.at(-1)?.['ledger_account']).toBe('Accounts payable')
    const due = await one(
      `select count(*)::text, sum(amount_due)::text as due from bills where client_id = ${client} and superseded_by_id is null and date between '${from}' and '${to}'
        and id not in (select group_bill_id from bills where client_id = ${client} and superseded_by_id is null and group_bill_id is not null)`,
    )
    expect(read.control).toMatchObject({ bill_count: Number(due['count']), amount_due: due['due'] })
    expect(-cents(read.rows.at(-1)?.['net'])).toBe(cents(due['due']))
  })

  it('of client batches ties to their bills_total, also where one takes back what a closed one had booked', async () => {
    const open = await insert(db, 'accounting_batches', { client_id: client, batch_code: 'OPEN' })
    const closed = await insert(db, 'accounting_batches', {
      client_id: client,
      batch_code: 'CLOSED',
      closed: true,
      has_been_closed: true,
      closed_at: '2025-12-01T17:00:00Z',
    })
    await sql`update bills set accounting_batch_id = ${open} where client_id = ${client} and superseded_by_id is null and date between '2024-02-01' and '2024-04-30'`.execute(
      db,
    )
    // The void bill of 99,999.99 was booked by the closed batch; the bill that replaced it is in the open one.
    const { rows } = await sql<{
      id: number
      successor: number
    }>`select id, superseded_by_id as successor from bills where client_id = ${client} and superseded_by_id is not null`.execute(db)
    const [replaced] = rows
    await sql`update bills set accounting_batch_id = ${closed} where client_id = ${client} and id = ${replaced?.id}`.execute(db)
    await sql`update bills set accounting_batch_id = ${open} where client_id = ${client} and id = ${replaced?.successor}`.execute(db)
    for (const [position, [kind, amount]] of (
      [
        ['expense', '99999.99'],
        ['payable', '-99999.99'],
      ] as const
    ).entries())
      await insert(db, 'gl_lines', {
        client_id: client,
        accounting_batch_id: closed,
        bill_id: replaced?.id,
        position,
        kind,
        amount,
        ledger_account_name: `Then ${kind}`,
      })
    const total = async (id: number) =>
      (await one(`select sum(amount_due)::text as due from bills where client_id = ${client} and accounting_batch_id = ${id}`))['due']
    const frozen = await made('Trial Balance Report', { accounting_batch_ids: [closed] })
    expect(frozen.rows.map((row) => [row['ledger_account'], row['net']])).toEqual([
      ['Then expense', '99999.99'],
      ['Then payable', '-99999.99'],
    ])
    expect(frozen.control?.amount_due).toBe(await total(closed))
    const live = await made('Trial Balance Report', { accounting_batch_ids: [open] })
    expect(live.control?.amount_due).toBe(await total(open))
    const owed = live.rows.filter((row) => row['ledger_account'] === 'Accounts payable').reduce((all, row) => all - cents(row['net']), 0n)
    expect(owed).toBe(cents(await total(open)))
    expect(live.rows.find((row) => row['ledger_account'] === 'Then payable')?.['net']).toBe('99999.99')
    expect(live.remarks).toContainEqual('99999.99 takes back bills of closed batches that were replaced since.')
    const both = await made('Trial Balance Report', { accounting_batch_ids: [closed, open] })
    expect(both.totals['net']).toBe('0.00')
    await sql`delete from gl_lines where client_id = ${client}`.execute(db)
    await sql`update bills set accounting_batch_id = null where client_id = ${client}`.execute(db)
  })

  it('shows the ledger fields as columns where details are asked for', async () => {
    const field = await insert(db, 'ledger_fields', { client_id: client, name: 'Cost Centre', description: 'c', order: 1 })
    const { rows } = await sql<{ id: number }>`select id from ledger_accounts where client_id = ${client} and name = 'Water'`.execute(db)
    await insert(db, 'ledger_account_fields', { client_id: client, ledger_account_id: rows[0]?.id, ledger_field_id: field, value: 'CC-7' })
    const plain = await made('Trial Balance Report', of2024)
    const detailed = await made('Trial Balance Report', { ...of2024, ledger_details: true })
    expect(Object.keys(plain.rows[0] ?? {})).not.toContain('ledger_field Cost Centre')
    expect(detailed.rows.find((row) => row['ledger_account'] === 'Water')?.['ledger_field Cost Centre']).toBe('CC-7')
    expect(detailed.totals['debit']).toBe(plain.totals['debit'])
    // A line that was frozen before the field got its present name.
    const batch = await insert(db, 'accounting_batches', { client_id: client, batch_code: 'Renamed', closed: true, has_been_closed: true })
    const bill = await one(`select id from bills where client_id = ${client} order by id limit 1`)
    const line = { client_id: client, accounting_batch_id: batch, bill_id: bill['id'], ledger_account_name: 'Water' }
    const ledger_values = JSON.stringify([{ id: field, name: 'Department', value: 'CC-9' }])
    await insert(db, 'gl_lines', { ...line, position: 0, kind: 'expense', amount: '10.00', ledger_values })
    await insert(db, 'gl_lines', { ...line, position: 1, kind: 'payable', amount: '-10.00' })
    const frozen = await made('Trial Balance Report', { accounting_batch_ids: [batch], ledger_details: true })
    expect(frozen.rows.map((row) => row['ledger_field Cost Centre'])).toEqual(['CC-9', ''])
    await sql`delete from gl_lines where client_id = ${client}`.execute(db)
    await sql`delete from accounting_batches where id = ${batch}`.execute(db)
  })
})

describe('the Global Data Export', () => {
  it('has a row for each line of each bill that counts, and one for charges beside them, so that the lines of a bill sum to its current charges', async () => {
    const read = await made('Global Data Export', of2024)
    const bills = new Map<string, bigint>()
    for (const row of read.rows) bills.set(row['bill_id'] ?? '', (bills.get(row['bill_id'] ?? '') ?? 0n) + cents(row['line_total']))
    const expected = await rowsOf(
      oracle,
      `select id::text, current_charges::text as charges from bills where client_id = ${client} and superseded_by_id is null and date between '2024-01-01' and '2024-12-31'`,
    )
    expect([...bills].toSorted()).toEqual(expected.map((bill) => [bill['id'] ?? '', cents(bill['charges'])] as const).toSorted())
    const counted =
      await one(`with bill as (select id, client_id, current_charges from bills where client_id = ${client} and superseded_by_id is null and date between '2024-01-01' and '2024-12-31'),
      line as (select line.id, bill.id as bill from bill join service_bills line on line.client_id = bill.client_id and line.bill_id = bill.id),
      money as (select line.bill, sum(own.value) as total from line join service_bill_entry_values own on own.client_id = ${client} and own.service_bill_id = line.id group by 1)
      select ((select count(*) from line) + (select count(*) from bill left join money on money.bill = bill.id where coalesce(money.total, 0) <> bill.current_charges))::text as rows`)
    expect(read.count).toBe(Number(counted['rows']))
  })

  it('has the amounts of a bill on its first row alone, so that sums of columns are those of the bills', async () => {
    const read = await made('Global Data Export', of2024)
    const sums =
      await one(`select sum(amount_due)::text as due, sum(current_charges)::text as charges, sum(late_fee)::text as late, sum(balance_forward)::text as forward
      from bills where client_id = ${client} and superseded_by_id is null and date between '2024-01-01' and '2024-12-31'`)
    expect(read.totals).toMatchObject({
      amount_due: sums['due'],
      current_charges: sums['charges'],
      late_fee: sums['late'],
      balance_forward: sums['forward'],
      line_total: sums['charges'],
    })
    expect(read.rows.filter((row) => row['amount_due'] !== null).every((row) => row['bill_row'] === '1')).toBe(true)
  })

  it('says whether the usage of a line counts: not of what a linked supplier meters again, nor of a group with its children', async () => {
    const read = await made('Global Data Export', { date_range: { from: '2025-01-01', to: '2025-12-31' } })
    const of = (account: string) =>
      new Set(read.rows.filter((row) => row['account_number'] === account && row['usage'] !== null).map((row) => row['usage_counts']))
    expect(of('SUP-1')).toEqual(new Set(['No']))
    expect(of('SUP-2')).toEqual(new Set(['Yes']))
    // Some months of the group have a child linked and some have none.
    expect(of('GROUP-1')).toEqual(new Set(['Yes', 'No']))
    expect(of('CHILD-0')).toEqual(new Set(['Yes']))
    expect(read.rows.some((row) => row['line_total'] === '99999.99')).toBe(false)
    const emitted = read.rows.filter((row) => row['usage_counts'] === 'No').map((row) => row['kg_co2e'])
    expect(new Set(emitted)).toEqual(new Set(['0']))
    expect(read.remarks.join(' ')).toMatch(/of the amounts due is carried by the bill of a group as well/)
  })

  it('carries on each line what its usage emits, by the factor of its service, or else by that of its utility service for the month [LIST-RULE-010]', async () => {
    await sql`update services set emissions_factor = '0.2500' where client_id = ${client} and id = ${accruedService}`.execute(db)
    const read = await made('Global Data Export', { date_range: { from: '2025-01-01', to: '2025-12-31' } })
    await sql`update services set emissions_factor = null where client_id = ${client} and id = ${accruedService}`.execute(db)
    const own = read.rows.filter((row) => row['meter'] === 'AC-1')
    expect(own.map((row) => [row['standard_usage'], row['kg_co2e']])).toEqual([['620', '155']])
    // Each month of a line has the factor of its first day: the sums of all lines are those of the raw months.
    const year = await made('Global Data Export', { date_range: { from: '2023-01-01', to: '2026-12-31' } })
    const kg = world.months.reduce((all, raw) => all + raw.kg, 0n)
    expect(kg).toBeGreaterThan(0n)
    const told = year.rows.reduce((all, row) => all + micro(row['kg_co2e'] ?? '0'), 0n)
    // The facts round once for all lines of a month, and this column for each of them.
    expect(Math.abs(Number(told - kg))).toBeLessThanOrEqual(year.count)
  })

  it('keeps to the last bill of each account where it is asked to, within the dates', async () => {
    const read = await made('Global Data Export', of2024, { lastBillOnly: true })
    const expected = await rowsOf(
      oracle,
      `select distinct on (billable_account_id, supply_account_id) id::text from bills
      where client_id = ${client} and superseded_by_id is null and date between '2024-01-01' and '2024-12-31' order by billable_account_id, supply_account_id, date desc, id desc`,
    )
    expect([...new Set(read.rows.map((row) => row['bill_id']))].toSorted()).toEqual(expected.map((row) => row['id']).toSorted())
  })

  it('is narrowed by each of its choices', async () => {
    const water = utilities.get('water') ?? 0
    const read = await made('Global Data Export', { ...of2024, utility_service_ids: [water] })
    expect(new Set(read.rows.map((row) => row['utility_service']))).toEqual(new Set(['Water']))
    const supply = await one(`select id::text from supply_accounts where client_id = ${client} and account_number = 'SUP-1'`)
    const ofAccount = await made('Global Data Export', { ...of2024, supply_account_ids: [Number(supply['id'])] })
    expect(new Set(ofAccount.rows.map((row) => row['account_number']))).toEqual(new Set(['SUP-1']))
    const east = await one(`select id::text from divisions where client_id = ${client} and name = 'East'`)
    const ofDivision = await made('Global Data Export', of2024, { divisionId: Number(east['id']) })
    expect(new Set(ofDivision.rows.map((row) => row['division']))).toEqual(new Set(['East']))
  })
})

describe('the Universal Data Export', () => {
  it('has the chosen columns in the order in which they were chosen, with the sums of the Global Data Export', async () => {
    const fields = [
      { name: 'usage', checked: true },
      { name: 'meter', checked: false },
      { name: 'account_number', checked: true },
      { name: 'current_charges', checked: true },
    ]
    const services = { ...of2024, utility_service_ids: [utilities.get('electric')] }
    const read = await made('Universal Data Export', { ...services, utility_service_fields: fields })
    expect(Object.keys(read.rows[0] ?? {})).toEqual(['usage', 'account_number', 'current_charges'])
    const global = await made('Global Data Export', services)
    expect([read.count, read.totals['current_charges']]).toEqual([global.count, global.totals['current_charges']])
  })
})

describe('the Cost & Usage Report', () => {
  it('has the cost and usage of each utility service and month that the raw bills come to by day, and those of the year before', async () => {
    const read = await made('Cost & Usage Report', {
      date_range: { from: '2025-01-01', to: '2025-12-31' },
      utility_service_ids: allServices(),
    })
    const kindOf = (owner: string) => world.utilities.get(world.owners.get(owner)?.utility_id ?? 0)?.name ?? 'No utility service'
    const isOf = (year: string, month: string) => month.startsWith(year)
    const keys = world.months.flatMap(({ month, owner }) =>
      isOf('2025', month) || isOf('2024', month) ? [`${kindOf(owner)} 2025${month.slice(4)}`] : [],
    )
    expect(read.rows.map((row) => `${row['utility_service']} ${row['month']}`).toSorted()).toEqual([...new Set(keys)].toSorted())
    expect(read.count).toBeGreaterThan(50)
    expect(sumOf(read, 'cost')).toBe(rawCost('2025-01', '2025-12'))
    expect(sumOf(read, 'previous_cost')).toBe(rawCost('2024-01', '2024-12'))
    for (const row of read.rows) {
      const kind = [...world.utilities.values()].find(({ name }) => name === row['utility_service'])
      const month = row['month'] ?? ''
      const own = world.months.filter((raw) => raw.month === month && (world.owners.get(raw.owner)?.utility_id ?? undefined) === kind?.id)
      const before = rawCost(
        `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`,
        `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`,
        (owner) => (owner.utility_id ?? undefined) === kind?.id,
      )
      expect([row['utility_service'], month, cents(row['cost']), cents(row['previous_cost'])]).toEqual([
        kind?.name ?? 'No utility service',
        month,
        own.reduce((all, raw) => all + raw.utility + raw.supply + raw.other, 0n),
        before,
      ])
      const used = own.flatMap((raw) => raw.usage ?? [])
      expect(row['usage'] === null ? null : micro(row['usage'] ?? '0')).toBe(
        used.length === 0 ? null : used.reduce((all, usage) => all + usage, 0n),
      )
      expect(micro(row['tonnes'] ?? '0', 9)).toBe(own.reduce((all, raw) => all + raw.kg, 0n))
    }
  })

  it('ties to the dashboard of the same months and service', async () => {
    const staff = await makePerson(db, 'super_admin')
    const query = new URLSearchParams({
      scope_type: 'client',
      scope_id: String(client),
      service: String(utilities.get('electric')),
      date_range_type: 'last_12_months',
      compare_to_last_year: 'true',
      as_of: TODAY,
    })
    const { body, status } = await ask(staff, 'GET', `/clients/${client}/dashboard?${query.toString()}`)
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    const read = await made('Cost & Usage Report', { utility_service_ids: [utilities.get('electric')] })
    expect(read.count).toBe(12)
    expect(text).toContain(`"current":"${wireOf(Number(sumOf(read, 'cost')))}"`)
  })

  it('as billed ties to the dashboard by fiscal month, month by month', async () => {
    const staff = await makePerson(db, 'super_admin')
    const query = new URLSearchParams({
      service: String(utilities.get('electric')),
      basis: 'fiscal',
      from_month: '2024-01',
      to_month: '2025-12',
      graph_data_type: 'cost',
    })
    const { body } = await ask(staff, 'GET', `/clients/${client}/dashboard?${query.toString()}`)
    const answer = dashboardCalls.get.schemas.reply.parse(body)
    if ('error' in answer) throw new Error(answer.message)
    const read = await made('Cost & Usage Report', {
      date_range: { from: '2024-01-01', to: '2025-12-31' },
      utility_service_ids: [utilities.get('electric')],
      basis: 'billed',
    })
    expect(read.count).toBeGreaterThan(20)
    expect(
      answer.graphs.series.flatMap(({ points }) => points.flatMap(({ month, current }) => (current === null ? [] : [[month, current]]))),
    ).toEqual(read.rows.map((row) => [row['month'], row['cost']]))
    expect(answer.summary[0]?.mtc02e.current).toBe(tonnesOf(sumDecimals(read.rows.map((row) => times(row['tonnes'] ?? '0', '1000')))))
  })

  it('comes to the same cost over all time when it is billed as when it is spread by day', async () => {
    const ever = { date_range: { from: '2023-01-01', to: '2026-01-31' }, utility_service_ids: allServices() }
    const spread = await made('Cost & Usage Report', ever)
    const billed = await made('Cost & Usage Report', { ...ever, basis: 'billed' })
    expect(sumOf(billed, 'cost')).toBe(sumOf(spread, 'cost'))
    expect(sumOf(billed, 'cost')).toBe(rawCost('2023-01', '2026-01'))
    // Billed months are those of the bills: April 1 for March.
    const electric = await made('Cost & Usage Report', {
      date_range: { from: '2025-12-01', to: '2025-12-31' },
      utility_service_ids: [utilities.get('electric')],
      basis: 'billed',
    })
    const dated = await one(
      `select sum(current_charges + late_fee)::text as cost from bills where client_id = ${client} and account_number = 'ACCRUED-1'`,
    )
    expect(electric.rows.map((row) => [row['month'], Number(row['cost']) >= Number(dated['cost'])])).toEqual([['2025-12', true]])
  })

  it('is told apart by accounts where accounts are chosen', async () => {
    const read = await made('Cost & Usage Report', {
      ...of2024,
      utility_service_ids: allServices(),
      billable_account_ids: [ground.accountId],
    })
    expect(new Set(read.rows.map((row) => row['part']))).toEqual(new Set([`0001234${client}`]))
    expect(sumOf(read, 'cost')).toBe(rawCost('2024-01', '2024-12', (owner) => owner.billable_account_id === ground.accountId))
  })
})

describe('the Inventory Report', () => {
  it('has each service of the chosen utilities with its bills, its ledger accounts and what it emits', async () => {
    const read = await made('Inventory Report', {
      date_range: { from: '2025-01-01', to: '2025-12-31' },
      utility_service_ids: [utilities.get('water'), utilities.get('electric')],
    })
    const counted = await one(
      `select count(*)::text from services join utility_services kind on kind.id = utility_service_id where client_id = ${client} and kind.code in ('water', 'electric')`,
    )
    expect(read.count).toBe(Number(counted['count']))
    expect(read.rows.find((row) => row['utility_service'] === 'Water')).toMatchObject({
      ledger_accounts: 'Power 0.3333; Water 0.6667',
      factor_source: 'Default',
      inventoried: 'Yes',
    })
    const kg = world.months
      .filter(
        ({ month, owner }) =>
          month >= '2025-01' &&
          month <= '2025-12' &&
          ['water', 'electric'].some((code) => utilities.get(code) === world.owners.get(owner)?.utility_id),
      )
      .reduce((all, raw) => all + raw.kg, 0n)
    expect(read.rows.reduce((all, row) => all + micro(row['tonnes'] ?? '0', 9), 0n)).toBe(kg)
    const meter = read.rows.find((row) => row['meter'] === 'AC-1')
    expect(meter).toMatchObject({ first_bill: '2025-12-18', last_bill: '2025-12-18', bill_count: '1', activity: '620' })
  })
})

describe('the Facilities Reports', () => {
  it('have the cost and the tonnes of each facility that the raw bills come to, for each square foot too', async () => {
    const read = await made('Facilities Report', { date_range: { from: '2025-01-01', to: '2025-12-31' } })
    for (const [id, { name }] of world.facilities) {
      const row = read.rows.find((found) => found['name'] === name)
      const cost = rawCost('2025-01', '2025-12', (owner) => owner.facility_id === id)
      expect([name, cents(row?.['cost']), cents(row?.['previous_cost'])]).toEqual([
        name,
        cost,
        rawCost('2024-01', '2024-12', (owner) => owner.facility_id === id),
      ])
      expect(Number(row?.['cost_per_square_foot'])).toBeCloseTo(Number(cost) / 100 / 12_500, 3)
      const kg = world.months
        .filter(({ month, owner }) => month >= '2025-01' && month <= '2025-12' && world.owners.get(owner)?.facility_id === id)
        .reduce((all, raw) => all + raw.kg, 0n)
      expect(micro(row?.['tonnes'] ?? '0', 9)).toBe(kg)
      const kbtu = world.months
        .filter(({ month, owner }) => month >= '2025-01' && month <= '2025-12' && world.owners.get(owner)?.facility_id === id)
        .reduce(
          (all, raw) =>
            all + (Number(raw.usage ?? 0n) / 1e6) * Number(world.utilities.get(world.owners.get(raw.owner)?.utility_id ?? 0)?.kbtu ?? 0),
          0,
        )
      expect(Number(row?.['eui'])).toBeCloseTo(kbtu / 12_500, 1)
    }
    const everywhere = await made('Client Facilities Report', { date_range: { from: '2025-01-01', to: '2025-12-31' } })
    const own = everywhere.rows.filter((row) => row['client']?.includes('Client'))
    expect(own.reduce((all, row) => all + cents(row['cost']), 0n)).toBe(sumOf(read, 'cost'))
    expect(sumOf(read, 'cost')).toBe(rawCost('2025-01', '2025-12'))
  })

  it('hold every facility of a client that has more than are read at once, each once and in order', async () => {
    const many = await makeClient(db, { name: 'Client of many places' })
    const division = await makeDivision(db, many, { name: 'Everywhere' })
    const first = await makeFacility(db, many, division, { name: 'Store 1' })
    const columns = await rowsOf(
      oracle,
      `select column_name as name from information_schema.columns where table_name = 'facilities' and is_identity = 'NO' and column_name not in ('name', 'number')`,
    )
    const copied = columns.map(({ name }) => `"${name}"`).join(', ')
    await oracle.query(`insert into facilities (name, number, ${copied}) select 'Store ' || n, 'N' || n, ${copied}
      from facilities cross join generate_series(2, 1100) n where id = ${first}`)
    const read = await made('Client Facilities Report', { date_range: { from: '2025-01-01', to: '2025-12-31' } })
    const names = read.rows.filter((row) => row['client'] === 'Client of many places').map((row) => row['name'])
    expect(names).toEqual(Array.from({ length: 1_100 }, (_, at) => `Store ${at + 1}`))
    expect(sumOf(read, 'cost')).toBe(cents(read.totals['cost']))
  })
})

describe('the Accrual Report', () => {
  it('accrues what is not billed at the end of the period, and shows what is billed and not booked', async () => {
    const read = await made('Accrual Report', { accrual_method: 'last_bill' })
    expect(read.rows.find((row) => row['meter'] === 'AC-1')).toMatchObject({
      last_read_date: '2025-12-16',
      accrual_from: '2025-12-16',
      accrual_to: '2025-12-31',
      days: '16',
      accrued_cost: '160.00',
      unbooked: '310.00',
      total: '470.00',
      method: 'Cost of the last bill',
    })
    const expected =
      await one(`select count(*)::text from services service join billable_accounts account on account.client_id = service.client_id and account.id = service.billable_account_id
      where service.client_id = ${client} and service.active and account.active`)
    expect(read.rows.filter((row) => !row['account_number']?.startsWith('SUP')).length).toBe(Number(expected['count']))
    await sql`update services set accruals_off = true where client_id = ${client} and id = ${accruedService}`.execute(db)
    // Nothing is accrued for it, and its bill is not booked all the same.
    expect((await made('Accrual Report')).rows.find((row) => row['meter'] === 'AC-1')).toMatchObject({
      days: null,
      accrued_cost: '0.00',
      unbooked: '310.00',
      method: 'Not accrued',
    })
    await sql`update services set accruals_off = false where client_id = ${client} and id = ${accruedService}`.execute(db)
  })

  it('lays what the method said of the period before against what was billed since, and scores every method', async () => {
    const read = await made('Accrual Report', { date_range: { from: '2025-06-01', to: '2025-06-30' } })
    const told = read.rows.filter((row) => row['variance'] !== null)
    expect(told.length).toBeGreaterThan(3)
    for (const row of told) expect(cents(row['variance'])).toBe(cents(row['actual']) - cents(row['prior_accrual']))
    // The children's meters were billed to the first of May by then, and for May since.
    for (const meter of ['CM-0', 'CM-1', 'CM-2']) {
      const { id } = await one(`select id::text from services where client_id = ${client} and meter_number = '${meter}'`)
      const may = rawCost('2025-05', '2025-05', (owner) => owner.service_id === Number(id))
      expect(may).toBeGreaterThan(0n)
      expect(cents(told.find((row) => row['meter'] === meter)?.['actual'])).toBe(may)
    }
    expect(read.remarks.at(-1)).toMatch(/^Error on the period before: Seasonal [\d.]+% over \d+ meters?, Last bill [\d.]+% .*, Trailing/)
  })

  it('is a journal with its reversal where ledger details are asked for: both sides are equal, and its sum is the report’s', async () => {
    const plain = await made('Accrual Report', { accrual_method: 'last_bill' })
    const journal = await made('Accrual Report', { accrual_method: 'last_bill', ledger_details: true })
    expect(journal.totals['debit']).toBe(journal.totals['credit'])
    const of = (entry: string) => journal.rows.filter((row) => row['entry'] === entry)
    expect(of('Accrual').find((row) => row['ledger_account'] === 'Accrued utilities')?.['credit']).toBe(plain.totals['total'])
    const side = (key: 'debit' | 'credit') => of('Accrual').reduce((all, row) => all + cents(row[key]), 0n)
    expect(side('debit')).toBe(side('credit'))
    expect(side('debit')).toBeGreaterThan(0n)
    expect(new Set(of('Accrual').map((row) => row['date']))).toEqual(new Set(['2025-12-31']))
    expect(of('Reversal').map((row) => [row['date'], row['ledger_account'], row['debit'], row['credit']])).toEqual(
      of('Accrual').map((row) => ['2026-01-01', row['ledger_account'], row['credit'], row['debit']]),
    )
  })
})

describe('the Month End Report', () => {
  it('rolls the unpaid bills forward from month to month, as plain questions about the bills say', async () => {
    await sql`update bills set created_at = date + interval '17 hours' where client_id = ${client}`.execute(db)
    await sql`update bills set paid = true where client_id = ${client} and superseded_by_id is null and date < '2025-09-20' and id % 2 = 0`.execute(
      db,
    )
    // What was paid is not always what was due.
    await sql`update bills set amount_paid = amount_due - 1.23 where client_id = ${client} and paid and id % 4 = 0`.execute(db)
    const months = ['2025-09', '2025-10', '2025-11', '2025-12']
    const read = await made('Month End Report', { date_range: { from: '2025-09-01', to: '2025-12-31' } })
    const of = (month: string, item: string, section = 'Roll-forward of unpaid bills') =>
      read.rows.find((row) => row['month'] === month && row['section'] === section && row['item'] === item)
    for (const [place, month] of months.entries()) {
      const amount = (item: string) => cents(of(month, item)?.['amount'])
      expect(amount('Opening unpaid') + amount('Entered') - amount('Paid') - amount('Voided')).toBe(amount('Closing unpaid'))
      if (place > 0) expect(of(month, 'Opening unpaid')?.['amount']).toBe(of(months[place - 1] ?? '', 'Closing unpaid')?.['amount'])
      expect(of(month, 'Paid')?.['amount']).toBe(of(month, 'Paid', 'Bills')?.['amount'])
      const paid = read.rows
        .filter((row) => row['month'] === month && row['section'] === 'Payments')
        .reduce((all, row) => all + cents(row['amount']), 0n)
      expect(paid).toBe(amount('Paid'))
      const amounts = await one(`select coalesce(sum(coalesce(amount_paid, amount_due)), 0)::text as paid from bills
        where client_id = ${client} and group_bill_id is null and superseded_by_id is null and paid and to_char(date, 'YYYY-MM') = '${month}'`)
      const types = read.rows.filter(
        (row) => row['month'] === month && row['section'] === 'Payments' && row['item'] !== 'Less earlier balances',
      )
      expect(types.reduce((all, row) => all + cents(row['amount']), 0n)).toBe(cents(amounts['paid']))
    }
    // Each was entered on its own day, and each paid one was paid on its due date, which is the same day.
    const closing = await one(
      `select count(*)::text, sum(current_charges + late_fee)::text as due from bills where client_id = ${client} and group_bill_id is null and superseded_by_id is null and not paid and date < '2026-01-01'`,
    )
    expect([of('2025-12', 'Closing unpaid')?.['count'], of('2025-12', 'Closing unpaid')?.['amount']]).toEqual([
      closing['count'],
      closing['due'],
    ])
    const entered = await one(
      `select count(*)::text, sum(current_charges + late_fee)::text as due from bills where client_id = ${client} and group_bill_id is null and to_char(date, 'YYYY-MM') = '2025-10'`,
    )
    expect([of('2025-10', 'Entered')?.['count'], of('2025-10', 'Entered')?.['amount']]).toEqual([entered['count'], entered['due']])
    const voided = await one(
      `select to_char(greatest(old.date, new.date), 'YYYY-MM') as month, (old.current_charges + old.late_fee)::text as due from bills old join bills new on new.client_id = old.client_id and new.id = old.superseded_by_id where old.client_id = ${client}`,
    )
    expect(of(voided['month'] ?? '', 'Voided')?.['amount']).toBe(voided['due'])
  })

  it('has the accruals of the Accrual Report of the same month', async () => {
    const month = { date_range: { from: '2025-12-01', to: '2025-12-31' } }
    const [end, accruals] = [await made('Month End Report', month), await made('Accrual Report', month)]
    const all = end.rows.find((row) => row['section'] === 'Accruals' && row['item'] === 'All')
    expect(all?.['amount']).toBe(accruals.totals['total'])
    const parts = end.rows
      .filter((row) => row['section'] === 'Accruals' && row['item'] !== 'All')
      .reduce((sum, row) => sum + cents(row['amount']), 0n)
    expect(parts).toBe(cents(accruals.totals['total']))
  })
})

/** Returns a decimal in units of its last place. */
function micro(value: string, places = 6): bigint {
  const [whole = '0', fraction = ''] = z.string().parse(value).split('.')
  const sign = whole.startsWith('-') ? -1n : 1n
  return sign * (BigInt(whole.replace('-', '')) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0').slice(0, places) || '0'))
}
