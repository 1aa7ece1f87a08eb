/** Finds the user of a provider's identity. No user is created here: administrators create users and grant their rights. */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import { writeAudit } from '../kernel/audit.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Identity } from './provider-client.ts'

export interface SigningUser {
  readonly id: number
  readonly email: string
}

/**
 * Returns the active user of this identity, by the subject that the provider never changes. At the first sign-in the subject is stored with the
 * user whose verified email address matches; later the address no longer counts, so that inheriting an address does not give access to an
 * account.
 */
export async function userOf(tx: Tx, identity: Identity, ip: string | null): Promise<SigningUser | 'unverified' | 'unknown'> {
  const { issuer, subject } = identity
  const { rows: known } = await sql<SigningUser & { active: boolean }>`update user_identities set last_used_at = ${now()} from users
    where users.id = user_identities.user_id and user_identities.issuer = ${issuer} and user_identities.subject = ${subject}
    returning users.id, users.email, users.status = 'active' as active`.execute(tx)
  const found = known[0]
  if (found) return found.active ? { id: found.id, email: found.email } : 'unknown'
  if (identity.email === null || !identity.isVerified) return 'unverified'
  return linkByEmail(tx, identity, identity.email, ip)
}

async function linkByEmail(tx: Tx, { issuer, subject }: Identity, email: string, ip: string | null): Promise<SigningUser | 'unknown'> {
  const { rows } =
    await sql<SigningUser>`select id, email from users where lower(email) = lower(${email}) and status = 'active' for update`.execute(tx)
  const user = rows[0]
  if (!user) return 'unknown'
  // A user already linked to another subject is not this one, whatever their address now.
  const { rows: linked } =
    await sql`insert into user_identities (user_id, issuer, subject, last_used_at) values (${user.id}, ${issuer}, ${subject}, ${now()})
    on conflict do nothing returning id`.execute(tx)
  if (linked.length === 0) return 'unknown'
  // The provider has verified the address, which is all that a confirmation asks.
  await sql`update users set account_confirmed = true where id = ${user.id} and not account_confirmed`.execute(tx)
  const changes = { sign_in_provider: { from: null, to: issuer } }
  await writeAudit(tx, { user_id: user.id, ip }, [{ event: 'update', item_type: 'user', item_id: user.id, client_id: 0, changes }])
  return user
}

/** Returns the user of a code, if the account is still active. */
export async function activeUser(tx: Tx, id: number): Promise<SigningUser | null> {
  const { rows } = await sql<SigningUser>`select id, email from users where id = ${id} and status = 'active'`.execute(tx)
  return rows[0] ?? null
}
