import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedInAgain } from '../../../test/every-call/principals.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'

const { database, ask } = await startTestApp()
let ada: Person
let bob: Person
let clientId: number
beforeAll(async () => {
  clientId = await makeClient(database.db)
  ada = await makePerson(database.db, 'client_admin', { clients: [clientId] })
  bob = await makePerson(database.db, 'client_user', { clients: [clientId] })
})

describe('the layout of a list', () => {
  test('is kept for its user alone, replaced, and reset', async () => {
    expect((await ask(ada, 'GET', '/list_layouts/bills')).body).toEqual({ layout: null })
    const layout = { columns: [{ key: 'due_date', width: 120 }], density: 'compact' }
    expect((await ask(ada, 'PUT', '/list_layouts/bills', { layout: { old: true } })).status).toBe(200)
    expect((await ask(ada, 'PUT', '/list_layouts/bills', { layout })).status).toBe(200)
    expect((await ask(ada, 'GET', '/list_layouts/bills')).body).toEqual({ layout })
    expect((await ask(bob, 'GET', '/list_layouts/bills')).body).toEqual({ layout: null })
    expect((await ask(ada, 'DELETE', '/list_layouts/bills')).status).toBe(200)
    expect((await ask(ada, 'GET', '/list_layouts/bills')).body).toEqual({ layout: null })
  })

  test('is refused where it is too large, no object, or of a list that is no name; nobody is served without credentials', async () => {
    expect((await ask(ada, 'PUT', '/list_layouts/bills', { layout: { text: 'x'.repeat(20_000) } })).status).toBe(422)
    expect((await ask(ada, 'PUT', '/list_layouts/bills', { layout: 'wide' })).status).toBe(422)
    expect((await ask(ada, 'PUT', '/list_layouts/..%2Fx', { layout: {} })).status).toBe(404)
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await ask(null, method, '/list_layouts/bills', method === 'PUT' ? { layout: {} } : undefined)).status).toBe(401)
  })
})

