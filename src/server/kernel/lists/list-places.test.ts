import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { propertyRuns } from '../../../../test/support/property-runs.ts'
import { createToyTables, keeper, quietMachinery, startToyServer } from '../../../../test/support/toy-server.ts'

const database = await testDatabase()
const { db } = database
const { ask } = startToyServer(quietMachinery(database))
const toys = 1_500

beforeAll(async () => {
  await createToyTables(db)
  await sql`insert into users (id, email, username) values (7, 'toy@test', 'toy')`.execute(db)
  await sql`insert into toy_boxes (client_id, id, name) values (1, 1, 'Red'), (1, 2, 'Blue'), (1, 3, 'Red')`.execute(db)
  await sql`insert into toys (client_id, id, name, box_id, made_on, price, broken)
    select 1, n, 'Toy ' || n % 200, case when n % 2 = 0 then 1 + n % 3 end, date '2026-01-01' + case when n % 10 < 6 then n % 50 end, n % 7, n % 3 = 0 from generate_series(1, ${toys}) n`.execute(
    db,
  )
  await sql`select setval(pg_get_serial_sequence('toys', 'id'), 6000)`.execute(db)
})

async function idsOf(path: string): Promise<number[]> {
  const { status, body } = await ask([keeper([1])], 'GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  const { toys: rows } = body
  if (!Array.isArray(rows)) throw new Error('no toys')
  return rows.map((row: { id: number }) => row.id)
}

async function wholeOrder(key: string, direction: string): Promise<number[]> {
  const column = key === 'box_name' ? sql`box.name` : sql.ref(`toys.${key}`)
  const { rows } = await sql<{
    id: number
  }>`select toys.id from toys left join toy_boxes box on box.id = toys.box_id where toys.client_id = 1
    order by ${column} ${sql.raw(direction)}, toys.id ${sql.raw(direction)}`.execute(db)
  return rows.map(({ id }) => id)
}

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('next' as const) },
    { weight: 3, arbitrary: fc.constant('previous' as const) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 160 }) },
  ),
  { minLength: 3, maxLength: 12 },
)

describe('pages of a long list', () => {
  it('are those of the whole order, however one turns them: forwards, backwards, by leaps, without values, with equal ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('name', 'box_name', 'made_on', 'price'),
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom(7, 10, 100),
        fc.boolean(),
        steps,
        async (key, direction, per, withTotal, turns) => {
          const whole = await wholeOrder(key, direction)
          let page = Math.ceil(700 / per)
          for (const turn of turns) {
            page = typeof turn === 'number' ? turn : Math.max(1, turn === 'next' ? page + 1 : page - 1)
            const query = `page=${page}&per=${per}&with_total=${withTotal}&q[s]=${encodeURIComponent(`${key} ${direction}`)}`
            const expected = whole.slice((page - 1) * per, page * per)
            expect(await idsOf(`/clients/1/toys?${query}`), query).toEqual(expected)
            expect(await idsOf(`/toys?${query}`), `of all clients, ${query}`).toEqual(expected)
          }
        },
      ),
      { numRuns: Math.ceil(propertyRuns / 25) },
    )
  })

  it('follow a write at once: the next page is counted from the rows that there are now', async () => {
    const page = (number: number) => idsOf(`/clients/1/toys?page=${number}&per=10&with_total=false&q[s]=${encodeURIComponent('name asc')}`)
    const before = await wholeOrder('name', 'asc')
    expect(await page(80)).toEqual(before.slice(790, 800))
    expect((await ask([keeper([1])], 'POST', '/clients/1/toys', { toy: { name: 'Aardvark', price: '1' } })).status).toBe(200)
    const after = await wholeOrder('name', 'asc')
    expect(after).toHaveLength(toys + 1)
    expect(await page(81)).toEqual(after.slice(800, 810))
    expect(await page(80)).toEqual(after.slice(790, 800))
    expect((await ask([keeper([1])], 'DELETE', `/clients/1/toys/${after[0]}`)).status).toBe(200)
    expect(await page(80)).toEqual(before.slice(790, 800))
  })
})
