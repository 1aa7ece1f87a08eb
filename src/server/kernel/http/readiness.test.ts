import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { emptyDatabase, testDatabase } from '../../../../test/support/cluster.ts'
import { createReadiness } from './readiness.ts'

const { url } = await testDatabase()
const name = new URL(url).pathname.slice(1)
const beside = new URL(url)
beside.pathname = '/postgres'
const admin = new pg.Client({ connectionString: beside.href })
await admin.connect()
afterAll(() => admin.end())

/** Ends the connection of the readiness check and no other. */
const cut = () =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'meterbook-ready'`, [name])
const LONG = { timeout: 60_000 }

describe('readiness', () => {
  it('outlives a look that fails, turns after several in a row, and comes back with the database', { timeout: 120_000 }, async () => {
    const readiness = createReadiness(url)
    await readiness.start()
    expect(readiness.faults()).toEqual([])
    await cut()
    // Longer than two checks take, of which the first may fail.
    for (let look = 0; look < 25; look += 1) {
      expect(readiness.faults()).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await admin.query(`alter database ${pg.escapeIdentifier(name)} allow_connections false`)
    await cut()
    await expect.poll(() => readiness.faults(), LONG).toEqual(['database'])
    await admin.query(`alter database ${pg.escapeIdentifier(name)} allow_connections true`)
    await expect.poll(() => readiness.faults(), LONG).toEqual([])
    await readiness.stop()
  })

  it('names migrations that the database lacks', async () => {
    const empty = await emptyDatabase()
    await empty.pool.query('create table schema_migrations (name text primary key)')
    const readiness = createReadiness(empty.url)
    await readiness.start()
    expect(readiness.faults()).toEqual(['migrations'])
    await readiness.stop()
  })
})
