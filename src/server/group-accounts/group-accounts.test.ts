import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
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
import { exportedText } from '../../../test/support/exports.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { refreshFacts } from '../month-facts/refresh-facts.ts'
import { keepLastBills } from '../estate/last-bills.ts'

const app = await startTestApp()
const {
  ask,
  database: { db },
} = app
let admin: Person
let staff: Person
let manager: Person
let client: number
let east: number
let plant: number
let store: number
let vendor: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Acme' })
  east = await makeDivision(db, client, { name: 'East' })
  plant = await makeFacility(db, client, east, { name: 'Plant' })
  store = await makeFacility(db, client, await makeDivision(db, client, { name: 'West' }), { name: 'Store' })
  vendor = await makeVendor(db, { name: 'City Power' })
  admin = await makePerson(db, 'client_admin', { clients: [client] })
  manager = await makePerson(db, 'client_manager', { clients: [client], division: [[client, east]] })
  staff = await makePerson(db, 'super_admin')
})

interface Kind {
  readonly name: 'group_account' | 'group_supply_account'
  readonly plural: 'group_accounts' | 'group_supply_accounts'
  readonly account: 'billable_account' | 'supply_account'
  readonly key: string
}
const kinds: readonly Kind[] = [
  { name: 'group_account', plural: 'group_accounts', account: 'billable_account', key: 'group_account_id' },
  { name: 'group_supply_account', plural: 'group_supply_accounts', account: 'supply_account', key: 'group_supply_account_id' },
]

let count = 0
async function make(kind: Kind, facility: number, values: { name?: string; group?: boolean; state?: string } = {}): Promise<number> {
  const account_number = `${kind.account === 'supply_account' ? 'S' : 'B'}-${++count}`
  const id =
    kind.account === 'billable_account'
      ? await makeBillableAccount(db, client, facility, vendor, { name: values.name ?? 'Account', account_number })
      : await makeSupplyAccount(db, client, facility, { name: values.name ?? 'Account', account_number })
  await sql`update ${sql.table(`${kind.account}s`)} set is_group_account = ${values.group ?? false}, state = ${values.state ?? 'TX'} where id = ${id}`.execute(
    db,
  )
  return id
}

const list = (kind: Kind) => `/clients/${client}/${kind.plural}`
const at = (kind: Kind, id: number) => `${list(kind)}/${id}`
const choose = (kind: Kind, id: number, subaccount_ids: readonly number[], who = admin, more: object = {}) =>
  ask(who, 'PATCH', at(kind, id), { [kind.name]: { subaccount_ids, ...more } })

const grouped = z.looseObject({ id: z.int(), lock_version: z.int(), subaccount_ids: z.array(z.int()) })
async function groupOf(kind: Kind, id: number, who = admin): Promise<z.infer<typeof grouped>> {
  const { status, body } = await ask(who, 'GET', at(kind, id))
  expect(status, JSON.stringify(body)).toBe(200)
  return grouped.parse(body[kind.name])
}

const rowsIn = (body: Record<string, unknown>, key: string) => z.array(z.looseObject({ id: z.int() })).parse(body[key])
const idsIn = (body: Record<string, unknown>, key: string) => rowsIn(body, key).map((row) => row.id)

