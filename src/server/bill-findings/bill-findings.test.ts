import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { createBills } from '../bills/bills.ts'
import { loadPrincipal } from '../access/access.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
setClock('2026-01-20T15:00:00Z')
let maker: Person
let other: Person
let reader: Person
let narrow: Person
let at: Ground

beforeAll(async () => {
  at = await makeGround(db)
  await sql`update clients set user_management = true where id = ${at.clientId}`.execute(db)
  maker = await makePerson(db, 'client_admin', { clients: [at.clientId] })
  other = await makePerson(db, 'client_manager', { clients: [at.clientId] })
  reader = await makePerson(db, 'read_only_user', { clients: [at.clientId] })
  const elsewhere = await sql<{
    id: number
  }>`insert into divisions (client_id, name, short_code, code) values (${at.clientId}, 'East', 'E', 'E') returning id`.execute(db)
  narrow = await makePerson(db, 'client_manager', { clients: [at.clientId], division: [[at.clientId, elsewhere.rows[0]?.id ?? 0]] })
})

/** Makes a bill with a wrong header and a carried balance. `by` is its maker. */
async function flagged(month: number, amount = '156.00', by: Person = maker): Promise<number> {
  const principal = await loadPrincipal(db, by.id)
  if (!principal) throw new Error('no principal')
  const [outcome] = await acting(
    database,
    (context) =>
      createBills(context, at.clientId, [
        monthlyDraft(at, month, { amount_due: amount, balance_forward: '5.00', invoice_number: `F-${month}-${amount}` }),
      ]),
    { principal },
  )
  if (outcome?.kind !== 'created') throw new Error(JSON.stringify(outcome))
  return outcome.id
}
interface Stored {
  id: number
  code: string
  reason: string | null
  is_open: boolean
  assigned_to: number | null
}
const findings = async (billId: number): Promise<Stored[]> =>
  (
    await sql<Stored>`select id, code, reason, resolved_at is null as is_open, assigned_to from bill_findings where bill_id = ${billId} order by id`.execute(
      db,
    )
  ).rows
const findingOf = async (billId: number, code: string): Promise<number> => {
  const found = (await findings(billId)).find((one) => one.code === code)
  if (!found) throw new Error(`no ${code}`)
  return found.id
}
const counts = async (billId: number) =>
  (
    await sql<{
      open_errors: number
      open_blocking: number
      open_warnings: number
    }>`select open_errors, open_blocking, open_warnings from bills where id = ${billId}`.execute(db)
  ).rows[0]
const path = (rest: string) => `/clients/${at.clientId}/bill_findings${rest}`
const act = (who: Person, id: number, verb: string, body: object) => ask(who, 'POST', path(`/${id}/${verb}`), body)
interface Event {
  event: string
  reason: string | null
  comment: string | null
  user_id: number | null
}
const events = async (who: Person, id: number): Promise<Event[]> => {
  const { status, text } = await ask(who, 'GET', path(`/${id}`))
  expect(status, text).toBe(200)
  return JSON.parse(text).events
}

