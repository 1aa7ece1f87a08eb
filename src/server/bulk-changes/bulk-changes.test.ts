import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'
import { sweepBulkChanges } from './sweep-bulk-changes.ts'

const {
  app,
  ask,
  database: { db },
} = await startTestApp()
let admin: Person
let manager: Person
let narrow: Person
let client: number
let division: number
let here: number
let there: number
let elsewhere: number
let power: number
let gas: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  division = await makeDivision(db, client, { name: 'East' })
  here = await makeFacility(db, client, division, { name: 'Plant' })
  there = await makeFacility(db, client, division, { name: 'Depot' })
  elsewhere = await makeFacility(db, client, await makeDivision(db, client, { name: 'West' }), { name: 'Harbor' })
  power = await makeVendor(db, { name: 'City Power' })
  gas = await makeVendor(db, { name: 'Other Gas' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  manager = await makePerson(db, 'client_manager', { clients: [client] })
  narrow = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
})

type Body = Readonly<Record<string, unknown>>
const path = (kind = 'billable_accounts') => `/clients/${client}/${kind}/bulk_changes`
const send = (who: Person, body: Body, kind = 'billable_accounts', headers = {}) => ask(who, 'POST', path(kind), body, headers)
const preview = (who: Person, body: Body, kind?: string) => send(who, { ...body, dry_run: true }, kind)
const undo = (who: Person, id: unknown) => ask(who, 'POST', `/clients/${client}/bulk_changes/${String(id)}/undo`)
const account = (facility = here, vendor = power, number?: string) =>
  makeBillableAccount(db, client, facility, vendor, number === undefined ? {} : { account_number: number })
const rowOf = async (id: number, table = 'billable_accounts'): Promise<Record<string, unknown>> => {
  const { rows } = await sql<{
    row: Record<string, unknown>
  }>`select to_jsonb(item) as row from ${sql.table(table)} item where id = ${id}`.execute(db)
  return rows[0]?.row ?? {}
}
const trailOf = async (ids: readonly number[], type = 'billable_account') =>
  (
    await sql<{
      item_id: number
      event: string
      user_id: number
      object_changes: unknown
    }>`select item_id, event, user_id, object_changes from audit_records
      where client_id = ${client} and item_type = ${type} and item_id = any(${ids}::bigint[]) order by id`.execute(db)
  ).rows
const factsOf = async () =>
  (
    await sql`select 'service' as of, service_id as id, account_key, month, facility_id, cost, kg_co2e, 0 as utility from service_month_facts where client_id = ${client}
      union all select 'line', service_id, account_key, billed_month, facility_id, cost, billed_kg, bill_id from bill_line_facts where client_id = ${client}
      union all select 'facility', facility_id, 0, month, null, cost, kg_co2e, utility_service_id from facility_month_facts where client_id = ${client} order by 1, 2, 3, 4, 8`.execute(
      db,
    )
  ).rows

