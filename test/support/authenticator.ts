/** An authenticator made of node:crypto, which makes passkeys and signs with them as a phone does, or wrongly where a test says so. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface SoftPasskey {
  readonly id: string
  readonly userHandle: string
  readonly privateKey: KeyObject
  /** Raised with each use; set it back to be the copy of an authenticator. */
  counter: number
}

/** What differs from a right answer. */
export interface Otherwise {
  readonly origin?: string
  readonly rpId?: string
  readonly verified?: boolean
  readonly userHandle?: string | undefined
  readonly type?: string
}

/** Flags of the authenticator data: the person is present, was verified, and a new key follows. */
const present = 0x01
const verifiedFlag = 0x04
const keyFollows = 0x40

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), head, more])
}

interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

/** Makes a passkey as `navigator.credentials.create` does. */
export function makePasskey(options: CreationOptions, origin: string, otherwise: Otherwise = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
    [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const cosePublicKey = isoCBOR.encode(cose)
  const key = Buffer.concat([Buffer.alloc(16), length, id, cosePublicKey])
  const flags = present | keyFollows | (otherwise.verified === false ? 0 : verifiedFlag)
  const authData = Uint8Array.from(authenticatorData(otherwise.rpId ?? options.rp.id, flags, 0, key))
  const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  const passkey: SoftPasskey = { id: base64(id), userHandle: options.user.id, privateKey, counter: 0 }
  const response = {
    clientDataJSON: base64(clientData(otherwise.type ?? 'webauthn.create', options.challenge, otherwise.origin ?? origin)),
    attestationObject: base64(isoCBOR.encode(attestation)),
    transports: ['internal'],
  }
  return { passkey, publicKey: cosePublicKey, credential: { id: passkey.id, rawId: passkey.id, type: 'public-key', response } }
}

export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** Signs a challenge as `navigator.credentials.get` does. */
export function usePasskey(passkey: SoftPasskey, options: RequestOptions, origin: string, otherwise: Otherwise = {}) {
  passkey.counter++
  const flags = present | (otherwise.verified === false ? 0 : verifiedFlag)
  const data = authenticatorData(otherwise.rpId ?? options.rpId, flags, passkey.counter)
  const client = clientData(otherwise.type ?? 'webauthn.get', options.challenge, otherwise.origin ?? origin)
  const response = {
    clientDataJSON: base64(client),
    authenticatorData: base64(data),
    signature: base64(sign('sha256', Buffer.concat([data, sha256(client)]), passkey.privateKey)),
    userHandle: 'userHandle' in otherwise ? otherwise.userHandle : passkey.userHandle,
  }
  return { id: passkey.id, rawId: passkey.id, type: 'public-key', response }
}
