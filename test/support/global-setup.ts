import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/server/kernel/postgres/database.ts'
import { startThrowawayPostgres } from '../../src/server/kernel/postgres/embedded-postgres.ts'
import { migrate } from '../../src/server/kernel/postgres/migrate.ts'
import type { NullableColumns } from './rows/row-faults.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that `testDatabase` clones; no connection to it is open during the tests. */
    templateUrl: string
    nullableColumns: NullableColumns
  }
}

/** Creates one temporary cluster for the whole run, with one migrated database; stopping it deletes everything. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startThrowawayPostgres()
  const template = openDatabase({ url: postgres.url, size: 1 })
  try {
    await migrate(template.pool)
    await makeThrifty(template.pool)
    await makeQueue(postgres.url)
    project.provide('nullableColumns', await nullableColumns(template.pool))
  } catch (error) {
    await template.close()
    await postgres.stop()
    throw error
  }
  await template.close()
  project.provide('templateUrl', postgres.url)
  return postgres.stop
}

/**
 * Without parallel workers, which PostgreSQL starts for a table that was never analyzed, however small it is; and without the vacuum, which
 * visits each of the many databases in turn. Both take processor time from the tests.
 */
async function makeThrifty(pool: Pool): Promise<void> {
  await pool.query('alter system set max_parallel_workers_per_gather = 0')
  await pool.query('alter system set autovacuum = off')
  await pool.query('select pg_reload_conf()')
}

/** The queue's own schema is in the template, so that no application has to create it. */
async function makeQueue(url: string): Promise<void> {
  const queue = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false })
  await queue.start()
  await queue.stop({ graceful: false, close: true })
}

/** Clones of the database have the same oids. */
async function nullableColumns(pool: Pool): Promise<NullableColumns> {
  const { rows } = await pool.query<{ source: string; name: string }>(`
    select attrelid::bigint || '.' || attnum as source, relname || '.' || attname as name from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where attnum > 0 and not attnotnull and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`)
  return Object.fromEntries(rows.map(({ source, name }) => [source, name]))
}