describe('a preview of many changes', () => {
  it('says of each record what would change, in words, and writes nothing', async () => {
    const [one, other] = [await account(here, power, 'PRE-1'), await account(there, gas, 'PRE-2')]
    const answer = await preview(admin, {
      ids: [one, other],
      changes: { facility_id: there, vendor_id: gas, billing_period: 3, active: false },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ counts: { selected: 2, change: 2, unchanged: 0, refused: 0 }, total: 2 })
    expect(answer.body['bulk_rows']).toMatchObject([
      {
        id: one,
        title: 'PRE-1',
        detail: 'Account',
        action: 'change',
        changes: {
          facility_id: { from: 'Plant', to: 'Depot' },
          vendor_id: { from: 'City Power', to: 'Other Gas' },
          billing_period: { from: null, to: 'Quarterly' },
          active: { from: 'Yes', to: 'No' },
        },
      },
      { id: other, changes: { billing_period: { from: null, to: 'Quarterly' }, active: { from: 'Yes', to: 'No' } } },
    ])
    expect(await rowOf(one)).toMatchObject({ facility_id: here, vendor_id: power, active: true, lock_version: 0 })
    expect(await trailOf([one, other])).toEqual([])
    expect((await sql`select 1 from bulk_changes where client_id = ${client}`.execute(db)).rows).toEqual([])
  })

  it('is paged, says who stays as they are, and warns of a number that the vendor has already and of bills that keep their vendor', async () => {
    const [twin, moved, same] = [await account(here, gas, 'TWIN'), await account(here, power, 'TWIN'), await account(here, gas, 'SAME')]
    const paid = await account(here, power, 'PAID')
    await sql`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, date, due_date, paid)
      values (${client}, ${paid}, 'PAID', ${power}, ${here}, '2026-03-01', '2026-03-20', true)`.execute(db)
    const asked = { ids: [twin, moved, same, paid], changes: { vendor_id: gas } }
    const answer = await preview(admin, { ...asked, per: 3 })
    expect(answer.body).toMatchObject({ counts: { selected: 4, change: 2, unchanged: 2, warned: 2 }, total: 4 })
    expect(answer.body['bulk_rows']).toMatchObject([
      { id: paid, action: 'change', warnings: ['Bills that are in a payment keep the vendor that it names'] },
      { id: moved, action: 'change', warnings: ['The vendor has an account with this number already'] },
      { id: same, action: 'unchanged', changes: {} },
    ])
    const second = await preview(admin, { ...asked, per: 3, page: 2 })
    expect(second.body['bulk_rows']).toMatchObject([{ id: twin, action: 'unchanged' }])
    expect((await preview(admin, { ...asked, action: 'unchanged' })).body).toMatchObject({
      total: 2,
      bulk_rows: [{ id: same }, { id: twin }],
    })
  })
})

