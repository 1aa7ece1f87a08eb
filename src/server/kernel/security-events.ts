/**
 * Stores security events beside the requests that cause them: a request only appends to a bounded queue, and a timer writes the queue in
 * batches. While the database is away, events wait; what finds the queue full is counted, and the count is stored as an event of its own.
 */
import type { SecurityKind } from '#contract/security-log/security-kinds.ts'
import { staffRoles } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { now } from './clock.ts'
import type { Log } from './log.ts'
import { sqlState, type Database } from './postgres/database.ts'
import { fingerprintOf } from './secret.ts'

export const queueMax = 5_000
const batchMax = 500
const flushMs = 500
const retryMs = 5_000
/** The end of the process waits no longer for events. */
const lastFlushMs = 2_000

export interface SecurityEventDraft {
  readonly kind: SecurityKind
  readonly outcome: 'refused' | 'done'
  readonly user_id: number | null
  /** The address that was tried. It is stored as a person, or masked and as a keyed hash. */
  readonly email?: string | undefined
  /** A client that the person reaches; without one, the only client of the person. */
  readonly client_id: number | null
  readonly network: string | null
  readonly ip_address: string | null
  readonly route: string | null
  readonly request_id: string | null
  readonly api_token_id?: number | undefined
  /** How many equal events the row counts. */
  readonly times?: number
  readonly detail?: Readonly<Record<string, string | number>>
}

export interface SecurityEvents {
  add(event: SecurityEventDraft): void
  /** Writes what waits. It never throws: what could not be written waits for the next time. */
  flush(): Promise<void>
  /** Writes what waits for two seconds at most. */
  stop(): Promise<void>
}

export interface SecurityEventsParts {
  readonly database: Pick<Database, 'db'>
  readonly log: Log
  readonly secretKey: string
}

export function createSecurityEvents(parts: SecurityEventsParts): SecurityEvents {
  const queue: StoredEvent[] = []
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, ms).unref()
  }
  const writeAll = async (): Promise<void> => {
    while (queue.length > 0 || lost > 0) {
      const counted = lost
      const batch = queue.slice(0, batchMax)
      const outcome = await written(parts, counted > 0 ? [...batch, lostEvents(counted)] : batch)
      if (outcome === 'away') return later(retryMs)
      queue.splice(0, batch.length)
      if (outcome === 'written') lost -= counted
      else if (batch.length > 0) lost += batch.length
      else return
    }
  }
  const flush = (): Promise<void> => (writing ??= writeAll().finally(() => (writing = undefined)))
  return {
    add(event) {
      if (queue.length < queueMax) queue.push(storedEvent(event, parts.secretKey))
      else lost += 1
      later(flushMs)
    },
    flush,
    async stop() {
      clearTimeout(timer)
      await Promise.race([flush(), new Promise((resolve) => setTimeout(resolve, lastFlushMs).unref())])
      clearTimeout(timer)
    },
  }
}

interface StoredEvent extends Omit<SecurityEventDraft, 'email' | 'times'> {
  readonly at: string
  readonly times: number
  readonly email: string | null
  readonly account: string | null
  readonly account_hash: string | null
}

function storedEvent({ email, times = 1, ...event }: SecurityEventDraft, secretKey: string): StoredEvent {
  const isAddress = email !== undefined && isEmail(email)
  return {
    ...event,
    at: now().toISOString(),
    times,
    email: isAddress ? email : null,
    account: email === undefined ? null : isAddress ? maskedEmail(email) : noAddress,
    account_hash: isAddress ? fingerprintOf(secretKey, 'security_events.account', email.toLowerCase()).toString('hex') : null,
  }
}

/** Replaces a text that is no address: it may be a password in the wrong field. */
export const noAddress = '[no address]'
const emailLengthMax = 254

/** Only printable ASCII: anything else has no place in a log. */
export function isEmail(text: string): boolean {
  return text.length <= emailLengthMax && /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(text)
}

/** Returns `t***@e***.test`: enough to recognise one’s own address, and no address to write to. */
function maskedEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@')
  const ending = domain.slice(domain.lastIndexOf('.'))
  return `${name.slice(0, 1)}***@${domain.slice(0, 1)}***${ending.slice(0, 20)}`
}

function lostEvents(times: number): StoredEvent {
  const nobody = { user_id: null, client_id: null, network: null, ip_address: null, route: null, request_id: null }
  return {
    kind: 'events_lost',
    outcome: 'refused',
    ...nobody,
    at: now().toISOString(),
    times,
    email: null,
    account: null,
    account_hash: null,
  }
}

/** `away`: the database could not take the events now. `refused`: it never will, and the other events must not wait behind them. */
async function written({ database, log }: SecurityEventsParts, events: readonly StoredEvent[]): Promise<'written' | 'away' | 'refused'> {
  try {
    await insertEvents(database, events)
    return 'written'
  } catch (error) {
    const isRefused = /^2[23]/.test(sqlState(error) ?? '')
    log.warn('security events were not stored', { events: events.length, again: !isRefused, error })
    return isRefused ? 'refused' : 'away'
  }
}

/**
 * Finds the person of an address, and the only client of a person: whoever has a role of staff, or roles in several clients, has none. The first
 * use of a token from a network is stored once.
 */
async function insertEvents({ db }: Pick<Database, 'db'>, events: readonly StoredEvent[]): Promise<void> {
  await sql`insert into security_events (client_id, kind, created_at, user_id, account, account_hash, network, ip_address, route, outcome,
      request_id, api_token_id, times, detail)
    select coalesce(given.client_id, home.client_id, 0), given.kind, given.at, coalesce(given.user_id, known.id),
      case when coalesce(given.user_id, known.id) is null then given.account end,
      case when coalesce(given.user_id, known.id) is null then decode(given.account_hash, 'hex') end,
      left(given.network, 100), left(given.ip_address, 100), left(given.route, 300), given.outcome, left(given.request_id, 100),
      given.api_token_id, given.times, coalesce(given.detail, '{}')
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as given(client_id bigint, kind text, at timestamptz, user_id bigint, email text,
      account text, account_hash text, network text, ip_address text, route text, outcome text, request_id text, api_token_id bigint, times int,
      detail jsonb)
    left join users known on given.user_id is null and lower(known.email) = lower(given.email)
    left join lateral (select min(owner.client_id) as client_id from user_roles held join roles on roles.id = held.role_id
      left join user_role_clients owner on owner.user_role_id = held.id where held.user_id = coalesce(given.user_id, known.id)
      having count(distinct owner.client_id) = 1 and bool_and(owner.client_id is not null)
        and not bool_or(roles.name = any(${[...staffRoles]}::text[]))) home on true
    where given.kind <> 'api_key_new_network' or not exists (select from security_events earlier where earlier.kind = 'api_key_new_network'
      and earlier.api_token_id = given.api_token_id and earlier.network = given.network)`.execute(db)
}
