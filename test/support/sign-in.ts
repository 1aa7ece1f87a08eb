/** Users with passwords, and signing in as a browser does. */
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Answer, Person, TestApp } from './app.ts'

export const password = 'a long enough password'

/**
 * Takes almost no time to check, unlike the hashes of the program: a stored hash names its own cost. Tests that compare durations give
 * their users a hash of the program's.
 */
let cheapHash: Promise<string> | undefined
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/** Creates a user who can sign in with `password`, by default. */
export async function makeUser(
  { database: { db } }: TestApp,
  email: string,
  { confirmed = true, status = 'active', passwordHash }: { confirmed?: boolean; status?: string; passwordHash?: string } = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into users (email, username, status, password_hash, account_confirmed)
    values (${email}, ${email}, ${status}, ${passwordHash ?? (await (cheapHash ??= hash(password, cheap)))}, ${confirmed}) returning id`.execute(
    db,
  )
  return rows[0]?.id ?? 0
}

export function signIn({ ask }: TestApp, email: string, given = password, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(null, 'POST', '/auth/sign_in', { email, password: given }, headers)
}

/** Returns the owner of an answer's headers. */
export function credentialsOf({ headers }: Answer): Person {
  const named = (name: string) => String(headers[name])
  return { id: 0, email: named('uid'), headers: { 'access-token': named('access-token'), client: named('client'), uid: named('uid') } }
}
