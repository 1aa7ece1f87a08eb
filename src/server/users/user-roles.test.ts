/** Roles of users, by HTTP on a real database: the requirements of the form, who may grant what, and when it takes effect. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addRole, makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { insert } from '../../../test/every-call/world.ts'
import { makeBillableAccount, makeClient, makeDivision, makeFacility, makeSupplyAccount, makeVendor } from '../../../test/support/estate.ts'

const { ask, database } = await startTestApp()
const { db } = database
const root = await makePerson(db, 'super_admin')
const partner = await insert(db, 'channel_partners', { name: 'Near Partner' })
const otherPartner = await insert(db, 'channel_partners', { name: 'Far Partner' })
const acme = await makeClient(db, { name: 'Acme', channel_partner_id: partner })
const beta = await makeClient(db, { name: 'Beta', channel_partner_id: otherPartner })
const vendor = await makeVendor(db)
const north = await makeDivision(db, acme, { name: 'North' })
const mill = await makeFacility(db, acme, north, { name: 'Mill' })
const meter = await makeBillableAccount(db, acme, mill, vendor, { account_number: 'B-100' })
const supply = await makeSupplyAccount(db, acme, mill, { account_number: 'S-100' })
const betaDivision = await makeDivision(db, beta, { name: 'South' })

const ids = {
  super_admin: 1,
  muc_admin: 2,
  channel_partner_admin: 3,
  client_admin: 4,
  client_manager: 5,
  client_user: 6,
  read_only_user: 7,
} as const
const anybody = () => makePerson(db, null)
const grant = (who: Person, userId: number, user_role: object) => ask(who, 'POST', `/users/${userId}/user_roles`, { user_role })
const faults = async (user_role: object) => {
  const { status, body } = await grant(root, (await anybody()).id, user_role)
  expect(status).toBe(422)
  return body['errors']
}
const idOf = (answer: { body: Record<string, unknown> }) => Number(answer.body['id'])

describe('the roles', () => {
  it('are seven by name with their rights: four that forms offer and three more, each grantable or not [ROLE-RULE-001] [ROLE-RULE-006] [ROLE-API-001]', async () => {
    const { body } = await ask(root, 'GET', '/roles')
    const roles: unknown[] = Array.isArray(body['roles']) ? body['roles'] : []
    expect(roles.map((role) => pick(role, ['name', 'group', 'grantable']))).toEqual([
      ['super_admin', 'offered', true],
      ['muc_admin', 'offered', true],
      ['client_admin', 'offered', true],
      ['client_manager', 'offered', true],
      ['channel_partner_admin', 'more', true],
      ['client_user', 'more', true],
      ['read_only_user', 'more', true],
    ])
    expect(body).toMatchObject({
      total: 7,
      roles: [{ permissions: { global_batch: ['create', 'read', 'update', 'destroy'] } }, {}, {}, {}, {}, {}, {}],
    })
    const admin = await makePerson(db, 'client_admin', { clients: [acme] })
    const { body: seen } = await ask(admin, 'GET', '/roles')
    const offered: unknown[] = Array.isArray(seen['roles']) ? seen['roles'] : []
    expect(offered.filter((role) => pick(role, ['grantable'])[0] === true).flatMap((role) => pick(role, ['name']))).toEqual([
      'client_admin',
      'client_manager',
      'client_user',
      'read_only_user',
    ])
  })
})

describe('the form of a role', () => {
  it('needs a role, and one that there is [ROLE-RULE-002]', async () => {
    expect(await faults({})).toMatchObject({ fields: { role_id: ['Role is required'] } })
    expect(await faults({ role_id: 99 })).toMatchObject({ fields: { role_id: ['This record cannot be found'] } })
  })

  it('needs a client for the four roles of clients, and none for a channel partner’s [ROLE-RULE-003] [ROLE-RULE-004]', async () => {
    for (const role of ['client_admin', 'client_manager'] as const)
      expect(await faults({ role_id: ids[role] }), role).toMatchObject({ fields: { client_ids: ['Client is required'] } })
    for (const role of ['client_user', 'read_only_user'] as const)
      expect(await faults({ role_id: ids[role] }), role).toMatchObject({ fields: { client_id: ['Client is required'] } })
    const granted = await grant(root, (await anybody()).id, { role_id: ids.channel_partner_admin, channel_partner_id: partner })
    expect(granted.status, granted.text).toBe(200)
    expect(await faults({ role_id: ids.channel_partner_admin, channel_partner_id: partner, client_ids: [acme] })).toHaveProperty(
      'fields.client_ids',
    )
  })

  it('needs a channel partner for a channel partner’s administrator, and takes none for others [ROLE-RULE-005]', async () => {
    expect(await faults({ role_id: ids.channel_partner_admin })).toMatchObject({
      fields: { channel_partner_id: ['Channel Partner is required'] },
    })
    expect(await faults({ role_id: ids.channel_partner_admin, channel_partner_id: 999_999 })).toHaveProperty('fields.channel_partner_id')
    expect(await faults({ role_id: ids.client_admin, client_ids: [acme], channel_partner_id: partner })).toHaveProperty(
      'fields.channel_partner_id',
    )
  })

  it('takes one client for client_user and read_only_user, and several for the others [ROLE-RULE-007]', async () => {
    for (const role of ['client_user', 'read_only_user'] as const) {
      expect(await faults({ role_id: ids[role], client_ids: [acme, beta] }), role).toHaveProperty('fields.client_id')
      expect((await grant(root, (await anybody()).id, { role_id: ids[role], client_id: acme })).status, role).toBe(200)
    }
    for (const role of ['super_admin', 'muc_admin', 'client_admin', 'client_manager'] as const)
      expect((await grant(root, (await anybody()).id, { role_id: ids[role], client_ids: [acme, beta] })).status, role).toBe(200)
    expect(await faults({ role_id: ids.client_user, client_id: beta, client_ids: [acme] })).toHaveProperty('fields.client_id')
  })

  it('takes parts of clients unless the role is super_admin, client_manager or client_admin [ROLE-RULE-008]', async () => {
    const parts = { division_ids: [north], facility_ids: [mill], billable_account_ids: [meter], supply_account_ids: [supply] }
    for (const [key, value] of Object.entries(parts)) {
      for (const role of ['super_admin', 'client_admin', 'client_manager'] as const)
        expect(await faults({ role_id: ids[role], client_ids: [acme], [key]: value }), `${role} ${key}`).toHaveProperty(`fields.${key}`)
      for (const scope of [
        { role_id: ids.muc_admin },
        { role_id: ids.muc_admin, client_ids: [acme] },
        { role_id: ids.client_user, client_id: acme },
        { role_id: ids.read_only_user, client_id: acme },
        { role_id: ids.channel_partner_admin, channel_partner_id: partner },
      ])
        expect((await grant(root, (await anybody()).id, { ...scope, [key]: value })).status, JSON.stringify([scope, key])).toBe(200)
    }
  })

  it('takes no part of a client that the role does not reach', async () => {
    for (const scope of [
      { role_id: ids.muc_admin, client_ids: [acme] },
      { role_id: ids.read_only_user, client_id: acme },
      { role_id: ids.channel_partner_admin, channel_partner_id: partner },
    ])
      expect(await faults({ ...scope, division_ids: [north, betaDivision] })).toMatchObject({
        fields: { division_ids: ['One of these records cannot be found'] },
      })
  })
})

describe('a role of a user', () => {
  it('is granted, listed, read, changed and taken away, with the names of what it reaches [ROLE-FIELD-001] [ROLE-API-002] [ROLE-API-003] [ROLE-API-004] [ROLE-API-005] [ROLE-API-006]', async () => {
    const person = await anybody()
    const granted = await grant(root, person.id, {
      role_id: ids.client_user,
      client_id: acme,
      division_ids: [north],
      supply_account_ids: [supply],
    })
    const id = idOf(granted)
    const row = {
      id,
      lock_version: 0,
      role_id: ids.client_user,
      role_name: 'client_user',
      client_id: acme,
      client_ids: [acme],
      clients: [{ id: acme, name: 'Acme' }],
      channel_partner_id: null,
      channel_partner_name: null,
      division_ids: [north],
      divisions: [{ id: north, name: 'North', client_id: acme }],
      facility_ids: [],
      facilities: [],
      billable_account_ids: [],
      billable_accounts: [],
      supply_account_ids: [supply],
      supply_accounts: [{ id: supply, name: 'S-100', client_id: acme }],
    }
    expect(granted.body).toEqual({ success: true, message: 'User role created', id, user_role: row })
    const base = `/users/${person.id}/user_roles`
    expect((await ask(root, 'GET', base)).body).toEqual({ user_roles: [row], total: 1 })
    expect((await ask(root, 'GET', `${base}/${id}`)).body).toEqual({ user_role: row })
    const changed = await ask(root, 'PATCH', `${base}/${id}`, {
      user_role: { role_id: ids.client_manager, client_ids: [beta, acme], division_ids: [], supply_account_ids: [], lock_version: 0 },
    })
    expect(changed.body).toMatchObject({
      message: 'User role updated',
      user_role: { role_name: 'client_manager', client_id: null, client_ids: [acme, beta], division_ids: [], lock_version: 1 },
    })
    expect((await ask(root, 'PATCH', `${base}/${id}`, { user_role: { client_ids: [beta], lock_version: 0 } })).body).toMatchObject({
      code: 'stale',
    })
    expect((await ask(root, 'DELETE', `${base}/${id}`)).body).toEqual({ success: true, message: 'User role deleted' })
    expect((await ask(root, 'GET', `${base}/${id}`)).status).toBe(404)
    expect((await ask(root, 'GET', base)).body).toEqual({ user_roles: [], total: 0 })
  })

  it('is not found under somebody else', async () => {
    const [one, other] = [await anybody(), await makePerson(db, 'read_only_user', { clients: [acme] })]
    const { rows } = await sql<{ id: number }>`select id from user_roles where user_id = ${other.id}`.execute(db)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect(
        (await ask(root, method, `/users/${one.id}/user_roles/${rows[0]?.id}`, method === 'PATCH' ? { user_role: {} } : undefined)).status,
      ).toBe(404)
    expect((await ask(root, 'GET', `/users/${other.id}/user_roles`)).body['total']).toBe(1)
  })

  it('never widens by what a change leaves out: a narrowing stays until it is taken off', async () => {
    const person = await anybody()
    const id = idOf(await grant(root, person.id, { role_id: ids.client_user, client_id: acme, division_ids: [north] }))
    const path = `/users/${person.id}/user_roles/${id}`
    expect((await ask(root, 'PATCH', path, { user_role: { role_id: ids.client_manager } })).status).toBe(422)
    expect((await ask(root, 'PATCH', path, { user_role: { client_id: beta } })).status).toBe(422)
    expect((await ask(root, 'PATCH', path, { user_role: { role_id: ids.read_only_user } })).body).toMatchObject({
      user_role: { division_ids: [north] },
    })
    const partners = await ask(root, 'PATCH', path, { user_role: { role_id: ids.channel_partner_admin, channel_partner_id: partner } })
    expect(partners.body).toMatchObject({ user_role: { client_ids: [], division_ids: [north], channel_partner_id: partner } })
  })

  it('counts from the next request on, granted, changed and taken away [PERM-RULE-002]', async () => {
    const person = await anybody()
    const division = `/clients/${acme}/divisions/${north}`
    expect((await ask(person, 'GET', division)).status).toBe(404)
    const id = idOf(await grant(root, person.id, { role_id: ids.client_admin, client_ids: [acme] }))
    expect((await ask(person, 'PATCH', division, { division: { code: 'N1' } })).status).toBe(200)
    await ask(root, 'PATCH', `/users/${person.id}/user_roles/${id}`, { user_role: { role_id: ids.read_only_user, client_id: acme } })
    expect((await ask(person, 'PATCH', division, { division: { code: 'N2' } })).status).toBe(403)
    expect((await ask(person, 'GET', division)).status).toBe(200)
    await ask(root, 'DELETE', `/users/${person.id}/user_roles/${id}`)
    expect((await ask(person, 'GET', division)).status).toBe(404)
  })

  it('leaves a row in the trail of each client that it names, with names of that client only', async () => {
    const person = await anybody()
    const id = idOf(await grant(root, person.id, { role_id: ids.client_manager, client_ids: [acme, beta] }))
    await ask(root, 'PATCH', `/users/${person.id}/user_roles/${id}`, {
      user_role: { role_id: ids.read_only_user, client_ids: [acme], division_ids: [north] },
    })
    await ask(root, 'DELETE', `/users/${person.id}/user_roles/${id}`)
    const { rows } = await sql<object>`select event, client_id, object_changes as changes from audit_records
      where item_type = 'user_role' and item_id = ${id} order by id`.execute(db)
    const was = (from: unknown, to: unknown) => ({ from, to })
    expect(rows).toEqual([
      {
        event: 'create',
        client_id: acme,
        changes: { user: was(null, person.email), role_name: was(null, 'Client Manager'), clients: was(null, ['Acme']) },
      },
      {
        event: 'create',
        client_id: beta,
        changes: { user: was(null, person.email), role_name: was(null, 'Client Manager'), clients: was(null, ['Beta']) },
      },
      {
        event: 'update',
        client_id: acme,
        changes: { role_name: was('Client Manager', 'Read Only User'), divisions: was(null, ['North']) },
      },
      { event: 'update', client_id: beta, changes: { role_name: was('Client Manager', null), clients: was(['Beta'], null) } },
      {
        event: 'destroy',
        client_id: acme,
        changes: {
          user: was(person.email, null),
          role_name: was('Read Only User', null),
          clients: was(['Acme'], null),
          divisions: was(['North'], null),
        },
      },
    ])
  })
})

describe('nobody grants above their own rank or beyond their own reach', () => {
  it.for([
    { role: 'muc_admin', scope: {}, draft: { role_id: ids.super_admin }, status: 403 },
    { role: 'muc_admin', scope: {}, draft: { role_id: ids.muc_admin }, status: 403 },
    { role: 'muc_admin', scope: { clients: [acme] }, draft: { role_id: ids.muc_admin }, status: 403 },
    { role: 'muc_admin', scope: { clients: [acme] }, draft: { role_id: ids.muc_admin, client_ids: [acme] }, status: 403 },
    { role: 'muc_admin', scope: { clients: [acme] }, draft: { role_id: ids.client_admin, client_ids: [acme, beta] }, status: 422 },
    {
      role: 'muc_admin',
      scope: { clients: [acme] },
      draft: { role_id: ids.channel_partner_admin, channel_partner_id: partner },
      status: 403,
    },
    {
      role: 'channel_partner_admin',
      scope: { channel_partner_id: partner },
      draft: { role_id: ids.muc_admin, client_ids: [acme] },
      status: 403,
    },
    {
      role: 'channel_partner_admin',
      scope: { channel_partner_id: partner },
      draft: { role_id: ids.channel_partner_admin, channel_partner_id: partner },
      status: 200,
    },
    {
      role: 'channel_partner_admin',
      scope: { channel_partner_id: partner },
      draft: { role_id: ids.channel_partner_admin, channel_partner_id: otherPartner },
      status: 422,
    },
    { role: 'client_admin', scope: { clients: [acme] }, draft: { role_id: ids.client_admin, client_ids: [acme] }, status: 200 },
    { role: 'client_admin', scope: { clients: [acme] }, draft: { role_id: ids.client_user, client_id: beta }, status: 422 },
    {
      role: 'client_admin',
      scope: { clients: [acme] },
      draft: { role_id: ids.channel_partner_admin, channel_partner_id: partner },
      status: 403,
    },
    { role: 'client_manager', scope: { clients: [acme] }, draft: { role_id: ids.read_only_user, client_id: acme }, status: 403 },
  ] as const)('$role $scope: $draft is $status', async ({ role, scope, draft, status }) => {
    const actor = await makePerson(db, role, scope)
    const person = await anybody()
    await sql`update users set created_by = ${actor.id} where id = ${person.id}`.execute(db)
    const answer = await grant(actor, person.id, draft)
    expect(answer.status, answer.text).toBe(status)
    const { rows } = await sql`select id from user_roles where user_id = ${person.id}`.execute(db)
    expect(rows).toHaveLength(status === 200 ? 1 : 0)
  })

  it('nor raises themselves, nor takes over who stands above', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [acme] })
    expect((await grant(admin, admin.id, { role_id: ids.muc_admin, client_ids: [acme] })).status).toBe(403)
    const above = await makePerson(db, 'muc_admin', { clients: [acme] })
    expect((await ask(admin, 'GET', `/users/${above.id}`)).body).toMatchObject({ user: { manageable: false } })
    for (const [method, path, body] of [
      [
        'PATCH',
        `/users/${above.id}`,
        { user: { password: 'a long and unusual pass phrase', password_confirmation: 'a long and unusual pass phrase' } },
      ],
      ['PATCH', `/users/${above.id}`, { user: { email: 'mine@example.test' } }],
      ['DELETE', `/users/${above.id}`, undefined],
      ['GET', `/users/${above.id}/resend_confirmation_email`, undefined],
      ['POST', `/users/${above.id}/user_roles`, { user_role: { role_id: ids.read_only_user, client_id: acme } }],
    ] as const)
      expect((await ask(admin, method, path, body)).status, `${method} ${path}`).toBe(403)
  })

  it('a user who reaches beyond is out of sight: one role elsewhere suffices', async () => {
    const admin = await makePerson(db, 'client_admin', { clients: [acme] })
    const person = await makePerson(db, 'read_only_user', { clients: [acme] })
    expect((await ask(admin, 'GET', `/users/${person.id}`)).status).toBe(200)
    await addRole(db, person.id, 'read_only_user', { clients: [beta] })
    for (const path of [`/users/${person.id}`, `/users/${person.id}/user_roles`]) expect((await ask(admin, 'GET', path)).status).toBe(404)
    expect((await ask(admin, 'DELETE', `/users/${person.id}`)).status).toBe(404)
  })

  it('a user without a role is in reach of whoever made them, and of the provider’s staff', async () => {
    const [admin, other] = [
      await makePerson(db, 'client_admin', { clients: [acme] }),
      await makePerson(db, 'client_admin', { clients: [acme] }),
    ]
    const person = await anybody()
    await sql`update users set created_by = ${admin.id} where id = ${person.id}`.execute(db)
    const staff = await makePerson(db, 'muc_admin', { clients: [beta] })
    const seen = await Promise.all([admin, other, staff].map(async (who) => (await ask(who, 'GET', `/users/${person.id}`)).status))
    expect(seen).toEqual([200, 404, 200])
  })

  it('super_admins are seen by super_admins only', async () => {
    const staff = await makePerson(db, 'muc_admin')
    expect((await ask(staff, 'GET', `/users/${root.id}`)).status).toBe(404)
    expect((await ask(await makePerson(db, 'super_admin'), 'GET', `/users/${root.id}`)).status).toBe(200)
    expect((await ask(staff, 'GET', `/users?q[email]=${root.email}`)).body).toMatchObject({ total: 0 })
  })

  it('a client’s own administrator manages users only while its user_management is on', async () => {
    const clientId = await makeClient(db)
    const admin = await makePerson(db, 'client_admin', { clients: [clientId] })
    expect((await ask(admin, 'GET', '/users')).status).toBe(200)
    expect((await ask(root, 'PUT', `/clients/${clientId}/subscriptions`, { client: { user_management: false } })).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/users'],
      ['POST', '/users'],
      ['GET', `/clients/${clientId}/users`],
      ['GET', '/roles'],
      ['GET', '/users/access_report'],
    ] as const)
      expect(
        (await ask(admin, method, path, method === 'POST' ? { user: { email: 'x@example.test', username: 'x' } } : undefined)).status,
        path,
      ).toBe(403)
  })
})

describe('the last active super_admin', () => {
  const others = async (keep: readonly number[]) => {
    await sql`update users set status = 'in_active' where not (id = any(${keep}::bigint[]))`.execute(db)
  }
  const roleOf = async (userId: number) => {
    const { rows } = await sql<{ id: number }>`select id from user_roles where user_id = ${userId} and role_id = 1`.execute(db)
    return rows[0]?.id ?? 0
  }

  it('stays: not deleted, deactivated, demoted or bound to clients, by nobody', async () => {
    const [last, staff] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin', { clients: [acme] })]
    await others([last.id, staff.id])
    const role = await roleOf(last.id)
    const message = 'At least one active Super Admin must remain.'
    const path = `/users/${last.id}/user_roles/${role}`
    for (const [method, where, body] of [
      ['DELETE', path, undefined],
      ['PATCH', path, { user_role: { role_id: ids.muc_admin } }],
      ['PATCH', path, { user_role: { client_ids: [acme] } }],
    ] as const)
      expect((await ask(last, method, where, body)).body, `${method} ${where}`).toMatchObject({ code: 'refused', message })
    const second = await makePerson(db, 'super_admin')
    await sql`update users set account_confirmed = false where id = ${last.id}`.execute(db)
    // A user who cannot sign in yet does not count as remaining.
    const unconfirmed = { ...last }
    await sql`update sessions set used_at = now() where user_id = ${unconfirmed.id}`.execute(db)
    expect((await ask(unconfirmed, 'DELETE', `/users/${second.id}`)).body).toMatchObject({ code: 'refused', message })
    expect((await ask(unconfirmed, 'PATCH', `/users/${second.id}`, { user: { status: 'in_active' } })).body).toMatchObject({
      code: 'refused',
      message,
    })
  })

  it('stays also where the two last remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await makePerson(db, 'super_admin'), await makePerson(db, 'super_admin')]
      await others([one.id, two.id])
      const ways = [
        (by: Person, of: Person) => ask(by, 'DELETE', `/users/${of.id}`),
        (by: Person, of: Person) => ask(by, 'PATCH', `/users/${of.id}`, { user: { status: 'in_active' } }),
        async (by: Person, of: Person) => ask(by, 'DELETE', `/users/${of.id}/user_roles/${await roleOf(of.id)}`),
      ]
      const [first, second] = [ways[round % 3], ways[(round + 1) % 3]]
      const answers = await Promise.all([first?.(one, two), second?.(two, one)])
      expect(
        answers.map((answer) => answer?.status).filter((status) => status === 200),
        `round ${round}`,
      ).toHaveLength(1)
      const { rows } = await sql<{ left: number }>`select count(*) as left from users where status = 'active'
        and id in (select user_id from user_roles where role_id = 1)`.execute(db)
      expect(rows[0]?.left).toBe(1)
    }
  })
})

function pick(row: unknown, keys: readonly string[]): unknown[] {
  return typeof row === 'object' && row !== null ? keys.map((key) => Reflect.get(row, key)) : []
}
