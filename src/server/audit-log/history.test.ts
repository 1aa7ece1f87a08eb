import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, monthlyDraft } from '../../../test/support/bills.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeService, makeVendor } from '../../../test/support/estate.ts'
import { createBills } from '../bills/bills.ts'

const { ask, database } = await startTestApp()
const { db } = database
let staff: Person
let clientId = 0
let facilityId = 0
let otherFacilityId = 0

interface Version {
  event: string
  item_type: string
  item_name: string | null
  user: string
  changes: { key: string; from: string | null; to: string | null }[]
  object_changes: Record<string, unknown>
}

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  await sql`update users set first_name = 'Ada', last_name = 'Stone' where id = ${staff.id}`.execute(db)
  clientId = await makeClient(db, { name: 'Acme' })
  const division = await makeDivision(db, clientId, { name: 'North' })
  facilityId = await makeFacility(db, clientId, division, { name: 'Plant' })
  otherFacilityId = await makeFacility(db, clientId, await makeDivision(db, clientId, { name: 'South' }), { name: 'Depot' })
})

async function roleId(name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from roles where name = ${name}`.execute(db)
  return rows[0]?.id ?? 0
}

async function history(who: Person, path: string): Promise<{ versions: Version[]; total: unknown }> {
  const { status, body, text } = await ask(who, 'GET', path)
  expect(status, text).toBe(200)
  const versions: Version[] = JSON.parse(text).history
  return { versions, total: body['total'] }
}

describe('the history of a record', () => {
  test('says who changed what, the newest first, page by page', async () => {
    const at = `/clients/${clientId}/facilities/${facilityId}`
    for (let count = 1; count <= 12; count++) await ask(staff, 'PATCH', at, { facility: { name: `Plant ${count}` } })
    await ask(staff, 'PATCH', `/clients/${clientId}/facilities/${otherFacilityId}`, { facility: { name: 'Depot 2' } })
    const first = await history(staff, `/clients/${clientId}/history/facility/${facilityId}`)
    expect(first.total).toBe(12)
    expect(first.versions).toHaveLength(10)
    expect(first.versions[0]).toMatchObject({
      event: 'update',
      user: 'Ada Stone',
      changes: [{ key: 'name', label: 'Name', from: 'Plant 11', to: 'Plant 12' }],
    })
    const second = await history(staff, `/clients/${clientId}/history/facility/${facilityId}?page=2`)
    expect(second.versions.map(({ changes }) => changes[0]?.to)).toEqual(['Plant 2', 'Plant 1'])
    expect((await ask(staff, 'GET', `/clients/${clientId}/history/facility/${facilityId}?sort=id`)).status).toBe(422)
  })

  test('is read by whoever may read the record, and is as absent as the record for everybody else', async () => {
    const path = `/clients/${clientId}/history/facility/${facilityId}`
    const other = await makeClient(db)
    const reader = await makePerson(db, 'read_only_user', { clients: [clientId] })
    const narrow = await makePerson(db, 'client_user', { clients: [clientId], facility: [[clientId, otherFacilityId]] })
    const stranger = await makePerson(db, 'client_admin', { clients: [other] })
    expect((await ask(reader, 'GET', path)).status).toBe(200)
    expect((await ask(narrow, 'GET', path)).status).toBe(404)
    expect((await ask(narrow, 'GET', `/clients/${clientId}/history/facility/${otherFacilityId}`)).status).toBe(200)
    expect((await ask(stranger, 'GET', path)).status).toBe(404)
    expect((await ask(stranger, 'GET', `/clients/${other}/history/facility/${facilityId}`)).status).toBe(404)
    expect((await ask(null, 'GET', path)).status).toBe(401)
  })

  test('shows secrets as markers, and people by their names and without the address that they wrote from', async () => {
    const second = await makePerson(db, 'muc_admin')
    const made = await ask(second, 'POST', '/vendors', { vendor: { name: 'Pipe', short_code: 'PIPE', payment_identifier: '123456789' } })
    const approve = async () => {
      const { rows } = await sql<{ id: number }>`select id from vendor_bank_changes where state = 'waiting'`.execute(db)
      expect((await ask(staff, 'POST', `/vendor_bank_changes/${rows[0]?.id ?? 0}/approve`)).status).toBe(200)
    }
    await approve()
    await ask(second, 'PATCH', `/vendors/${String(made.body['id'])}`, { vendor: { payment_identifier: '987654321' } })
    await approve()
    const reader = await makePerson(db, 'read_only_user', { clients: [clientId] })
    const { versions } = await history(reader, `/history/vendor/${String(made.body['id'])}`)
    expect(versions.map(({ event }) => event)).toEqual(['update', 'update', 'create'])
    expect(versions[0]?.object_changes).toEqual({ payment_identifier: { from: '[secret]', to: '[secret]' } })
    const text = JSON.stringify(versions)
    for (const hidden of ['123456789', '987654321', staff.email, '127.0.0.1']) expect(text).not.toContain(hidden)
    expect(versions[0]?.user).toBe('Ada Stone')
  })

  test('there is one of each kind: a client, a bill’s account, a service, a user, a setting', async () => {
    const vendor = await makeVendor(db)
    const account = await makeBillableAccount(db, clientId, facilityId, vendor)
    const service = await makeService(db, clientId, { billable_account_id: account })
    await ask(staff, 'PATCH', `/clients/${clientId}`, { client: { notes: 'A note' } })
    await ask(staff, 'PATCH', `/clients/${clientId}/billable_accounts/${account}`, { billable_account: { name: 'Changed' } })
    await ask(staff, 'PATCH', `/clients/${clientId}/billable_accounts/${account}/services/${service}`, { service: { notes: 'A note' } })
    const unit = await ask(staff, 'POST', '/units', { unit: { symbol: 'hu', description: 'Unit' } })
    const person = await makePerson(db, 'client_user', { clients: [clientId] })
    await ask(staff, 'PATCH', `/users/${person.id}`, { user: { title: 'Chief' } })
    const paths = [
      `/history/client/${clientId}`,
      `/clients/${clientId}/history/billable_account/${account}`,
      `/clients/${clientId}/history/service/${service}`,
      `/history/unit/${String(unit.body['id'])}`,
      `/history/user/${person.id}`,
    ]
    for (const path of paths) expect((await history(staff, path)).versions.length, path).toBeGreaterThan(0)
  })

  test('of a bill names the account that it was entered for, and the one that it went to', async () => {
    const vendor = await makeVendor(db)
    const accountId = await makeBillableAccount(db, clientId, facilityId, vendor)
    const draft = { ...monthlyDraft({ accountId, electricId: 0, gasId: 0 }, 1), service_bills: [] }
    const [made] = await acting(database, (context) => createBills(context, clientId, [draft]))
    if (made?.kind !== 'created') throw new Error(JSON.stringify(made))
    const { versions } = await history(staff, `/clients/${clientId}/history/bill/${made.id}`)
    const created = versions.find(({ event, item_type }) => event === 'create' && item_type === 'bill')
    const { rows } = await sql<{ number: string }>`
      select account_number as number from billable_accounts where id = ${accountId}`.execute(db)
    expect(created?.changes.find(({ key }) => key === 'account_id')?.to).toBe(rows[0]?.number)

    const other = await makeBillableAccount(db, clientId, facilityId, vendor)
    await sql`update billable_accounts set account_number = 'MOVED-1' where id = ${other}`.execute(db)
    const moved = await ask(staff, 'PATCH', `/clients/${clientId}/bills/${made.id}`, { bill: { account_id: other } })
    expect(moved.status, moved.text).toBe(200)
    const { versions: after } = await history(staff, `/clients/${clientId}/history/bill/${made.id}`)
    const change = after.flatMap(({ changes }) => changes).filter(({ key, from }) => key === 'account_id' && from !== null)
    expect(change).toMatchObject([{ from: rows[0]?.number, to: 'MOVED-1' }])
  })

  test('of a person tells what became of their roles, of those in the clients that the reader reaches', async () => {
    const far = await makeClient(db, { name: 'Far Mills' })
    const [holder, heir] = [await makePerson(db, null), await makePerson(db, null)]
    const granted = async (client: number) =>
      (
        await ask(staff, 'POST', `/users/${holder.id}/user_roles`, {
          user_role: { role_id: await roleId('client_admin'), client_ids: [client] },
        })
      ).body['id']
    const [near, gone] = [await granted(clientId), await granted(clientId)]
    const farther = await granted(far)
    const manager = await roleId('client_manager')
    expect((await ask(staff, 'PATCH', `/users/${holder.id}/user_roles/${String(near)}`, { user_role: { role_id: manager } })).status).toBe(
      200,
    )
    expect((await ask(staff, 'DELETE', `/users/${holder.id}/user_roles/${String(gone)}`)).status).toBe(200)
    // The email address goes to another user; the role's history stays with its former holder.
    await ask(staff, 'PATCH', `/users/${holder.id}`, { user: { email: `moved-${holder.email}` } })
    await ask(staff, 'PATCH', `/users/${heir.id}`, { user: { email: holder.email } })
    const told = async (who: Person, id: number) =>
      (await history(who, `/history/user/${id}`)).versions.map(({ event, item_type, item_name }) => `${event} ${item_type} ${item_name}`)
    const moved = `update user moved-${holder.email}`
    const nearby = [
      'destroy user_role Client Admin',
      'update user_role Client Manager',
      'create user_role Client Admin',
      'create user_role Client Admin',
    ]
    const all = await history(staff, `/history/user/${holder.id}`)
    expect(await told(staff, holder.id)).toEqual([moved, ...nearby.slice(0, 2), 'create user_role Client Admin', ...nearby.slice(2)])
    expect(all.total).toBe(6)
    expect(JSON.stringify(all.versions[3])).toContain('Far Mills')
    expect(all.versions[1]?.user).toBe('Ada Stone')
    expect(await told(staff, heir.id)).toEqual([`update user ${holder.email}`])
    // An administrator of the client sees the user once they reach no other client, and still not what they did there.
    await ask(staff, 'DELETE', `/users/${holder.id}/user_roles/${String(farther)}`)
    const admin = await makePerson(db, 'client_admin', { clients: [clientId] })
    expect(await told(admin, holder.id)).toEqual([moved, ...nearby])
    expect(JSON.stringify(await history(admin, `/history/user/${holder.id}`))).not.toContain('Far Mills')
  })

  test('what is no kind of record, and a kind under the wrong path, has none', async () => {
    for (const path of [
      `/history/facility/${facilityId}`,
      '/history/session/1',
      '/history/nothing/1',
      `/clients/${clientId}/history/vendor/1`,
    ])
      expect((await ask(staff, 'GET', path)).status, path).toBe(404)
  })
})
