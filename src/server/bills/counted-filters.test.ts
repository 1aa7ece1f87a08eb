/** The bills behind a figure, held against those that a second program finds in the raw rows. */
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeFiguresWorld } from '../../../test/oracles/figures-world.ts'
import { readWorld, type Basis, type Owner, type World } from '../../../test/oracles/raw-months.ts'
import { copyAccountsToBills } from '../estate/estate.ts'
import { addBill } from '../../../test/support/fact-bills.ts'

const { ask, database } = await startTestApp()
const { db } = database
const admin = await makePerson(db, 'super_admin')
const { clientId, accountId, electricId, facilityId } = await makeFiguresWorld(db)
// A line without days, and one that a next reading a day later extends into March.
await addBill(db, clientId, {
  account: { billable_account_id: accountId },
  date: '2026-02-20',
  current_charges: '20.00',
  lines: [{ service_id: electricId, from: null, to: null, utility: '20.00' }],
})
for (const [from, to] of [
  ['2026-02-01', '2026-03-01'],
  ['2026-03-02', '2026-04-01'],
] as const)
  await addBill(db, clientId, {
    account: { billable_account_id: accountId },
    date: to,
    current_charges: '10.00',
    lines: [{ service_id: electricId, from, to, utility: '10.00' }],
  })
await copyAccountsToBills(db, 'billable_account', clientId, sql`select id from billable_accounts where client_id = ${clientId}`)
await copyAccountsToBills(db, 'supply_account', clientId, sql`select id from supply_accounts where client_id = ${clientId}`)

async function listed(query: string, who: Person = admin): Promise<number[]> {
  const { status, body, text } = await ask(who, 'GET', `/clients/${clientId}/bills?per=1000&${query}`)
  expect(status, text).toBe(200)
  const { bills } = JSON.parse(JSON.stringify(body))
  return bills.map((bill: { id: number }) => bill.id).toSorted((a: number, b: number) => a - b)
}

async function rawWorld(basis: Basis): Promise<World> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await readWorld(client, clientId, basis)
  } finally {
    await client.end()
  }
}
const world = await rawWorld('calendarized')

function billsOf(inScope: (owner: Owner) => boolean, months: readonly string[], of = world): number[] {
  const found = of.months.filter(({ owner, month }) => {
    const known = of.owners.get(owner)
    return known !== undefined && inScope(known) && months.includes(month)
  })
  return [...new Set(found.flatMap(({ bills }) => [...bills]))].toSorted((a, b) => a - b)
}

const months = [...new Set(world.months.map(({ month }) => month))].toSorted()
const lastDay = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
const daysOf = (first: string, last = first) => `q[counted_on_gteq]=${first}-01&q[counted_on_lteq]=${lastDay(last)}`

test('the bills of each month are those that the raw rows give it: no void bill, no group bill that its children carry, a line without days in the month of its bill', async () => {
  expect(months.length).toBeGreaterThan(24)
  for (const month of months) expect(await listed(daysOf(month)), month).toEqual(billsOf(() => true, [month]))
  // The reading of March 1 and the next start of March 2 leave no day open: the bill of February counts in March too.
  expect((await listed(daysOf('2026-03'))).length).toBe(2)
  expect(await listed(daysOf('2025-01', '2025-12'))).toEqual(
    billsOf(
      () => true,
      months.filter((month) => month.startsWith('2025')),
    ),
  )
})

test('where bills count whole, they are those dated in the month, or whose fiscal month it is, each by its lines', async () => {
  const utilities = [...new Set([...world.owners.values()].flatMap((owner) => owner.utility_id ?? []))]
  for (const basis of ['billed', 'fiscal'] as const) {
    const whole = await rawWorld(basis)
    const own = [...new Set(whole.months.map(({ month }) => month))].toSorted()
    expect(own.length).toBeGreaterThan(24)
    for (const month of own)
      expect(await listed(`${daysOf(month)}&q[counted_basis]=${basis}`), `${basis} ${month}`).toEqual(billsOf(() => true, [month], whole))
    for (const utility of utilities)
      for (const month of ['2024-07', '2025-02', '2025-10'])
        expect(
          await listed(`${daysOf(month)}&q[counted_service_id]=${utility}&q[counted_basis]=${basis}`),
          `${basis} ${utility} ${month}`,
        ).toEqual(billsOf((owner) => owner.utility_id === utility, [month], whole))
  }
  const counted = await listed('q[counted_on_null]=false')
  expect(await listed('q[counted_basis]=billed')).toEqual(counted)
  expect(await listed('q[counted_basis_in]=billed,fiscal')).toEqual(counted)
  const { status, text } = await ask(admin, 'GET', `/clients/${clientId}/bills?q[counted_basis]=accrual`)
  expect([status, text]).toEqual([422, expect.stringContaining('q[counted_basis]')])
})

test('scope and service narrow them as they narrow the figure: one line has the days and the service', async () => {
  const utilities = [...new Set([...world.owners.values()].flatMap((owner) => owner.utility_id ?? []))]
  for (const utility of utilities)
    for (const month of ['2024-07', '2025-02', '2025-10', '2025-11'])
      expect(await listed(`${daysOf(month)}&q[counted_service_id]=${utility}`), `${utility} ${month}`).toEqual(
        billsOf((owner) => owner.utility_id === utility, [month]),
      )
  const own = `q[facility_id_eq]=${facilityId}&${daysOf('2025-10')}`
  expect(await listed(own)).toEqual(billsOf((owner) => owner.facility_id === facilityId, ['2025-10']))
  expect(await listed(`q[account_type_eq]=SupplyAccount&${daysOf('2025-02')}`)).toEqual(
    billsOf((owner) => owner.supply_account_id !== null, ['2025-02']),
  )
})

test('each predicate has a meaning, and what is no date is refused by name', async () => {
  const all = await listed('')
  const counted = await listed('q[counted_on_null]=false')
  expect(counted.length).toBeLessThan(all.length)
  expect([...counted, ...(await listed('q[counted_on_null]=true'))].toSorted((a, b) => a - b)).toEqual(all)
  const day = await listed('q[counted_on]=2025-10-20')
  expect(day.length).toBeGreaterThan(0)
  expect([...day, ...(await listed('q[counted_on_not_eq]=2025-10-20'))].toSorted((a, b) => a - b)).toEqual(all)
  expect(await listed('q[counted_on_in]=2025-10-20')).toEqual(day)
  const { status, text } = await ask(admin, 'GET', `/clients/${clientId}/bills?q[counted_on_gteq]=soon`)
  expect([status, text]).toEqual([422, expect.stringContaining('q[counted_on_gteq] must be a date')])
})

test('the filter of a narrowed role shows only what the role reaches', async () => {
  const narrowed = await makePerson(db, 'client_user', { clients: [clientId], facility: [[clientId, facilityId]] })
  expect(await listed(daysOf('2025-10'), narrowed)).toEqual(billsOf((owner) => owner.facility_id === facilityId, ['2025-10']))
})
