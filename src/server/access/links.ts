/** One-time links, hashed at rest. A link works only for its kind: it either sets a password or confirms an account. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { hashOf } from './credentials.ts'

export type LinkKind = 'reset' | 'confirm' | 'first_password'

/** A confirmation waits for a user who may be on leave; the others were just requested by the reader of the mail. */
const linkHours: Readonly<Record<LinkKind, number>> = { reset: 1, confirm: 72, first_password: 1 }

const addresses: Readonly<Record<LinkKind, string>> = {
  reset: '/reset_password',
  confirm: '/api/v5/auth/confirmation',
  first_password: '/reset_password',
}

export interface LinkCredentials {
  readonly token: string
  readonly client: string
  readonly uid: string
}

interface LinkRow {
  id: number
  user_id: number
  kind: LinkKind
  token_hash: Buffer
  email: string
  account_confirmed: boolean
  used_at: string | null
}

/** Creates a link and invalidates the user's older ones. @returns its URL under `base`, with the three credentials in the query. */
export async function makeLink(tx: Tx, user: { id: number; email: string }, kind: LinkKind, base: string): Promise<string> {
  const client = randomBytes(16).toString('base64url')
  const token = randomBytes(32).toString('base64url')
  await endLinks(tx, user.id)
  await sql`insert into one_time_links (user_id, kind, client, token_hash, email, expires_at)
    values (${user.id}, ${kind}, ${client}, ${hashOf(token)}, ${user.email}, ${linkEnd(kind)})`.execute(tx)
  return `${base}${addresses[kind]}?${new URLSearchParams({ 'access-token': token, client, uid: user.email }).toString()}`
}

/** Ends the links of a user that nobody has used: the address has changed, or the password was set otherwise. */
export async function endLinks(tx: Tx, userId: number): Promise<void> {
  await sql`delete from one_time_links where user_id = ${userId} and used_at is null`.execute(tx)
}

/** Returns when a link of this kind that is created now expires. */
export function linkEnd(kind: LinkKind): Date {
  return new Date(now().getTime() + linkHours[kind] * 3_600_000)
}

/** Uses up a link that sets a password. @returns its user; null if it is wrong, used or too old. */
export async function usePasswordLink(tx: Tx, given: LinkCredentials): Promise<{ user_id: number } | null> {
  const link = await findLink(tx, given)
  if (!link || link.kind === 'confirm' || link.used_at !== null) return null
  await sql`update one_time_links set used_at = ${now()} where id = ${link.id}`.execute(tx)
  return { user_id: link.user_id }
}

/**
 * Uses a link that confirms an account. Repeated use gives the same answer: mail scanners open links before their readers do.
 * @returns its user and whether this use has confirmed the account; null if the link is wrong or too old.
 */
export async function useConfirmationLink(tx: Tx, given: LinkCredentials): Promise<{ user_id: number; is_new: boolean } | null> {
  const link = await findLink(tx, given)
  if (!link || link.kind !== 'confirm' || (link.used_at !== null && !link.account_confirmed)) return null
  await sql`update one_time_links set used_at = coalesce(used_at, ${now()}) where id = ${link.id}`.execute(tx)
  return { user_id: link.user_id, is_new: !link.account_confirmed }
}

/** A link is bound to the address that it was sent to: an account that has moved to another address is not opened from the old mailbox. */
async function findLink(tx: Tx, given: LinkCredentials): Promise<LinkRow | null> {
  const { rows } = await sql<LinkRow>`
    select link.id, link.user_id, link.kind, link.token_hash, link.used_at, link.email, users.account_confirmed
    from one_time_links link join users on users.id = link.user_id
    where link.client = ${given.client} and link.expires_at > ${now()} and users.status = 'active'
      and lower(users.email) = lower(link.email) for update of link`.execute(tx)
  const link = rows[0]
  if (!link || link.email.toLowerCase() !== given.uid.toLowerCase() || !timingSafeEqual(link.token_hash, hashOf(given.token))) return null
  return link
}