describe('the life of a finding', () => {
  it('is settled with a reason and a comment, no longer flags its bill, and opens again with all of it in its history [BILL-FIELD-007]', async () => {
    const bill = await flagged(1)
    const id = await findingOf(bill, 'balance_forward')
    const before = await counts(bill)
    const flags = async () => JSON.parse((await ask(reader, 'GET', `/clients/${at.clientId}/bills/${bill}`)).text).bill.flags
    expect(Object.keys(await flags())).toContain('balance_forward')
    const answer = await act(other, id, 'resolve', { reason: 'vendor_confirmed', comment: 'They booked it late' })
    expect(answer.status, answer.text).toBe(200)
    expect(Object.keys(await flags())).not.toContain('balance_forward')
    expect(await counts(bill)).toEqual({ ...before, open_warnings: (before?.open_warnings ?? 0) - 1 })
    expect(await act(other, id, 'resolve', { reason: 'other' })).toMatchObject({
      status: 409,
      body: { message: 'This finding is settled already.' },
    })
    expect((await act(other, id, 'reopen', { comment: 'It is back' })).status).toBe(200)
    expect(await counts(bill)).toEqual(before)
    expect(await events(reader, id)).toMatchObject([
      { event: 'raised', user_id: null },
      { event: 'resolved', reason: 'vendor_confirmed', comment: 'They booked it late', user_id: other.id },
      { event: 'reopened', comment: 'It is back', user_id: other.id },
    ])
    const { rows } = await sql<{ changes: unknown }>`select object_changes -> 'findings' as changes from audit_records
      where client_id = ${at.clientId} and item_type = 'bill' and item_id = ${bill} and event = 'update' order by id`.execute(db)
    expect(rows.map((row) => row.changes)).toEqual([
      { from: 'Balance forward: Open', to: 'Balance forward: Vendor confirmed' },
      { from: 'Balance forward: Vendor confirmed', to: 'Balance forward: Open' },
    ])
  })

  it('takes reasons of the list alone', async () => {
    const id = await findingOf(await flagged(2), 'balance_forward')
    expect(await act(other, id, 'resolve', { reason: 'because' })).toMatchObject({ status: 422 })
    expect(await act(other, id, 'resolve', {})).toMatchObject({ status: 422 })
    expect(await act(other, id, 'comment', { comment: '  ' })).toMatchObject({ status: 422 })
  })

  it('what holds the payment of a bill above the limit is settled by somebody else than who made the bill', async () => {
    await sql`update clients set override_limit = 500 where id = ${at.clientId}`.execute(db)
    const [small, large] = [await flagged(3, '400.00'), await flagged(4, '900.00')]
    expect((await act(maker, await findingOf(small, 'header_math'), 'resolve', { reason: 'other' })).status).toBe(200)
    const held = await findingOf(large, 'header_math')
    const answer = await act(maker, held, 'resolve', { reason: 'other' })
    expect(answer.status).toBe(409)
    expect(answer.body['message']).toContain('Somebody else must settle')
    expect((await ask(maker, 'GET', path(`/${held}`))).body).toMatchObject({ bill_finding: { held_reason: answer.body['message'] } })
    expect((await ask(other, 'GET', path(`/${held}`))).body).toMatchObject({ bill_finding: { held_reason: null } })
    expect((await act(maker, await findingOf(large, 'balance_forward'), 'resolve', { reason: 'other' })).status).toBe(200)
    expect((await act(other, held, 'resolve', { reason: 'other' })).status).toBe(200)
  })

  it('is given to somebody who sees the bill, and who is told; to nobody else', async () => {
    const bill = await flagged(5)
    const id = await findingOf(bill, 'balance_forward')
    expect((await act(other, id, 'assign', { assigned_to: reader.id })).status).toBe(200)
    const { rows } = await sql<{
      message: string
      link: string
    }>`select message, link from notifications where user_id = ${reader.id}`.execute(db)
    expect(rows).toEqual([{ message: `${other.email} gave you a finding to look at`, link: `/clients/${at.clientId}/bills/${bill}` }])
    expect(await act(other, id, 'assign', { assigned_to: narrow.id })).toMatchObject({
      status: 422,
      body: { errors: { fields: { assigned_to: ['This person cannot see the bill'] } } },
    })
    const stranger = await makePerson(db, 'client_admin', { clients: [(await makeGround(db)).clientId] })
    expect((await act(other, id, 'assign', { assigned_to: stranger.id })).status).toBe(422)
    const people = JSON.parse((await ask(other, 'GET', path('/assignees?per=1000'))).text).users.map((one: { id: number }) => one.id)
    expect(people).toEqual(expect.arrayContaining([maker.id, other.id, reader.id]))
    expect(people).not.toContain(stranger.id)
    const clerk = await makePerson(db, 'client_user', { clients: [at.clientId] })
    const known = JSON.parse((await ask(clerk, 'GET', path('/assignees?per=1000'))).text).users.map((one: { id: number }) => one.id)
    expect(known, 'who may not read users learns no names').toEqual([clerk.id])
    expect((await act(clerk, id, 'assign', { assigned_to: maker.id })).status).toBe(422)
    const mine = await ask(reader, 'GET', path(`?q[assigned_to_eq]=${reader.id}&q[state_eq]=open`))
    expect(JSON.parse(mine.text).bill_findings.map((one: { id: number }) => one.id)).toEqual([id])
    expect((await act(other, id, 'assign', { assigned_to: null })).status).toBe(200)
    expect((await events(other, id)).map((one) => one.event)).toEqual(['raised', 'assigned', 'assigned'])
  })

  it('is talked about: comments stay, with who and when', async () => {
    const id = await findingOf(await flagged(6), 'balance_forward')
    await act(other, id, 'comment', { comment: 'Asked the vendor' })
    await act(maker, id, 'comment', { comment: 'They will call back' })
    expect(await events(other, id)).toMatchObject([
      { event: 'raised' },
      { event: 'commented', comment: 'Asked the vendor', user_id: other.id },
      { event: 'commented', comment: 'They will call back', user_id: maker.id },
    ])
  })

  it('cannot be touched by who only reads, nor be seen by whose role lies elsewhere', async () => {
    const id = await findingOf(await flagged(7), 'balance_forward')
    expect((await act(reader, id, 'resolve', { reason: 'other' })).status).toBe(403)
    expect((await ask(narrow, 'GET', path(`/${id}`))).status).toBe(404)
    expect((await act(narrow, id, 'resolve', { reason: 'other' })).status).toBe(404)
    expect((await ask(narrow, 'POST', path('/resolve'), { ids: [id], reason: 'other' })).status).toBe(404)
    expect(JSON.parse((await ask(narrow, 'GET', path('?per=1000'))).text).total).toBe(0)
  })
})

