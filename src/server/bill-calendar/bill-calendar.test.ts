/** Tests the expected-bill calendar over HTTP: its SQL against the rule, filters, totals, file, reach. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { billCalendar, calendarMonthsAt, calendarSince } from '#contract/bill-calendar/calendar-rule.ts'
import type { CalendarAccount, CalendarBill } from '#contract/bill-calendar/calendar-months.ts'
import { addDays } from '#contract/kernel/date.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { setClock } from '../kernel/clock.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const today = '2026-11-21'
let staff: Person
let vendor: number

beforeAll(async () => {
  setClock(`${today}T17:00:00Z`)
  vendor = await makeVendor(db, { name: 'City Power' })
  staff = await makePerson(db, 'super_admin')
})
afterAll(() => setClock())

const cell = z.object({
  month: z.string(),
  state: z.string(),
  expected_on: z.string().nullable(),
  bills: z.array(z.object({ id: z.int(), date: z.string(), amount_due: z.string() })),
})
const row = z.object({ id: z.int(), account_number: z.string(), cells: z.array(cell) })
type Row = z.infer<typeof row>
const kinds = ['billable_accounts', 'supply_accounts'] as const
type Kind = (typeof kinds)[number]
const keyOf = (kind: Kind) => (kind === 'billable_accounts' ? 'billable_account_id' : 'supply_account_id')

async function calendarOf(kind: Kind, client: number, query = '', who = staff): Promise<{ rows: Row[]; total: number }> {
  const { status, body } = await ask(who, 'GET', `/clients/${client}/${kind}/bill_calendar?per=1000${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const plural = kind === 'billable_accounts' ? 'billable_account_calendars' : 'supply_account_calendars'
  return { rows: z.array(row).parse(body[plural]), total: z.number().parse(body['total']) }
}
const totalsOf = async (kind: Kind, client: number, who = staff) =>
  (await ask(who, 'GET', `/clients/${client}/${kind}/bill_calendar/totals`)).body
const statesOf = ({ cells }: Row) => cells.map(({ state }) => state)
const worstOf = (account: Row) => ['missing', 'late'].find((state) => statesOf(account).includes(state)) ?? 'complete'
const countOf = (rows: readonly Row[], state: string) => rows.flatMap(statesOf).filter((one) => one === state).length

async function addBill(
  client: number,
  kind: Kind,
  account: number,
  { date, previous_read_date, read_date, received_on }: CalendarBill,
  more: { amount_due?: string; facility_id?: number } = {},
): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, ${sql.ref(keyOf(kind))}, account_number, date, due_date, previous_read_date, read_date,
      amount_due, facility_id, created_at)
    values (${client}, ${account}, 'x', ${date}, ${date}, ${previous_read_date}, ${read_date}, ${more.amount_due ?? '10.00'}, ${more.facility_id ?? null},
      ${received_on}::timestamp at time zone 'America/New_York' + interval '12 hours') returning id`.execute(db)
  return rows[0]?.id ?? 0
}

/** Adds all bills of the accounts at once: there are hundreds. */
async function addBills(client: number, kind: Kind, accounts: readonly Known[]): Promise<void> {
  const bills = accounts.flatMap(({ id, bills: own }) => own.map((bill) => ({ ...bill, account: id })))
  await sql`insert into bills (client_id, ${sql.ref(keyOf(kind))}, account_number, date, due_date, previous_read_date, read_date, created_at)
    select ${client}, account, 'x', date, date, previous_read_date, read_date, received_on::timestamp at time zone 'America/New_York' + interval '12 hours'
    from jsonb_to_recordset(${JSON.stringify(bills)}::jsonb)
      as bill(account bigint, date date, previous_read_date date, read_date date, received_on date)`.execute(db)
}