describe.for(kinds)('$plural', (kind: Kind) => {
  it('gather accounts: whoever saves subaccount_ids makes them exactly these [GACC-RULE-001] [GSACC-RULE-001] [GACC-API-001] [GSACC-API-003] [GSACC-API-004] [GSACC-API-005]', async () => {
    const group = await make(kind, plant, { group: true })
    const [one, two, three] = [await make(kind, plant), await make(kind, store), await make(kind, store)]
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([])
    const saved = await choose(kind, group, [two, one])
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect(saved.body).toMatchObject({ success: true, id: group, [kind.name]: { subaccount_ids: [one, two] } })
    expect((await choose(kind, group, [two, three])).status).toBe(200)
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([two, three])
    const { rows } = await sql<{
      id: number
    }>`select id from ${sql.table(`${kind.account}s`)} where ${sql.ref(kind.key)} = ${group}`.execute(db)
    expect(rows.map((row) => row.id).toSorted((a, b) => a - b)).toEqual([two, three])
    expect((await choose(kind, group, [])).status).toBe(200)
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([])
  })

  it('are rows with place, address, country, last bill and subaccounts [GACC-FIELD-001] [GACC-FIELD-003] [GSACC-FIELD-001] [GSACC-FIELD-002] [GSACC-API-001]', async () => {
    const group = await make(kind, plant, { group: true, name: 'Northern', state: 'ON' })
    const sub = await make(kind, store)
    await choose(kind, group, [sub])
    const owner = kind.account === 'billable_account' ? { billable_account_id: group } : { supply_account_id: group }
    await addBill(db, client, { account: owner, date: '2026-03-05', current_charges: '1.00', lines: [] })
    await addBill(db, client, { account: owner, date: '2026-02-05', current_charges: '1.00', lines: [] })
    const ids = { billable_account_ids: [group], supply_account_ids: [group] }
    await db.transaction().execute((tx) => keepLastBills(tx, client, ids))
    const row = {
      id: group,
      name: 'Northern',
      active: true,
      facility: 'Plant',
      facility_id: plant,
      facility_name: 'Plant',
      division_id: east,
      division_name: 'East',
      street_address_1: '1 Main',
      street_address_2: null,
      city: 'Austin',
      state: 'ON',
      zip: '78701',
      country: 'CA',
      last_bill_date: '2026-03-05',
      subaccount_ids: [sub],
      client_id: client,
      client: 'Acme',
    }
    expect(await groupOf(kind, group)).toMatchObject({ ...row, account_number: expect.any(String), created_at: expect.any(String) })
    const { body } = await ask(admin, 'GET', `${list(kind)}?q[name]=Northern`)
    expect(body).toMatchObject({ total: 1, [kind.plural]: [row] })
    // An account that is no longer marked as a group is not one.
    expect((await ask(admin, 'GET', at(kind, sub))).status).toBe(404)
    expect(idsIn((await ask(admin, 'GET', list(kind))).body, kind.plural)).not.toContain(sub)
  })

  it('are listed, also over all clients, with filters, sorts and pages, and for the sidebar [GACC-API-007] [GACC-API-008]', async () => {
    const [first, second] = [
      await make(kind, plant, { group: true, name: 'Zeta A' }),
      await make(kind, store, { group: true, name: 'Zeta B' }),
    ]
    const asked = async (query: string, path = list(kind), who = admin) => {
      const answer = await ask(who, 'GET', `${path}?${query}`)
      expect(answer.status, answer.text).toBe(200)
      return idsIn(answer.body, kind.plural)
    }
    expect(await asked('q[name]=Zeta')).toEqual([first, second])
    expect(await asked('q[name]=Zeta&q[s]=name desc')).toEqual([second, first])
    expect(await asked('q[name]=Zeta&q[s]=last_bill_date asc')).toHaveLength(2)
    expect(await asked('q[name]=Zeta&per=1&page=2')).toEqual([second])
    expect(await asked('q[name]=Zeta&q[facility]=Store')).toEqual([second])
    expect(await asked(`q[name]=Zeta&facility_id=${plant}`)).toEqual([first])
    expect(await asked('q[name]=Zeta&q[country]=CA')).toEqual([])
    expect(await asked('q[name]=Zeta', `/${kind.plural}`, staff)).toEqual([first, second])
    expect(await asked(`q[name]=Zeta&client_id=${client}`, `/${kind.plural}`, staff)).toEqual([first, second])
    expect(await asked('q[name]=Zeta', `${list(kind)}/sidebar_records`)).toEqual([first, second])
    const sidebar = await ask(admin, 'GET', `${list(kind)}/sidebar_records?q[account_number]=-&q[s]=account_number desc&per=1`)
    expect(sidebar.body).toMatchObject({ total: expect.any(Number), [kind.plural]: [{ id: second, client_id: client, name: 'Zeta B' }] })
    expect(Object.keys(rowsIn(sidebar.body, kind.plural)[0] ?? {}).toSorted()).toEqual(['account_number', 'client_id', 'id', 'name'])
    for (const wrong of ['q[nonsense]=1', 'q[s]=street asc', 'nonsense=1'])
      expect((await ask(admin, 'GET', `${list(kind)}?${wrong}`)).status, wrong).toBe(422)
  })

  it('list their subaccounts with place and address, filtered, sorted and paged [GACC-FIELD-002] [GACC-FIELD-003] [GACC-API-004] [GACC-API-008] [GSACC-API-002]', async () => {
    const group = await make(kind, plant, { group: true })
    const [one, two, free] = [
      await make(kind, plant, { name: 'Alpha' }),
      await make(kind, store, { name: 'Beta' }),
      await make(kind, plant),
    ]
    await choose(kind, group, [one, two])
    const asked = async (query = '') => (await ask(admin, 'GET', `${at(kind, group)}/subaccounts?${query}`)).body
    const body = await asked()
    expect(body).toMatchObject({
      total: 2,
      subaccounts: [
        {
          id: one,
          facility: 'Plant',
          account_number: expect.any(String),
          name: 'Alpha',
          street_address_1: '1 Main',
          street_address_2: null,
          city: 'Austin',
          state: 'TX',
          zip: '78701',
          country: 'US',
        },
        { id: two, facility: 'Store' },
      ],
    })
    expect(idsIn(await asked('q[s]=name desc'), 'subaccounts')).toEqual([two, one])
    expect(idsIn(await asked('q[facility]=Sto'), 'subaccounts')).toEqual([two])
    expect(idsIn(await asked('per=1&page=2'), 'subaccounts')).toEqual([two])
    expect(await asked('with_rows=false')).toMatchObject({ total: 2 })
    expect(idsIn(body, 'subaccounts')).not.toContain(free)
    expect((await ask(admin, 'GET', `${at(kind, one)}/subaccounts`)).status).toBe(404)
  })

  it('say of each account whether it can be chosen, and offer those that can [GACC-API-005] [GACC-API-006]', async () => {
    const [group, other] = [await make(kind, plant, { group: true }), await make(kind, plant, { group: true, name: 'Other Group' })]
    const [mine, theirs, free] = [
      await make(kind, plant, { name: 'Cand 1' }),
      await make(kind, store, { name: 'Cand 2' }),
      await make(kind, store, { name: 'Cand 3' }),
    ]
    await choose(kind, group, [mine])
    await choose(kind, other, [theirs])
    const candidates = await ask(admin, 'GET', `${at(kind, group)}/filter_subaccounts?q[name]=Cand&q[s]=name asc`)
    expect(candidates.body).toMatchObject({
      total: 3,
      subaccounts: [
        { id: mine, grouped: true, group_id: group },
        { id: theirs, grouped: true, group_id: other, group_name: 'Other Group' },
        { id: free, grouped: false, group_id: null, group_name: null, is_group_account: false },
      ],
    })
    const ids = async (query: string) =>
      idsIn((await ask(admin, 'GET', `${at(kind, group)}/filter_subaccounts?${query}`)).body, 'subaccounts')
    expect(await ids('q[name]=Cand&q[grouped]=false')).toEqual([free])
    expect(await ids(`q[name]=Cand&facility_id=${store}&q[s]=name desc`)).toEqual([free, theirs])
    expect(await ids(`values=${JSON.stringify([theirs, mine])}`)).toEqual([mine, theirs])
    expect(await ids('per=1000')).not.toContain(group)
    const options = await ask(admin, 'GET', `${at(kind, group)}/subaccount_options?search_term=cand`)
    expect(options.body).toMatchObject({ total: 2 })
    expect(idsIn(options.body, 'subaccount_options')).toEqual([mine, free])
    expect(Object.keys(rowsIn(options.body, 'subaccount_options')[0] ?? {}).toSorted()).toEqual([
      'account_number',
      'active',
      'client_id',
      'facility',
      'id',
      'name',
    ])
  })

  it('refuse, by name, what is in another group, is a group, is themselves or is not there', async () => {
    const [group, other] = [await make(kind, plant, { group: true }), await make(kind, plant, { group: true, name: 'Other Group' })]
    const [sub, free] = [await make(kind, plant, { name: 'Taken' }), await make(kind, plant)]
    await choose(kind, other, [sub])
    const foreignClient = await makeClient(db)
    const elsewhere = await makeFacility(db, foreignClient, await makeDivision(db, foreignClient))
    const foreign =
      kind.account === 'billable_account'
        ? await makeBillableAccount(db, foreignClient, elsewhere, vendor)
        : await makeSupplyAccount(db, foreignClient, elsewhere)
    const refused = async (ids: readonly number[]) => {
      const answer = await choose(kind, group, ids)
      expect([answer.status, (await groupOf(kind, group)).subaccount_ids]).toEqual([422, []])
      return answer.body['message']
    }
    expect(await refused([free, sub])).toMatch(/^\S+ \(Taken\) is a subaccount of \S+ \(Other Group\)$/)
    expect(await refused([other])).toMatch(/\(Other Group\) is a group account itself$/)
    expect(await refused([group])).toBe('A group account cannot be its own subaccount')
    expect(await refused([999_999_999])).toBe('This record cannot be found')
    expect(await refused([foreign])).toBe('This record cannot be found')
    // Free accounts can be chosen even if inactive; the rows say so.
    await sql`update ${sql.table(`${kind.account}s`)} set active = false where id = ${free}`.execute(db)
    expect((await choose(kind, group, [free])).status).toBe(200)
    expect((await ask(admin, 'GET', `${at(kind, group)}/subaccounts`)).body).toMatchObject({ subaccounts: [{ id: free, active: false }] })
  })

  it('take an account once, however many save at the same moment', async () => {
    const groups = [
      await make(kind, plant, { group: true }),
      await make(kind, plant, { group: true }),
      await make(kind, plant, { group: true }),
    ]
    const subs = [await make(kind, plant), await make(kind, plant)]
    const answers = await Promise.all(groups.map((group, index) => choose(kind, group, index === 1 ? subs.toReversed() : subs)))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
    const held = await Promise.all(groups.map(async (group) => (await groupOf(kind, group)).subaccount_ids.length))
    expect(held.toSorted((a, b) => a - b)).toEqual([0, 0, 2])
  })

  it('keep their tick while they gather accounts, and a subaccount cannot be ticked', async () => {
    const group = await make(kind, plant, { group: true })
    const sub = await make(kind, plant)
    await choose(kind, group, [sub])
    const tick = (id: number, is_group_account: boolean) =>
      ask(admin, 'PATCH', `/clients/${client}/${kind.account}s/${id}`, { [kind.account]: { is_group_account } })
    expect((await tick(group, false)).status).toBe(422)
    expect((await tick(sub, true)).status).toBe(422)
    await choose(kind, group, [])
    expect((await tick(group, false)).status).toBe(200)
    expect((await ask(admin, 'GET', at(kind, group))).status).toBe(404)
  })

  it('leave alone what a narrowed person does not see, and tell nothing of it', async () => {
    const [group, hidden] = [await make(kind, plant, { group: true }), await make(kind, store, { group: true, name: 'Hidden Group' })]
    const [near, far, free, taken] = [await make(kind, plant), await make(kind, store), await make(kind, plant), await make(kind, plant)]
    await choose(kind, group, [near, far])
    await choose(kind, hidden, [taken])
    expect((await groupOf(kind, group, manager)).subaccount_ids).toEqual([near])
    expect(idsIn((await ask(manager, 'GET', `${at(kind, group)}/subaccounts`)).body, 'subaccounts')).toEqual([near])
    const saved = await choose(kind, group, [free], manager)
    expect(saved.body[kind.name]).toMatchObject({ subaccount_ids: [free] })
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([far, free])
    // Neither a member nor an account outside the caller's reach can be named, and a group outside the reach is not named.
    for (const id of [far, await make(kind, store)])
      expect((await choose(kind, group, [free, id], manager)).body['message']).toBe('This record cannot be found')
    const other = await choose(kind, group, [free, taken], manager)
    expect(other.body['message']).toMatch(/is a subaccount of another group account$/)
    expect(other.text).not.toContain('Hidden')
    const candidates = await ask(manager, 'GET', `${at(kind, group)}/filter_subaccounts?q[id_eq]=${taken}`)
    expect(candidates.body).toMatchObject({ subaccounts: [{ id: taken, grouped: true, group_id: null, group_name: null }] })
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([far, free])
    expect((await ask(manager, 'GET', at(kind, hidden))).status).toBe(404)
  })

  it('do not let go of what somebody sees but may not change', async () => {
    const group = await make(kind, plant, { group: true })
    const [near, far] = [await make(kind, plant), await make(kind, store)]
    await choose(kind, group, [near, far])
    const reader = await makePerson(db, 'client_manager', { clients: [client], division: [[client, east]] })
    await sql`with role as (insert into user_roles (user_id, role_id) select ${reader.id}, id from roles where name = 'read_only_user' returning id)
      insert into user_role_clients (client_id, user_role_id) select ${client}, id from role`.execute(db)
    expect((await groupOf(kind, group, reader)).subaccount_ids).toEqual([near, far])
    expect((await choose(kind, group, [near], reader)).status).toBe(422)
    const saved = await choose(kind, group, [far], reader)
    expect(saved.body, saved.text).toMatchObject({ [kind.name]: { subaccount_ids: [far] } })
  })

  it('refuse a save over somebody else’s, without telling what the other did out of sight', async () => {
    const group = await make(kind, plant, { group: true })
    const [near, far] = [await make(kind, plant), await make(kind, store)]
    const seen = await groupOf(kind, group, manager)
    await choose(kind, group, [near, far])
    const late = await choose(kind, group, [], manager, { lock_version: seen.lock_version })
    expect(late.status).toBe(409)
    expect(late.body['changed']).toEqual({ subaccount_ids: { from: [near], to: [] } })
    const fresh = await groupOf(kind, group, manager)
    expect(fresh.lock_version).toBeGreaterThan(seen.lock_version)
    expect((await choose(kind, group, [], manager, { lock_version: fresh.lock_version })).status).toBe(200)
    expect((await groupOf(kind, group)).subaccount_ids).toEqual([far])
    // The version is the account's own, so its form also notices the change.
    const account = await ask(admin, 'GET', `/clients/${client}/${kind.account}s/${group}`)
    expect(account.body[kind.account]).toMatchObject({ lock_version: fresh.lock_version + 1 })
  })

  it('leave in the trail whom they gathered, under the group and under each account', async () => {
    const group = await make(kind, plant, { group: true })
    const [one, two] = [await make(kind, plant), await make(kind, plant)]
    await choose(kind, group, [one])
    await choose(kind, group, [two])
    const { rows } = await sql<{ item_type: string; item_id: number; object_changes: object }>`
      select item_type, item_id, object_changes from audit_records where client_id = ${client} and item_id = any(${[group, one, two]}::bigint[])
        and item_type in (${kind.name}, ${kind.account}) order by id`.execute(db)
    expect(rows).toEqual([
      { item_type: kind.account, item_id: one, object_changes: { [kind.key]: { from: null, to: group } } },
      { item_type: kind.name, item_id: group, object_changes: { subaccount_ids: { from: [], to: [one] } } },
      { item_type: kind.account, item_id: two, object_changes: { [kind.key]: { from: null, to: group } } },
      { item_type: kind.account, item_id: one, object_changes: { [kind.key]: { from: group, to: null } } },
      { item_type: kind.name, item_id: group, object_changes: { subaccount_ids: { from: [one], to: [two] } } },
    ])
    const numbers = await sql<{ account_number: string }>`select account_number from ${sql.table(`${kind.account}s`)}
      where id = any(${[one, two]}::bigint[]) order by id`.execute(db)
    const [first, second] = numbers.rows.map((row) => row.account_number)
    for (const item of [kind.name, kind.account]) {
      const history = await ask(admin, 'GET', `/clients/${client}/history/${item}/${group}`)
      expect(history.body, item).toMatchObject({
        total: 2,
        history: [{ item_type: kind.name, changes: [{ label: 'Subaccounts', from: first, to: second }] }, { changes: [{ to: first }] }],
      })
    }
    const of = await ask(admin, 'GET', `/clients/${client}/history/${kind.account}/${one}`)
    expect(of.body).toMatchObject({ history: [{ changes: [{ to: null }] }, { changes: [{ from: null }] }] })
    expect(of.text).toContain(`"label":"${kind.account === 'billable_account' ? 'Group Account' : 'Group Supply Account'}"`)
  })

  it('are exported with the numbers of the subaccounts that the person sees [GACC-EXPORT-001]', async () => {
    const group = await make(kind, plant, { group: true, name: 'Exported' })
    const [near, far] = [await make(kind, plant), await make(kind, store)]
    await choose(kind, group, [near, far])
    const csv = async (who: Person) => {
      const started = await ask(who, 'GET', `${list(kind)}/export_csv?q[name]=Exported`)
      expect(started.status, started.text).toBe(200)
      return (await exportedText(app, who, started.body['task_id'])).trim().split('\n')
    }
    const numbers = await sql<{ account_number: string }>`select account_number from ${sql.table(`${kind.account}s`)}
      where id = any(${[near, far]}::bigint[]) order by id`.execute(db)
    const [nearNumber = '', farNumber = ''] = numbers.rows.map((row) => row.account_number)
    const [head = '', row = '', ...more] = await csv(admin)
    expect(more).toEqual([])
    expect(head.split(',')).toEqual(
      expect.arrayContaining(['Name', 'Account Number', 'Facility', 'Country', 'Last Bill Date', 'Subaccounts']),
    )
    expect(row).toContain(`${nearNumber}; ${farNumber}`)
    const [, narrowed = ''] = await csv(manager)
    expect(narrowed).toContain(nearNumber)
    expect(narrowed).not.toContain(farNumber)
  })

  it('let the dashboard follow whom they gather', async () => {
    const group = await make(kind, plant, { group: true })
    const sub = await make(kind, plant)
    const owner = kind.account === 'billable_account' ? { billable_account_id: sub } : { supply_account_id: sub }
    const service = await makeService(db, client, owner)
    const line = { service_id: service, from: '2025-11-01', to: '2025-12-01', usage: '500', utility: '50.00' }
    await addBill(db, client, { account: owner, date: '2025-12-02', current_charges: '50.00', lines: [line] })
    await refreshFacts(db, client, [service])
    const cost = async () => {
      const { body } = await ask(admin, 'GET', `/clients/${client}/dashboard?scope_type=${kind.name}&scope_id=${group}&as_of=2026-01-01`)
      return JSON.stringify(body['dashboard'])
    }
    const without = await cost()
    await choose(kind, group, [sub])
    const withSub = await cost()
    expect(withSub).toContain('50.00')
    expect(without).not.toContain('50.00')
    await choose(kind, group, [])
    expect(await cost()).toBe(without)
  })
})

