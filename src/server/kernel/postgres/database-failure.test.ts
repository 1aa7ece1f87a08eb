import { once } from 'node:events'
import { connect } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { databaseFailure, isConnectionLost } from './database-failure.ts'
import { openDatabase } from './database.ts'

const { pool, url } = await testDatabase()

describe('an error of the database', () => {
  it.each(['57P01', '57P02', '57P03', '08006', '08P01', '25P03', '53300', '57014', '53100'])(
    'of SQLSTATE %s is a 503 that says when to come back',
    async (state) => {
      const error: unknown = await pool
        .query(`do $$ begin raise exception 'told' using errcode = '${state}'; end $$`)
        .catch((told: unknown) => told)
      const failure = databaseFailure(error)
      expect(failure?.status).toBe(503)
      expect(failure?.extra.retryAfterSeconds).toBeGreaterThan(0)
    },
  )

  it('that nobody can mend by waiting is none of these', async () => {
    const error: unknown = await pool.query('select nothing').catch((told: unknown) => told)
    expect(error).toBeInstanceOf(pg.DatabaseError)
    expect(databaseFailure(error)).toBeUndefined()
  })

  it('is a lost connection where nobody listens, and in a pool that is closed', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
    expect(isConnectionLost(await nowhere.pool.query('select 1').catch((told: unknown) => told))).toBe(true)
    expect(isConnectionLost(await nowhere.pool.connect().catch((told: unknown) => told))).toBe(true)
    expect(isConnectionLost(await sql`select 1`.execute(nowhere.db).catch((told: unknown) => told))).toBe(true)
    await nowhere.close()
    expect(isConnectionLost(await nowhere.pool.query('select 1').catch((told: unknown) => told))).toBe(true)
  })

  it('is no lost connection where the socket that breaks is that of somebody else', async () => {
    const [refused] = await once(connect(1, '127.0.0.1'), 'error')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    expect(isConnectionLost(refused)).toBe(false)
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    expect(isConnectionLost(reset)).toBe(false)
  })

  it('is a lost connection for the statement on a session that was ended, and for the next ones, and the process lives', async () => {
    const told: string[] = []
    const { pool: own, close } = openDatabase({ url, size: 1, onError: (error) => told.push(error.message) })
    const client = await own.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await client.query('begin')
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await expect.poll(() => told.length).toBeGreaterThan(0)
    for (let statement = 0; statement < 2; statement += 1) {
      const error: unknown = await client.query('select 1').catch((caught: unknown) => caught)
      expect(isConnectionLost(error), String(error)).toBe(true)
    }
    client.release()
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await close()
  })
})
