/** Why a cost rose: the parts of each figure by hand, and all of them against plain SQL over the lines of the bills. */
import { dashboardCostChangeCalls, type CostChange } from '#contract/dashboard/dashboard-cost-change.ts'
import { dashboardCalls } from '#contract/dashboard/dashboard.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeService, makeSupplyAccount } from '../../../test/support/bills.ts'
import { makeChangedStores } from '../../../test/support/changed-stores.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { refreshFacts } from '../month-facts/refresh-facts.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')
const stores = await makeChangedStores(db)

type Query = Readonly<Record<string, string | number>>

function get(who: Person | null, query: Query, path = 'cost_change') {
  const search = new URLSearchParams({ as_of: '2026-01-15' })
  for (const [key, value] of Object.entries(query)) search.set(key, String(value))
  return ask(who, 'GET', `/clients/${stores.clientId}/dashboard/${path}?${search.toString()}`)
}

async function costChange(query: Query, who = admin): Promise<CostChange> {
  const answer = await get(who, query)
  expect(answer.status, answer.text).toBe(200)
  return dashboardCostChangeCalls.costChange.schemas.reply.parse(answer.body)
}

/** Both parts by account and utility service, and their sums, from the lines of the bills. All lines are of whole months. */
async function recomputed(): Promise<{ by_usage: string; by_price: string }[]> {
  const { rows } = await sql<{ by_usage: string; by_price: string }>`with line as (
      select bill.billable_account_id as account, meter.utility_service_id as service, meter.id as meter,
        extract(year from line.previous_read_date) as year, extract(month from line.previous_read_date) as month, sum(charge.value) as cost, sum(line.usage) as usage
      from service_bills line join bills bill on bill.client_id = line.client_id and bill.id = line.bill_id
      join services meter on meter.client_id = line.client_id and meter.id = line.service_id
      join service_bill_entry_values charge on charge.client_id = line.client_id and charge.service_bill_id = line.id
      where line.client_id = ${stores.clientId} and bill.billable_account_id is not null group by 1, 2, 3, 4, 5, line.id),
    cell as (select now.account, now.service, sum(now.cost) as cost, sum(before.cost) as cost_before, sum(now.usage) as usage, sum(before.usage) as usage_before
      from line now join line before on before.meter = now.meter and before.month = now.month and before.year = 2024
      where now.year = 2025 and now.usage is not null and before.usage is not null group by 1, 2)
    select round((usage - usage_before) * cost_before / usage_before, 2)::text as by_usage,
      (cost - cost_before - round((usage - usage_before) * cost_before / usage_before, 2))::text as by_price
    from cell where cost / usage <= 10 * cost_before / usage_before and cost_before / usage_before <= 10 * cost / usage`.execute(db)
  return rows
}

test('a change is split into usage, price and what cannot be split, each with its reason, by service and by facility', async () => {
  const { rows, services, windows } = await costChange({ children: 'facilities' })
  expect(windows).toEqual({ current: { from: '2025-01-01', to: '2025-12-31' }, previous: { from: '2024-01-01', to: '2024-12-31' } })
  const store = rows.find((row) => row.name === 'Store 1')
  expect(store).toMatchObject({
    id: stores.facilityId,
    place: 'West',
    previous: '1440.00',
    current: '1884.00',
    change: '444.00',
    by_usage: '240.00',
    by_price: '144.00',
    unsplit: '60.00',
    reasons: [{ reason: 'no_usage', amount: '60.00' }],
  })
  expect(store?.services.map(({ name, usage, unit_cost, unit_symbol }) => ({ name, usage, unit_cost, unit_symbol }))).toEqual([
    {
      name: 'Electric',
      usage: { current: '14400.000', previous: '12000.000' },
      unit_cost: { current: '0.1100', previous: '0.1000' },
      unit_symbol: 'kWh',
    },
    {
      name: 'Natural Gas',
      usage: { current: null, previous: null },
      unit_cost: { current: null, previous: null },
      unit_symbol: 'therm',
    },
  ])
  const second = rows.find((row) => row.name === 'Store 2')
  const ofService = (name: string) => second?.services.find((row) => row.name === name)
  // From July on 300.00 for 3,000 kWh, then 360.00 for 3,600: the usage alone. January to June of 2025 have no year before.
  expect(ofService('Electric')).toMatchObject({
    previous: '660.00',
    current: '1140.00',
    by_usage: '60.00',
    by_price: '0.00',
    unsplit: '420.00',
    reasons: [
      { reason: 'days', amount: '360.00' },
      { reason: 'unlike', amount: '60.00' },
    ],
    usage: { current: '3600.000', previous: '3000.000' },
  })
  expect(ofService('Water')).toMatchObject({ change: '480.00', reasons: [{ reason: 'started', amount: '480.00' }] })
  expect(ofService('Sewer')).toMatchObject({ change: '-120.00', reasons: [{ reason: 'ended', amount: '-120.00' }] })
  expect(services.map(({ name }) => name).toSorted()).toEqual(['Electric', 'Natural Gas', 'Sewer', 'Water'])
})

