/** A client with what sums of unlike things are made of: water and sewer, fuels, a group, suppliers, void bills, gaps. */
import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { makeAccount, makeGround, makeService, makeSupplyAccount, type Ground } from '../support/bills.ts'
import { addBill, type TestLine } from '../support/fact-bills.ts'

type Account = { readonly billable_account_id: number } | { readonly supply_account_id: number }

interface Monthly {
  readonly account: Account
  readonly services: readonly number[]
  /** Days after the first of a month on which meters are read, and by which months they vary. */
  readonly readOn: number
  readonly first: string
  readonly months: number
  readonly kind?: 'utility' | 'supply' | 'other'
  readonly group?: (month: number) => number | undefined
}

/** Two years of bills of one client, from January 2024 on, with the same gaps each time. */
export async function makeFiguresWorld(db: Tx): Promise<Ground> {
  const ground = await makeGround(db)
  const { clientId } = ground
  const second = await secondFacility(db, ground)
  const monthly = monthlyBills(db, clientId)
  await monthly({
    account: { billable_account_id: ground.accountId },
    services: [ground.electricId, ground.gasId],
    readOn: 12,
    first: '2023-12',
    months: 22,
  })
  const wet = await makeAccount(db, second, 'WET-1')
  const water = await makeService(db, clientId, wet, 'water', 'W-1')
  const sewer = await makeService(db, clientId, wet, 'sewer', 'W-1')
  await monthly({ account: { billable_account_id: wet }, services: [water, sewer], readOn: 0, first: '2024-03', months: 21 })
  const fuels = await makeAccount(db, second, 'FUEL-1')
  const tanks = [await makeService(db, clientId, fuels, 'diesel', 'D-1'), await makeService(db, clientId, fuels, 'propane', 'P-1')]
  await monthly({ account: { billable_account_id: fuels }, services: tanks, readOn: 20, first: '2024-06', months: 15, kind: 'other' })
  const phone = await makeAccount(db, ground, 'PHONE-1')
  const line = await makeService(db, clientId, phone, 'telecom', 'T-1')
  await monthly({ account: { billable_account_id: phone }, services: [line], readOn: 27, first: '2024-01', months: 23 })
  await addVoids(db, clientId, ground.accountId, ground.electricId)
  await addSuppliers(db, ground, monthly)
  await addGroup(db, ground, monthly)
  await addFees(db, clientId, phone)
  // A meter that retired, one that came late, and usage that was billed in another unit.
  await sql`update services set active = false where client_id = ${clientId} and id = ${tanks[1]}`.execute(db)
  await sql`update services set effective_from = '2024-06-10' where client_id = ${clientId} and id = ${tanks[0]}`.execute(db)
  await billInUnits(db, clientId)
  // One store has an area, the other has none.
  await sql`update facilities set square_footage = '12500.5' where client_id = ${clientId} and id = ${ground.facilityId}`.execute(db)
  return ground
}

async function secondFacility(db: Tx, ground: Ground): Promise<Ground> {
  const { clientId } = ground
  const { rows } = await sql<{
    id: number
  }>`with division as (insert into divisions (client_id, name, short_code, code) values (${clientId}, 'East', 'E', 'E') returning id)
    insert into facilities (client_id, division_id, name, number) select ${clientId}, id, 'Store 2', 'F2' from division returning id`.execute(
    db,
  )
  return { ...ground, facilityId: rows[0]?.id ?? 0 }
}

/**
 * One bill a month, each with other amounts; every seventh month is missing, every fifth has a charge and a fee beside its lines. Bills are dated
 * up to ten days after the reading, some in the next month; some have a fiscal month, and so have some of their lines.
 */
function monthlyBills(db: Tx, clientId: number) {
  return async ({ account, services, readOn, first, months, kind = 'utility', group }: Monthly): Promise<number[]> => {
    const ids: number[] = []
    for (let month = 0; month < months; month += 1) {
      if (month % 7 === 5) continue
      const from = dayOf(first, month, readOn)
      const to = dayOf(first, month + 1, readOn - (month % 4 === 1 ? 1 : 0))
      const lines: TestLine[] = services.map((service_id, place) => ({
        service_id,
        from,
        to,
        [kind]: amount(month * 7919 + place * 104_729 + readOn * 31),
        usage: amount(month * 6133 + place * 7 + readOn * 17),
        ...(place === 1 && month % 4 === 2 ? { fiscal_month: dayOf(first, month + 2, 0).slice(0, 7) } : {}),
      }))
      const charged = lines.reduce((sum, one) => sum + Math.round(Number(one[kind]) * 100), 0)
      const group_bill_id = group?.(month)
      const { id } = await addBill(db, clientId, {
        account,
        date: dayOf(first, month + 1, readOn + ((month * 5) % 11)),
        ...(month % 3 === 0 ? { fiscal_month: dayOf(first, month + (month % 2), 0).slice(0, 7) } : {}),
        current_charges: ((charged + (month % 5 === 0 ? 1337 : 0)) / 100).toFixed(2),
        late_fee: month % 5 === 0 ? '10.01' : '0.00',
        balance_forward: '321.00',
        lines,
        ...(group_bill_id === undefined ? {} : { group_bill_id }),
      })
      ids.push(id)
    }
    return ids
  }
}