describe('an act on many records', () => {
  it('changes each as the form would: the row, its version, its line in the trail, the copies on its bills, the months of the dashboards', async () => {
    const [bulk, form] = [await account(here, power, 'LIKE-1'), await account(here, power, 'LIKE-1')]
    for (const id of [bulk, form]) {
      const service = await makeService(db, client, { billable_account_id: id })
      for (const paid of [true, false]) {
        const { rows } = await sql<{
          id: number
        }>`insert into bills (client_id, billable_account_id, account_number, vendor_id, facility_id, division_id, date, due_date, paid, current_charges)
          values (${client}, ${id}, 'LIKE-1', ${power}, ${here}, ${division}, '2026-03-01', '2026-03-20', ${paid}, 100) returning id`.execute(
          db,
        )
        await sql`insert into service_bills (client_id, bill_id, service_id, position, previous_read_date, read_date, usage, standard_usage)
          values (${client}, ${rows[0]?.id ?? 0}, ${service}, 0, '2026-02-01', '2026-03-01', 10, 10)`.execute(db)
      }
    }
    await db.transaction().execute((tx) => rebuildFacts(tx, client))
    const changes = { facility_id: elsewhere, vendor_id: gas, billing_period: 1, active: false }
    const done = await send(admin, { ids: [bulk], changes, dry_run: false })
    expect(done.body).toMatchObject({ success: true, message: '1 billable account changed', counts: { change: 1 } })
    expect((await ask(admin, 'PATCH', `/clients/${client}/billable_accounts/${form}`, { billable_account: changes })).status).toBe(200)
    const plain = async (id: number) => ({ ...(await rowOf(id)), id: 0, created_at: 0, updated_at: 0 })
    expect(await plain(bulk)).toEqual(await plain(form))
    expect(await rowOf(bulk)).toMatchObject({ ...changes, lock_version: 1 })
    const [[first], [second]] = [await trailOf([bulk]), await trailOf([form])]
    expect({ ...first, item_id: 0 }).toEqual({ ...second, item_id: 0 })
    const bills = async (id: number) =>
      (await sql`select vendor_id, facility_id, division_id, paid from bills where billable_account_id = ${id} order by id`.execute(db))
        .rows
    expect(await bills(bulk)).toEqual(await bills(form))
    expect(await bills(bulk)).toMatchObject([
      { vendor_id: power, facility_id: elsewhere },
      { vendor_id: gas, facility_id: elsewhere },
    ])
    const facts = await factsOf()
    expect(facts.filter((fact) => JSON.stringify(fact).includes('"facility"')).length).toBeGreaterThan(0)
    await db.transaction().execute((tx) => rebuildFacts(tx, client))
    expect(facts).toEqual(await factsOf())
  })

  it('says what is wrong before anything is looked at: ids and a filter, no field, another’s facility, a required field emptied', async () => {
    const id = await account()
    const theirs = await makeClient(db)
    const foreign = await makeFacility(db, theirs, await makeDivision(db, theirs))
    const wrong: readonly (readonly [Body, string])[] = [
      [{ changes: { active: false } }, 'ids'],
      [{ ids: [id], filter: {}, changes: { active: false } }, 'ids'],
      [{ ids: [id], except: [id], changes: { active: false } }, 'except'],
      [{ ids: [id], changes: {} }, 'changes'],
      [{ ids: [id], changes: { name: 'x' } }, 'name'],
      [{ ids: [id], changes: { facility_id: foreign } }, 'facility_id'],
      [{ ids: [id], changes: { facility_id: null } }, 'facility_id'],
      [{ ids: [id], changes: { billing_period: 9 } }, 'billing_period'],
      [{ filter: { q: { nonsense: 1 } }, changes: { active: false } }, 'q[nonsense]'],
    ]
    for (const [body, key] of wrong) {
      const answer = await preview(admin, body)
      expect(answer.status, `${key} ${answer.text}`).toBe(422)
      expect(answer.text, key).toContain(key)
    }
    expect((await send(admin, { filter: {}, changes: { active: false }, dry_run: false })).body['errors']).toMatchObject({
      fields: { token: ['Everything that matches a filter is changed only with the token of its preview'] },
    })
    expect((await send(admin, { ids: [id], changes: { active: true }, dry_run: false })).status).toBe(409)
  })

  it('on all that matches does what its preview showed, and nothing where that has changed meanwhile', async () => {
    const ids = [await account(here, power, 'SET-1'), await account(here, power, 'SET-2'), await account(here, power, 'SET-3')]
    const [one = 0, two = 0, three = 0] = ids
    const body = { filter: { q: { account_number: 'SET-' } }, except: [three], changes: { active: false } }
    const seen = await preview(admin, body)
    expect(seen.body).toMatchObject({ counts: { selected: 2, change: 2 } })
    const { token } = seen.body
    const added = await account(here, power, 'SET-4')
    const late = await send(admin, { ...body, dry_run: false, token })
    expect([late.status, late.body['message']]).toEqual([
      409,
      'The records have changed since the preview, so nothing was done. Please look at them again.',
    ])
    expect(await rowOf(one)).toMatchObject({ active: true })
    await sql`delete from billable_accounts where id = ${added}`.execute(db)
    expect((await send(admin, { ...body, changes: { active: false, billing_period: 1 }, dry_run: false, token })).status).toBe(409)
    // A note on one of them changes nothing of the preview.
    await ask(admin, 'PATCH', `/clients/${client}/billable_accounts/${two}`, { billable_account: { notes: 'Gate' } })
    const done = await send(admin, { ...body, dry_run: false, token })
    expect(done.body).toMatchObject({ counts: { change: 2 } })
    expect(await Promise.all(ids.map(async (id) => (await rowOf(id))['active']))).toEqual([false, false, true])
    const again = await send(admin, { ...body, dry_run: false, token })
    expect(again.status, 'a second submit').toBe(409)
  })

  it('sent twice under one key happens once', async () => {
    const id = await account()
    const body = { ids: [id], changes: { active: false }, dry_run: false }
    const key = { 'idempotency-key': 'bulk-once' }
    const [first, second] = [await send(admin, body, 'billable_accounts', key), await send(admin, body, 'billable_accounts', key)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toEqual(first.body)
    expect(await rowOf(id)).toMatchObject({ lock_version: 1 })
    expect(await trailOf([id])).toHaveLength(1)
  })

  it('of a narrowed role touches its part alone; an id outside of it is not found, and named by nobody', async () => {
    const [inside, outside] = [await account(here, power, 'NARROW-1'), await account(elsewhere, power, 'NARROW-2')]
    const refused = await send(narrow, { ids: [inside, outside], changes: { active: false }, dry_run: false })
    expect([refused.status, refused.body['message']]).toEqual([404, 'Billable Account not found.'])
    expect(refused.text).not.toContain(String(outside))
    const body = { filter: { q: { account_number: 'NARROW-' } }, changes: { active: false } }
    const seen = await preview(narrow, body)
    expect(seen.body).toMatchObject({ counts: { selected: 1 }, bulk_rows: [{ id: inside }] })
    expect((await send(narrow, { ...body, dry_run: false, token: seen.body['token'] })).status).toBe(200)
    expect([(await rowOf(inside))['active'], (await rowOf(outside))['active']]).toEqual([false, true])
    expect((await preview(narrow, { ids: [inside], changes: { facility_id: elsewhere } })).status).toBe(422)
  })

  it('refuses another vendor where the form would: an alias that another account of that vendor has as its number or alias', async () => {
    const [one, other, free] = [
      await account(here, power, 'ALI-1'),
      await account(here, power, 'ALI-2'),
      await account(here, power, 'ALI-3'),
    ]
    await account(here, gas, 'TAKEN 7')
    await sql`insert into account_aliases (client_id, billable_account_id, alias) values (${client}, ${one}, 'TAKEN-7'), (${client}, ${free}, 'FREE')`.execute(
      db,
    )
    const reason = 'is a number or an alias of another account of the same vendor'
    const form = await ask(admin, 'PATCH', `/clients/${client}/billable_accounts/${one}`, { billable_account: { vendor_id: gas } })
    expect([form.status, form.text.includes(reason)]).toEqual([422, true])
    const done = await send(admin, { ids: [one, other, free], changes: { vendor_id: gas }, dry_run: false })
    expect(done.body).toMatchObject({ counts: { change: 2, refused: 1 } })
    expect((await preview(admin, { ids: [one], changes: { vendor_id: gas, active: false } })).body['bulk_rows']).toMatchObject([
      { id: one, action: 'refused', reasons: [`An alias ${reason}`] },
    ])
    expect([(await rowOf(one))['vendor_id'], (await rowOf(other))['vendor_id'], (await rowOf(free))['vendor_id']]).toEqual([
      power,
      gas,
      gas,
    ])
  })

  it('clears what may be empty, and keeps a narrowed role from putting an account out of its own sight', async () => {
    const [one, other] = [await makeSupplyAccount(db, client, here), await makeSupplyAccount(db, client, null)]
    const body = { ids: [one], changes: { facility_id: null } }
    expect((await preview(narrow, body, 'supply_accounts')).body).toMatchObject({
      counts: { change: 0, refused: 1 },
      bulk_rows: [{ id: one, reasons: ['Your role reaches a part of this client only, and this would lie outside of it.'] }],
    })
    expect((await send(narrow, { ...body, dry_run: false }, 'supply_accounts')).status).toBe(409)
    const done = await send(
      manager,
      { ids: [one, other], changes: { facility_id: null, vendor_id: gas }, dry_run: false },
      'supply_accounts',
    )
    expect(done.body).toMatchObject({ counts: { selected: 2, change: 2 } })
    expect(await rowOf(one, 'supply_accounts')).toMatchObject({ facility_id: null, vendor_id: gas })
    expect(await trailOf([other], 'supply_account')).toMatchObject([{ object_changes: { vendor_id: { from: null, to: gas } } }])
    expect((await undo(manager, done.body['id'])).status).toBe(200)
    expect(await rowOf(one, 'supply_accounts')).toMatchObject({ facility_id: here, vendor_id: null })
  })
})

describe('undoing an act', () => {
  it('puts every record back, with its line in the trail, once', async () => {
    const ids = [await account(here), await account(there)]
    const before = await Promise.all(ids.map((id) => rowOf(id)))
    const { body } = await send(admin, { ids, changes: { facility_id: elsewhere, billing_period: 0 }, dry_run: false })
    const undone = await undo(admin, body['id'])
    expect(undone.body).toMatchObject({ success: true, message: '2 billable accounts as before' })
    const after = await Promise.all(ids.map((id) => rowOf(id)))
    expect(after.map((row) => ({ ...row, lock_version: 0, updated_at: 0 }))).toEqual(
      before.map((row) => ({ ...row, lock_version: 0, updated_at: 0 })),
    )
    expect(after.map((row) => row['lock_version'])).toEqual([2, 2])
    expect((await trailOf([ids[0] ?? 0])).at(-1)).toMatchObject({
      event: 'update',
      object_changes: { facility_id: { from: elsewhere, to: here }, billing_period: { from: 0, to: null } },
    })
    expect([(await undo(admin, body['id'])).status, (await undo(admin, body['id'])).body['message']]).toEqual([
      409,
      'This change is undone already.',
    ])
  })

  it('is refused as a whole where a record was changed or deleted since, and names those', async () => {
    const ids = [await account(here, power, 'WAY-1'), await account(here, power, 'WAY-2'), await account(here, power, 'WAY-3')]
    const { body } = await send(admin, { ids, changes: { active: false }, dry_run: false })
    await ask(admin, 'PATCH', `/clients/${client}/billable_accounts/${ids[1] ?? 0}`, { billable_account: { notes: 'x' } })
    await sql`delete from billable_accounts where id = ${ids[2] ?? 0}`.execute(db)
    const refused = await undo(admin, body['id'])
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'Nothing was undone. 1 billable account was changed since: WAY-2. 1 billable account was deleted since.',
    ])
    expect(await rowOf(ids[0] ?? 0)).toMatchObject({ active: false })
    const rows = await ask(admin, 'GET', `/clients/${client}/bulk_changes/${String(body['id'])}/rows`)
    expect(rows.body).toMatchObject({
      total: 3,
      bulk_rows: [
        { title: 'WAY-2', in_the_way: 'changed' },
        { title: null, in_the_way: 'deleted' },
        { title: 'WAY-1', in_the_way: null, changes: { active: { from: 'Yes', to: 'No' } } },
      ],
    })
  })

  it('goes backwards through several acts on one record', async () => {
    const id = await account()
    const acts: unknown[] = []
    for (const changes of [{ active: false }, { billing_period: 1 }, { active: true }])
      acts.push((await send(admin, { ids: [id], changes, dry_run: false })).body['id'])
    expect((await undo(admin, acts[0])).status).toBe(409)
    for (const act of acts.toReversed()) expect((await undo(admin, act)).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ active: true, billing_period: null, lock_version: 6 })
  })

  it('needs what the act needed: a role that reaches only some of its records undoes none, and sees acts of its own alone', async () => {
    const ids = [await account(here), await account(elsewhere)]
    const { body } = await send(admin, { ids, changes: { active: false }, dry_run: false })
    expect((await undo(narrow, body['id'])).status).toBe(404)
    const listed = async (who: Person) => (await ask(who, 'GET', `/clients/${client}/bulk_changes?per=100`)).body['bulk_changes']
    expect(JSON.stringify(await listed(narrow))).not.toContain(`"id":${String(body['id'])},`)
    expect(await listed(manager)).toMatchObject([
      { id: body['id'], kind: 'billable_account', item_count: 2, may_undo: true, changed: [{ key: 'active', label: 'Active', to: 'No' }] },
      ...Array.from(
        { length: (await sql`select 1 from bulk_changes where client_id = ${client}`.execute(db)).rows.length - 1 },
        () => ({}),
      ),
    ])
    // The user's own bulk change, after their reach became smaller.
    const smaller = await makePerson(db, 'client_manager', { clients: [client], facility: [[client, there]] })
    const mine = (await send(admin, { ids: [ids[0] ?? 0], changes: { facility_id: there, active: true }, dry_run: false })).body['id']
    await sql`update bulk_changes set user_id = ${smaller.id} where id = ${Number(mine)}`.execute(db)
    expect(await listed(smaller)).toMatchObject([{ id: mine }])
    const refused = await undo(smaller, mine)
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'Nothing was undone: your role does not reach all that it would change.',
    ])
    expect((await undo(manager, mine)).status).toBe(200)
  })

  it('ends after 90 days, when its rows go; the act itself stays', async () => {
    const { body } = await send(admin, { ids: [await account()], changes: { active: false }, dry_run: false })
    const id = String(body['id'])
    await sql`update bulk_changes set created_at = now() - interval '91 days' where id = ${id}::bigint`.execute(db)
    expect((await undo(admin, id)).body['message']).toBe('This change is older than 90 days, and cannot be undone any more.')
    await sweepBulkChanges(app.machinery)
    expect((await sql`select 1 from bulk_change_items where bulk_change_id = ${id}::bigint`.execute(db)).rows).toEqual([])
    expect((await ask(admin, 'GET', `/clients/${client}/bulk_changes?q[id]=${id}`)).body).toMatchObject({
      total: 1,
      bulk_changes: [{ may_undo: false }],
    })
  })
})
