/** Tests the exceptions over HTTP: the listed bills and accounts, the stated cost of lateness, and visibility. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exception, type ExceptionRow } from '#contract/exceptions/exception.ts'
import { addDays } from '#contract/kernel/date.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { setClock } from '../kernel/clock.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
const today = '2026-06-15'
let staff: Person
let vendor: number
let client: number
let facility: number
let count = 0

beforeAll(async () => {
  setClock(`${today}T16:00:00Z`)
  staff = await makePerson(db, 'super_admin')
})
afterAll(() => setClock())
beforeEach(async () => {
  client = await makeClient(db)
  vendor = await makeVendor(db, { name: 'City Power' })
  await sql`update vendors set payment_terms_days = 20 where id = ${vendor}`.execute(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
})

const day = (days: number) => addDays(today, days)

async function addAccount(more: { entered?: number; at?: number; active?: boolean } = {}): Promise<number> {
  const id = await makeBillableAccount(db, client, more.at ?? facility, vendor, { account_number: `A-${++count}` })
  await sql`update billable_accounts set created_at = ${`${day(more.entered ?? -400)} 12:00`}::timestamp at time zone 'America/New_York', active = ${more.active ?? true} where id = ${id}`.execute(
    db,
  )
  return id
}

interface BillParts {
  readonly date?: string
  readonly due?: string
  readonly amount?: string
  readonly paid?: boolean
  readonly errors?: number
  readonly fee?: string
  readonly forward?: string
  readonly charges?: string
  readonly reads?: readonly [string, string]
}

async function addBill(account: number, { date, due, amount, paid, errors, fee, forward, charges, reads }: BillParts): Promise<number> {
  const dated = date ?? day(-20)
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, date, due_date, amount_due,
      current_charges, balance_forward, late_fee, paid, open_errors, previous_read_date, read_date, created_at)
    select client_id, id, account_number, vendor_id, facility_id, ${dated}, ${due ?? addDays(dated, 19)}, ${amount ?? '100.00'}, ${charges ?? amount ?? '100.00'}, ${forward ?? '0'}, ${fee ?? '0'},
      ${paid ?? false}, ${errors ?? 0}, ${reads?.[0] ?? null}, ${reads?.[1] ?? null}, ${`${dated} 12:00`}::timestamp at time zone 'America/New_York'
    from billable_accounts where id = ${account} returning id`.execute(db)
  await db.transaction().execute((tx) => keepLastBills(tx, client, { billable_account_ids: [account], supply_account_ids: [] }))
  return rows[0]?.id ?? 0
}

/** Marks the client's data as changed, as a handler does after a write. */
async function changed(): Promise<void> {
  await sql`insert into data_versions (client_id, version) values (${client}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    db,
  )
}

const reply = z.object({ exceptions: z.array(exception.row), total: z.int() })

async function list(query = '', who = staff): Promise<ExceptionRow[]> {
  const { status, body } = await ask(who, 'GET', `/clients/${client}/exceptions?per=1000${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const { exceptions, total } = reply.parse(body)
  expect(total).toBe(exceptions.length)
  return exceptions
}

const kinds = (rows: readonly ExceptionRow[]) => rows.map(({ kind, bill_id, account_id }) => [kind, bill_id ?? account_id])

describe('a bill', () => {
  it('is past due from the day after its due date, due soon up to seven days before, and neither when paid, replaced or nothing is owed', async () => {
    const account = await addAccount()
    const due = async (days: number, more: BillParts = {}) => addBill(account, { due: day(days), ...more })
    const past = await due(-1)
    const now = await due(0)
    const soon = await due(7)
    await due(8)
    await due(-5, { paid: true })
    await due(-5, { amount: '0.00' })
    const replaced = await due(-5)
    await sql`update bills set superseded_by_id = ${soon} where id = ${replaced}`.execute(db)
    expect(kinds(await list('&q[s]=due_date asc'))).toEqual([
      ['past_due', past],
      ['due_soon', now],
      ['due_soon', soon],
    ])
  })

  it('with open errors is an exception whenever it is due; one that is late too is late, and found by its errors', async () => {
    const account = await addAccount()
    const late = await addBill(account, { due: day(-3), errors: 2 })
    const later = await addBill(account, { due: day(60), errors: 1 })
    await addBill(account, { due: day(60) })
    expect(kinds(await list('&q[kind]=flagged'))).toEqual([['flagged', later]])
    const found = await list('&q[open_errors_gteq]=1&q[s]=due_date asc')
    expect(found.map(({ kind, kinds: all, bill_id, open_errors }) => ({ kind, all, bill_id, open_errors }))).toEqual([
      { kind: 'past_due', all: ['past_due', 'flagged'], bill_id: late, open_errors: 2 },
      { kind: 'flagged', all: ['flagged'], bill_id: later, open_errors: 1 },
    ])
    expect(kinds(await list('&q[kind]=past_due'))).toEqual([['past_due', late]])
  })

  it('that a group’s bill carries is never due beside it; its errors are shown, and no lateness of them is counted', async () => {
    const account = await addAccount()
    const parent = await addBill(account, { due: day(-3), amount: '156.00' })
    const [plain, flawed] = [await addBill(account, { due: day(-3) }), await addBill(account, { due: day(-3), errors: 1 })]
    await sql`update bills set group_bill_id = ${parent} where id in (${plain}, ${flawed})`.execute(db)
    const found = await list('&q[s]=amount desc')
    expect(found.map(({ kinds: all, bill_id, amount, cost }) => ({ all, bill_id, amount, cost }))).toEqual([
      { all: ['past_due'], bill_id: parent, amount: '156.00', cost: '2.34' },
      { all: ['flagged'], bill_id: flawed, amount: '0.00', cost: '0.00' },
    ])
  })
})

describe('what lateness costs', () => {
  const costs = (rows: readonly ExceptionRow[]) => rows.map(({ cost, rate_percent, rate_source }) => ({ cost, rate_percent, rate_source }))

  it('is 1.5% of the amount for each 30 days begun, where nothing was ever charged for it', async () => {
    const account = await addAccount()
    for (const days of [7, 0, -1, -29, -30, -60]) await addBill(account, { due: day(days), amount: '1000.00' })
    const rows = await list('&q[s]=due_date desc')
    expect(costs(rows).map(({ cost }) => cost)).toEqual(['15.00', '15.00', '15.00', '15.00', '30.00', '45.00'])
    expect(rows[0]).toMatchObject({ rate_percent: '1.50', rate_source: 'assumed' })
  })

  it('goes by what the account was charged before, else by what the vendor was, 10% at most, two years back', async () => {
    const [own, other, elsewhere, dear] = [await addAccount(), await addAccount(), await addAccount(), await addAccount()]
    // 3% of the balance that was brought forward; the charges of that month do not count.
    await addBill(own, { date: day(-100), paid: true, fee: '6.00', forward: '200.00', amount: '900.00' })
    await addBill(own, { date: day(-800), paid: true, fee: '90.00', amount: '100.00' })
    const otherVendor = await makeVendor(db)
    await sql`update billable_accounts set vendor_id = ${otherVendor} where id in (${elsewhere}, ${dear})`.execute(db)
    await addBill(dear, { date: day(-50), paid: true, fee: '80.00', amount: '100.00' })
    await sql`update bills set vendor_id = null where billable_account_id = ${dear}`.execute(db)
    const late = async (account: number) => addBill(account, { due: day(-1), amount: '1000.00' })
    const ids = [await late(own), await late(other), await late(elsewhere), await late(dear)]
    const rows = await list()
    const of = (id: number | undefined) => costs(rows.filter(({ bill_id }) => bill_id === id))[0]
    expect(ids.map(of)).toEqual([
      { cost: '30.00', rate_percent: '3.00', rate_source: 'account' },
      { cost: '30.00', rate_percent: '3.00', rate_source: 'vendor' },
      { cost: '15.00', rate_percent: '1.50', rate_source: 'assumed' },
      { cost: '100.00', rate_percent: '10.00', rate_source: 'account' },
    ])
  })

  it('ranks the list: past due first, the heavier the nearer to a shut-off, then by fee and days left, then errors by due date', async () => {
    const account = await addAccount()
    const [errors, soonErrors] = [
      await addBill(account, { due: day(60), amount: '90000.00', errors: 1 }),
      await addBill(account, { due: day(9), errors: 1 }),
    ]
    const [far, near] = [
      await addBill(account, { due: day(7), amount: '9000.00' }),
      await addBill(account, { due: day(1), amount: '8000.00' }),
    ]
    const small = await addBill(account, { due: day(-1), amount: '10.00' })
    const [fresh, old] = [
      await addBill(account, { due: day(-1), amount: '1000.00' }),
      await addBill(account, { due: day(-29), amount: '700.00' }),
    ]
    await addAccount({ entered: -100 })
    const rows = await list()
    // 15.00 × (1 + 1 / 45) is less than 10.50 × (1 + 29 / 45); 120.00 × 7 / 8 is more than 135.00 × 7 / 14.
    expect(rows.map(({ bill_id }) => bill_id)).toEqual([old, fresh, small, near, far, soonErrors, errors, null])
    const within = 10_000_000_000
    expect(rows.slice(0, 5).map(({ urgency }) => Math.round((Number(urgency) % within) * 100) / 100)).toEqual([
      17.27, 15.33, 0.15, 105, 67.5,
    ])
  })

  it('counts a balance once: on the earlier bill while that one is unpaid, and on the bill that carries it once it is not', async () => {
    const [account, other] = [await addAccount(), await addAccount()]
    const first = await addBill(account, { date: day(-60), due: day(-40), amount: '50.00' })
    const second = await addBill(account, {
      date: day(-30),
      due: day(-10),
      amount: '52.75',
      forward: '50.00',
      charges: '1.25',
      fee: '1.50',
    })
    await addBill(other, { date: day(-30), due: day(-10), amount: '70.00', forward: '20.00', charges: '50.00' })
    const money = async () => (await list('&q[s]=due_date asc')).map(({ amount, carried_forward }) => [amount, carried_forward])
    expect(await money()).toEqual([
      ['50.00', null],
      ['2.75', '50.00'],
      ['70.00', null],
    ])
    const { body } = await ask(staff, 'GET', `/clients/${client}/exceptions/summary`)
    expect(body).toMatchObject({ amount: '122.75' })
    await sql`update bills set paid = true where id = ${first}`.execute(db)
    await changed()
    expect(await money()).toEqual([
      ['52.75', null],
      ['70.00', null],
    ])
    expect((await list()).map(({ bill_id }) => bill_id)).toContain(second)
  })
})

describe('an account', () => {
  const months = [-160, -130, -100, -70] as const

  it('whose next bill is behind is named with the day on which it should have come, and with what it usually asks for', async () => {
    const account = await addAccount()
    for (const [at, days] of months.entries())
      await addBill(account, { date: day(days + 5), reads: [day(days - 30), day(days)], paid: true, amount: `${100 + at * 10}.00` })
    const onTime = await addAccount()
    for (const days of [-120, -90, -60, -30, -5])
      await addBill(onTime, { date: day(days), reads: [day(days - 32), day(days - 2)], paid: true })
    const inactive = await addAccount({ active: false })
    await addBill(inactive, { date: day(-100), reads: [day(-130), day(-105)], paid: true })
    const [row, ...others] = await list()
    expect(others).toEqual([])
    // Read 70 days ago, every 30 days, 5 days until the bill comes: expected 35 days ago, and due 20 days later.
    expect(row).toMatchObject({
      kind: 'not_received',
      account_id: account,
      bill_id: null,
      expected_on: day(-35),
      due_date: day(-15),
      days: 35,
      amount: '120.00',
      cost: '1.80',
    })
  })

  it('whose first bill has not come 45 days after it was entered is named from the next day on', async () => {
    const [, late] = [await addAccount({ entered: -45 }), await addAccount({ entered: -46 })]
    await addAccount({ entered: -90, active: false })
    const rows = await list()
    expect(kinds(rows)).toEqual([['never_received', late]])
    expect(rows[0]).toMatchObject({ days: 1, amount: null, cost: '0.00' })
  })

  it('that belongs to a group which is billed waits for no bill of its own', async () => {
    const group = await addAccount()
    const sub = await addAccount()
    await sql`update billable_accounts set is_group_account = true where id = ${group}`.execute(db)
    await sql`update billable_accounts set group_account_id = ${group} where id = ${sub}`.execute(db)
    await addBill(group, { date: day(-5), reads: [day(-40), day(-10)], paid: true })
    expect(await list()).toEqual([])
  })
})

it('the summary counts every row once, under its own kind, so that the kinds add up to the whole', async () => {
  const account = await addAccount()
  await addBill(account, { due: day(-1), amount: '1000.00', errors: 1 })
  await addBill(account, { due: day(3), amount: '200.00' })
  await addAccount({ entered: -100 })
  const { body } = await ask(staff, 'GET', `/clients/${client}/exceptions/summary`)
  expect(body).toEqual({
    kinds: [
      { kind: 'past_due', count: 1, amount: '1000.00', cost: '15.00' },
      { kind: 'due_soon', count: 1, amount: '200.00', cost: '3.00' },
      { kind: 'flagged', count: 0, amount: '0.00', cost: '0.00' },
      { kind: 'not_received', count: 0, amount: '0.00', cost: '0.00' },
      { kind: 'never_received', count: 1, amount: '0.00', cost: '0.00' },
    ],
    count: 3,
    amount: '1200.00',
    cost: '18.00',
    flagged_elsewhere: 1,
  })
})

it('pages, sorts, filters and refuses like every list', async () => {
  const account = await addAccount()
  for (const amount of ['300.00', '200.00', '100.00']) await addBill(account, { due: day(-1), amount })
  const page = async (query: string) => reply.parse((await ask(staff, 'GET', `/clients/${client}/exceptions?${query}`)).body)
  const second = await page('page=2&per=2')
  expect([second.total, second.exceptions.map(({ amount }) => amount)]).toEqual([3, ['100.00']])
  expect((await list('&q[amount_gteq]=200&q[s]=amount asc')).map(({ amount }) => amount)).toEqual(['200.00', '300.00'])
  for (const query of ['q[nonsense]=1', 'q[s]=nonsense asc', 'q[kind]=late', 'page=0'])
    expect((await ask(staff, 'GET', `/clients/${client}/exceptions?${query}`)).status, query).toBe(422)
})

it('leaves by a file as it is listed, of the day on which it was looked at and of what its owner may see', async () => {
  const far = await makeFacility(db, client, await makeDivision(db, client))
  const [near, other, silent] = [await addAccount(), await addAccount({ at: far }), await addAccount({ entered: -100 })]
  const late = await addBill(near, { due: day(-3), amount: '1000.00', errors: 1 })
  await addBill(near, { due: day(8), amount: '300.00' })
  await addBill(other, { due: day(-3), amount: '2000.00' })
  const narrow = await makePerson(db, 'read_only_user', { clients: [client], facility: [[client, facility]] })
  const fileOf = async (who: Person, path: string) => {
    const started = await ask(who, 'GET', path)
    expect(started.status, started.text).toBe(200)
    setClock(`${day(1)}T16:00:00Z`)
    const text = await exportedText({ ask }, who, started.body['task_id'])
    setClock(`${today}T16:00:00Z`)
    return parse<Record<string, string>>(text, { columns: true, bom: true })
  }
  const lines = await fileOf(narrow, `/clients/${client}/exceptions/export_csv`)
  expect(lines.map((line) => [line['Kind'], line['Bill ID'], line['Account Number']])).toEqual([
    ['Past due', String(late), `A-${count - 2}`],
    ['First bill never received', '', `A-${count}`],
  ])
  expect(lines[0]).toMatchObject({
    Kinds: 'Past due; Errors open',
    'Account Type': 'Billable Account',
    Vendor: 'City Power',
    'Days Late': '3',
    Amount: '1000.00',
    'Late Fee %': '1.50',
    Rate: 'assumed',
    'Cost of Lateness': '15.00',
    'Open Errors': '1',
  })
  const all = await fileOf(staff, `/exceptions/export_csv?q[client_id]=${client}&q[kind]=past_due&q[s]=amount asc`)
  expect(all.map((line) => line['Amount'])).toEqual(['1000.00', '2000.00'])
  expect((await list()).some(({ account_id }) => account_id === silent)).toBe(true)
  expect((await ask(staff, 'GET', `/clients/${client}/exceptions/export_csv?q[nonsense]=1`)).status).toBe(422)
})

it('counts anew as soon as a bill is paid, and on the next day', async () => {
  const account = await addAccount()
  const late = await addBill(account, { due: day(-1) })
  await addBill(account, { due: day(8) })
  const total = async () => (await list()).length
  expect(await total()).toBe(1)
  await sql`update bills set paid = true where id = ${late}`.execute(db)
  await changed()
  expect(await total()).toBe(0)
  setClock(`${day(1)}T16:00:00Z`)
  expect(await total()).toBe(1)
  setClock(`${today}T16:00:00Z`)
})

it('shows a narrowed role its own part, and staff all clients with their names', async () => {
  const far = await makeFacility(db, client, await makeDivision(db, client))
  const [near, other] = [await addAccount({ entered: -100 }), await addAccount({ entered: -100, at: far })]
  await addBill(near, { due: day(-1) })
  await addBill(other, { due: day(-1) })
  const silent = await addAccount({ entered: -100, at: far })
  const narrow = await makePerson(db, 'read_only_user', { clients: [client], facility: [[client, facility]] })
  expect((await list('', narrow)).map(({ account_id }) => account_id)).toEqual([near])
  expect((await list()).map(({ account_id }) => account_id).toSorted()).toEqual([near, other, silent].toSorted())
  const mine = reply.parse((await ask(narrow, 'GET', '/exceptions')).body)
  expect(mine.exceptions.map(({ account_id }) => account_id)).toEqual([near])
  const all = reply.parse((await ask(staff, 'GET', `/exceptions?per=1000&q[client_id]=${client}`)).body)
  expect(all.exceptions.map(({ account_id }) => account_id).toSorted()).toEqual([near, other, silent].toSorted())
  const everywhere = reply.parse((await ask(staff, 'GET', '/exceptions?per=1000')).body)
  expect(new Set(everywhere.exceptions.map(({ client_id }) => client_id)).size).toBeGreaterThan(1)
  expect((await ask(narrow, 'GET', '/exceptions/summary')).body).toMatchObject({ count: 1 })
})
