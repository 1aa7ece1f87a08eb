import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { typeParsers } from './database-types.ts'
import { namingPool } from './statement-names.ts'

/** Every table by name. `src/server/tables.ts` fills it from the migrated database (`npm run tables`). */
export interface Tables {}

/** Handle for queries: the pool outside a transaction, or the transaction itself. */
export type Tx = Kysely<Tables>

/** An open database. `close` ends its connections and waits for those in use. */
export interface Database {
  pool: pg.Pool
  db: Kysely<Tables>
  close: () => Promise<void>
}

/** `size` is the greatest number of connections; timeouts are milliseconds. */
export interface DatabaseSettings {
  url: string
  size?: number
  statementTimeoutMs?: number
  applicationName?: string
  /** Called for each connection that breaks, idle or in use. A statement that waits on it fails as well, and reports to its caller. */
  onError?: (error: Error) => void
}

export const INTERACTIVE_STATEMENT_TIMEOUT_MS = 15_000
export const JOB_STATEMENT_TIMEOUT_MS = 600_000
const LOCK_TIMEOUT_MS = 3_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000
const WAIT_FOR_CONNECTION_MS = 2_000
const IDLE_CONNECTION_MS = 30_000
const DEFAULT_POOL_SIZE = 10

/**
 * Opens a pool and Kysely over it. Nothing is connected yet. Rows have the value types of the wire: dates, timestamps and numeric as text,
 * bigint as number (see `database-types.ts`).
 */
export function openDatabase(settings: DatabaseSettings): Database {
  const pool = new MarkingPool({
    connectionString: settings.url,
    max: settings.size ?? DEFAULT_POOL_SIZE,
    application_name: settings.applicationName ?? 'meterbook',
    statement_timeout: settings.statementTimeoutMs ?? INTERACTIVE_STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: WAIT_FOR_CONNECTION_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
    types: typeParsers,
  })
  const { onError } = settings
  let closing = false
  // The pool listens to a connection only while it is idle. An error event of a connection that breaks inside a transaction would have no
  // listener, which ends the process. A connection that is being closed may still report that its server stops; that is of no interest.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      onTheWay.add(error)
      if (!closing) onError?.(error)
    }),
  )
  // The pool repeats the errors that an idle connection has reported to its own listener.
  pool.on('error', () => undefined)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namingPool(pool), cursor: Cursor }) })
  const close = async (): Promise<void> => {
    closing = true
    await pool.end()
  }
  return { pool, db, close }
}

/** Errors of sockets look alike for every peer. These arose on a database connection. */
const onTheWay = new WeakSet<Error>()

/** Returns true if the error arose while a database connection was made, or on one that broke. */
export function aroseOnTheWay(error: Error): boolean {
  return onTheWay.has(error)
}

/** Marks the errors of connections that cannot be made. */
class MarkingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return super.connect().catch(mark)
    super.connect((error, client, done) => {
      if (error) onTheWay.add(error)
      callback(error, client, done)
    })
  }
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: boolean | Error) => void) => void

function mark(error: unknown): never {
  if (error instanceof Error) onTheWay.add(error)
  throw error
}

/** Opens the pool for background work: few connections, and statements that may take ten minutes. */
export function openJobsDatabase(settings: DatabaseSettings): Database {
  return openDatabase({ size: 4, statementTimeoutMs: JOB_STATEMENT_TIMEOUT_MS, applicationName: 'meterbook-jobs', ...settings })
}

/**
 * Returns the five-character SQLSTATE of a database error (`23505`, `40001`, …), or undefined for any other error. Messages differ between
 * versions and Citus nodes, so callers decide by this alone.
 */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code
  if (error instanceof Error && error.cause !== undefined) return sqlState(error.cause)
  return undefined
}

/** Returns the name of the constraint that refused a write, or undefined. */
export function refusingConstraint(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.constraint
  if (error instanceof Error && error.cause !== undefined) return refusingConstraint(error.cause)
  return undefined
}

/** Returns the table whose rows refused a write, or undefined. */
export function refusingTable(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.table
  if (error instanceof Error && error.cause !== undefined) return refusingTable(error.cause)
  return undefined
}
