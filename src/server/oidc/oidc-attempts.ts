/**
 * A sign-in attempt. It is bound to its browser by a cookie that no script can read, so that no browser ends up signed in as another user; each
 * of its two steps works once.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Challenge } from './provider-client.ts'

/** Enough time to find the password and second factor at the provider. */
const atProviderSeconds = 600
/** The console exchanges the code as soon as its page has loaded. */
const codeSeconds = 60
const cookieName = 'meterbook_sign_in'
const cookiePath = '/api/v5/auth/oidc'
const valueLengthMax = 100

/** Begins an attempt, and sets the browser's cookie. */
export async function beginAttempt(tx: Tx, reply: FastifyReply, isSecure: boolean): Promise<Challenge> {
  await sql`delete from oidc_attempts where expires_at < ${now()}`.execute(tx)
  const challenge = { state: random(), nonce: random(), codeVerifier: random() }
  const browser = random()
  await sql`insert into oidc_attempts (state_hash, browser_hash, nonce, code_verifier, expires_at)
    values (${hashOf(challenge.state)}, ${hashOf(browser)}, ${challenge.nonce}, ${challenge.codeVerifier}, ${after(atProviderSeconds)})`.execute(
    tx,
  )
  reply.header('set-cookie', cookieOf(browser, atProviderSeconds, isSecure))
  return challenge
}

export interface Returned {
  readonly id: number
  readonly challenge: Challenge
}

/** Returns the attempt that this browser began with this state; null if there is none, it was already used, or it has expired. */
export async function returnedAttempt(tx: Tx, request: FastifyRequest, state: string | null): Promise<Returned | null> {
  if (state === null || state.length > valueLengthMax) return null
  const { rows } = await sql<{ id: number; nonce: string; code_verifier: string }>`update oidc_attempts set returned_at = ${now()}
    where state_hash = ${hashOf(state)} and browser_hash = ${hashOf(browserOf(request))} and returned_at is null and expires_at > ${now()}
    returning id, nonce, code_verifier`.execute(tx)
  const row = rows[0]
  return row ? { id: row.id, challenge: { state, nonce: row.nonce, codeVerifier: row.code_verifier } } : null
}

/** Creates the code that the browser exchanges for its credentials. */
export async function grantCode(tx: Tx, attemptId: number, userId: number): Promise<string> {
  const code = random()
  await sql`update oidc_attempts set code_hash = ${hashOf(code)}, user_id = ${userId}, expires_at = ${after(codeSeconds)} where id = ${attemptId}`.execute(
    tx,
  )
  return code
}

/** Returns the user of the code; it works once, in the browser that began. */
export async function takeCode(tx: Tx, request: FastifyRequest, code: string): Promise<number | null> {
  const { rows } = await sql<{ user_id: number | null }>`delete from oidc_attempts
    where code_hash = ${hashOf(code)} and browser_hash = ${hashOf(browserOf(request))} and expires_at > ${now()} returning user_id`.execute(
    tx,
  )
  return rows[0]?.user_id ?? null
}

/** Removes the cookie from the browser. */
export function endCookie(reply: FastifyReply, isSecure: boolean): void {
  reply.header('set-cookie', cookieOf('', 0, isSecure))
}

/** SameSite=Lax: the cookie is sent when the provider redirects back, but not with background requests of other sites. */
function cookieOf(value: string, seconds: number, isSecure: boolean): string {
  return `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

function browserOf({ headers }: FastifyRequest): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`))
  return found?.slice(cookieName.length + 1, cookieName.length + 1 + valueLengthMax) ?? ''
}

function random(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function after(seconds: number): Date {
  return new Date(now().getTime() + seconds * 1_000)
}
