/** Codes of authenticator apps: time-based one-time passwords by RFC 6238, SHA-1, six digits, steps of 30 seconds. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { codeDigits, codeSeconds } from '#contract/access/second-factor.ts'

/** Steps before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const driftSteps = 1
/** As long as the hash: RFC 4226 recommends it. */
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const bitsPerLetter = 5

/** @returns a new secret in base32, as apps take it. */
export function newSecret(): string {
  return base32(randomBytes(secretBytes))
}

/** Returns random text of the same alphabet: 24 letters hold 120 bits. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(bitsPerLetter, '0'), 2)] ?? '').join('')
}

/** Returns the address that an app reads from a QR code. */
export function otpauthUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Meterbook:${email}`)
  return `otpauth://totp/${label}?secret=${secret}&issuer=Meterbook&algorithm=SHA1&digits=${codeDigits}&period=${codeSeconds}`
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1_000 / codeSeconds)
}

/** Returns the step whose code this is, among the present one and its neighbours; null if it is of none of them. */
export function stepOf(secret: string, code: string, at: Date): number | null {
  const present = stepAt(at)
  let found: number | null = null
  for (let step = present - driftSteps; step <= present + driftSteps; step++) if (isSame(codeOf(secret, step), code)) found = step
  return found
}

/** The code of a step: dynamic truncation of the HMAC, RFC 4226 section 5.3. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** codeDigits).padStart(codeDigits, '0')
}

function isSame(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(bitsPerLetter, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
