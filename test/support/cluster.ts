import { randomBytes, randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database, type Tables } from '../../src/server/kernel/postgres/database.ts'
import { atEndOfFile } from './end-of-file.ts'

export interface TestDatabase extends Database {
  url: string
}

const POOL_SIZE = 6

/**
 * Creates a migrated database for one test file; called once at the top of the file: `const { db, pool, url } = await testDatabase()`. Its
 * connections close by themselves after the file. It is never dropped: the whole cluster is deleted at the end of the run.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const url = await cloneTemplate(inject('templateUrl'))
  const database = openDatabase({ url, size: POOL_SIZE, applicationName: 'meterbook-test' })
  atEndOfFile(database.close)
  await startVersionsApart(database.db)
  return { ...database, url }
}

/**
 * Lists cache totals and places by the version of the data, and the files of a worker share that memory: equal versions of two databases
 * would be confused.
 */
async function startVersionsApart(db: Kysely<Tables>): Promise<void> {
  const version = randomInt(2 ** 40)
  await sql`insert into data_versions (client_id, version) values (0, ${version}) on conflict (client_id) do update set version = ${version}`.execute(
    db,
  )
}

/** A database without any table, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const url = await createDatabase(inject('templateUrl'), 'template0')
  const database = openDatabase({ url, size: POOL_SIZE, applicationName: 'meterbook-test' })
  atEndOfFile(database.close)
  return { ...database, url }
}

async function cloneTemplate(templateUrl: string): Promise<string> {
  return createDatabase(templateUrl, new URL(templateUrl).pathname.slice(1))
}

async function createDatabase(templateUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // The maintenance database, because a template with open connections cannot be cloned.
  const client = new pg.Client({ connectionString: withDatabase(templateUrl, 'postgres') })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy wal_log`)
  } finally {
    await client.end()
  }
  return withDatabase(templateUrl, name)
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
