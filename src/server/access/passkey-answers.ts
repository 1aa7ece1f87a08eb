/** Verifies what a browser sends of a passkey. The bytes are read and the signatures checked by @simplewebauthn/server. */
import type { Assertion, Attestation } from '#contract/access/passkey.ts'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import type { HeldPasskey, NewPasskey } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'

/** ES256, EdDSA and RS256, which every authenticator knows one of. */
export const passkeyAlgorithms: number[] = [-7, -8, -257]

/** Why an answer is refused: for the log of the process, and nobody else. */
export interface Refused {
  readonly reason: string
}

/** Reads a new passkey that has signed the challenge for this address, after its person was verified by PIN or body. */
export async function readAttestation(
  party: RelyingParty,
  given: Attestation,
  challenge: string,
): Promise<Omit<NewPasskey, 'name'> | Refused> {
  const { clientDataJSON, attestationObject, transports = [] } = given.response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    })
    if (!verified) return { reason: 'the new passkey does not prove itself' }
    const { credential, credentialBackedUp: backed_up } = registrationInfo
    return { credential_id: credential.id, public_key: credential.publicKey, counter: credential.counter, transports, backed_up }
  } catch (error) {
    return reasonOf(error)
  }
}

export interface Used {
  readonly counter: number
  readonly backed_up: boolean
}

/** Verifies that this passkey has signed the challenge for this address, after its person was verified, with a counter that has risen. */
export async function readAssertion(party: RelyingParty, held: HeldPasskey, given: Assertion, challenge: string): Promise<Used | Refused> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = given.response
  if (userHandle && userHandle !== userHandleOf(held.user_id)) return { reason: 'the passkey names somebody else' }
  const { credential_id: id, counter } = held
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id, publicKey: Uint8Array.from(held.public_key), counter },
    })
    if (!verified) return { reason: 'the signature is wrong' }
    return { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp }
  } catch (error) {
    return reasonOf(error)
  }
}

const clientData = z.object({ challenge: z.string() })

/** Returns the challenge that was signed, as base64url; empty where none can be read. */
export function challengeSigned({ clientDataJSON }: { readonly clientDataJSON: string }): string {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).challenge
  } catch {
    return ''
  }
}

/** The name under which an authenticator keeps a person: their id, which says nothing about them. */
export function userHandleOf(userId: number): string {
  return Buffer.from(String(userId)).toString('base64url')
}

/** The library throws a sentence for each thing that is wrong. */
function reasonOf(error: unknown): Refused {
  return { reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' }
}
