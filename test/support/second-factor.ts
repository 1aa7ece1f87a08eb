/** People with a second factor in force, without the way through the profile. */
import { sql, type Kysely } from 'kysely'
import { now } from '../../src/server/kernel/clock.ts'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { sealSecret } from '../../src/server/kernel/secret.ts'
import { codeOf, newSecret, stepAt } from '../../src/server/access/totp.ts'
import { testSecretKey } from './app.ts'

/** Gives a user a second factor. @returns its secret. */
export async function guard(db: Kysely<Tables>, userId: number): Promise<string> {
  const secret = newSecret()
  const sealed = sealSecret(testSecretKey, { table: 'second_factors', column: 'secret', id: userId }, secret)
  await sql`insert into second_factors (user_id, secret_encrypted, confirmed_at) values (${userId}, ${sealed}, ${now()})`.execute(db)
  return secret
}

/** The code that the app shows now, or some steps later. */
export function codeNow(secret: string, steps = 0): string {
  return codeOf(secret, stepAt(now()) + steps)
}