/** Returns a repeatable stream of random numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Known extends CalendarAccount {
  readonly id: number
  readonly group: number | null
  readonly bills: CalendarBill[]
}

describe.each(kinds)('the calendar of %s', (kind) => {
  const seed = Number(process.env['CALENDAR_SEED'] ?? Date.now() % 1_000_000)
  it(
    `answers what the rule says of each account, and counts, filters and writes down the same (seed ${seed})`,
    { timeout: 180_000 },
    async () => {
      const client = await makeClient(db)
      const facility = await makeFacility(db, client, await makeDivision(db, client))
      const accounts = await randomEstate(kind, client, facility, random(seed))
      const { rows, total } = await calendarOf(kind, client)
      expect(total).toBe(accounts.length)
      for (const account of accounts) {
        const shown = rows.find(({ id }) => id === account.id)
        const group = accounts.find(({ id }) => id === account.group)
        const all = [...account.bills, ...(group?.bills ?? [])]
        const since = calendarSince(today)
        const wanted = billCalendar(
          { ...account, billed_before: all.some(({ date }) => date < since) },
          all.filter(({ date }) => date >= since),
          today,
        )
        const plain = wanted.map(({ bills, ...one }) => ({ ...one, count: bills.length }))
        expect(
          shown?.cells.map(({ bills, ...one }) => ({ ...one, count: bills.length })),
          JSON.stringify({ seed, account }),
        ).toEqual(plain)
      }
      expect(countOf(rows, 'missing')).toBeGreaterThan(0)
      expect(await totalsOf(kind, client)).toEqual({
        late_months: countOf(rows, 'late'),
        missing_months: countOf(rows, 'missing'),
        late_accounts: rows.filter((one) => statesOf(one).includes('late')).length,
        missing_accounts: rows.filter((one) => statesOf(one).includes('missing')).length,
      })
      for (const state of ['missing', 'late', 'complete']) {
        const found = await calendarOf(kind, client, `&q[state]=${state}`)
        expect(found.rows, state).toEqual(rows.filter((one) => worstOf(one) === state))
      }
      expect((await calendarOf(kind, client, '&q[missing_gteq]=2')).rows).toEqual(rows.filter((one) => countOf([one], 'missing') >= 2))
      const started = await ask(staff, 'GET', `/clients/${client}/${kind}/bill_calendar/export_csv`)
      const lines = parse<Record<string, string>>(await exportedText(testApp, staff, started.body['task_id']), { columns: true })
      const monthsIn = (one: Row, state: string) => one.cells.filter((of) => of.state === state).map(({ month }) => month)
      expect(lines.map((line) => [line['Account Number'], line['Missing'], line['Late'], line['Next Bill Expected']])).toEqual(
        rows.map((one) => [
          one.account_number,
          monthsIn(one, 'missing').join('; '),
          monthsIn(one, 'late').join('; '),
          one.cells.flatMap((of) => (of.state === 'expected' && of.expected_on !== null ? [of.expected_on] : [])).toSorted()[0] ?? '',
        ]),
      )
    },
  )

  async function randomEstate(of: Kind, client: number, facility: number, next: () => number): Promise<Known[]> {
    const pick = <T>(values: readonly T[], fallback: T): T => values[Math.floor(next() * values.length)] ?? fallback
    const accounts: Known[] = []
    for (let at = 0; at < 60; at += 1) {
      const account_number = `N-${String(at).padStart(3, '0')}`
      const id =
        of === 'billable_accounts'
          ? await makeBillableAccount(db, client, facility, vendor, { account_number })
          : await makeSupplyAccount(db, client, facility, { account_number })
      const days = pick([7, 28, 30, 30, 30, 31, 91], 30)
      const known: Known = {
        id,
        active: next() > 0.1,
        effective_from: next() < 0.2 ? addDays('2025-01-01', Math.floor(next() * 500)) : null,
        effective_to: next() < 0.2 ? addDays('2026-06-01', Math.floor(next() * 150)) : null,
        billing_period: pick(of === 'billable_accounts' ? [null, 0, 1, 2, 2, 3] : [0, 1, 2, 2, 3], 2),
        billing_cycle: pick([30, 30, 45], 30),
        created_on: addDays('2026-03-01', Math.floor(next() * 250)),
        billed_before: false,
        // The first is a group; some of the others belong to it.
        group: at > 0 && next() < 0.15 ? (accounts[0]?.id ?? null) : null,
        bills: [],
      }
      let from = addDays('2025-01-01', Math.floor(next() * 400))
      for (; from < '2026-11-10' && next() > 0.02;) {
        const to = addDays(from, days + Math.floor(next() * 5) - 2)
        const wait = Math.floor(next() * 15)
        const hasReads = next() > 0.08
        if (next() > 0.12)
          known.bills.push({
            date: addDays(to, Math.floor(wait / 2)),
            previous_read_date: hasReads ? from : null,
            read_date: hasReads ? to : null,
            received_on: addDays(to, next() < 0.2 ? wait + 200 : wait),
          })
        from = next() < 0.2 ? addDays(to, Math.floor(next() * 6)) : to
      }
      accounts.push(known)
      const table = sql.table(of)
      const groupKey = sql.ref(of === 'billable_accounts' ? 'group_account_id' : 'group_supply_account_id')
      await sql`update ${table} set active = ${known.active}, effective_from = ${known.effective_from}::date, effective_to = ${known.effective_to}::date,
          billing_period = ${known.billing_period}::int, billing_cycle = ${known.billing_cycle}, is_group_account = ${at === 0}, ${groupKey} = ${known.group}::bigint,
          created_at = ${known.created_on}::timestamp at time zone 'America/New_York' + interval '12 hours' where id = ${id}`.execute(db)
    }
    await addBills(client, of, accounts)
    return accounts
  }
})

describe('the bills of a month', () => {
  const reads: CalendarBill = { date: '2026-10-17', previous_read_date: '2026-09-15', read_date: '2026-10-15', received_on: '2026-10-20' }

  it('are named with their date and amount; one that was replaced answers for nothing', async () => {
    const client = await makeClient(db)
    const facility = await makeFacility(db, client, await makeDivision(db, client))
    const account = await makeBillableAccount(db, client, facility, vendor)
    const first = await addBill(client, 'billable_accounts', account, reads, { amount_due: '123.45' })
    const october = async () => (await calendarOf('billable_accounts', client)).rows[0]?.cells.find(({ month }) => month === '2026-09')
    expect(await october()).toEqual({
      month: '2026-09',
      state: 'billed',
      expected_on: null,
      bills: [{ id: first, date: '2026-10-17', amount_due: '123.45' }],
    })
    const second = await addBill(client, 'billable_accounts', account, reads, { amount_due: '99.00' })
    await sql`update bills set superseded_by_id = ${second} where id = ${first}`.execute(db)
    expect((await october())?.bills).toEqual([{ id: second, date: '2026-10-17', amount_due: '99.00' }])
  })

  it('answer for a subaccount from outside its reader’s reach, and are not named to that reader', async () => {
    const client = await makeClient(db)
    const [near, far] = [
      await makeFacility(db, client, await makeDivision(db, client)),
      await makeFacility(db, client, await makeDivision(db, client)),
    ]
    const group = await makeBillableAccount(db, client, far, vendor, { is_group_account: true, account_number: 'GROUP' })
    const sub = await makeBillableAccount(db, client, near, vendor, { account_number: 'SUB' })
    await sql`update billable_accounts set group_account_id = ${group} where id = ${sub}`.execute(db)
    await addBill(client, 'billable_accounts', group, reads, { facility_id: far })
    const reader = await makePerson(db, 'read_only_user', { clients: [client], facility: [[client, near]] })
    const { rows, total } = await calendarOf('billable_accounts', client, '', reader)
    expect(total).toBe(1)
    expect(rows[0]).toMatchObject({ account_number: 'SUB' })
    expect(rows[0]?.cells.find(({ month }) => month === '2026-09')).toMatchObject({ state: 'billed', bills: [] })
    const whole = (await calendarOf('billable_accounts', client, '&q[account_number]=SUB')).rows[0]
    expect(whole?.cells.find(({ month }) => month === '2026-09')?.bills).toHaveLength(1)
    expect(await totalsOf('billable_accounts', client, reader)).toMatchObject({ missing_accounts: 0 })
  })

  it('are of the thirteen months up to the New York day, and unknown filters are refused', async () => {
    const client = await makeClient(db)
    await makeBillableAccount(db, client, await makeFacility(db, client, await makeDivision(db, client)), vendor)
    const { rows } = await calendarOf('billable_accounts', client)
    expect(rows[0]?.cells.map(({ month }) => month)).toEqual(calendarMonthsAt(today))
    const at = `/clients/${client}/billable_accounts/bill_calendar`
    for (const query of ['q[nonsense]=1', 'q[state]=perhaps', 'q[s]=amount', 'page=0'])
      expect((await ask(staff, 'GET', `${at}?${query}`)).status, query).toBe(422)
  })
})
