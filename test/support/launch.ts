/** The whole program as its own process on a database of the test's, for tests that kill it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import { atEndOfFile } from './end-of-file.ts'

/** Longest wait (ms) for the start, which builds the console if it is stale. */
export const START_MS = 120_000

export interface Program {
  /** Its data folder. */
  readonly folder: string
  /** Pid of the process that was launched last; 0 before the first launch. */
  pid(): number
  /** Returns true if the process that was launched last still runs. */
  isAlive(): boolean
  /** Its standard output and errors since the last launch. */
  said(): string
  /** Starts it, repeatedly on one data folder. @returns its URL. */
  launch(): Promise<string>
  /** Starts it unless it runs. @returns its URL. */
  running(): Promise<string>
  /** Sends the signal and waits until the process has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/**
 * Remaining processes end with the test file.
 * @param databaseUrl null starts it with the embedded database.
 * @param entry 'main.ts' is the whole program; 'api-process.ts' its application alone, which starts in a fraction of the time;
 * 'embedded-process.ts' the whole program without the build of the console.
 */
export async function programOn(
  databaseUrl: string | null,
  entry: 'main.ts' | 'api-process.ts' | 'embedded-process.ts' = 'main.ts',
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const script = entry === 'main.ts' ? join(import.meta.dirname, '../../src/server/main.ts') : join(import.meta.dirname, entry)
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-launched-'))
  // The embedded database may run under another account.
  await chmod(folder, 0o755)
  let running: ChildProcess | undefined
  let said = ''
  atEndOfFile(async () => {
    running?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const isAlive = (): boolean => running !== undefined && running.exitCode === null && running.signalCode === null
  return {
    folder,
    isAlive,
    said: () => said,
    launch,
    running: () => (isAlive() ? addressIn(() => said) : launch()),
    pid: () => running?.pid ?? 0,
    async end(signal) {
      running?.kill(signal)
      if (running) await once(running, 'exit')
    },
  }

  function launch(): Promise<string> {
    running = spawn(process.execPath, [script], {
      env: {
        PATH: '/usr/bin:/bin',
        NODE_ENV: 'test',
        DATA_DIR: folder,
        ...(databaseUrl === null ? { SHARED_BUFFERS: '32MB' } : { DATABASE_URL: databaseUrl }),
        PORT: '0',
        DEMO_DATA: 'false',
        SECRET_KEY: 'a key for tests, long enough to pass',
        RATE_LIMIT_FACTOR: '1000',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    said = ''
    for (const stream of [running.stdout, running.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
    return addressIn(() => said)
  }
}

/** Waits until a started program has printed its URL. Throws with its output otherwise. */
export function addressIn(said: () => string): Promise<string> {
  return vi.waitFor(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0]
    if (found === undefined) throw new Error(`did not start: ${said()}`)
    return found
  }, START_MS)
}

/** Waits until no other connection of this database is in a transaction: those of a killed program end a moment after it. */
export async function transactionsEnded(db: Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 as one from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(db)
    if (rows.length === 0) return
    await sleep(20)
  }
}
