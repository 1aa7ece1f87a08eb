/** The stored passkeys: public keys, of which nothing signs in without the authenticator. */
import type { Passkey } from '#contract/access/passkey.ts'
import type { PasskeyRequest } from '#contract/access/sign-in-steps.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

/** A passkey as it is verified, with its person. */
export interface HeldPasskey {
  readonly id: number
  readonly name: string
  readonly credential_id: string
  readonly public_key: Buffer
  readonly counter: number
  readonly signs_in: boolean
  readonly user_id: number
  readonly email: string
  /** Whether the person may sign in at all. */
  readonly may_enter: boolean
}

export interface NewPasskey {
  readonly name: string
  readonly credential_id: string
  readonly public_key: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly backed_up: boolean
}

export async function listPasskeys(tx: Tx, userId: number): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`select id, name, created_at, last_used_at, backed_up, signs_in from passkeys
    where user_id = ${userId} order by created_at, id`.execute(tx)
  return rows
}

/** The passkeys of a person as a browser is told of them, so that it offers one of these and makes none twice. */
export async function passkeysAllowed(tx: Tx, userId: number): Promise<PasskeyRequest['allowCredentials']> {
  const { rows } = await sql<{ id: string; transports: string[] }>`select credential_id as id, transports from passkeys
    where user_id = ${userId} order by created_at, passkeys.id`.execute(tx)
  return rows.map(({ id, transports }) => ({ id, type: 'public-key', transports }))
}

export async function findPasskey(tx: Tx, credentialId: string): Promise<HeldPasskey | null> {
  const { rows } = await sql<HeldPasskey>`select passkeys.id, name, credential_id, public_key, counter, signs_in, user_id, users.email,
      users.status = 'active' and users.account_confirmed as may_enter
    from passkeys join users on users.id = passkeys.user_id where credential_id = ${credentialId}`.execute(tx)
  return rows[0] ?? null
}

/** @returns the id; null where this passkey is stored already. */
export async function storePasskey(tx: Tx, userId: number, made: NewPasskey): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`insert into passkeys
      (user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
    values (${userId}, ${made.name}, ${made.credential_id}, ${made.public_key}, ${made.counter}, ${made.transports}::text[], ${made.backed_up},
      ${now()}) on conflict (credential_id) do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Notes a use, in one statement: of two uses with the same counter one succeeds. An authenticator that does not count says 0 each time.
 * @returns false where the counter has not risen, or the passkey is gone.
 */
export async function notePasskeyUse(
  tx: Tx,
  id: number,
  { counter, backed_up }: { readonly counter: number; readonly backed_up: boolean },
): Promise<boolean> {
  const { rows } = await sql`update passkeys set counter = ${counter}, backed_up = ${backed_up}, last_used_at = ${now()}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)) returning id`.execute(tx)
  return rows.length > 0
}

/** After the new password and the passkey in one sign-in, both are their owner’s. */
export async function letPasskeySignIn(tx: Tx, id: number): Promise<void> {
  await sql`update passkeys set signs_in = true where id = ${id} and not signs_in`.execute(tx)
}

/** @returns the former name; null where the person has no such passkey. */
export async function renamePasskey(tx: Tx, userId: number, id: number, name: string): Promise<string | null> {
  const { rows } = await sql<{
    former: string
  }>`with former as (select id, name from passkeys where id = ${id} and user_id = ${userId} for update)
    update passkeys set name = ${name} from former where passkeys.id = former.id returning former.name as former`.execute(tx)
  return rows[0]?.former ?? null
}

/** @returns its name; null where the person has no such passkey. */
export async function deletePasskey(tx: Tx, userId: number, id: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`delete from passkeys where id = ${id} and user_id = ${userId} returning name`.execute(tx)
  return rows[0]?.name ?? null
}
