/**
 * What a right password leads to where the account has a second factor: a signed challenge for one purpose, bound to the person and the
 * password in force. It opens nothing but the second step, for five minutes and five tries.
 */
import { createHash, randomBytes } from 'node:crypto'
import { challengeMinutes, challengeTries, setupMinutes } from '#contract/access/second-factor.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { takeFromWindow } from './windows.ts'

const payload = z.object({ user: z.int(), version: z.string(), nonce: z.string() })
export type Challenge = z.infer<typeof payload>

/** To give a code, or to set up the factor that a role requires. A challenge for one is none for the other. */
export type ChallengeKind = 'second_factor' | 'second_factor_setup'
const lifeSeconds: Readonly<Record<ChallengeKind, number>> = {
  second_factor: challengeMinutes * 60,
  second_factor_setup: setupMinutes * 60,
}

export function makeChallenge(
  secretKey: string,
  kind: ChallengeKind,
  user: { readonly id: number; readonly password_hash: string | null },
): { challenge: string; expires_at: string } {
  const content: Challenge = { user: user.id, version: versionOf(user.password_hash), nonce: randomBytes(16).toString('base64url') }
  return {
    challenge: signToken(secretKey, kind, content, lifeSeconds[kind]),
    expires_at: new Date(now().getTime() + lifeSeconds[kind] * 1_000).toISOString(),
  }
}

/** Takes one of the five tries. @returns the challenge; null if it is forged, over, or has no try left. */
export async function takeChallenge(tx: Tx, secretKey: string, kind: ChallengeKind, token: string): Promise<Challenge | null> {
  const challenge = openToken(secretKey, kind, token, payload)
  const rule = { max: challengeTries, seconds: lifeSeconds[kind] }
  if (!challenge || (await takeFromWindow(tx, windowOf(challenge), rule)) > 0) return null
  return challenge
}

/** Reads a challenge without taking a try. @returns null if it is forged, over or has no try left. */
export async function readChallenge(tx: Tx, secretKey: string, kind: ChallengeKind, token: string): Promise<Challenge | null> {
  const challenge = openToken(secretKey, kind, token, payload)
  return challenge && !(await isSpent(tx, challenge)) ? challenge : null
}

/** Nobody uses it again, whatever codes they have. */
export async function endChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  await sql`update sign_in_windows set taken = ${challengeTries} where key = ${windowOf(challenge)}`.execute(tx)
}

/** Whether the challenge has no try left. */
export async function isSpent(tx: Tx, challenge: Challenge): Promise<boolean> {
  const { rows } = await sql`select from sign_in_windows where key = ${windowOf(challenge)} and taken >= ${challengeTries}`.execute(tx)
  return rows.length > 0
}

export interface ChallengedUser {
  readonly id: number
  readonly email: string
}

/** The person of the challenge, if they may still sign in with the password that led to it. */
export async function challengedUser(tx: Tx, { user, version }: Challenge): Promise<ChallengedUser | null> {
  const { rows } = await sql<ChallengedUser & { password_hash: string | null }>`select id, email, password_hash from users
    where id = ${user} and status = 'active' and account_confirmed for no key update`.execute(tx)
  const found = rows[0]
  return found && versionOf(found.password_hash) === version ? { id: found.id, email: found.email } : null
}

/** Differs with each password that is set: the stored hash has a salt of its own. */
function versionOf(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
}

function windowOf({ nonce }: Challenge): string {
  return `challenge:${nonce}`
}
