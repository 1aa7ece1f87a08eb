/** The three credentials: 256-bit tokens, hashed at rest, one row per sign-in; renewed while used, expired when idle. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { writeAudit } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Database, Tx } from '../kernel/postgres/database.ts'
import { forgetWithCommit } from '../kernel/work/live.ts'
import { linkHolderOf, type LinkHolder, type Principal } from '../kernel/principal.ts'
import { signedOut } from '../kernel/problem.ts'
import { loadPrincipal } from './principals.ts'

export interface SessionRules {
  readonly idleHours: number
  readonly maxDays: number
}

/** A token is renewed after this much use, for callers that send `renew-token: 1`. */
const renewAfterMs = 15 * 60_000
/** The old token stays valid for this long, for calls that were under way. */
const graceMs = 30_000
/** `used_at` is written at most this often: a write per request would cost more than the requests. */
const usedStepMs = 60_000
/** Maximum age of a cached sign-in without a notice of change. */
const rememberMs = 60_000

interface SessionRow {
  id: number
  user_id: number
  email: string
  /** The email under which it was opened. */
  uid: string | null
  token_hash: Buffer
  previous_token_hash: Buffer | null
  previous_until: string | null
  created_at: string
  used_at: string
  renewed_at: string
}

interface Remembered {
  readonly row: SessionRow
  readonly principal: Principal
  readonly at: number
}

/** Runs in the transaction that ends a sign-in whose former token was used again. */
export type ReplayHook = (tx: Tx, owner: { id: number; email: string }, request: FastifyRequest) => Promise<void>

