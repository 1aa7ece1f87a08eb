/** Facts about requests that hooks and handlers learn on the way, for the security log. */
import type { SecurityKind } from '#contract/security-log/security-kinds.ts'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../principal.ts'

/** Two events are lines of the log only: the audit log has each sign-in, and a token is used all the time. */
export type SecurityEvent = SecurityKind | 'sign_in' | 'api_key_used'

interface Known {
  principal?: Principal
  /** The code of the failure that was answered. */
  code?: string
  /** The events that a handler has noted. */
  events?: readonly SecurityEvent[]
  /** The user of the second factor, where nobody is signed in yet. */
  personId?: number
}

const known = new WeakMap<FastifyRequest, Known>()

export function knownOf(request: FastifyRequest): Known {
  const found = known.get(request) ?? {}
  known.set(request, found)
  return found
}

/** Notes the proven caller of a request. It is kept where the request is refused later. */
export function noteVisitor(request: FastifyRequest, principal: Principal): void {
  knownOf(request).principal = principal
}

export function noteRefusal(request: FastifyRequest, code: string): void {
  knownOf(request).code = code
}

/** Notes whom a request concerns while nobody is signed in. */
export function notePerson(request: FastifyRequest, personId: number): void {
  knownOf(request).personId = personId
}

/** Notes an event that the route does not show. `personId` names the person concerned while nobody is signed in. */
export function noteEvent(request: FastifyRequest, event: SecurityEvent, personId?: number): void {
  const facts = knownOf(request)
  facts.events = [...(facts.events ?? []), event]
  if (personId !== undefined) notePerson(request, personId)
}
