/** Users with passwords, and signing in as a browser does. */
import { sql } from 'kysely'
import { hashPassword } from '../../src/server/access/access.ts'
import type { Answer, Person, TestApp } from './app.ts'

export const password = 'a long enough password'

let hash: Promise<string> | undefined

/** Creates a user who can sign in with `password`, by default. */
export async function makeUser(
  { database: { db } }: TestApp,
  email: string,
  { confirmed = true, status = 'active' }: { confirmed?: boolean; status?: string } = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into users (email, username, status, password_hash, account_confirmed)
    values (${email}, ${email}, ${status}, ${await (hash ??= hashPassword(password))}, ${confirmed}) returning id`.execute(db)
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
