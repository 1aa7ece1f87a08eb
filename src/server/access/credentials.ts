/** The three credentials: 256-bit tokens, hashed at rest, one row a sign-in; renewed while used, dead when idle. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Database, Tx } from '../kernel/database.ts'
import type { Principal } from '../kernel/principal.ts'
import { signedOut } from '../kernel/problem.ts'
import { loadPrincipal } from './principals.ts'

export interface SessionRules {
  readonly idleHours: number
  readonly maxDays: number
}

/** A token is renewed after this much use, for callers that ask with `renew-token: 1`. */
const renewAfterMs = 15 * 60_000
/** The old token stays good this long, for calls that were under way. */
const graceMs = 30_000
/** `used_at` is written at most this often: a write per request would cost more than the requests. */
const usedStepMs = 60_000
/** What the process remembers of a sign-in lives this long without being told otherwise. */
const rememberMs = 60_000
const retiredMax = 20

interface SessionRow {
  id: number
  user_id: number
  uid: string
  token_hash: Buffer
  previous_token_hash: Buffer | null
  previous_until: string | null
  retired_token_hashes: Buffer[]
  created_at: string
  used_at: string
  renewed_at: string
}

interface Remembered {
  readonly row: SessionRow
  readonly principal: Principal
  readonly at: number
}