export interface Sessions {
  /** Returns the name of the sign-in that the request's headers claim, which is not verified; null if they claim none. */
  claimOf(request: FastifyRequest): string | null
  /** Returns the owner of the request's headers. Throws signed-out if they are invalid. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal | null>
  /** Opens a sign-in and sets its three headers on the answer. */
  open(tx: Tx, user: { id: number; email: string }, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Registers what else happens when a copied token is detected. */
  whenReplayed(hook: ReplayHook): void
  /** A sign-in is valid if it was used after the one and opened after the other. */
  livingSince(): { usedAfter: Date; openedAfter: Date }
  /** Returns true while the sign-in lives and its owner has the same rights. It reads both anew. */
  stillHolds(holder: LinkHolder): Promise<boolean>
  /** Drops this process's cached sign-ins of a user; the machinery notifies the other processes. */
  forgetUser(userId: number): void
  forgetAll(): void
}

export function createSessions(database: Database, rules: SessionRules): Sessions {
  const memory = createMemory(database)
  let onReplay: ReplayHook = () => Promise.resolve()
  return {
    claimOf: (request) => credentialsOf(request)?.client ?? null,
    async identify(request, reply) {
      const given = credentialsOf(request)
      if (!given) throw signedOut()
      const hash = hashOf(given.token)
      const known = memory.recall(given.client)
      // A mismatch may be due to a stale cache: another process may have renewed the token.
      const { row, principal } = known && isCurrent(known.row, hash) && !isOver(known.row, rules) ? known : await memory.read(given.client)
      if (!isTheirs(row, given.uid)) throw signedOut()
      if (!isCurrent(row, hash)) {
        await endIfReplayed(database, row, hash, request, onReplay)
        memory.forgetUser(row.user_id)
        throw signedOut()
      }
      if (isOver(row, rules)) {
        await sql`delete from sessions where id = ${row.id}`.execute(database.db)
        memory.forgetUser(row.user_id)
        throw signedOut()
      }
      if (await keepAlive(database, row, request, reply, given)) memory.forgetUser(row.user_id)
      return principal
    },
    async open(tx, user, request, reply) {
      const client = randomBytes(16).toString('base64url')
      const token = randomBytes(32).toString('base64url')
      await sql`insert into sessions (user_id, client, uid, token_hash, created_at, used_at, renewed_at, proven_at, ip_address, user_agent)
        values (${user.id}, ${client}, ${user.email}, ${hashOf(token)}, ${now()}, ${now()}, ${now()}, ${now()}, ${request.ip}, ${(request.headers['user-agent'] ?? '').slice(0, 300)})`.execute(
        tx,
      )
      setHeaders(reply, { token, client, uid: user.email })
    },
    whenReplayed: (hook) => {
      onReplay = hook
    },
    livingSince: () => ({
      usedAfter: new Date(now().getTime() - rules.idleHours * 3_600_000),
      openedAfter: new Date(now().getTime() - rules.maxDays * 86_400_000),
    }),
    stillHolds: (holder) => holdsSignIn(database, rules, holder),
    forgetUser: memory.forgetUser,
    forgetAll: memory.forgetAll,
  }
}

/** Creates the cache of sign-ins. A value that was read before a "forget" is not cached after it. */
function createMemory(database: Database) {
  const remembered = new Map<string, Remembered>()
  let forgets = 0
  return {
    recall(client: string): Remembered | undefined {
      const known = remembered.get(client)
      return known && now().getTime() - known.at < rememberMs ? known : undefined
    },
    async read(client: string): Promise<Remembered> {
      const before = forgets
      const row = await readSession(database.db, client)
      const principal = row ? await loadPrincipal(database.db, row.user_id, row.id) : null
      if (!row || !principal) {
        remembered.delete(client)
        throw signedOut()
      }
      const fresh = { row, principal, at: now().getTime() }
      if (before === forgets) remembered.set(client, fresh)
      return fresh
    },
    forgetUser(userId: number): void {
      forgets++
      for (const [client, one] of remembered) if (one.row.user_id === userId) remembered.delete(client)
    },
    forgetAll(): void {
      forgets++
      remembered.clear()
    },
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

/** The token identifies the caller; the uid may be the email of the sign-in, or the owner's present one. */
function isTheirs({ uid, email }: SessionRow, given: string): boolean {
  return [uid, email].some((known) => known?.toLowerCase() === given.toLowerCase())
}

/** Returns the stored form of a token: a reader of the database cannot use it. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isCurrent(row: SessionRow, hash: Buffer): boolean {
  if (timingSafeEqual(row.token_hash, hash)) return true
  const { previous_token_hash: previous, previous_until: until } = row
  return previous !== null && until !== null && timingSafeEqual(previous, hash) && Date.parse(until) > now().getTime()
}

function isOver(row: Pick<SessionRow, 'used_at' | 'created_at'>, rules: SessionRules): boolean {
  const at = now().getTime()
  return at - Date.parse(row.used_at) > rules.idleHours * 3_600_000 || at - Date.parse(row.created_at) > rules.maxDays * 86_400_000
}

async function holdsSignIn({ db }: Database, rules: SessionRules, { user_id, session_id, rights }: LinkHolder): Promise<boolean> {
  const { rows } = await sql<
    Pick<SessionRow, 'used_at' | 'created_at'>
  >`select used_at, created_at from sessions where id = ${session_id} and user_id = ${user_id}`.execute(db)
  if (!rows[0] || isOver(rows[0], rules)) return false
  const principal = await loadPrincipal(db, user_id, session_id)
  return principal !== null && linkHolderOf(principal).rights === rights
}

/** Records the use, and renews the token if the caller requests it. @returns whether the row has changed. */
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
    if (await renew(database, row, hashOf(token))) setHeaders(reply, { ...given, token })
    return true
  }
  if (at.getTime() - Date.parse(row.used_at) < usedStepMs) return false
  await sql`update sessions set used_at = ${at} where id = ${row.id}`.execute(database.db)
  return true
}

/** Replaces the token that was read; of two calls that renew at once only one succeeds. Every process is notified. */
async function renew(database: Database, row: SessionRow, tokenHash: Buffer): Promise<boolean> {
  const at = now()
  return database.db.transaction().execute(async (tx) => {
    const { rows } =
      await sql`update sessions set token_hash = ${tokenHash}, previous_token_hash = token_hash, previous_until = ${new Date(at.getTime() + graceMs)},
      renewed_at = ${at}, used_at = ${at} where id = ${row.id} and token_hash = ${row.token_hash} returning id`.execute(tx)
    if (rows.length === 0) return false
    await sql`insert into retired_tokens (token_hash, session_id, retired_at) values (${row.token_hash}, ${row.id}, ${at})`.execute(tx)
    await forgetWithCommit(tx, row.user_id)
    return true
  })
}

/**
 * A former token was used after its grace period: it has been copied. The sign-in ends, the trail records it, and the owner is notified.
 */
async function endIfReplayed(database: Database, row: SessionRow, hash: Buffer, request: FastifyRequest, hook: ReplayHook): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const { rows } = await sql`delete from sessions where id = ${row.id}
      and exists (select from retired_tokens where token_hash = ${hash} and session_id = ${row.id}) returning id`.execute(tx)
    if (rows.length === 0) return
    const changes = { replayed_token: { from: null, to: 'sign-in ended' } }
    await writeAudit(tx, { user_id: row.user_id, ip: request.ip }, [
      { event: 'login', item_type: 'session', item_id: row.id, client_id: 0, changes },
    ])
    await forgetWithCommit(tx, row.user_id)
    await hook(tx, { id: row.user_id, email: row.email }, request)
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
    await sql<SessionRow>`select session.id, session.user_id, users.email, session.uid, session.token_hash, session.previous_token_hash,
      session.previous_until, session.created_at, session.used_at, session.renewed_at
    from sessions session join users on users.id = session.user_id where session.client = ${client}`.execute(tx)
  return rows[0]
}
