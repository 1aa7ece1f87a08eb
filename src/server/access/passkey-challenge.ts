/**
 * Challenges that no password precedes. The text that a passkey signs is itself a token of ours, for one purpose and five minutes, so that
 * nothing is stored until it is answered. The first answer spends it, right or wrong.
 */
import { createHash, randomBytes } from 'node:crypto'
import { passkeyMinutes } from '#contract/access/passkey.ts'
import { z } from 'zod'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { takeFromWindow } from './windows.ts'

const seconds = passkeyMinutes * 60
export const passkeyTimeoutMs = seconds * 1_000

/** `bound` is to what the challenge belongs: the mark of a device, or a person and their sign-in. */
const payload = z.object({ bound: z.string(), nonce: z.string() })
type Purpose = 'passkey_sign_in' | 'passkey_creation'

export function makePasskeyChallenge(secretKey: string, purpose: Purpose, bound: string): string {
  return signToken(secretKey, purpose, { bound, nonce: randomBytes(16).toString('base64url') }, seconds)
}

/** Spends the challenge that was signed, as base64url. @returns false if it is forged, over, spent, or of another device, person or sign-in. */
export async function spendPasskeyChallenge(tx: Tx, secretKey: string, purpose: Purpose, bound: string, signed: string): Promise<boolean> {
  const challenge = openToken(secretKey, purpose, Buffer.from(signed, 'base64url').toString('utf8'), payload)
  if (challenge?.bound !== bound) return false
  return (await takeFromWindow(tx, `passkey:${challenge.nonce}`, { max: 1, seconds })) === 0
}

/** To the device that asked: its mark, hashed because the authenticator sees the challenge; empty for a device without one. */
export function boundToDevice(mark: string): string {
  return createHash('sha256').update(mark).digest('base64url')
}

export function boundToSignIn({ user_id, session_id }: { readonly user_id: number; readonly session_id: number }): string {
  return `${user_id}:${session_id}`
}