describe('findings settled together', () => {
  it('by ids or by filter with one reason; what is held for its maker stays and is said', async () => {
    await sql`update clients set override_limit = 500 where id = ${at.clientId}`.execute(db)
    const bill = await flagged(8, '900.00')
    const ids = (await findings(bill)).filter((one) => one.is_open).map((one) => one.id)
    const answer = await ask(maker, 'POST', path('/resolve'), { ids, reason: 'known_event', comment: 'Strike' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ resolved: ids.length - 1, held: 1 })
    expect((await findings(bill)).filter((one) => one.is_open).map((one) => one.code)).toEqual(['header_math'])
    const rest = await ask(other, 'POST', path('/resolve'), {
      filter: { q: { bill_id_eq: bill, state_eq: 'open' } },
      reason: 'known_event',
    })
    expect(rest.body).toMatchObject({ resolved: 1, held: 0, message: '1 finding resolved' })
    expect(await counts(bill)).toEqual({ open_errors: 0, open_blocking: 0, open_warnings: 0 })
    expect((await ask(other, 'POST', path('/resolve'), { ids, reason: 'known_event' })).status).toBe(409)
    expect((await ask(other, 'POST', path('/resolve'), { ids: [ids[0], 999_999_999], reason: 'other' })).status).toBe(404)
  })
})

describe('findings opened again together', () => {
  it('are just those that an act has settled, in one transaction, with their counts and their history', async () => {
    const bill = await flagged(10)
    const before = await counts(bill)
    const open = (await findings(bill)).filter((one) => one.is_open).map((one) => one.id)
    const [first = 0] = open
    await act(other, first, 'resolve', { reason: 'seasonal' })
    const settled = await ask(other, 'POST', path('/resolve'), { filter: { q: { bill_id_eq: bill } }, reason: 'other' })
    expect(settled.body).toMatchObject({ resolved: open.length - 1, ids: open.slice(1) })
    const undone = await ask(other, 'POST', path('/reopen'), { ids: settled.body['ids'] })
    expect(undone.status, undone.text).toBe(200)
    expect(undone.body).toMatchObject({ reopened: open.length - 1 })
    expect((await findings(bill)).filter((one) => one.is_open).map((one) => one.id)).toEqual(open.slice(1))
    expect((await ask(other, 'POST', path('/reopen'), { ids: [first], comment: 'Again' })).body).toMatchObject({ reopened: 1 })
    expect(await counts(bill)).toEqual(before)
    expect((await events(reader, first)).at(-1)).toMatchObject({ event: 'reopened', comment: 'Again', user_id: other.id })
    expect((await ask(other, 'POST', path('/reopen'), { ids: open })).status).toBe(409)
    expect((await ask(other, 'POST', path('/reopen'), { ids: [first, 999_999_999] })).status).toBe(404)
    expect((await ask(narrow, 'POST', path('/reopen'), { ids: [first] })).status).toBe(404)
    expect((await ask(reader, 'POST', path('/reopen'), { ids: [first] })).status).toBe(403)
  })
})

