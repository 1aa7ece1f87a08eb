import { calendarize, closeOneDayGaps } from '#contract/bill-figures/calendarize.ts'
import { lineCostSplits } from '#contract/bill-figures/allocation.ts'
import { linesTotal } from '#contract/bill-figures/bill-totals.ts'
import { costBesideChildren, scaleSplits } from '#contract/bills/group-bill.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sumDecimals } from '#contract/kernel/decimal.ts'
import { centsOf, centsOrZero, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../../../test/support/bills.ts'
import { rebuildFacts, refreshFacts, refreshFactsUnder } from './refresh-facts.ts'
import { addBill, allFacts, type TestBill, type TestLine } from '../../../test/support/fact-bills.ts'

const { db } = await testDatabase()

interface FactRow {
  service_id: number
  month: string
  days: number
  days_mask: number
  cost: string
  utility_cost: string
  supply_cost: string
  other_cost: string
  usage: string | null
  supply_usage: string | null
  kg_co2e: string
  starts: boolean
  previous_month: string | null
}

async function factsOf(clientId: number): Promise<FactRow[]> {
  const { rows } =
    await sql<FactRow>`select service_id, to_char(month, 'YYYY-MM') as month, days, days_mask, cost, utility_cost, supply_cost, other_cost, usage, supply_usage, kg_co2e,
    starts, to_char(previous_month, 'YYYY-MM') as previous_month from service_month_facts where client_id = ${clientId} order by service_id, month`.execute(
      db,
    )
  return rows
}

const monthsOf = (rows: readonly FactRow[]) => rows.map(({ month, days, cost }) => ({ month, days, cost }))
const ofAccount = (ground: Ground) => ({ billable_account_id: ground.accountId })

async function addAndRefresh(clientId: number, bill: TestBill): Promise<{ id: number; line_ids: number[] }> {
  const made = await addBill(db, clientId, bill)
  const accounts =
    'billable_account_id' in bill.account
      ? { billable_account_ids: [bill.account.billable_account_id] }
      : { supply_account_ids: [bill.account.supply_account_id] }
  await refreshFacts(
    db,
    clientId,
    bill.lines.map((line) => line.service_id),
    accounts,
  )
  return made
}

describe('a line over its days', () => {
  test('12 September to 14 October is 19 of 32 days in September and 13 in October, in money, use and kilograms', async () => {
    const ground = await makeGround(db)
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-10-20',
      current_charges: '320.00',
      balance_forward: '77.00',
      lines: [
        {
          service_id: ground.electricId,
          from: '2025-09-12',
          to: '2025-10-14',
          utility: '192.00',
          supply: '96.00',
          other: '32.00',
          usage: '3200',
        },
      ],
    })
    expect(await factsOf(ground.clientId)).toEqual([
      {
        service_id: ground.electricId,
        month: '2025-09',
        days: 19,
        days_mask: (2 ** 19 - 1) * 2 ** 11,
        cost: '190.00',
        utility_cost: '114.00',
        supply_cost: '57.00',
        other_cost: '19.00',
        usage: '1900.000000',
        supply_usage: null,
        kg_co2e: '664.430000',
        starts: true,
        previous_month: null,
      },
      {
        service_id: ground.electricId,
        month: '2025-10',
        days: 13,
        days_mask: 2 ** 13 - 1,
        cost: '130.00',
        utility_cost: '78.00',
        supply_cost: '39.00',
        other_cost: '13.00',
        usage: '1300.000000',
        supply_usage: null,
        kg_co2e: '454.610000',
        starts: false,
        previous_month: '2025-09',
      },
    ])
  })

  test('account-level charges go to the lines by their charges, a bill without a line keeps them on its account', async () => {
    const ground = await makeGround(db)
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-03-31',
      current_charges: '100.00',
      late_fee: '10.00',
      lines: [
        { service_id: ground.electricId, from: '2025-03-01', to: '2025-04-01', utility: '60.00', usage: '1' },
        { service_id: ground.gasId, from: '2025-03-01', to: '2025-04-01', utility: '30.00', usage: '1' },
      ],
    })
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-05-20',
      current_charges: '31.00',
      from: '2025-03-31',
      to: '2025-05-01',
      lines: [],
    })
    expect(monthsOf(await factsOf(ground.clientId))).toEqual([
      { month: '2025-03', days: 0, cost: '1.00' },
      { month: '2025-04', days: 0, cost: '30.00' },
      { month: '2025-03', days: 31, cost: '73.33' },
      { month: '2025-03', days: 31, cost: '36.67' },
    ])
  })

  test('a line without dates costs in the month of its bill and covers no day', async () => {
    const ground = await makeGround(db)
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-05-20',
      current_charges: '12.34',
      lines: [{ service_id: ground.gasId, from: null, to: null, utility: '12.34' }],
    })
    expect(monthsOf(await factsOf(ground.clientId))).toEqual([{ month: '2025-05', days: 0, cost: '12.34' }])
  })
})

