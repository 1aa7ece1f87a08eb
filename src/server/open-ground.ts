/** Opens the database of a start, and explains why it cannot be used. */
import type pg from 'pg'
import type { Config } from './config.ts'
import { openDatabase, openJobsDatabase, sqlState, type Database } from './kernel/postgres/database.ts'
import { startPostgres } from './kernel/postgres/embedded-postgres.ts'
import type { Log } from './kernel/log.ts'
import { migrate } from './kernel/postgres/migrate.ts'
import { programUrl } from './kernel/postgres/program-role.ts'

/** The base that every part of the application receives. */
export interface Ground {
  config: Config
  log: Log
  database: Database
  jobsDatabase: Database
  /** Includes credentials; for parts that open their own connections (the job queue, LISTEN). */
  databaseUrl: string
}

const POSTGRES_MAJOR_LEAST = 18

export async function openGround(config: Config, log: Log, ending: AsyncDisposableStack): Promise<Ground> {
  const onError = (error: Error) => log.warn('a database connection broke', { error: error.message })
  const ownerUrl = config.databaseUrl ?? (await embeddedUrl(config, log, ending))
  await migrateDatabase(ownerUrl, { config, log, onError })
  const url = config.databaseUrl ?? (await programUrl(ownerUrl))
  const database = openDatabase({ url, size: config.poolSize, onError })
  ending.defer(database.close)
  const jobsDatabase = openJobsDatabase({ url, onError })
  ending.defer(jobsDatabase.close)
  return { config, log, database, jobsDatabase, databaseUrl: url }
}

interface Migrating {
  readonly config: Config
  readonly log: Log
  readonly onError: (error: Error) => void
}

/** Migrates on a pool that allows long statements; nodes that start together wait for each other here. */
async function migrateDatabase(url: string, { config, log, onError }: Migrating): Promise<void> {
  const owner = openJobsDatabase({ url, onError })
  try {
    await checkDatabase(owner.pool, config)
    const { applied } = await migrate(owner.pool)
    if (applied.length > 0) log.debug('migrated', { applied })
  } finally {
    await owner.close()
  }
}

async function embeddedUrl(config: Config, log: Log, ending: AsyncDisposableStack): Promise<string> {
  const postgres = await startPostgres({
    folder: config.dataDir,
    sharedBuffers: config.sharedBuffers,
    log: (message) => log.error(message),
  })
  ending.defer(postgres.stop)
  log.debug('database', { how: postgres.how, pid: postgres.pid() })
  return postgres.url
}

async function checkDatabase(pool: pg.Pool, config: Config): Promise<void> {
  const { rows } = await pool
    .query<{ version: number }>(`select current_setting('server_version_num')::int / 10000 as version`)
    .catch((error: unknown) => {
      throw databaseProblem(error, config)
    })
  const version = rows[0]?.version ?? 0
  if (version < POSTGRES_MAJOR_LEAST)
    throw new Error(`DATABASE_URL leads to PostgreSQL ${version}; Meterbook needs ${POSTGRES_MAJOR_LEAST} or newer.`)
}

function databaseProblem(error: unknown, config: Config): Error {
  const { host } = new URL(config.databaseUrl ?? 'postgres://the-embedded-database')
  const state = sqlState(error)
  if (state === '28P01' || state === '28000')
    return new Error(`The database at ${host} refuses the user or the password of DATABASE_URL.`, { cause: error })
  if (state === '3D000')
    return new Error(`The database at ${host} has no database of the name in DATABASE_URL: create it first.`, { cause: error })
  const reason = error instanceof Error ? error.message || error.name : String(error)
  return new Error(`No database answers at ${host} (${reason}). Check DATABASE_URL and that the server runs.`, { cause: error })
}
