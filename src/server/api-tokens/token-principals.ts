/** The principal of a token: its user as they are now, within the token's bounds. The bounds only take rights away. */
import { createHash } from 'node:crypto'
import { apiTokenPrefix } from '#contract/access/api-token.ts'
import { tokenRefusal, type TokenAccess } from '#contract/access/token-access.ts'
import type { Call } from '#contract/kernel/call.ts'
import { models, type Action, type Model, type PermissionMap } from '#contract/kernel/permission.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { loadPrincipal } from '../access/access.ts'
import { now, today } from '../kernel/clock.ts'
import { noteVisitor } from '../kernel/http/security-facts.ts'
import type { Database, Tx } from '../kernel/postgres/database.ts'
import { linkHolderOf, type Grant, type LinkHolder, type Principal } from '../kernel/principal.ts'
import { forbidden, signedOut } from '../kernel/problem.ts'

/** A cached token is valid this long unless it is dropped earlier. */
const rememberMs = 60_000
const rememberedMax = 5_000
/** The last use is stored at most this often: a write per request would cost more than the requests. */
const usedStepMs = 60_000
const tokenLengthMax = 100
/** Models of records that the provider keeps for all its clients together. A token that is narrowed to clients reads them. */
const modelsOfStaff: readonly Model[] = ['global_batch', 'webhook']

interface TokenRow {
  id: number
  user_id: number
  access: TokenAccess
  models: string[] | null
  client_ids: number[] | null
  expires_on: string
}

interface Remembered {
  readonly row: TokenRow
  readonly principal: Principal
  readonly at: number
  usedAt: number
}

export interface TokenPrincipals {
  /** Returns a name for the request's token, which proves nothing, or null if there is no token. */
  claimOf(request: FastifyRequest): string | null
  /**
   * Returns the principal of the request's token, or null if there is no token. Throws signed-out for a dead token, forbidden if the token does
   * not allow the call.
   */
  identify(request: FastifyRequest, call: Call): Promise<Principal | null>
  /** Returns true while the token lives and leaves the same rights to its user. It reads both anew. */
  stillHolds(holder: LinkHolder): Promise<boolean>
  forgetUser(userId: number): void
  forgetAll(): void
}

export function createTokenPrincipals(database: Database): TokenPrincipals {
  const remembered = new Map<string, Remembered>()
  let forgets = 0
  const load = async (token: string): Promise<Remembered> => {
    const hash = hashOf(token)
    const key = hash.toString('base64url')
    const known = remembered.get(key)
    if (known && now().getTime() - known.at < rememberMs) return known
    remembered.delete(key)
    const before = forgets
    const row = await readToken(database.db, sql`token_hash = ${hash}`)
    const principal = row ? await principalWithin(database.db, row) : null
    if (!row || !principal) throw signedOut()
    if (remembered.size >= rememberedMax) remembered.clear()
    const fresh = { row, principal, at: now().getTime(), usedAt: known?.usedAt ?? 0 }
    // A row that was read before a call of "forget" is not cached after it.
    if (before === forgets) remembered.set(key, fresh)
    return fresh
  }
  return {
    claimOf: (request) => {
      const token = tokenOf(request)
      return token === null ? null : hashOf(token).toString('base64url')
    },
    async identify(request, call) {
      const token = tokenOf(request)
      if (token === null) return null
      const found = await load(token)
      if (isOver(found.row)) throw signedOut('This API token has expired.')
      const refusal = tokenRefusal(call, found.row.access)
      if (refusal) {
        // The security log names whose token was refused, although the request has no caller.
        noteVisitor(request, found.principal)
        throw forbidden(refusal)
      }
      if (now().getTime() - found.usedAt >= usedStepMs) {
        found.usedAt = now().getTime()
        await noteUse(database.db, found.row.id, request.ip)
      }
      return found.principal
    },
    async stillHolds({ user_id, api_token_id, rights }) {
      const principal = await loadTaskPrincipal(database.db, user_id, api_token_id)
      return principal !== null && linkHolderOf(principal).rights === rights
    },
    forgetUser(userId) {
      forgets += 1
      for (const [key, one] of remembered) if (one.row.user_id === userId) remembered.delete(key)
    },
    forgetAll() {
      forgets += 1
      remembered.clear()
    },
  }
}

/** Returns the principal of a task: its user, or what the token that started it leaves of their rights. Null if either is gone. */
export async function loadTaskPrincipal(tx: Tx, userId: number, apiTokenId: number | null): Promise<Principal | null> {
  if (apiTokenId === null) return loadPrincipal(tx, userId)
  const row = await readToken(tx, sql`id = ${apiTokenId} and user_id = ${userId}`)
  return row ? principalWithin(tx, row) : null
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Headers of other schemes are ignored: old clients send one along with the three headers. */
function tokenOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')
  const token = match?.[1]
  return token?.startsWith(apiTokenPrefix) && token.length <= tokenLengthMax ? token : null
}

function isOver({ expires_on: last }: Pick<TokenRow, 'expires_on'>): boolean {
  return last < today()
}

async function readToken(tx: Tx, which: ReturnType<typeof sql>): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`select id, user_id, access, models, client_ids, expires_on from api_tokens where ${which}`.execute(
    tx,
  )
  const row = rows[0]
  return row && !isOver(row) ? row : undefined
}

async function noteUse(tx: Tx, id: number, ip: string): Promise<void> {
  await sql`update api_tokens set last_used_at = ${now()}, last_used_ip = ${ip} where id = ${id}
    and (last_used_at is null or last_used_at <= ${new Date(now().getTime() - usedStepMs)})`.execute(tx)
}

async function principalWithin(tx: Tx, row: TokenRow): Promise<Principal | null> {
  const person = await loadPrincipal(tx, row.user_id)
  if (!person) return null
  return { ...person, grants: person.grants.map((grant) => grantWithin(grant, row)), api_token_id: row.id }
}

/** Returns the part of a grant that the token allows. */
export function grantWithin(grant: Grant, bounds: Pick<TokenRow, 'access' | 'models' | 'client_ids'>): Grant {
  const { client_ids: clients } = bounds
  return {
    ...grant,
    permissions: permissionsWithin(grant.permissions, bounds),
    // Records without a client, and future clients, lie outside the named clients.
    ...(clients ? { clients: common(grant.clients, clients), awaitsClients: false } : {}),
  }
}

function common(held: Grant['clients'], asked: readonly number[]): readonly number[] {
  return held === 'all' ? asked : held.filter((id) => asked.includes(id))
}

function permissionsWithin(held: PermissionMap, bounds: Pick<TokenRow, 'access' | 'models' | 'client_ids'>): PermissionMap {
  const left: Partial<Record<Model, readonly Action[]>> = {}
  for (const model of models) {
    if (bounds.models && !bounds.models.includes(model)) continue
    const readsOnly = bounds.access === 'read' || (bounds.client_ids !== null && modelsOfStaff.includes(model))
    const actions = (held[model] ?? []).filter((action) => !readsOnly || action === 'read' || action === 'read_subscription')
    if (actions.length > 0) left[model] = actions
  }
  return left
}
