import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, logIn, makeDatabase } from './postgres-login.ts'
import { findCluster, openCluster, type Cluster, type PostgresOptions } from './postgres-cluster.ts'
import { adoptServer, readPidFile, spawnServer, StartFailure, type Server } from './postgres-server.ts'
import { settleFormerServer } from './postgres-former.ts'
import { serverAccount } from './postgres-binaries.ts'

export interface RunningPostgres {
  /** Contains user, password and database; only for pg. */
  url: string
  how: 'created' | 'started' | 'adopted'
  /** Present pid of the postmaster. It changes after a recovered crash. */
  pid: () => number
  /** Stops the server (fast shutdown) and waits until it has ended. */
  stop: () => Promise<void>
}

const DATABASE_NAME = 'meterbook'
const PORT_TRIES = 3
const STILL_IN_USE_MAX_MS = 60_000
const RESTART_WAIT_MS = 500
const RESTART_WAIT_MAX_MS = 10_000

/**
 * Runs the PostgreSQL of a data folder: creates the cluster when there is none, takes over a server that lost its program, waits for one
 * that is stopping, and restarts it when it dies. The server ends with this process, however this process ends. Throws an Error whose
 * message says what to do.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const cluster = await openCluster(options)
  const database = options.database ?? DATABASE_NAME
  const orphan = await settleFormerServer(cluster)
  const first = orphan ? adoptServer(cluster, orphan) : await startOnFreePort(cluster)
  await makeDatabase({ port: first.port, password: cluster.password }, database)
  const supervision = supervise(cluster, first, options.log)
  return {
    url: urlOf(cluster.password, first.port, database),
    how: orphan ? 'adopted' : cluster.isNew ? 'created' : 'started',
    ...supervision,
  }
}

/** Returns true if a data folder holds a database. */
export async function hasCluster(folder: string): Promise<boolean> {
  return (await findCluster(folder)) !== undefined
}

/** Returns the URL of the server that runs on a data folder at this moment, for a separate command; undefined when none answers. */
export async function runningPostgresUrl(folder: string): Promise<string | undefined> {
  const cluster = await findCluster(folder)
  const port = cluster && readPidFile(cluster.data)?.port
  if (!cluster || !port || !(await logIn({ port, password: cluster.password }))) return undefined
  return urlOf(cluster.password, port, DATABASE_NAME)
}

function urlOf(password: string, port: number, database: string): string {
  return `postgres://meterbook:${password}@127.0.0.1:${port}/${database}`
}

/** A cluster in a temporary folder for tests and tools: fast instead of safe, and deleted when it stops. */
export async function startThrowawayPostgres(): Promise<RunningPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-pg-'))
  const account = await serverAccount(join(folder, 'pg18'))
  // The folder belongs to the server's account, so that its watchdog can delete it when this process no longer can.
  if (account) await chown(folder, account.uid, account.gid)
  try {
    return await startPostgres({ folder, durable: false, removeWhenStopped: true, sharedBuffers: '128MB' })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Another program can take a port between our check and the server's bind, so several are tried. */
async function startOnFreePort(cluster: Cluster): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOn(cluster, await freePort())
    } catch (error) {
      if (!(error instanceof StartFailure && error.kind === 'port taken' && tries < PORT_TRIES)) throw error
    }
  }
}

async function startOn(cluster: Cluster, port: number): Promise<Server> {
  const deadline = performance.now() + STILL_IN_USE_MAX_MS
  for (;;) {
    try {
      const server = spawnServer(cluster, port)
      await server.untilReady(() => logIn({ port, password: cluster.password }))
      return server
    } catch (error) {
      if (!(error instanceof StartFailure && error.kind === 'still in use') || performance.now() > deadline) throw error
      // Children of a killed server still hold its memory; they end by themselves within moments.
      await sleep(100)
    }
  }
}

function supervise(cluster: Cluster, first: Server, log: (message: string) => void = () => {}) {
  let server = first
  let stopping = false

  async function watch(): Promise<void> {
    for (;;) {
      await server.ended
      if (stopping) return
      log(`the database server (pid ${server.pid()}) ended by itself; starting it again`)
      await restart()
      // `stop` was called in the middle of the restart and saw only the former server.
      if (stopping) await server.stop()
    }
  }

  /** The port must stay the same: the pools know it. */
  async function restart(): Promise<void> {
    for (let wait = RESTART_WAIT_MS; !stopping; wait = Math.min(wait * 2, RESTART_WAIT_MAX_MS)) {
      try {
        const orphan = await settleFormerServer(cluster)
        server = orphan ? adoptServer(cluster, orphan) : await startOn(cluster, first.port)
        return
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        await sleep(wait, undefined, { ref: false })
      }
    }
  }

  const watching = watch()
  return {
    pid: () => server.pid(),
    stop: async () => {
      stopping = true
      await server.stop()
      await watching
    },
  }
}
