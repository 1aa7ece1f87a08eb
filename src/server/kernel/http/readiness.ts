/**
 * Tells a load balancer whether this process can do its work. The answer is computed beforehand, so that a request costs nothing and waits
 * for nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isMigrated } from '../postgres/migrate.ts'

export interface Readiness {
  /** Checks for the first time, and then repeatedly until `stop`. */
  start(): Promise<void>
  /** Present obstacles: 'database' or 'migrations'. Empty if there is none. */
  faults(): readonly string[]
  stop(): Promise<void>
}

const lookEveryMs = 1_000
const answerWithinMs = 500
/** A single failed check means little: a load balancer must not lose one node, or all nodes, because of one slow answer. */
const missesMost = 3

/** Checks on its own connection: a pool whose connections are all in use does not make a process unready. */
export function createReadiness(url: string): Readiness {
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let looking = Promise.resolve()
  let found: readonly string[] = ['database']
  let misses = 0
  let migrated = false

  const connected = async (): Promise<pg.Client> => {
    if (client) return client
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'meterbook-ready',
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    })
    fresh.on('error', () => drop(fresh))
    await fresh.connect()
    client = fresh
    return fresh
  }
  const drop = (broken: pg.Client | undefined): void => {
    if (client === broken) client = undefined
    void broken?.end().catch(() => undefined)
  }
  const look = async (): Promise<void> => {
    try {
      const database = await connected()
      // The migrations of a database do not disappear again.
      if (migrated) await database.query('select 1 as one')
      else migrated = await isMigrated(database)
      found = migrated ? [] : ['migrations']
      misses = 0
    } catch {
      drop(client)
      misses += 1
      if (misses >= missesMost) found = ['database']
    }
  }
  const lookOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (!stopping.signal.aborted) await look()
    }
  }
  return {
    async start() {
      await look()
      looking = lookOn()
    },
    faults: () => found,
    async stop() {
      stopping.abort()
      await looking
      await client?.end().catch(() => undefined)
    },
  }
}
