import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
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
import { insert, makeBill } from '../../../test/every-call/world.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
let staff: Person
let partner: Person
const ids = {
  partner: 0,
  otherPartner: 0,
  client: 0,
  foreign: 0,
  division: 0,
  otherDivision: 0,
  facility: 0,
  account: 0,
  supply: 0,
  service: 0,
  bill: 0,
  vendor: 0,
}

interface Version {
  id: number
  event: string
  item_type: string
  item_id: number | null
  item_name: string | null
  client_id: number
  client_name: string | null
  ip_address: string | null
  created_at: string
  user: string
  object_changes: Record<string, { from: unknown; to: unknown }>
  changes: { key: string; label: string; from: string | null; to: string | null }[]
}

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  ids.partner = await insert(db, 'channel_partners', { name: 'Near Partner' })
  ids.otherPartner = await insert(db, 'channel_partners', { name: 'Far Partner' })
  ids.client = await makeClient(db, { name: 'Acme', channel_partner_id: ids.partner })
  ids.foreign = await makeClient(db, { name: 'Zenith', channel_partner_id: ids.otherPartner })
  ids.division = await makeDivision(db, ids.client, { name: 'North' })
  ids.otherDivision = await makeDivision(db, ids.client, { name: 'South' })
  ids.facility = await makeFacility(db, ids.client, ids.division, { name: 'Plant' })
  ids.vendor = await makeVendor(db)
  ids.account = await makeBillableAccount(db, ids.client, ids.facility, ids.vendor, { account_number: 'A-100' })
  ids.supply = await makeSupplyAccount(db, ids.client, ids.facility, { account_number: 'S-100' })
  ids.service = await makeService(db, ids.client, { billable_account_id: ids.account })
  ids.bill = await makeBill(
    db,
    { clientId: ids.client, divisionId: ids.division, facilityId: ids.facility, mark: 'x' },
    { billable_account_id: ids.account },
  )
  partner = await makePerson(db, 'channel_partner_admin', { channel_partner_id: ids.partner })
})

/** Builds a version of the trail, as a write stores it. */
const note = (version: {
  item_type: string
  item_id: number
  client_id?: number
  event?: string
  user_id?: number | null
  changes?: object
  at?: string
}): Promise<number> =>
  insert(db, 'audit_records', {
    client_id: version.client_id ?? ids.client,
    item_type: version.item_type,
    item_id: version.item_id,
    event: version.event ?? 'update',
    user_id: version.user_id ?? null,
    object_changes: JSON.stringify(version.changes ?? {}),
    ip_address: '192.0.2.7',
    ...(version.at === undefined ? {} : { created_at: version.at }),
  })
const emptied = () => sql`truncate audit_records, audit_seals`.execute(db)

async function log(query: string, who: Person = staff): Promise<{ versions: Version[]; ids: number[]; total: unknown }> {
  const { status, body, text } = await ask(who, 'GET', `/audit_log?${query}`)
  expect(status, text).toBe(200)
  const versions: Version[] = JSON.parse(text).audit_log
  return { versions, ids: versions.map(({ id }) => id), total: body['total'] }
}

