import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { createToyTables, keeper, quietMachinery, reader, startToyServer } from '../../../../test/support/toy-server.ts'

const database = await testDatabase()
const { db } = database
const server = startToyServer(quietMachinery(database))
const { ask } = server

beforeAll(async () => {
  await createToyTables(db)
  await sql`insert into users (id, email, username) values (7, 'toy@test', 'toy')`.execute(db)
  await sql`insert into toy_boxes (client_id, id, name) values (1, 1, 'Red'), (1, 2, 'Blue'), (2, 3, 'Red')`.execute(db)
  await sql`insert into toys (client_id, id, name, box_id, made_on, price, broken, parts)
    select 1, n, 'Toy ' || lpad(n::text, 4, '0'), 1 + n % 2, date '2026-01-01' + n % 50, n % 7, n % 3 = 0, nullif(n % 5, 0) from generate_series(1, 1500) n`.execute(
    db,
  )
  await sql`insert into toys (client_id, id, name, box_id) values (2, 5001, 'Other', 3), (2, 5002, '100% odd_name', null)`.execute(db)
  await sql`select setval(pg_get_serial_sequence('toys', 'id'), 6000)`.execute(db)
})

const names = (body: Record<string, unknown>): string[] => {
  const { toys } = body
  if (!Array.isArray(toys)) throw new Error(`no toys in ${JSON.stringify(body)}`)
  return toys.map((row: { name: string }) => row.name)
}
const list = async (query: string, grants = [keeper([1])], path = '/clients/1/toys') => {
  const answer = await ask(grants, 'GET', `${path}?${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

describe('a list', () => {
  it('answers total plus its plural key, at page 1 with 10 rows by name [LIST-CONST-002]', async () => {
    const body = await list('')
    expect(body['total']).toBe(1500)
    expect(names(body)).toHaveLength(10)
    expect(names(body)[0]).toBe('Toy 0001')
  })

  it('filters, sorts and pages the whole list on the server', async () => {
    const body = await list(`q[broken]=true&q[made_on_gteq]=2026-02-01&q[s]=${encodeURIComponent('price desc')}&page=2&per=5`)
    const { rows } = await sql<{
      name: string
    }>`select name from toys where client_id = 1 and broken and made_on >= '2026-02-01' order by price desc, id desc limit 5 offset 5`.execute(
      db,
    )
    expect(names(body)).toEqual(rows.map((row) => row.name))
  })

  it('holds every row once over all its pages, although the sort key repeats', async () => {
    const seen: string[] = []
    for (let page = 1; page <= 15; page++) seen.push(...names(await list(`page=${page}&per=100&q[s]=${encodeURIComponent('price asc')}`)))
    expect(seen).toHaveLength(1500)
    expect(new Set(seen).size).toBe(1500)
  })

  it('finds deep pages, walked from either end, equal to a plain offset', async () => {
    for (const direction of ['asc', 'desc'])
      for (const page of [60, 120, 150, 151]) {
        const query = `page=${page}&per=10&q[s]=${encodeURIComponent(`made_on ${direction}`)}`
        const { rows } = await sql<{
          name: string
        }>`select name from toys where client_id = 1 order by made_on ${sql.raw(direction)}, id ${sql.raw(direction)} limit 10 offset ${(page - 1) * 10}`.execute(
          db,
        )
        expect(names(await list(query))).toEqual(rows.map((row) => row.name))
        expect(names(await list(`${query}&with_total=false`))).toEqual(rows.map((row) => row.name))
      }
  })

  it('answers a page past the end as an empty list with its total', async () => {
    expect(await list('page=9999')).toEqual({ toys: [], total: 1500 })
  })

  it('gives rows without the total and the total without rows', async () => {
    expect(await list('with_total=false&per=1')).not.toHaveProperty('total')
    expect(await list('with_rows=false')).toEqual({ toys: [], total: 1500 })
  })

  it('follows a write of another connection at once: totals are never stale', async () => {
    expect((await list('q[name]=fresh'))['total']).toBe(0)
    const made = await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name: 'fresh one' } })
    expect(made.status).toBe(200)
    expect((await list('q[name]=fresh'))['total']).toBe(1)
    await ask([keeper([1])], 'DELETE', `/clients/1/toys/${String(made.body['id'])}`)
    expect((await list('q[name]=fresh'))['total']).toBe(0)
  })

  it('takes % and _ for what they are', async () => {
    expect(names(await list('q[name]=%25', [keeper([2])], '/clients/2/toys'))).toEqual(['100% odd_name'])
    expect(names(await list('q[name]=d_n', [keeper([2])], '/clients/2/toys'))).toEqual(['100% odd_name'])
    expect(names(await list('q[name]=a_b', [keeper([2])], '/clients/2/toys'))).toEqual([])
  })

  it('knows every predicate', async () => {
    const total = async (query: string) => (await list(`${query}&per=1`))['total']
    const count = async (condition: string) =>
      (await sql<{ n: number }>`select count(*) as n from toys where client_id = 1 and ${sql.raw(condition)}`.execute(db)).rows[0]?.n
    expect(await total('q[parts_null]=true')).toBe(await count('parts is null'))
    expect(await total('q[parts_null]=false')).toBe(await count('parts is not null'))
    expect(await total('q[parts_in]=1,2')).toBe(await count('parts in (1, 2)'))
    expect(await total('q[parts_not_eq]=1')).toBe(await count('parts is distinct from 1'))
    expect(await total('q[price_gteq]=3&q[price_lteq]=4.5')).toBe(await count('price between 3 and 4.5'))
    expect(await total('q[box_name_eq]=Red')).toBe(await count('box_id = 1'))
    expect(await total('q[made_on]=01/05/2026')).toBe(await count("made_on = '2026-01-05'"))
    expect(await total('search_term=blue')).toBe(await count('box_id = 2'))
    expect(await total('values=[3,4,5001]')).toBe(2)
  })

  it('finds text in whatever case, and digits and signs as they stand, however short', async () => {
    const said = ['Straße 7', 'STRASSE 07-a', 'İzmir 7_b', 'izmir', '70% off', '7-7', 'ΣΊΣΥΦΟΣ 17', 'σίσυφος']
    for (const name of said)
      await sql`insert into toys (client_id, id, name) values (2, ${7_000 + said.indexOf(name)}, ${name})`.execute(db)
    for (const piece of ['7', '07', '-', '%', '_', '7-', '70%', 's', 'STRA', 'straß', 'a', 'İZ', 'Σ', 'συφ', '17']) {
      const { rows } = await sql<{
        id: number
      }>`select id from toys where client_id = 2 and position(lower(${piece}) in lower(name)) > 0 order by id`.execute(db)
      const found = await ask([keeper([2])], 'GET', `/clients/2/toys?per=100&q[name_cont]=${encodeURIComponent(piece)}`)
      const ids = z.object({ toys: z.array(z.object({ id: z.number() })) }).parse(found.body)
      expect(
        ids.toys.map(({ id }) => id).toSorted((a, b) => a - b),
        piece,
      ).toEqual(rows.map(({ id }) => id))
    }
    await sql`delete from toys where id between 7000 and 7100`.execute(db)
  })

  it('refuses what it does not know with 422 and its name', async () => {
    for (const [query, key] of [
      ['q[colour]=red', 'q[colour]'],
      ['q[s]=client_id', 'q[s]'],
      ['page=0', 'page'],
      ['per=-1', 'per'],
    ]) {
      const answer = await ask([keeper([1])], 'GET', `/clients/1/toys?${query}`)
      expect(answer.status).toBe(422)
      expect(answer.body['errors']).toHaveProperty(['fields', key ?? ''])
    }
    expect((await ask([keeper([1])], 'GET', '/clients/1/toys?colour=red')).status).toBe(422)
  })
})

describe('scope', () => {
  it('is the only way to a row: absent and foreign are one answer', async () => {
    const foreign = await ask([keeper([1])], 'GET', '/clients/1/toys/5001')
    const absent = await ask([keeper([1])], 'GET', '/clients/1/toys/999999')
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    expect((await ask([keeper([1])], 'GET', '/clients/2/toys')).status).toBe(404)
    expect((await ask([keeper('all')], 'GET', '/clients/777/toys')).status).toBe(404)
    expect((await ask([keeper([1])], 'PATCH', '/clients/1/toys/5001', { toy: { name: 'x' } })).status).toBe(404)
    expect((await ask([keeper([1])], 'DELETE', '/clients/1/toys/5001')).status).toBe(404)
  })

  it('unites grants, each with its own narrowing', async () => {
    const narrowed = [keeper([1], { box: [1] })]
    expect((await list('', narrowed))['total']).toBe(750)
    expect((await ask(narrowed, 'GET', '/clients/1/toys/1')).status).toBe(404)
    expect((await ask(narrowed, 'GET', '/clients/1/toys/2')).status).toBe(200)
    expect((await list('', [...narrowed, keeper([2])], '/toys'))['total']).toBe(752)
    expect((await list('', [keeper('all')], '/toys'))['total']).toBe(1502)
    expect((await list('', [keeper([1], { shelf: [1] })]))['total']).toBe(0)
  })

  it('lets an action reach only where its own grant reaches [PERM-PERM-004]', async () => {
    const grants = [reader([1]), keeper([2])]
    expect((await ask(grants, 'PATCH', '/clients/1/toys/1', { toy: { name: 'x' } })).status).toBe(403)
    expect((await ask(grants, 'PATCH', '/clients/2/toys/5001', { toy: { name: 'Other' } })).status).toBe(200)
    expect((await ask(null, 'GET', '/clients/1/toys')).status).toBe(401)
    expect((await ask([], 'GET', '/toys')).status).toBe(403)
  })
})

describe('a write', () => {
  it('stores, answers the row, and leaves its trail in the same transaction', async () => {
    const made = await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name: 'Bear', price: '2.5', box_id: 1 } })
    expect(made.body).toMatchObject({
      success: true,
      message: 'Toy created',
      toy: { name: 'Bear', price: '2.50', box_name: 'Red', broken: false, lock_version: 0 },
    })
    const id = Number(made.body['id'])
    await ask([keeper([1])], 'PATCH', `/clients/1/toys/${id}`, { toy: { price: '3.00', name: 'Bear' } })
    await ask([keeper([1])], 'DELETE', `/clients/1/toys/${id}`)
    const { rows } = await sql<{ event: string; object_changes: object; user_id: number; client_id: number }>`
      select event, object_changes, user_id, client_id from audit_records where item_type = 'toy' and item_id = ${id} order by id`.execute(
      db,
    )
    expect(rows).toMatchObject([
      { event: 'create', client_id: 1, user_id: 7, object_changes: { name: { from: null, to: 'Bear' } } },
      { event: 'update', object_changes: { price: { from: '2.50', to: '3.00' } } },
      { event: 'destroy', object_changes: { name: { from: 'Bear', to: null } } },
    ])
    expect(rows[1]?.object_changes).not.toHaveProperty('name')
  })

  it('answers 409 with what changed to a save that carries a stale version, and takes one without a version', async () => {
    const made = await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name: 'Ball', price: '1' } })
    const path = `/clients/1/toys/${String(made.body['id'])}`
    expect((await ask([keeper([1])], 'PATCH', path, { toy: { price: '2', lock_version: 0 } })).status).toBe(200)
    const stale = await ask([keeper([1])], 'PATCH', path, { toy: { price: '3', lock_version: 0 } })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'stale', changed: { price: { from: '2.00', to: '3.00' } } })
    expect((await ask([keeper([1])], 'PATCH', path, { toy: { price: '3' } })).status).toBe(200)
  })

  it('names each field that is wrong, and what cannot be set', async () => {
    const answer = await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { price: '1.005', client_id: 2 } })
    expect(answer.status).toBe(422)
    expect(answer.body['errors']).toMatchObject({ fields: { name: ['Name is required'], price: ['Price must have at most 2 decimals'] } })
    expect((await ask([keeper([1])], 'POST', '/clients/1/toys', {})).status).toBe(422)
  })

  it('cannot mix clients: the database itself refuses a row of two', async () => {
    const answer = await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name: 'Thief', box_id: 3 } })
    expect(answer.status).toBe(409)
  })

  it('refuses to delete what others use, kindly', async () => {
    await sql`insert into toy_stickers values (1, 4)`.execute(db)
    const answer = await ask([keeper([1])], 'DELETE', '/clients/1/toys/4')
    expect(answer.status).toBe(409)
    expect(answer.body['message']).toBe('This toy is still used by 1 toy sticker.')
  })

  it('has one effect for one Idempotency-Key, however often it is sent', async () => {
    const send = (name: string) => ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name } }, { 'idempotency-key': 'one' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('Once')))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body['id'])))).toHaveProperty('size', 1)
    expect((await list('q[name]=Once'))['total']).toBe(1)
    expect((await send('Twice')).status).toBe(422)
  })

  it('keeps no key of a request that failed, so that a retry can succeed', async () => {
    const send = (toy: object) => ask([keeper([1])], 'POST', '/clients/1/toys', { toy }, { 'idempotency-key': 'two' })
    expect((await send({ price: '1' })).status).toBe(422)
    expect((await send({ name: 'Then' })).status).toBe(200)
  })
})
