/** One-time links: single use, one hour, hashed at rest, able to set a password and nothing else. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/database.ts'
import { hashOf } from './credentials.ts'

export type LinkKind = 'reset' | 'confirm' | 'first_password'
const linkLifeMs = 3_600_000

/** Makes a link and kills the user's older ones. @returns its address under `base`, with the three credentials in the query. */
export async function makeLink(tx: Tx, user: { id: number; email: string }, kind: LinkKind, base: string): Promise<string> {
  const client = randomBytes(16).toString('base64url')
  const token = randomBytes(32).toString('base64url')
  await sql`delete from one_time_links where user_id = ${user.id} and used_at is null`.execute(tx)
  await sql`insert into one_time_links (user_id, kind, client, token_hash, expires_at)
    values (${user.id}, ${kind}, ${client}, ${hashOf(token)}, ${new Date(now().getTime() + linkLifeMs)})`.execute(tx)
  return `${base}/reset_password?${new URLSearchParams({ 'access-token': token, client, uid: user.email }).toString()}`
}

/** Uses a link up. @returns whose it was, null where it is wrong, used or too old. */
export async function useLink(
  tx: Tx,
  given: { token: string; client: string; uid: string },
): Promise<{ user_id: number; kind: LinkKind } | null> {
  const { rows } = await sql<{ id: number; user_id: number; kind: LinkKind; token_hash: Buffer; email: string }>`
    select link.id, link.user_id, link.kind, link.token_hash, users.email from one_time_links link join users on users.id = link.user_id
    where link.client = ${given.client} and link.used_at is null and link.expires_at > ${now()} and users.status = 'active' for update of link`.execute(
    tx,
  )
  const link = rows[0]
  if (!link || link.email.toLowerCase() !== given.uid.toLowerCase() || !timingSafeEqual(link.token_hash, hashOf(given.token))) return null
  await sql`update one_time_links set used_at = ${now()} where id = ${link.id}`.execute(tx)
  return { user_id: link.user_id, kind: link.kind }
}