describe('a group account', () => {
  const [kind] = kinds
  if (!kind) throw new Error('no kind')

  it('changes its own fields as the account that it is: on its bills and in its history too [GACC-API-001]', async () => {
    const group = await make(kind, plant, { group: true })
    await addBill(db, client, { account: { billable_account_id: group }, date: '2026-03-05', current_charges: '1.00', lines: [] })
    const before = await groupOf(kind, group)
    const change = {
      name: 'Renamed',
      account_number: 'NEW-1',
      street_address_1: '9 Oak',
      street_address_2: 'B',
      city: 'Reno',
      state: 'NV',
      zip: '89501',
    }
    const saved = await ask(admin, 'PATCH', at(kind, group), { group_account: { ...change, lock_version: before.lock_version } })
    expect(saved.body, saved.text).toMatchObject({ message: 'Group Account updated', group_account: { ...change, country: 'US' } })
    expect((await ask(admin, 'GET', `/clients/${client}/billable_accounts/${group}`)).body['billable_account']).toMatchObject(change)
    expect((await ask(admin, 'GET', `${at(kind, group)}/bills`)).body).toMatchObject({ total: 1, bills: [{ account_number: 'NEW-1' }] })
    const history = await ask(admin, 'GET', `/clients/${client}/history/group_account/${group}`)
    expect(history.body).toMatchObject({ total: 1, history: [{ item_type: 'billable_account' }] })
    for (const wrong of [{ name: '' }, { state: 'ZZ' }, { facility_id: store }, { is_group_account: false }, { subaccount_ids: 'x' }])
      expect((await ask(admin, 'PATCH', at(kind, group), { group_account: wrong })).status, JSON.stringify(wrong)).toBe(422)
  })

  it('lists its own bills and those of its subaccounts [GACC-API-002]', async () => {
    const group = await make(kind, plant, { group: true })
    const [sub, free] = [await make(kind, plant), await make(kind, plant)]
    await choose(kind, group, [sub])
    const bill = (id: number, date: string) =>
      addBill(db, client, { account: { billable_account_id: id }, date, current_charges: '1.00', lines: [] })
    const [own, theirs] = [await bill(group, '2026-01-01'), await bill(sub, '2026-01-02'), await bill(free, '2026-01-03')]
    const { body } = await ask(admin, 'GET', `${at(kind, group)}/bills?q[s]=date asc`)
    expect(idsIn(body, 'bills')).toEqual([own.id, theirs.id])
  })

  it('offers the latest lines of its subaccounts’ meters and of their suppliers, for linking [GACC-API-003]', async () => {
    const group = await make(kind, plant, { group: true })
    const [sub, free] = [await make(kind, plant), await make(kind, plant)]
    await choose(kind, group, [sub])
    const supplier = await makeSupplyAccount(db, client, plant, { name: 'Supplier', account_number: 'SUP-9' })
    const meter = await makeService(db, client, { billable_account_id: sub }, { meter_number: 'M-LINK' })
    const supplied = await makeService(db, client, { supply_account_id: supplier }, { meter_number: 'S-LINK' })
    const unlinked = await makeService(db, client, { billable_account_id: free })
    await sql`insert into supply_account_billable_services (client_id, supply_account_id, service_id) values (${client}, ${supplier}, ${meter})`.execute(
      db,
    )
    const billOf = async (
      account: { billable_account_id: number } | { supply_account_id: number },
      service_id: number,
      date: string,
      more = {},
    ) => {
      const made = await addBill(db, client, {
        account,
        date,
        current_charges: '7.00',
        lines: [{ service_id, from: '2026-01-01', to: date, usage: '3', utility: '7.00' }],
        ...more,
      })
      await sql`update bills set facility_id = ${plant}, division_id = ${east} where id = ${made.id}`.execute(db)
      return made
    }
    const parent = await addBill(db, client, {
      account: { billable_account_id: group },
      date: '2026-02-10',
      current_charges: '7.00',
      lines: [],
    })
    await billOf({ billable_account_id: sub }, meter, '2026-01-31')
    const latest = await billOf({ billable_account_id: sub }, meter, '2026-02-28', { group_bill_id: parent.id })
    const supplyBill = await billOf({ supply_account_id: supplier }, supplied, '2026-02-27')
    await billOf({ billable_account_id: free }, unlinked, '2026-02-28')
    const options = async (who: Person) => {
      const answer = await ask(who, 'GET', `${at(kind, group)}/linked_service_bill_options`)
      expect(answer.status, answer.text).toBe(200)
      return answer.body['linked_service_bill_options']
    }
    const line = { service_utility_service_name: 'Electric', previous_read_date: '2026-01-01', usage: '3.000', charge: '7.00' }
    const ofSub = {
      ...line,
      id: latest.line_ids[0],
      bill_id: latest.id,
      account_id: sub,
      service_id: meter,
      service_meter_number: 'M-LINK',
    }
    const ofSupplier = { ...line, id: supplyBill.line_ids[0], account_number: 'SUP-9', account_type: 'SupplyAccount' }
    expect(await options(admin)).toMatchObject([
      { ...ofSub, account_type: 'BillableAccount', linked_by: 'group_bill_id', linked_to: parent.id },
      { ...ofSupplier, linked_by: 'linked_service_bill_ids', linked_to: null },
    ])
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id) values (${client}, ${parent.id}, ${supplyBill.line_ids[0]})`.execute(
      db,
    )
    expect(await options(admin)).toMatchObject([{}, { linked_to: parent.id }])
    // The group's bill is at none of these facilities: a narrowed reader sees the lines, but not that bill.
    expect(await options(manager)).toMatchObject([{ linked_to: null }, { linked_to: null }])
    await sql`update bills set facility_id = ${store}, division_id = null where id = ${supplyBill.id}`.execute(db)
    expect(await options(manager)).toHaveLength(1)
  })

  it('comes into being by the tick of an account’s form, of either kind [GACC-RULE-002] [GSACC-RULE-002]', async () => {
    for (const { account, plural, name } of kinds) {
      const draft = {
        facility_id: plant,
        vendor_id: vendor,
        name: 'Made',
        account_number: `T-${++count}`,
        street_address_1: '1 Main',
        city: 'Austin',
        state: 'TX',
        zip: '78701',
      }
      const made = await ask(admin, 'POST', `/clients/${client}/${account}s`, { [account]: { ...draft, is_group_account: true } })
      expect(made.status, made.text).toBe(200)
      const group = await ask(admin, 'GET', `/clients/${client}/${plural}/${String(made.body['id'])}`)
      expect(group.body[name]).toMatchObject({ id: made.body['id'], name: 'Made', subaccount_ids: [] })
    }
  })
})

it('a group supply account takes its subaccounts alone: its own fields are changed where the supply account is', async () => {
  const [, kind] = kinds
  if (!kind) throw new Error('no kind')
  const group = await make(kind, plant, { group: true })
  const answer = await ask(admin, 'PATCH', at(kind, group), { group_supply_account: { name: 'X' } })
  expect([answer.status, answer.body['message']]).toEqual([422, 'Name cannot be changed'])
})