describe('the audit log', () => {
  test('answers page after page of audit_log with its total, the newest first, ten unless told [AUDIT-API-001]', async () => {
    await emptied()
    const made: number[] = []
    for (let count = 0; count < 23; count++) made.push(await note({ item_type: 'vendor', item_id: count + 1, client_id: 0 }))
    const newest = made.toReversed()
    expect(await log('')).toMatchObject({ ids: newest.slice(0, 10), total: 23 })
    expect(await log('page=3&per=10')).toMatchObject({ ids: newest.slice(20), total: 23 })
    expect((await log('page=2&per=5')).ids).toEqual(newest.slice(5, 10))
    expect(await log('page=4')).toMatchObject({ ids: [], total: 23 })
    expect(await log('with_rows=false')).toMatchObject({ ids: [], total: 23 })
    expect((await log('with_total=false')).total).toBeUndefined()
  })

  test('a version carries its id, event, item type, address, time and each changed field from and to [AUDIT-FIELD-001]', async () => {
    await emptied()
    const { status } = await ask(staff, 'PATCH', `/clients/${ids.client}/facilities/${ids.facility}`, {
      facility: { name: 'Plant 2', division_id: ids.otherDivision },
    })
    expect(status).toBe(200)
    const { versions } = await log('')
    expect(versions).toHaveLength(1)
    expect(versions[0]).toMatchObject({
      id: expect.any(Number),
      event: 'update',
      item_type: 'facility',
      item_id: ids.facility,
      item_name: 'Plant 2',
      client_id: ids.client,
      client_name: 'Acme',
      ip_address: '127.0.0.1',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    })
    expect(versions[0]?.object_changes).toMatchObject({
      name: { from: 'Plant', to: 'Plant 2' },
      division_id: { from: ids.division, to: ids.otherDivision },
    })
    // Shown for people: the field's label, and the division's name instead of its id.
    expect(versions[0]?.changes).toEqual(
      expect.arrayContaining([
        { key: 'name', label: 'Name', from: 'Plant', to: 'Plant 2' },
        { key: 'division_id', label: 'Division', from: 'North', to: 'South' },
      ]),
    )
    await ask(staff, 'PATCH', `/clients/${ids.client}/facilities/${ids.facility}`, {
      facility: { name: 'Plant', division_id: ids.division },
    })
  })

  test('says the email of who acted, also once they are deleted, and System where nobody did [AUDIT-FIELD-002]', async () => {
    await emptied()
    const gone = await insert(db, 'users', { email: 'gone@example.test', username: 'gone' })
    await note({ item_type: 'vendor', item_id: 1, client_id: 0, user_id: staff.id })
    await note({ item_type: 'vendor', item_id: 1, client_id: 0, user_id: gone })
    await note({ item_type: 'vendor', item_id: 1, client_id: 0 })
    await note({
      item_type: 'user',
      item_id: gone,
      client_id: 0,
      event: 'destroy',
      changes: { email: { from: 'gone@example.test', to: null } },
    })
    await sql`delete from users where id = ${gone}`.execute(db)
    expect((await log('item_type=vendor')).versions.map(({ user }) => user)).toEqual(['System', 'gone@example.test', staff.email])
  })

  test('knows the events create, update, destroy and login, as the product writes them [AUDIT-CONST-002]', async () => {
    await emptied()
    const made = await ask(staff, 'POST', '/units', { unit: { symbol: 'au', description: 'A unit' } })
    await ask(staff, 'PATCH', `/units/${String(made.body['id'])}`, { unit: { description: 'Another' } })
    await ask(staff, 'DELETE', `/units/${String(made.body['id'])}`)
    await note({ item_type: 'user', item_id: staff.id, client_id: 0, event: 'login', user_id: staff.id })
    expect((await log('')).versions.map(({ event, item_type }) => `${event} ${item_type}`)).toEqual([
      'login user',
      'destroy unit',
      'update unit',
      'create unit',
    ])
    expect((await log('event=destroy')).total).toBe(1)
    expect((await ask(staff, 'GET', '/audit_log?event=read')).status).toBe(422)
  })

  test('finds versions by the name of a changed field and by what its old or new value contains [AUDIT-FIELD-003]', async () => {
    await emptied()
    const named = await note({ item_type: 'vendor', item_id: 1, client_id: 0, changes: { name: { from: 'City Power', to: 'Town Power' } } })
    const phoned = await note({
      item_type: 'vendor',
      item_id: 1,
      client_id: 0,
      changes: { phone: { from: '555 100%', to: 'Town 1' }, zip: { from: null, to: '1' } },
    })
    expect((await log('key=name')).ids).toEqual([named])
    expect((await log('value=town')).ids).toEqual([phoned, named])
    expect((await log('key=name&value=town')).ids).toEqual([named])
    expect((await log('key=phone&value=city')).ids).toEqual([])
    expect((await log('value=100%25')).ids, '% is a letter').toEqual([phoned])
    expect((await log('value=5__1')).ids, '_ is a letter').toEqual([])
  })

  test('takes users, from, to, client_id, key and value, alone and together, and refuses what it does not know [AUDIT-API-002]', async () => {
    await emptied()
    const mine = await note({ item_type: 'division', item_id: ids.division, user_id: staff.id })
    const theirs = await note({ item_type: 'division', item_id: ids.division, user_id: partner.id })
    const system = await note({ item_type: 'client', item_id: ids.foreign, client_id: ids.foreign })
    expect((await log(`users=${staff.id}`)).ids).toEqual([mine])
    expect((await log(`users[]=${staff.id}&users[]=${partner.id}`)).ids).toEqual([theirs, mine])
    expect((await log(`users=${staff.id},${partner.id}`)).total).toBe(2)
    expect((await log('users=0')).ids, 'the System').toEqual([system])
    expect((await log(`client_id=${ids.foreign}`)).ids).toEqual([system])
    expect((await log(`client_id=${ids.client}&users=${partner.id}`)).ids).toEqual([theirs])
    expect((await log('users=999999')).ids).toEqual([])
    for (const path of ['/audit_log', '/audit_log/export_csv']) {
      const refused = await ask(staff, 'GET', `${path}?item_type=unheard_of`)
      expect([refused.status, refused.body], path).toMatchObject([
        422,
        { errors: { fields: { item_type: [expect.stringContaining('no kind of item')] } } },
      ])
    }
    for (const query of ['user=1', 'users=a', 'from=soon', 'client_id=x', 'per=0', 'item_type=X', 'q[name]=1', 'key='])
      expect((await ask(staff, 'GET', `/audit_log?${query}`)).status, query).toBe(422)
  })

  test.each([
    ['in winter', '2026-01-10', '2026-01-10T05:00:00Z', '2026-01-11T05:00:00Z'],
    ['in summer', '2026-07-10', '2026-07-10T04:00:00Z', '2026-07-11T04:00:00Z'],
    ['on the day of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['on the day of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ])('from and to are whole days of New York %s [AUDIT-API-002]', async (_, date, start, end) => {
    await emptied()
    const at = (instant: string, milliseconds: number) => new Date(Date.parse(instant) + milliseconds).toISOString()
    const version = (created: string) => note({ item_type: 'vendor', item_id: 1, client_id: 0, at: created })
    await version(at(start, -1))
    const inside = [await version(start), await version(at(end, -1))]
    await version(end)
    expect((await log(`from=${date}&to=${date}`)).ids).toEqual(inside.toReversed())
    const [year, month, day] = date.split('-')
    expect((await log(`from=${month}/${day}/${year}&to=${month}/${day}/${year}`)).total, 'MM/DD/YYYY').toBe(2)
    expect((await log(`from=${start}&to=${end}`)).total, 'points in time').toBe(2)
  })
})

describe('a division, a facility or an account stands for itself and what lies below it', () => {
  test('division_id, facility_id, billable_account_id and supply_account_id [AUDIT-API-002]', async () => {
    await emptied()
    const of = {
      division: await note({ item_type: 'division', item_id: ids.division }),
      facility: await note({ item_type: 'facility', item_id: ids.facility }),
      account: await note({ item_type: 'billable_account', item_id: ids.account }),
      supply: await note({ item_type: 'supply_account', item_id: ids.supply }),
      service: await note({ item_type: 'service', item_id: ids.service }),
      bill: await note({ item_type: 'bill', item_id: ids.bill }),
    }
    await note({ item_type: 'division', item_id: ids.otherDivision })
    await note({ item_type: 'vendor', item_id: ids.facility, client_id: 0 })
    await note({ item_type: 'facility', item_id: ids.facility, client_id: ids.foreign })
    const sorted = (...wanted: (keyof typeof of)[]) => wanted.map((key) => of[key]).toSorted((one, other) => other - one)
    expect((await log(`division_id=${ids.division}`)).ids).toEqual(sorted('division', 'facility', 'account', 'supply', 'service', 'bill'))
    expect((await log(`facility_id=${ids.facility}`)).ids).toEqual(sorted('facility', 'account', 'supply', 'service', 'bill'))
    expect((await log(`billable_account_id=${ids.account}`)).ids).toEqual(sorted('account', 'service', 'bill'))
    expect((await log(`supply_account_id=${ids.supply}`)).ids).toEqual(sorted('supply'))
    expect(await log('division_id=999999')).toMatchObject({ ids: [], total: 0 })
    expect((await log(`division_id=${ids.division}&billable_account_id=${ids.account}`)).total, 'both').toBe(3)
    expect((await log(`client_id=${ids.foreign}&division_id=${ids.division}`)).total).toBe(0)
  })

  test('also where the records were deleted since, one below the other [AUDIT-API-002]', async () => {
    await emptied()
    const at = `/clients/${ids.client}`
    const division = await makeDivision(db, ids.client, { name: 'West' })
    const made = await ask(staff, 'POST', `${at}/facilities`, { facility: { name: 'Depot', number: 'D-1', division_id: division } })
    const facility = Number(made.body['id'])
    const account = await ask(staff, 'POST', `${at}/billable_accounts`, {
      billable_account: {
        name: 'Depot power',
        account_number: 'D-100',
        facility_id: facility,
        vendor_id: ids.vendor,
        street_address_1: '1 Main',
        city: 'Austin',
        state: 'TX',
        zip: '78701',
      },
    })
    expect(account.status, account.text).toBe(200)
    expect((await ask(staff, 'DELETE', `${at}/billable_accounts/${String(account.body['id'])}`)).status).toBe(200)
    expect((await ask(staff, 'DELETE', `${at}/facilities/${facility}`)).status).toBe(200)
    const told = ['destroy facility Depot', 'destroy billable_account D-100', 'create billable_account D-100', 'create facility Depot']
    const words = async (query: string) =>
      (await log(query)).versions.map(({ event, item_type, item_name }) => `${event} ${item_type} ${item_name}`)
    expect(await words(`division_id=${division}`)).toEqual(told)
    expect((await ask(staff, 'DELETE', `${at}/divisions/${division}`)).status).toBe(200)
    expect(await words(`division_id=${division}`)).toEqual(['destroy division West', ...told])
    expect(await words(`facility_id=${facility}`)).toEqual(told)
    expect(await words(`billable_account_id=${String(account.body['id'])}`)).toEqual(told.slice(1, 3))
  })
})

describe('who reads the audit log', () => {
  test('a partner’s administrator reads what happened in their own clients, whatever the filter says', async () => {
    await emptied()
    const foreignDivision = await makeDivision(db, ids.foreign, { name: 'Hidden' })
    const own = await note({
      item_type: 'client',
      item_id: ids.client,
      changes: { channel_partner_id: { from: ids.otherPartner, to: ids.partner } },
    })
    await note({ item_type: 'client', item_id: ids.foreign, client_id: ids.foreign })
    await note({ item_type: 'division', item_id: foreignDivision, client_id: ids.foreign })
    await note({ item_type: 'user', item_id: staff.id, client_id: 0, event: 'login' })
    const all = await log('', partner)
    expect(all).toMatchObject({ ids: [own], total: 1 })
    expect(JSON.stringify(all.versions), 'whose partner a client was is the provider’s business').not.toContain('Far Partner')
    for (const query of [`client_id=${ids.foreign}`, `division_id=${foreignDivision}`, 'item_type=user', 'users=0&event=login'])
      expect(await log(query, partner), query).toMatchObject({ ids: [], total: 0 })
    expect((await log('')).total).toBe(4)
  })

  test('nobody without the right to read settings', async () => {
    for (const role of ['client_admin', 'client_manager', 'client_user', 'read_only_user'] as const) {
      const person = await makePerson(db, role, { clients: [ids.client] })
      expect((await ask(person, 'GET', '/audit_log')).status, role).toBe(403)
      expect((await ask(person, 'GET', '/audit_log/export_csv?f=b')).status, role).toBe(403)
    }
  })

  test('the lookups of its filters take q and search_term with audit_log=true [AUDIT-API-003]', async () => {
    const paths = [
      ['/users/search', staff.email.slice(0, 16), 'users'],
      [`/clients/${ids.client}/billable_accounts/account_number_search`, 'A-100', 'billable_accounts'],
      [`/clients/${ids.client}/supply_accounts/account_number_search`, 'S-100', 'supply_accounts'],
    ] as const
    for (const [path, term, plural] of paths)
      for (const name of ['q', 'search_term']) {
        const { status, body, text } = await ask(staff, 'GET', `${path}?${name}=${encodeURIComponent(term)}&audit_log=true`)
        expect(status, text).toBe(200)
        expect(body[plural], path).toHaveLength(1)
      }
  })
})

describe('its export', () => {
  test('is a GET with f=b and the filters, and holds what the log shows [AUDIT-EXPORT-001]', async () => {
    await emptied()
    const facility = await note({
      item_type: 'facility',
      item_id: ids.facility,
      user_id: staff.id,
      changes: { name: { from: '=1+1', to: 'B' }, number: { from: null, to: '7' } },
    })
    await note({ item_type: 'division', item_id: ids.otherDivision })
    const text = await exported(staff, `f=b&division_id=${ids.division}&key=name`)
    const lines = text.trimEnd().split('\r\n').join('\n').split('\n')
    expect(lines[0]).toBe('ID,Time,Event,Item Type,Item ID,Client,User,IP Address,Changes')
    expect(text).toContain(`${facility},`)
    expect(text).toContain(`update,facility,${ids.facility},Acme,${staff.email},192.0.2.7,"name: =1+1 → B`)
    expect(text).toContain('number: – → 7"')
    expect(lines).toHaveLength(3)
    expect(await exported(partner, 'f=b&from=2000-01-01')).not.toContain(',user,')
    expect((await ask(staff, 'GET', '/audit_log/export_csv?f=x')).status).toBe(422)
    expect(await exported(staff, 'division_id=999999')).toBe('ID,Time,Event,Item Type,Item ID,Client,User,IP Address,Changes\n')
  })
})

async function exported(who: Person, query: string): Promise<string> {
  const started = await ask(who, 'GET', `/audit_log/export_csv?${query}`)
  expect(started.body, started.text).toMatchObject({ success: true, message: 'Audit Log export started' })
  for (let tries = 0; tries < 200; tries++) {
    const { status, body } = await ask(who, 'GET', `/tasks/${String(started.body['task_id'])}/file`)
    if (status === 200) return (await app.server.inject({ method: 'GET', url: String(body['url']) })).body
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the export did not end')
}