/** A bill that a rebill replaced, and one that was added to. */
async function addVoids(db: Tx, clientId: number, accountId: number, serviceId: number): Promise<void> {
  const days = { from: dayOf('2025-10', 0, 12), to: dayOf('2025-10', 1, 12) }
  const of = (utility: string) =>
    addBill(db, clientId, {
      account: { billable_account_id: accountId },
      date: days.to,
      current_charges: utility,
      lines: [{ ...days, service_id: serviceId, utility, usage: '777.777' }],
    })
  const [wrong, right] = [await of('99999.99'), await of('888.88')]
  await sql`update bills set superseded_by_id = ${right.id} where client_id = ${clientId} and id = ${wrong.id}`.execute(db)
}

/** One supply account that is linked to its delivery meter, and one that nobody linked. */
async function addSuppliers(db: Tx, ground: Ground, monthly: ReturnType<typeof monthlyBills>): Promise<void> {
  const { clientId } = ground
  for (const [number, isLinked] of [
    ['SUP-1', true],
    ['SUP-2', false],
  ] as const) {
    const account = await makeSupplyAccount(db, ground, number)
    const meter = await makeService(db, clientId, account, 'electric', `${number}-M`, 'supply_account_id')
    if (isLinked)
      await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${clientId}, ${account}, ${ground.electricId})`.execute(
        db,
      )
    await monthly({ account: { supply_account_id: account }, services: [meter], readOn: 12, first: '2023-12', months: 22, kind: 'supply' })
  }
}

/** A group whose bills have no child linked, some of them, or all of them. */
async function addGroup(db: Tx, ground: Ground, monthly: ReturnType<typeof monthlyBills>): Promise<void> {
  const { clientId } = ground
  const group = await makeAccount(db, ground, 'GROUP-1', { group: true })
  const meter = await makeService(db, clientId, group, 'electric', 'GM-1')
  const parents: number[] = []
  for (let month = 0; month < 12; month += 1) {
    const days = { from: dayOf('2025-01', month, 0), to: dayOf('2025-01', month + 1, 0) }
    const utility = amount(month * 1009 + 90_001, 900_000)
    const { id } = await addBill(db, clientId, {
      account: { billable_account_id: group },
      date: days.to,
      current_charges: utility,
      lines: [{ ...days, service_id: meter, utility, usage: '4321.5' }],
    })
    parents.push(id)
  }
  for (const place of [0, 1, 2]) {
    const child = await makeAccount(db, ground, `CHILD-${place}`, { groupId: group })
    const own = await makeService(db, clientId, child, 'electric', `CM-${place}`)
    // The first months have no child linked, the next ones the first child, the last ones all.
    const isLinked = (month: number) => month >= 8 || (month >= 4 && place === 0)
    await monthly({
      account: { billable_account_id: child },
      services: [own],
      readOn: 0,
      first: '2025-01',
      months: 12,
      group: (month) => (isLinked(month) ? parents[month] : undefined),
    })
  }
}

/** Bills without a line, with days and without. */
async function addFees(db: Tx, clientId: number, accountId: number): Promise<void> {
  for (const [date, current_charges, from, to] of [
    ['2024-04-15', '31.00', '2024-03-15', '2024-05-14'],
    ['2025-04-15', '33.33', '2025-03-15', '2025-05-14'],
    ['2025-08-02', '12.34', undefined, undefined],
  ] as const)
    await addBill(db, clientId, {
      account: { billable_account_id: accountId },
      date,
      current_charges,
      lines: [],
      ...(from && to ? { from, to } : {}),
    })
}

/** Water in CCF, all else in its standard unit: what a save would have stored. */
async function billInUnits(db: Tx, clientId: number): Promise<void> {
  await sql`update service_bills line set unit_id = unit.unit_id, standard_usage = round(line.usage * unit.conversion_factor, 6)
    from services service join utility_services kind on kind.id = service.utility_service_id
    join usage_units unit on unit.utility_service_id = kind.id join units on units.id = unit.unit_id
    where line.client_id = ${clientId} and service.client_id = line.client_id and service.id = line.service_id
      and case when kind.code in ('water', 'sewer') then units.symbol = 'CCF' else unit.standard end`.execute(db)
}

function dayOf(month: string, plus: number, days: number): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + plus, 1 + days)).toISOString().slice(0, 10)
}

/** Some amount that follows from a number. */
function amount(seed: number, most = 90_000): string {
  return ((((seed * 48_271) % 2_147_483_647) % most) / 100 + 1).toFixed(2)
}
