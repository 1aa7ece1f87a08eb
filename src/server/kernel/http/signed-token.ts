/** Self-contained tokens for what a URL may do: a payload, a purpose and an expiry, signed with the installation's key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { now } from '../clock.ts'

/** Purpose of a token. A token for one purpose is invalid for another. */
export type TokenPurpose =
  | 'download'
  | 'direct_upload'
  | 'upload_bytes'
  | 'upload'
  | 'stored_file'
  | 'second_factor'
  | 'second_factor_setup'
  | 'passkey_sign_in'
  | 'passkey_creation'
  | 'report_link'

const envelope = z.tuple([z.int(), z.unknown()])

export function signToken(secretKey: string, purpose: TokenPurpose, payload: object, livesSeconds: number): string {
  const ends = Math.floor(now().getTime() / 1000) + livesSeconds
  const body = Buffer.from(JSON.stringify([ends, payload])).toString('base64url')
  return `${body}.${signature(secretKey, purpose, body).toString('base64url')}`
}

/** Returns the payload of a token, or null if it is forged, expired, made for another purpose or of another shape. */
export function openToken<T>(secretKey: string, purpose: TokenPurpose, token: string, payload: z.ZodType<T>): T | null {
  const [body = '', given = '', ...rest] = token.split('.')
  const signed = Buffer.from(given, 'base64url')
  const expected = signature(secretKey, purpose, body)
  if (rest.length > 0 || signed.length !== expected.length || !timingSafeEqual(signed, expected)) return null
  const [ends, value] = envelope.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  if (ends * 1000 <= now().getTime()) return null
  const read = payload.safeParse(value)
  return read.success ? read.data : null
}

function signature(secretKey: string, purpose: TokenPurpose, body: string): Buffer {
  return createHmac('sha256', secretKey).update(`${purpose}.${body}`).digest()
}
