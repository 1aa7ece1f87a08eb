import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'

const { database, ask } = await startTestApp()
let ada: Person
let bob: Person
beforeAll(async () => {
  ada = await makePerson(database.db, 'client_admin')
  bob = await makePerson(database.db, 'client_user')
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

  test('is seen by its owner, and by all once it is shared; changed by its owner only', async () => {
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
