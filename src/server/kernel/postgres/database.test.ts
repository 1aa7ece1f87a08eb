import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { openDatabase, refusingConstraint, sqlState } from './database.ts'

const { db, pool, url } = await testDatabase()

describe('values of columns', () => {
  test('calendar dates come back as the text that was stored, whatever the zone of the process', async () => {
    const { rows } = await pool.query(`select date '2026-03-08' as day, '{2026-11-01,2026-01-31}'::date[] as days`)
    expect(rows).toEqual([{ day: '2026-03-08', days: ['2026-11-01', '2026-01-31'] }])
  })

  test('instants are ISO text in UTC with milliseconds, also in a session of another zone', async () => {
    const at = `timestamptz '2026-11-21 06:10:50.1239-05'`
    expect((await pool.query(`select ${at} as at`)).rows).toEqual([{ at: '2026-11-21T11:10:50.123Z' }])
    const client = await pool.connect()
    await client.query(`set timezone = 'Asia/Kolkata'`)
    const { rows } = await client.query(`select ${at} as at, timestamptz '2026-01-01 00:00Z' as whole`)
    client.release(true)
    expect(rows).toEqual([{ at: '2026-11-21T11:10:50.123Z', whole: '2026-01-01T00:00:00.000Z' }])
  })

  test('money stays text to the last cent, ids are numbers, arrays likewise', async () => {
    const { rows } = await pool.query(
      `select 123456789012.10::numeric(14,2) as amount, '{0.10,1.005}'::numeric[] as ratios, 9007199254740991 as id, '{7,8}'::bigint[] as ids, '{a,"b,c"}'::text[] as names`,
    )
    expect(rows).toEqual([
      { amount: '123456789012.10', ratios: ['0.10', '1.005'], id: 9_007_199_254_740_991, ids: [7, 8], names: ['a', 'b,c'] },
    ])
  })

  test('a bigint that a number cannot hold is an error, never a nearby number', async () => {
    await expect(pool.query('select 9007199254740993 as id')).rejects.toThrow('9007199254740993')
  })
})

describe('statements', () => {
  beforeAll(() => pool.query('create table item (id bigint primary key, name text)'))

  test('a text that Kysely runs again is prepared under one name and answers with its new values', async () => {
    await db.transaction().execute(async (tx) => {
      for (const id of [1, 2, 3]) await sql`insert into item (id, name) values (${id}, ${`name ${id}`})`.execute(tx)
      const { rows } = await sql<{
        statement: string
        name: string
      }>`select name, statement from pg_prepared_statements where statement like 'insert into item%'`.execute(tx)
      expect(rows).toHaveLength(1)
      expect(rows[0]?.name).toMatch(/^mb_[0-9a-f]{32}$/)
    })
    expect((await pool.query('select id, name from item order by id')).rows).toEqual([1, 2, 3].map((id) => ({ id, name: `name ${id}` })))
  })

  test('DDL and transaction control are never prepared', async () => {
    await db.connection().execute(async (one) => {
      for (let round = 0; round < 3; round += 1) await sql`create table if not exists other (id int)`.execute(one)
      const { rows } = await sql<{
        count: number
      }>`select count(*) as count from pg_prepared_statements where statement ~* '^(create|begin|commit)'`.execute(one)
      expect(rows).toEqual([{ count: 0 }])
    })
  })

  test('rows stream through a cursor in chunks', async () => {
    const seen: unknown[] = []
    const stream = sql<{ n: number }>`select n from generate_series(1, 5) n`.compile(db)
    for await (const row of db.getExecutor().stream<{ n: number }>(stream, 2)) seen.push(...row.rows)
    expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })))
  })

  test('a statement may take so long and no longer, and an idle transaction is ended', async () => {
    const { rows } = await pool.query(`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone`)
    expect(rows).toEqual([{ statement: '15s', lock: '3s', idle: '10s', zone: 'UTC' }])
    const hasty = openDatabase({ url, statementTimeoutMs: 50 })
    const error: unknown = await hasty.pool.query('select pg_sleep(5)').catch((caught: unknown) => caught)
    await hasty.close()
    expect(sqlState(error)).toBe('57014')
  })
})

describe('errors', () => {
  test('the SQLSTATE and the constraint are known through Kysely and through a wrapping error', async () => {
    await pool.query('create table single (id int constraint single_key unique)')
    const insert = () => sql`insert into single values (1)`.execute(db)
    await insert()
    const error: unknown = await insert().catch((caught: unknown) => caught)
    expect(sqlState(error)).toBe('23505')
    expect(refusingConstraint(error)).toBe('single_key')
    expect(sqlState(new Error('outer', { cause: error }))).toBe('23505')
  })

  test('an error that is not the database server’s has no SQLSTATE', async () => {
    const nowhere = new pg.Pool({ host: '127.0.0.1', port: 1 })
    const error: unknown = await nowhere.query('select 1').catch((caught: unknown) => caught)
    await nowhere.end()
    expect(error).toBeInstanceOf(Error)
    expect(sqlState(error)).toBeUndefined()
    expect(sqlState('23505')).toBeUndefined()
  })
})