describe('a saved view', () => {
  const create = async (who: Person, view: object) => ask(who, 'POST', '/saved_views', { saved_view: { list: 'bills', ...view } })
  const names = async (who: Person) => {
    const { saved_views: views } = (await ask(who, 'GET', '/saved_views?list=bills')).body
    return Array.isArray(views) ? views.map((view: { name: string; own: boolean }) => [view.name, view.own]) : []
  }

  test('is seen by its owner, and by the people of the client once it is shared; changed by its owner only', async () => {
    const made = await create(ada, { name: 'Past due', query: 'q[s]=due_date asc', layout: { columns: [] } })
    expect(made.body).toMatchObject({
      success: true,
      saved_view: { name: 'Past due', shared: false, own: true, query: 'q[s]=due_date asc', lock_version: 0 },
    })
    const id = String(made.body['id'])
    expect(await names(bob)).toEqual([])
    expect((await ask(bob, 'PATCH', `/saved_views/${id}`, { saved_view: { name: 'Mine' } })).status).toBe(404)
    const shared = await ask(ada, 'PATCH', `/saved_views/${id}`, { saved_view: { shared: true, lock_version: 0 } })
    expect(shared.body).toMatchObject({ saved_view: { name: 'Past due', shared: true, query: 'q[s]=due_date asc', lock_version: 1 } })
    expect(await names(bob)).toEqual([['Past due', false]])
    expect((await ask(bob, 'PATCH', `/saved_views/${id}`, { saved_view: { name: 'Mine' } })).status).toBe(403)
    expect((await ask(bob, 'DELETE', `/saved_views/${id}`)).status).toBe(403)
    expect((await ask(ada, 'DELETE', `/saved_views/${id}`)).status).toBe(200)
    expect((await ask(ada, 'DELETE', `/saved_views/${id}`)).status).toBe(404)
    expect(await names(ada)).toEqual([])
  })

  test('is shared with a client, a partner or the staff, by who speaks for them, and never beyond', async () => {
    const { db } = database
    const { rows } = await sql<{ id: number }>`insert into channel_partners (name) values ('Views Together') returning id`.execute(db)
    const partner = { channel_partner_id: rows[0]?.id ?? 0 }
    const [own, other, elsewhere] = [await makeClient(db, partner), await makeClient(db, partner), await makeClient(db)]
    const division = await makeDivision(db, own)
    const narrowed = { clients: [own], division: [[own, division]] } as const
    const staff = await makePerson(db, 'muc_admin')
    const people = {
      staff,
      root: await makePerson(db, 'super_admin'),
      bound: await makePerson(db, 'muc_admin', { clients: [own] }),
      partner: await makePerson(db, 'channel_partner_admin', partner),
      partOfPartner: await makePerson(db, 'channel_partner_admin', { ...partner, division: [[own, division]] }),
      manager: await makePerson(db, 'client_manager', { clients: [own] }),
      reader: await makePerson(db, 'read_only_user', { clients: [own] }),
      narrow: await makePerson(db, 'client_user', narrowed),
      neighbour: await makePerson(db, 'client_admin', { clients: [other] }),
      stranger: await makePerson(db, 'client_admin', { clients: [elsewhere] }),
      both: await makePerson(db, 'client_admin', { clients: [own, elsewhere] }),
      nobody: await makePerson(db, null),
    }
    const seers = async (query = '') => {
      const seen = await Promise.all(
        Object.entries(people).map(async ([name, who]) => {
          const { text } = await ask(who, 'GET', `/saved_views?list=secrets${query}`)
          return text.includes('SECRET') ? [name] : []
        }),
      )
      return seen.flat()
    }
    const shared = { list: 'secrets', name: 'Urgent', shared: true, query: 'q[account_number_cont]=SECRET' }
    for (const who of [people.reader, people.narrow, people.partOfPartner, people.nobody]) {
      expect((await create(who, shared)).status).toBe(403)
      expect((await create(who, { ...shared, client_id: own })).status).toBe(who === people.nobody ? 422 : 403)
    }
    expect((await create(people.stranger, { ...shared, client_id: own })).status).toBe(422)
    expect((await create(people.both, shared)).body).toMatchObject({ errors: { fields: { client_id: [expect.any(String)] } } })
    const audiences = [
      [people.manager, {}, ['bound', 'partner', 'manager', 'reader', 'both'], { kind: 'client', id: own }],
      [people.partner, {}, ['partner'], { kind: 'channel_partner', id: partner.channel_partner_id }],
      [people.staff, {}, ['staff', 'root'], { kind: 'staff', id: null }],
    ] as const
    for (const [who, more, expected, audience] of audiences) {
      const made = await create(who, { ...shared, ...more })
      expect(made.body).toMatchObject({ saved_view: { shared_with: audience } })
      expect(await seers()).toEqual(expected)
      expect((await ask(who, 'DELETE', `/saved_views/${String(made.body['id'])}`)).status).toBe(200)
    }
    const inClient = await create(people.staff, { ...shared, client_id: own })
    expect(await seers()).toEqual(['staff', 'bound', 'partner', 'manager', 'reader', 'both'])
    expect(await seers(`&client_id=${own}`)).toEqual(['staff', 'root', 'bound', 'partner', 'manager', 'reader', 'both'])
    expect(await seers(`&client_id=${elsewhere}`)).toEqual(['staff'])
    // A person who has left the client can no longer change what its people see.
    const leaver = await makePerson(db, 'client_manager', { clients: [own] })
    const left = await create(leaver, shared)
    await sql`delete from user_roles where user_id = ${leaver.id}`.execute(db)
    const again = { ...leaver, headers: (await signedInAgain(db, leaver)).headers }
    expect((await ask(again, 'PATCH', `/saved_views/${String(left.body['id'])}`, { saved_view: { name: 'Call me' } })).status).toBe(403)
    expect((await ask(again, 'PATCH', `/saved_views/${String(left.body['id'])}`, { saved_view: { shared: false } })).status).toBe(200)
    expect((await ask(staff, 'DELETE', `/saved_views/${String(inClient.body['id'])}`)).status).toBe(200)
  })

  test('saved from an old form is refused and says what changed', async () => {
    const id = String((await create(ada, { name: 'One' })).body['id'])
    await ask(ada, 'PATCH', `/saved_views/${id}`, { saved_view: { name: 'Two', lock_version: 0 } })
    const late = await ask(ada, 'PATCH', `/saved_views/${id}`, { saved_view: { name: 'Three', lock_version: 0 } })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ code: 'stale', changed: { name: { from: 'Two', to: 'Three' } } })
    await ask(ada, 'DELETE', `/saved_views/${id}`)
  })

  test('needs a name and a list, and there are a hundred at most', async () => {
    expect((await create(ada, { name: ' ' })).status).toBe(422)
    expect((await create(ada, {})).status).toBe(422)
    expect((await ask(ada, 'GET', '/saved_views')).status).toBe(422)
    await sql`insert into saved_views (user_id, list, name) select ${bob.id}, 'bills', 'View ' || n from generate_series(1, 100) n`.execute(
      database.db,
    )
    expect((await create(bob, { name: 'One more' })).status).toBe(409)
    for (const [method, path] of [
      ['GET', '/saved_views?list=bills'],
      ['POST', '/saved_views'],
      ['PATCH', '/saved_views/1'],
      ['DELETE', '/saved_views/1'],
    ] as const) {
      expect(
        (await ask(null, method, path, method === 'POST' || method === 'PATCH' ? { saved_view: { list: 'bills', name: 'x' } } : undefined))
          .status,
      ).toBe(401)
    }
  })
})
