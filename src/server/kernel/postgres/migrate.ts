import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** The database and this program do not fit together; the message says how to proceed. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

/** `distribute` runs once, after the tables and before foreign keys and indexes; only a distributed database needs it. */
export interface MigrateOptions {
  folder?: string
  distribute?: (client: pg.ClientBase) => Promise<void>
}

interface Migration {
  name: string
  sha256: string
  text: string
}

const FOLDER = join(import.meta.dirname, '../../../../migrations')
/** Any constant works, if every version of the program uses the same. */
const LOCK_KEY = 7_203_114_001
const LOCK_WAIT = '120s'

/**
 * Migrates the schema: applies each `NNNN-what.sql` that the database does not have yet, in order, one transaction per file, under an
 * advisory lock, so that nodes that start together wait for each other. Throws MigrationRefused when the database is newer than this
 * program or an applied file was changed since.
 */
export async function migrate(pool: pg.Pool, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const known = await readMigrations(options.folder ?? FOLDER)
  const client = await pool.connect()
  try {
    // A migration may wait for and work on big tables, unlike the requests for which this pool is made.
    await client.query(`set lock_timeout = '${LOCK_WAIT}'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    const waiting = await findWaiting(client, known)
    for (const migration of waiting) await apply(client, migration, options.distribute)
    return { applied: waiting.map(({ name }) => name) }
  } finally {
    // Closing the connection releases the lock and discards the settings in every case.
    client.release(true)
  }
}

/** Returns true when the database has every migration of this program; for the readiness check. */
export async function isMigrated(database: Pick<pg.ClientBase, 'query'>, folder = FOLDER): Promise<boolean> {
  const known = await readMigrations(folder)
  const { rows } = await database.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map(({ name }) => name))
  return known.every(({ name }) => applied.has(name))
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).toSorted()
  const numbers = names.map((name) => name.slice(0, 4))
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined)
    throw new MigrationRefused(`Two migrations have the number ${twice} in ${folder}: give one of them the next free number.`)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, sha256: hash('sha256', text, 'hex') }
    }),
  )
}

async function findWaiting(client: pg.ClientBase, known: Migration[]): Promise<Migration[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations order by name')
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const applied of rows) refuseMisfit(applied, byName.get(applied.name))
  const last = rows.at(-1)?.name ?? ''
  const appliedNames = new Set(rows.map(({ name }) => name))
  const waiting = known.filter(({ name }) => !appliedNames.has(name))
  const late = waiting.find(({ name }) => name < last)
  if (late)
    throw new MigrationRefused(
      `The migration ${late.name} comes before ${last}, which the database already has: give it the next free number.`,
    )
  return waiting
}

function refuseMisfit(applied: { name: string; sha256: string }, known: Migration | undefined): void {
  if (!known) {
    throw new MigrationRefused(
      `The database is newer than this program: it has ${applied.name}, which is unknown here. Start the version that made it, or restore an older backup.`,
    )
  }
  if (known.sha256 !== applied.sha256) {
    throw new MigrationRefused(
      `The migration ${applied.name} was changed after this database applied it. Put the file back as it was and write the change as a new migration.`,
    )
  }
}

async function apply(client: pg.ClientBase, migration: Migration, distribute?: MigrateOptions['distribute']): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of splitStatements(migration.text)) await client.query(statement)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [migration.name, migration.sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${migration.name} failed and was rolled back: ${reason}`, { cause: error })
  }
  if (migration.name.startsWith('0001-')) await distribute?.(client)
}

/** A line that ends in `;` ends a statement. A distributed database needs one round trip per statement. */
function splitStatements(text: string): string[] {
  return text.split(/;\s*$/m).filter((statement) => statement.replaceAll(/--.*$/gm, '').trim() !== '')
}
