/**
 * Secrets at rest: AES-256-GCM with a fresh nonce per value, bound to its table, column and row, so that a ciphertext that is moved to
 * another row does not open. A secret field `x` is stored as `x_encrypted`, `x_last4` for display and `x_fingerprint` for finding equal
 * values. The bytes are: id of the key (4), nonce (12), authentication tag (16), ciphertext.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Location of a secret; its associated data. */
export interface SecretPlace {
  readonly table: string
  readonly column: string
  readonly id: number
}

const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const shownMax = 4
/** Precedes the last characters of a secret in every answer. */
export const maskPrefix = '•••••'

/** Encrypts a value for its place. `secretKey` is the installation's own key. */
export function sealSecret(secretKey: string, place: SecretPlace, value: string): Buffer {
  return sealBytes(secretKey, place, Buffer.from(value, 'utf8'))
}

/** The same for the bytes of a file. */
export function sealBytes(secretKey: string, place: SecretPlace, value: Uint8Array): Buffer {
  const key = derivedKey(secretKey, 'seal')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(associatedData(place))
  const encrypted = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([keyIdOf(key), nonce, cipher.getAuthTag(), encrypted])
}

/** Decrypts the output of sealSecret for the same place. Throws if the key is different or the bytes were changed or moved. */
export function openSecret(secretKey: string, place: SecretPlace, sealed: Uint8Array): string {
  return openBytes(secretKey, place, sealed).toString('utf8')
}

/** The same for the bytes of a file. */
export function openBytes(secretKey: string, place: SecretPlace, sealed: Uint8Array): Buffer {
  const key = derivedKey(secretKey, 'seal')
  const bytes = Buffer.from(sealed)
  if (!bytes.subarray(0, keyIdBytes).equals(keyIdOf(key))) throw new Error(`${place.table}.${place.column} was sealed with another key`)
  const nonce = bytes.subarray(keyIdBytes, keyIdBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(associatedData(place))
  decipher.setAuthTag(bytes.subarray(keyIdBytes + nonceBytes, keyIdBytes + nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(keyIdBytes + nonceBytes + tagBytes)), decipher.final()])
}

/** A keyed hash that finds equal secrets of one column without opening any. */
export function fingerprintOf(secretKey: string, column: string, value: string): Buffer {
  return createHmac('sha256', derivedKey(secretKey, 'fingerprint')).update(`${column}\u0000${value}`).digest()
}

/** Returns the three columns of a secret field; all null for an emptied one. */
export function secretColumns(secretKey: string, place: SecretPlace, value: string | null): Record<string, Buffer | string | null> {
  const { column } = place
  if (value === null) return { [`${column}_encrypted`]: null, [`${column}_last4`]: null, [`${column}_fingerprint`]: null }
  return {
    [`${column}_encrypted`]: sealSecret(secretKey, place, value),
    [`${column}_last4`]: lastCharacters(value),
    [`${column}_fingerprint`]: fingerprintOf(secretKey, column, value),
  }
}

/** Returns true for the mask that a form sends back for an unchanged secret. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(maskPrefix)
}

/** Returns at most the last four characters, and never more than half: the rest of a short number could be guessed. */
function lastCharacters(value: string): string {
  return value.slice(value.length - Math.min(shownMax, Math.floor(value.length / 2)))
}

function derivedKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'meterbook', `secret ${purpose}`, 32))
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes)
}

function associatedData(place: SecretPlace): Buffer {
  return Buffer.from(`${place.table}.${place.column}.${place.id}`, 'utf8')
}