export interface Sessions {
  /** Who the request's headers belong to. Throws signed-out where they prove nothing. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal | null>
  /** Opens a sign-in and sets its three headers on the answer. */
  open(tx: Tx, user: { id: number; email: string }, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Ends the sign-ins of a user, all or all but one. */
  end(tx: Tx, userId: number, keepSessionId?: number): Promise<void>
  endOne(tx: Tx, sessionId: number): Promise<void>
  /** Drops what this process remembers of a user's sign-ins; the services tell the other processes. */
  forgetUser(userId: number): void
  forgetAll(): void
}

export function createSessions(database: Database, rules: SessionRules): Sessions {
  const remembered = new Map<string, Remembered>()

  const forgetUser = (userId: number): void => {
    for (const [client, one] of remembered) if (one.row.user_id === userId) remembered.delete(client)
  }
  const forgetAll = (): void => remembered.clear()

  const load = async (client: string): Promise<Remembered> => {
    const known = remembered.get(client)
    if (known && now().getTime() - known.at < rememberMs) return known
    const row = await readSession(database.db, client)
    const principal = row ? await loadPrincipal(database.db, row.user_id, row.id) : null
    if (!row || !principal) {
      remembered.delete(client)
      throw signedOut()
    }
    const fresh = { row, principal, at: now().getTime() }
    remembered.set(client, fresh)
    return fresh
  }

  return {
    async identify(request, reply) {
      const given = credentialsOf(request)
      if (!given) throw signedOut()
      const { row, principal } = await load(given.client)
      const hash = hashOf(given.token)
      if (given.uid.toLowerCase() !== row.uid.toLowerCase()) throw signedOut()
      if (!isCurrent(row, hash)) {
        if (row.retired_token_hashes.some((one) => one.equals(hash))) await revokeReplayed(database, row, request)
        remembered.delete(given.client)
        throw signedOut()
      }
      if (isOver(row, rules)) {
        await sql`delete from sessions where id = ${row.id}`.execute(database.db)
        forgetUser(row.user_id)
        throw signedOut()
      }
      if (await keepAlive(database, row, request, reply, given)) remembered.delete(given.client)
      return principal
    },
    async open(tx, user, request, reply) {
      const client = randomBytes(16).toString('base64url')
      const token = randomBytes(32).toString('base64url')
      await sql`insert into sessions (user_id, client, token_hash, created_at, used_at, renewed_at, ip_address, user_agent)
        values (${user.id}, ${client}, ${hashOf(token)}, ${now()}, ${now()}, ${now()}, ${request.ip}, ${(request.headers['user-agent'] ?? '').slice(0, 300)})`.execute(
        tx,
      )
      setHeaders(reply, { token, client, uid: user.email })
    },
    async end(tx, userId, keepSessionId = 0) {
      await sql`delete from sessions where user_id = ${userId} and id <> ${keepSessionId}`.execute(tx)
    },
    async endOne(tx, sessionId) {
      await sql`delete from sessions where id = ${sessionId}`.execute(tx)
    },
    forgetUser,
    forgetAll,
  }
}

interface Given {
  readonly token: string
  readonly client: string
  readonly uid: string
}

function credentialsOf(request: FastifyRequest): Given | null {
  const { 'access-token': token, client, uid } = request.headers
  if (typeof token !== 'string' || typeof client !== 'string' || typeof uid !== 'string') return null
  const sane = token.length > 0 && token.length <= 200 && client.length > 0 && client.length <= 100 && uid.length <= 254
  return sane ? { token, client, uid } : null
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isCurrent(row: SessionRow, hash: Buffer): boolean {
  if (timingSafeEqual(row.token_hash, hash)) return true
  const { previous_token_hash: previous, previous_until: until } = row
  return previous !== null && until !== null && timingSafeEqual(previous, hash) && Date.parse(until) > now().getTime()
}

function isOver(row: SessionRow, rules: SessionRules): boolean {
  const at = now().getTime()
  return at - Date.parse(row.used_at) > rules.idleHours * 3_600_000 || at - Date.parse(row.created_at) > rules.maxDays * 86_400_000
}

/** Notes the use, and renews the token where the caller asks for it. @returns whether the row has changed. */
async function keepAlive(
  database: Database,
  row: SessionRow,
  request: FastifyRequest,
  reply: FastifyReply,
  given: Given,
): Promise<boolean> {
  const at = now()
  if (request.headers['renew-token'] === '1' && at.getTime() - Date.parse(row.renewed_at) > renewAfterMs) {
    const token = randomBytes(32).toString('base64url')
    const retired = [...row.retired_token_hashes, row.token_hash].slice(-retiredMax)
    const { rows } =
      await sql`update sessions set token_hash = ${hashOf(token)}, previous_token_hash = token_hash, previous_until = ${new Date(at.getTime() + graceMs)},
      retired_token_hashes = ${retired}::bytea[], renewed_at = ${at}, used_at = ${at} where id = ${row.id} and token_hash = ${row.token_hash} returning id`.execute(
        database.db,
      )
    if (rows.length > 0) setHeaders(reply, { ...given, token })
    return true
  }
  if (at.getTime() - Date.parse(row.used_at) < usedStepMs) return false
  await sql`update sessions set used_at = ${at} where id = ${row.id}`.execute(database.db)
  return true
}

/** A retired token came back after its grace: somebody copied it. The sign-in ends, and the trail says so. */
async function revokeReplayed(database: Database, row: SessionRow, request: FastifyRequest): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await sql`delete from sessions where id = ${row.id}`.execute(tx)
    await writeAudit(tx, { user_id: row.user_id, ip: request.ip }, [
      {
        event: 'login',
        item_type: 'session',
        item_id: row.id,
        client_id: 0,
        changes: { replayed_token: { from: null, to: 'sign-in ended' } },
      },
    ])
  })
}

function setHeaders(reply: FastifyReply, credentials: Given): void {
  reply.header('access-token', credentials.token)
  reply.header('client', credentials.client)
  reply.header('uid', credentials.uid)
  reply.header('token-type', 'Bearer')
}

async function readSession(tx: Tx, client: string): Promise<SessionRow | undefined> {
  const { rows } =
    await sql<SessionRow>`select session.id, session.user_id, users.email as uid, session.token_hash, session.previous_token_hash, session.previous_until,
      session.retired_token_hashes, session.created_at, session.used_at, session.renewed_at
    from sessions session join users on users.id = session.user_id where session.client = ${client}`.execute(tx)
  return rows[0]
}