test('all parts tie to the cent: to plain SQL over the bills, to the change of the dashboard, and whatever the scope is divided into', async () => {
  const expected = await recomputed()
  expect(expected.length).toBe(3)
  const board = dashboardCalls.get.schemas.reply.parse((await get(admin, { compare_to_last_year: 'true' }, '')).body)
  if ('error' in board) throw new Error(board.message)
  const { current, previous } = board.dashboard.total_utility_cost
  const seen = await Promise.all(['divisions', 'facilities', 'accounts', 'services'].map((children) => costChange({ children })))
  for (const { total, rows, services } of seen) {
    expect(total).toEqual(seen[0]?.total)
    expect([total.current, total.previous]).toEqual([current, previous])
    expect(total.by_usage).toBe(sumMoney(expected.map((cell) => cell.by_usage)))
    expect(total.by_price).toBe(sumMoney(expected.map((cell) => cell.by_price)))
    for (const parts of [rows, services, rows.flatMap((row) => row.services)])
      for (const key of ['previous', 'current', 'change', 'by_usage', 'by_price', 'unsplit'] as const)
        expect(sumMoney(parts.map((part) => part[key])), key).toBe(total[key])
    for (const part of [total, ...rows, ...services]) {
      expect(sumMoney([part.by_usage, part.by_price, part.unsplit])).toBe(part.change)
      expect(sumMoney(part.reasons.map(({ amount }) => amount))).toBe(part.unsplit)
    }
  }
})

test('a supplier’s cost is split by the usage that its own lines meter, and the usage of the facility is told once', async () => {
  const account = await makeSupplyAccount(db, stores, 'SUPPLIER-9')
  const meter = await makeService(db, stores.clientId, account, 'electric', 'S-9', 'supply_account_id')
  await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id)
    values (${stores.clientId}, ${account}, ${stores.electricId})`.execute(db)
  for (const [year, cost, usage] of [
    [2024, '50.00', '1000'],
    [2025, '72.00', '1200'],
  ] as const) {
    const days = { from: `${year}-03-01`, to: `${year}-04-01` }
    await addBill(db, stores.clientId, {
      account: { supply_account_id: account },
      date: days.to,
      current_charges: cost,
      lines: [{ ...days, service_id: meter, supply: cost, usage }],
    })
  }
  await refreshFacts(db, stores.clientId, [meter, stores.electricId])
  const { rows } = await costChange({ children: 'accounts', scope_type: 'supply_accounts' })
  // 200 kWh more at 0.05, and 0.01 more for each of 1,200.
  expect(rows).toMatchObject([{ account_type: 'SupplyAccount', change: '22.00', by_usage: '10.00', by_price: '12.00', unsplit: '0.00' }])
  // A scope that was not asked before: bills that are written as rows raise no version, so that an answer would be remembered.
  const store = await costChange({ children: 'services', scope_type: 'facility', scope_id: stores.facilityId })
  const electric = store.services.find(({ name }) => name === 'Electric')
  // 1,656.00 of both vendors over the usage of the delivery meter.
  expect(electric).toMatchObject({
    by_usage: '250.00',
    by_price: '156.00',
    usage: { current: '14400.000', previous: '12000.000' },
    unit_cost: { current: '0.1150', previous: '0.1042' },
  })
})

test('the comparison is with the year before, also of three months, of one service, and where bills count whole', async () => {
  const quarter = await costChange({ children: 'services', date_range_type: 'last_3_months' })
  expect(quarter.windows).toEqual({
    current: { from: '2025-10-01', to: '2025-12-31' },
    previous: { from: '2024-10-01', to: '2024-12-31' },
  })
  const { rows } = await sql<{ id: number }>`select id from utility_services where code = 'electric'`.execute(db)
  const power = await costChange({ children: 'facilities', service: rows[0]?.id ?? 0, from_month: '2025-03', to_month: '2025-08' })
  expect(power.rows.find((row) => row.name === 'Store 1')?.services.map(({ name }) => name)).toEqual(['Electric'])
  const whole = await costChange({ children: 'services', basis: 'billed', scope_type: 'facility', scope_id: stores.secondStore })
  expect(sumMoney([whole.total.by_usage, whole.total.by_price, whole.total.unsplit])).toBe(whole.total.change)
  expect(whole.basis).toBe('billed')
})

test('a narrowed role has the change of its part, and what it may not name is one row', async () => {
  const person = await makePerson(db, 'client_user', { clients: [stores.clientId], division: [[stores.clientId, stores.east]] })
  const own = await costChange({ children: 'facilities' }, person)
  expect([own.rows.map((row) => row.name), own.total.change]).toEqual([['Store 2'], own.rows[0]?.change])
  const account = await makePerson(db, 'client_user', {
    clients: [stores.clientId],
    billable_account: [[stores.clientId, stores.accountId]],
  })
  const hidden = await costChange({ children: 'facilities' }, account)
  expect(hidden.rows).toMatchObject([{ id: null, name: 'Facilities that you may not read', by_usage: '240.00', by_price: '144.00' }])
})

test('401, 404, 403 and 422 as for the dashboard; the comparison cannot be chosen', async () => {
  const other = await makePerson(db, 'client_admin', { clients: [] })
  expect((await get(null, { children: 'services' })).status).toBe(401)
  expect((await get(other, { children: 'services' })).status).toBe(404)
  for (const query of [
    {},
    { children: 'meters' },
    { children: 'services', compare_to_last_year: 'false' },
    { children: 'services', graph_data_type: 'cost' },
    { children: 'divisions', scope_type: 'facility', scope_id: stores.facilityId },
    { children: 'services', from_month: '2025-13', to_month: '2025-12' },
  ])
    expect((await get(admin, query)).status, JSON.stringify(query)).toBe(422)
  expect((await get(admin, { children: 'accounts', scope_type: 'facility', scope_id: 999_999_999 })).status).toBe(404)
})
