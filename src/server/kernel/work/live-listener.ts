/** One connection per process that listens for the messages between processes, and reconnects by itself when it breaks. */
import pg from 'pg'
import type { Log } from '../log.ts'

export interface LiveListener {
  start(): Promise<void>
  stop(): Promise<void>
}

const retryFirstMs = 250
const retryMostMs = 5_000
/** A ping detects a connection that a network has dropped silently. */
const pingMs = 10_000

/** `onConnect` is called after every connect, including the first: messages sent in between must be read from the table. */
export function createLiveListener(parts: { url: string; log: Log; onText: (text: string) => void; onConnect: () => void }): LiveListener {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = true
  let waitMs = retryFirstMs

  const lost = (failed: pg.Client, error?: unknown): void => {
    if (client !== failed) return
    client = undefined
    clearInterval(timer)
    void failed.end().catch(() => undefined)
    if (stopped) return
    parts.log.warn('live channel lost its connection', { error })
    timer = setTimeout(() => void connect().catch(() => undefined), waitMs)
    waitMs = Math.min(waitMs * 2, retryMostMs)
  }
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: parts.url,
      application_name: 'meterbook-live',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
    })
    client = fresh
    fresh.on('error', (error) => lost(fresh, error))
    fresh.on('end', () => lost(fresh))
    fresh.on('notification', (notification) => {
      try {
        parts.onText(notification.payload ?? '')
      } catch (error) {
        parts.log.warn('live notification not understood', { error })
      }
    })
    try {
      await fresh.connect()
      await fresh.query('listen meterbook_live')
    } catch (error) {
      lost(fresh, error)
      throw error
    }
    waitMs = retryFirstMs
    timer = setInterval(() => void fresh.query('select 1').catch((error: unknown) => lost(fresh, error)), pingMs)
    parts.onConnect()
  }
  return {
    async start() {
      stopped = false
      await connect()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
