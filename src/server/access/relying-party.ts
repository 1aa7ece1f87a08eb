/** For which address passkeys are made: browsers offer one to no other. */
import type { FastifyRequest } from 'fastify'

export interface PasskeyPlace {
  readonly publicUrl: string | undefined
  readonly production: boolean
}

export interface RelyingParty {
  /** The host, without the port. */
  readonly id: string
  readonly origin: string
}

/**
 * Returns the party of `PUBLIC_URL`. Without it a development server takes the request's own host, because it is reached by several names,
 * and passkeys are not made for the address 127.0.0.1.
 */
export function relyingPartyOf({ publicUrl, production }: PasskeyPlace, listensAt: string, request: FastifyRequest): RelyingParty {
  const own = production ? listensAt : `${request.protocol}://${request.host}`
  const { hostname, origin } = new URL(publicUrl ?? own)
  return { id: hostname, origin }
}
