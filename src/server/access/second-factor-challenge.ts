/**
 * What a right password leads to where the account has a second factor: a signed challenge for one purpose, bound to the person and the
 * password in force. It opens nothing but the second step, for five minutes and five tries.
 */
import { createHash, randomBytes } from 'node:crypto'
import { challengeMinutes, challengeTries } from '#contract/access/second-factor.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { takeFromWindow } from './windows.ts'

const payload = z.object({ user: z.int(), version: z.string(), nonce: z.string() })
export type Challenge = z.infer<typeof payload>

const lifeSeconds = challengeMinutes * 60
const triesRule = { max: challengeTries, seconds: lifeSeconds }

export function makeChallenge(secretKey: string, user: { readonly id: number; readonly password_hash: string | null }) {
  const content: Challenge = { user: user.id, version: versionOf(user.password_hash), nonce: randomBytes(16).toString('base64url') }
  return {
    challenge: signToken(secretKey, 'second_factor', content, lifeSeconds),
    expires_at: new Date(now().getTime() + lifeSeconds * 1_000).toISOString(),
  }
}

/** Takes one of the five tries. @returns the challenge; null if it is forged, over, or has no try left. */
export async function takeChallenge(tx: Tx, secretKey: string, token: string): Promise<Challenge | null> {
  const challenge = openToken(secretKey, 'second_factor', token, payload)
  if (!challenge || (await takeFromWindow(tx, windowOf(challenge), triesRule)) > 0) return null
  return challenge
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