describe('what counts', () => {
  const march = (service_id: number, utility: string): TestLine => ({
    service_id,
    from: '2025-03-01',
    to: '2025-04-01',
    utility,
    usage: '100',
  })

  test('a void bill counts no more, found through the bill that replaces it', async () => {
    const ground = await makeGround(db)
    const first = await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-02',
      current_charges: '10.00',
      lines: [march(ground.electricId, '10.00')],
    })
    const second = await addBill(db, ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-03',
      current_charges: '7.00',
      lines: [march(ground.gasId, '7.00')],
    })
    await sql`update bills set superseded_by_id = ${second.id} where id = ${first.id}`.execute(db)
    await sql`update bills set rebill_of_id = ${first.id} where id = ${second.id}`.execute(db)
    await refreshFacts(db, ground.clientId, [ground.gasId])
    expect((await factsOf(ground.clientId)).map((row) => [row.service_id, row.cost])).toEqual([[ground.gasId, '7.00']])
  })

  test('the bill of a group counts for what its children do not carry yet, never past zero: none, one, all, more than all, a void one', async () => {
    const ground = await makeGround(db)
    const group = await makeAccount(db, ground, 'GROUP', { group: true })
    const members = [ground.accountId, await makeAccount(db, ground, 'B'), await makeAccount(db, ground, 'C')]
    const services = [ground.electricId]
    for (const [place, member] of members.slice(1).entries())
      services.push(await makeService(db, ground.clientId, member, 'electric', `E-${place}`))
    const costs = async () => {
      await refreshFacts(db, ground.clientId, services, { billable_account_ids: [group] })
      const rows = await factsOf(ground.clientId)
      const sum = rows.reduce((total, row) => total + centsOf(row.cost), 0)
      return { of_group: rows.filter((row) => row.service_id === 0).map((row) => row.cost), all: wireOf(sum) }
    }
    const parent = await addBill(db, ground.clientId, {
      account: { billable_account_id: group },
      date: '2025-04-02',
      current_charges: '156.00',
      lines: [],
    })
    expect(await costs()).toEqual({ of_group: ['156.00'], all: '156.00' })
    const children: number[] = []
    for (const [place, member] of members.entries()) {
      const child = await addBill(db, ground.clientId, {
        account: { billable_account_id: member },
        date: '2025-04-02',
        current_charges: '50.00',
        late_fee: '2.00',
        group_bill_id: parent.id,
        lines: [march(services[place] ?? 0, '50.00')],
      })
      children.push(child.id)
      const left = ['104.00', '52.00'][place]
      expect(await costs()).toEqual({ of_group: left === undefined ? [] : [left], all: '156.00' })
    }
    await sql`update bills set current_charges = 80 where id = ${children[0] ?? 0}`.execute(db)
    expect(await costs()).toEqual({ of_group: [], all: '186.00' })
    await sql`update bills set current_charges = 50, superseded_by_id = ${parent.id} where id = ${children[0] ?? 0}`.execute(db)
    expect(await costs()).toEqual({ of_group: ['52.00'], all: '156.00' })
    await sql`update bills set superseded_by_id = null, group_bill_id = null where id = ${children[0] ?? 0}`.execute(db)
    expect(await costs()).toEqual({ of_group: ['52.00'], all: '208.00' })
  })

  test('the use of a group’s bill counts while no child is linked to it, its charges for what is left of them, in their proportion', async () => {
    const ground = await makeGround(db)
    const member = await makeAccount(db, ground, 'MEMBER')
    const parent = await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-02',
      current_charges: '100.00',
      lines: [{ ...march(ground.electricId, '60.00'), supply: '30.00', other: '10.00' }],
    })
    await addBill(db, ground.clientId, {
      account: { billable_account_id: member },
      date: '2025-04-02',
      current_charges: '75.00',
      group_bill_id: parent.id,
      lines: [],
    })
    await refreshFacts(db, ground.clientId, [ground.electricId], { billable_account_ids: [member] })
    expect((await factsOf(ground.clientId)).map((row) => [row.cost, row.utility_cost, row.supply_cost, row.other_cost, row.usage])).toEqual(
      [
        ['75.00', '0.00', '0.00', '75.00', null],
        ['25.00', '15.00', '7.50', '2.50', null],
      ],
    )
  })

  test('a group bill without a line counts itself until its only child carries it', async () => {
    const ground = await makeGround(db)
    const group = await makeAccount(db, ground, 'GROUP', { group: true })
    const parent = await addAndRefresh(ground.clientId, {
      account: { billable_account_id: group },
      date: '2025-04-02',
      current_charges: '50.00',
      lines: [],
    })
    expect((await factsOf(ground.clientId)).map((row) => row.cost)).toEqual(['50.00'])
    await addBill(db, ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-02',
      current_charges: '50.00',
      group_bill_id: parent.id,
      lines: [march(ground.electricId, '50.00')],
    })
    await refreshFacts(db, ground.clientId, [ground.electricId])
    expect((await factsOf(ground.clientId)).map((row) => [row.service_id, row.cost, row.usage])).toEqual([
      [ground.electricId, '50.00', '100.000000'],
    ])
  })

  test('a supply line that is linked to a billable bill adds cost and no use', async () => {
    const ground = await makeGround(db)
    const supplier = await makeSupplyAccount(db, ground, 'S-1')
    const supplyService = await makeService(db, ground.clientId, supplier, 'electric', 'S-E-1', 'supply_account_id')
    const supply = await addAndRefresh(ground.clientId, {
      account: { supply_account_id: supplier },
      date: '2025-04-02',
      current_charges: '40.00',
      lines: [{ ...march(supplyService, '0'), supply: '40.00' }],
    })
    expect((await factsOf(ground.clientId)).map((row) => [row.usage, row.supply_usage])).toEqual([['100.000000', null]])
    const bill = await addBill(db, ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-02',
      current_charges: '50.00',
      lines: [march(ground.electricId, '50.00')],
    })
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id) values (${ground.clientId}, ${bill.id}, ${supply.line_ids[0]})`.execute(
      db,
    )
    await refreshFacts(db, ground.clientId, [ground.electricId])
    expect((await factsOf(ground.clientId)).map((row) => [row.service_id, row.cost, row.usage, row.supply_usage, row.kg_co2e])).toEqual([
      [ground.electricId, '50.00', '100.000000', null, '34.970000'],
      [supplyService, '40.00', null, '100.000000', '0.000000'],
    ])
  })

  test('emissions go by the service’s own factor, else by the edition that was in force in the month; [DASH-FIELD-002] a service outside the inventory emits nothing', async () => {
    const ground = await makeGround(db)
    const telecom = await makeService(db, ground.clientId, ground.accountId, 'telecom', 'T-1')
    await sql`insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope)
      select utility_service_id, unit_id, date '2025-04-01', 9.0000, 'test', 'next', 2025, 'CO2e', 1 from emission_factors join utility_services kind on kind.id = utility_service_id
      where kind.code = 'natural_gas'`.execute(db)
    await sql`update services set emissions_factor = 1.5 where id = ${ground.electricId}`.execute(db)
    const gas: TestLine = { service_id: ground.gasId, from: '2025-03-02', to: '2025-05-01', usage: '60' }
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-05-02',
      current_charges: '0',
      lines: [march(ground.electricId, '0'), gas, march(telecom, '0')],
    })
    expect((await factsOf(ground.clientId)).map((row) => [row.service_id, row.month, row.kg_co2e])).toEqual([
      [ground.electricId, '2025-03', '150.000000'],
      [ground.gasId, '2025-03', '159.345000'],
      [ground.gasId, '2025-04', '270.000000'],
      [telecom, '2025-03', '0.000000'],
    ])
    await sql`delete from emission_factors where edition = 'next'`.execute(db)
  })
})

/** Makes a year of untidy bills: gaps, overlaps, missing dates, credits, unrounded extra fields, account charges, bills without lines. */
function untidyBills(seed: number, accounts: readonly { billable_account_id: number; services: readonly number[] }[]): TestBill[] {
  let state = seed
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
  const money = (size: number) => wireOf(random(size) - Math.floor(size / 10))
  return accounts.flatMap(({ billable_account_id, services }) => {
    let day = addDays('2024-12-01', random(40))
    return Array.from({ length: 14 }, (): TestBill => {
      const from = addDays(day, random(5) === 0 ? random(4) - 1 : 0)
      const to = addDays(from, 20 + random(30))
      day = to
      const used = services.filter(() => random(8) > 0)
      const isUncharged = random(4) === 0
      const units = [[1], [1, 2], [1, null]][random(3)] ?? []
      const lines = used.map((service_id): TestLine => {
        const noDates = random(12) === 0
        return {
          service_id,
          from: noDates ? null : from,
          to: noDates ? null : to,
          ...(isUncharged ? {} : { utility: money(90_000), supply: money(30_000) }),
          ...(!isUncharged && random(3) === 0 ? { other: money(5_000) } : {}),
          ...(!isUncharged && random(3) === 0 ? { additional: `${random(100)}.${String(random(10_000)).padStart(4, '0')}` } : {}),
          usage: random(10) === 0 ? null : `${random(9_000)}.${String(random(1000)).padStart(3, '0')}`,
          unit_id: units[Math.floor((random(1_000) * units.length) / 1_000)] ?? null,
        }
      })
      return {
        account: { billable_account_id },
        date: addDays(to, 5),
        current_charges: money(200_000),
        late_fee: wireOf(random(500)),
        from,
        to,
        lines,
      }
    })
  })
}

test('a bill whose lines carry no charges costs each of them alike where their units differ, and by usage where they do not', async () => {
  const ground = await makeGround(db)
  const { rows: units } = await sql<{ id: number }>`select id from units order by id limit 2`.execute(db)
  const [one, other] = units.map((unit) => unit.id)
  const bill = async (from: string, to: string, unit_id: number | undefined) => {
    const line = (service_id: number, usage: string, unit: number | undefined) => ({ service_id, from, to, usage, unit_id: unit ?? null })
    const lines = [line(ground.electricId, '5000', one), line(ground.gasId, '1000', unit_id)]
    await addAndRefresh(ground.clientId, { account: ofAccount(ground), date: to, current_charges: '60.01', lines })
  }
  await bill('2025-03-01', '2025-04-01', other)
  await bill('2025-04-01', '2025-05-01', one)
  await bill('2025-05-01', '2025-06-01', undefined)
  const costs = (await factsOf(ground.clientId)).map(({ service_id, month, cost }) => [
    service_id === ground.gasId ? 'gas' : 'electric',
    month,
    cost,
  ])
  expect(costs).toEqual([
    ['electric', '2025-03', '30.01'],
    ['electric', '2025-04', '50.01'],
    ['electric', '2025-05', '30.01'],
    ['gas', '2025-03', '30.00'],
    ['gas', '2025-04', '10.00'],
    ['gas', '2025-05', '30.00'],
  ])
  expect(await costByMonth(ground.clientId)).toEqual(pureCostByMonth(await storedBills(ground.clientId)))
})

describe('the sums hold', () => {
  test('a year of untidy bills, saved one by one, changed and removed, gives the same facts as a rebuild; [DASH-FIELD-001] and to the cent what the pure functions say', async () => {
    const ground = await makeGround(db)
    const { clientId } = ground
    const second = await makeAccount(db, ground, 'SECOND')
    const accounts = [
      { billable_account_id: ground.accountId, services: [ground.electricId, ground.gasId] },
      {
        billable_account_id: second,
        services: [await makeService(db, clientId, second, 'water', 'W-1'), await makeService(db, clientId, second, 'electric', 'E-9')],
      },
    ]
    const bills = untidyBills(7, accounts)
    const made: { id: number; bill: TestBill }[] = []
    for (const bill of bills) made.push({ id: (await addAndRefresh(clientId, bill)).id, bill })
    const [changed, removed, emptied] = [made[4], made[17], made[22]]
    if (!changed || !removed || !emptied) throw new Error('too few bills')
    await sql`update service_bills set read_date = read_date - 9, standard_usage = 12.345678 where bill_id = ${changed.id}`.execute(db)
    await sql`update bills set superseded_by_id = ${made[0]?.id ?? null} where id = ${removed.id}`.execute(db)
    await sql`delete from service_bills where bill_id = ${emptied.id}`.execute(db)
    // Bills of the second account are carried by some of the first: one each, several, a void one, and one that matches to the cent.
    const carried = [
      [14, 1],
      [15, 2],
      [16, 2],
      [17, 3],
      [18, 5],
      [19, 5],
      [20, 6],
      [21, 8],
      [23, 9],
    ] as const
    for (const [child, parent] of carried)
      await sql`update bills set group_bill_id = ${made[parent]?.id ?? 0} where id = ${made[child]?.id ?? 0}`.execute(db)
    await sql`update bills set late_fee = 0, current_charges = (select current_charges + late_fee from bills where id = ${made[6]?.id ?? 0})
      where id = ${made[20]?.id ?? 0}`.execute(db)
    const touched = [changed, removed, emptied].flatMap(({ bill }) => bill.lines.map((line) => line.service_id))
    await refreshFacts(db, clientId, touched, { billable_account_ids: [ground.accountId, second] })
    const kept = await allFacts(db, clientId)
    await rebuildFacts(db, clientId)
    expect(kept).toEqual(await allFacts(db, clientId))
    expect(kept.service_month_facts.length).toBeGreaterThan(40)
    expect(await costByMonth(clientId)).toEqual(pureCostByMonth(await storedBills(clientId)))
  })

  test('line by line and day by day in plain SQL the money comes to the same cents', async () => {
    const ground = await makeGround(db)
    const bills = untidyBills(11, [{ billable_account_id: ground.accountId, services: [ground.electricId, ground.gasId] }])
    for (const bill of bills) {
      const lines = bill.lines.map(({ supply: _supply, other: _other, additional: _additional, ...line }) => ({
        ...line,
        from: bill.from ?? null,
        to: bill.to ?? null,
      }))
      const total = lines.reduce((sum, line) => sum + centsOrZero(line.utility), 0)
      await addBill(db, ground.clientId, { ...bill, current_charges: wireOf(total), late_fee: '0', lines })
    }
    await rebuildFacts(db, ground.clientId)
    const { rows } = await sql<{ key: string; cost: string }>`
      with closed as (select line.id, line.service_id, line.previous_read_date as starts, case when lead(line.previous_read_date) over service - line.read_date = 1
            then line.read_date + 1 else line.read_date end as ends, value.value as cost
          from service_bills line join service_bill_entry_values value on value.service_bill_id = line.id
          where line.client_id = ${ground.clientId} window service as (partition by line.service_id order by line.read_date, line.id)),
        days as (select id, service_id, cost, to_char(day, 'YYYY-MM') as month, count(*) as days from closed, generate_series(starts, ends - 1, interval '1 day') as day group by 1, 2, 3, 4),
        passed as (select *, sum(days) over (partition by id order by month) as passed, sum(days) over (partition by id) as all_days from days)
      select service_id || ' ' || month as key, sum(round(cost * passed / all_days, 2) - round(cost * (passed - days) / all_days, 2))::text as cost from passed group by 1 order by 1`.execute(
      db,
    )
    const expected = new Map(rows.map((row) => [row.key, row.cost]))
    const facts = new Map(
      (await factsOf(ground.clientId)).filter((row) => row.service_id !== 0).map((row) => [`${row.service_id} ${row.month}`, row.cost]),
    )
    expect([...facts].toSorted()).toEqual([...expected].toSorted())
  })

  test('two bills of one service saved at the same time are both in the facts', async () => {
    const ground = await makeGround(db)
    const save = (month: string, next: string) =>
      db.transaction().execute(async (tx) => {
        await addBill(tx, ground.clientId, {
          account: ofAccount(ground),
          date: next,
          current_charges: '10.00',
          lines: [{ service_id: ground.electricId, from: month, to: next, utility: '10.00', usage: '1' }],
        })
        await refreshFacts(tx, ground.clientId, [ground.electricId])
      })
    await Promise.all([
      save('2025-01-01', '2025-02-01'),
      save('2025-02-01', '2025-03-01'),
      save('2025-03-01', '2025-04-01'),
      save('2025-04-01', '2025-05-01'),
    ])
    expect((await factsOf(ground.clientId)).map((row) => row.month)).toEqual(['2025-01', '2025-02', '2025-03', '2025-04'])
    const kept = await allFacts(db, ground.clientId)
    await rebuildFacts(db, ground.clientId)
    expect(kept).toEqual(await allFacts(db, ground.clientId))
  })

  test('facts follow an account that moves to another facility', async () => {
    const ground = await makeGround(db)
    await addAndRefresh(ground.clientId, {
      account: ofAccount(ground),
      date: '2025-04-02',
      current_charges: '10.00',
      lines: [{ service_id: ground.electricId, from: '2025-03-01', to: '2025-04-01', utility: '10.00' }],
    })
    const { rows } = await sql<{
      id: number
    }>`insert into facilities (client_id, division_id, name, number) values (${ground.clientId}, ${ground.divisionId}, 'Other', 'O') returning id`.execute(
      db,
    )
    await sql`update billable_accounts set facility_id = ${rows[0]?.id ?? 0} where id = ${ground.accountId}`.execute(db)
    await refreshFactsUnder(db, ground.clientId, 'billable_account', ground.accountId)
    const { rows: totals } = await sql<{
      facility_id: number
    }>`select distinct facility_id from facility_month_facts where client_id = ${ground.clientId}`.execute(db)
    expect(totals).toEqual(rows.map(({ id }) => ({ facility_id: id })))
  })
})

interface StoredLine {
  id: number
  bill_id: number
  service_id: number
  previous_read_date: string | null
  read_date: string | null
  usage: string | null
  unit_id: number | null
  standard_usage: string | null
  bill_date: string
  current_charges: string
  late_fee: string
  /** Cost of each bill that this one carries, without void ones. */
  children: string[]
  entries: { name: string; value: string }[]
  additional: { name: string; value: string }[]
}

async function storedBills(clientId: number): Promise<StoredLine[]> {
  const { rows } =
    await sql<StoredLine>`select line.id, line.bill_id, line.service_id, line.previous_read_date, line.read_date, line.usage, line.unit_id, line.standard_usage, bills.date as bill_date,
      bills.current_charges, bills.late_fee,
      array(select (child.current_charges + child.late_fee)::text from bills child where child.group_bill_id = bills.id and child.superseded_by_id is null) as children,
      (select coalesce(json_agg(json_build_object('name', field.name, 'value', value.value::text)), '[]') from service_bill_entry_values value join entry_fields field on field.id = entry_field_id
        where value.service_bill_id = line.id) as entries,
      (select coalesce(json_agg(json_build_object('name', '', 'value', value.value::text)), '[]') from service_bill_additional_values value where value.service_bill_id = line.id) as additional
    from bills join service_bills line on line.bill_id = bills.id and line.client_id = bills.client_id
    where bills.client_id = ${clientId} and bills.superseded_by_id is null order by line.bill_id, line.position`.execute(db)
  return rows
}

/** Computes the same with the contract's functions: split over the lines, gaps closed, spread over the months. */
function pureCostByMonth(lines: readonly StoredLine[]): string[] {
  const costed = [...Map.groupBy(lines, (line) => line.bill_id).values()].flatMap((own) => {
    const charges = own.map((line) => ({
      ...line,
      service_bill_entry_fields: line.entries,
      service_bill_additional_entry_fields: line.additional,
    }))
    const head = { balance_forward: null, current_charges: own[0]?.current_charges ?? '0', late_fee: own[0]?.late_fee ?? '0' }
    const residual =
      centsOf(head.current_charges) + centsOf(head.late_fee) - linesTotal({ ...head, service_bills: charges, bill_charges: [] })
    const splits = lineCostSplits(charges, residual)
    const children = own[0]?.children ?? []
    if (children.length === 0) return splits.map((cost, place) => ({ line: charges[place], cost }))
    const left = costBesideChildren(centsOf(head.current_charges) + centsOf(head.late_fee), children.map(centsOf))
    if (left === 0) return []
    return scaleSplits(splits, left).map((cost, place) => ({ line: charges[place] && { ...charges[place], standard_usage: null }, cost }))
  })
  const sums = new Map<string, { cost: number; usage: (string | null)[] }>()
  for (const own of Map.groupBy(costed, ({ line }) => line?.service_id).values()) {
    const dated = closeOneDayGaps(own.flatMap(({ line, cost }) => (line ? [{ ...line, cost, fiscal_month: null }] : [])))
    for (const line of dated) {
      for (const share of calendarize(line)) {
        const key = `${line.service_id} ${share.month}`
        const sum = sums.get(key) ?? { cost: 0, usage: [] }
        sums.set(key, { cost: sum.cost + share.cost, usage: [...sum.usage, share.usage] })
      }
    }
  }
  return [...sums].map(([key, { cost, usage }]) => `${key} ${wireOf(cost)} ${Number(sumDecimals(usage))}`).toSorted()
}

async function costByMonth(clientId: number): Promise<string[]> {
  const rows = (await factsOf(clientId)).filter((row) => row.service_id !== 0)
  return rows.map((row) => `${row.service_id} ${row.month} ${row.cost} ${Number(row.usage ?? 0)}`).toSorted()
}