describe('the list of findings', () => {
  it('stands by severity, what holds payment first, and narrows to the bills of one import', async () => {
    const bill = await flagged(11)
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message)
      select ${at.clientId}, ${bill}, 'usage_high', severity, 'x' from unnest(array['I', 'W', 'E', 'E!', 'W']) as severity`.execute(db)
    const order = async (query = '') => {
      const { text, status } = await ask(reader, 'GET', path(`?per=1000&q[bill_id]=${bill}${query}`))
      expect(status, text).toBe(200)
      const rows: { severity: string }[] = JSON.parse(text).bill_findings
      return [...new Set(rows.map(({ severity }) => severity))]
    }
    expect(await order()).toEqual(['E!', 'E', 'W', 'I'])
    expect(await order('&q[s]=severity asc')).toEqual(['I', 'W', 'E', 'E!'])
    expect(await order('&q[import_task_id]=77')).toEqual([])
    await sql`update bills set import_task_id = 77 where id = ${bill}`.execute(db)
    expect(await order('&q[import_task_id]=77')).toEqual(['E!', 'E', 'W', 'I'])
  })

  it('says of each its bill, what is at stake and how old it is, and filters by what is open', async () => {
    const bill = await flagged(9)
    const { text } = await ask(reader, 'GET', path(`?q[bill_id_eq]=${bill}&q[state_eq]=open`))
    const body = JSON.parse(text)
    expect(body.bill_findings).toContainEqual(
      expect.objectContaining({
        code: 'balance_forward',
        severity: 'W',
        bill_id: bill,
        account_number: `0001234${at.clientId}`,
        vendor_name: 'City Power',
        amount_due: '156.00',
        state: 'open',
        held_reason: null,
      }),
    )
    expect((await ask(reader, 'GET', path('?q[nonsense_eq]=1'))).status).toBe(422)
    const all = await ask(reader, 'GET', `/bill_findings?q[bill_id_eq]=${bill}`)
    expect(JSON.parse(all.text).total).toBe(body.total)
  })

  it('shows the values that a finding is measured against, between which the rule stays silent', async () => {
    const here = await makeGround(db)
    const months = [1, 2, 3, 4, 5, 6]
    const outcomes = await acting(database, (context) =>
      createBills(context, here.clientId, [
        ...months.map((month) => monthlyDraft(here, month)),
        monthlyDraft(here, 7, {
          service_bills: [
            {
              service_id: here.electricId,
              previous_read_date: '2025-07-01',
              read_date: '2025-08-01',
              previous_reading: '15400.00',
              meter_reading: '25400.00',
              service_bill_entry_fields: [{ name: 'Utility Charges', value: '157.00' }],
            },
          ],
        }),
      ]),
    )
    const last = outcomes.at(-1)
    const who = await makePerson(db, 'client_admin', { clients: [here.clientId] })
    const id = await findingOf(last?.kind === 'created' ? last.id : 0, 'usage_high')
    const { text } = await ask(who, 'GET', `/clients/${here.clientId}/bill_findings/${id}`)
    const { series } = JSON.parse(text)
    expect(series.label).toBe('Usage a day')
    expect(series.points).toHaveLength(7)
    const values = series.points.map((point: { value: string }) => Number(point.value))
    expect(values.at(-1)).toBeCloseTo(10_000 / 31, 3)
    expect(values.at(-1)).toBeGreaterThan(Number(series.high))
    for (const value of values.slice(0, -1)) {
      expect(value).toBeLessThan(Number(series.high))
      expect(value).toBeGreaterThan(Number(series.low))
    }
  })
})
