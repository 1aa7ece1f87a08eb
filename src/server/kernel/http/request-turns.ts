/** Limits how many requests are handled at once, in total and per person, tenant or network. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '#contract/kernel/call.ts'
import { networkOf } from './networks.ts'
import type { Principal } from '../principal.ts'
import { Failure } from '../problem.ts'
import { createTurns, type Share, type Turns } from './turns.ts'

/** Requests that may wait in the whole process, and how long (ms) each may wait. */
const waitingMax = 300
const waitMs = 10_000
/** A page of the console sends about ten requests at once; those of several windows wait for each other. */
const ofPerson = { running: 6, waiting: 60 }
const ofNetwork = { running: 4, waiting: 60 }
/**
 * Seconds of handling within the last minute or so, after which a person or tenant gets fewer turns at once: two for a person, half for a
 * tenant.
 */
const personSecondsMax = 30
const tenantSecondsMaxPerTurn = 15
const heavy = { waiting: 40, waitingOfOne: 20 }

/**
 * A rate-limit refusal is delayed by this time, so that a program that retries at once asks less often. Beyond this number of delayed
 * refusals, further ones are answered at once.
 */
const holdMs = 1_000
const heldMax = 1_000

export interface RequestTurns {
  readonly turns: Turns
  sharesOf(call: Call, principal: Principal | null, ip: string): readonly Share[]
  /** Runs work that may refuse because of a rate limit, and delays the refusal. */
  holding<T>(work: () => T | Promise<T>): Promise<T>
}

/**
 * `connections`: number of database connections for requests, which is how many are handled at once. `factor` multiplies the number that
 * may wait.
 */
export function createRequestTurns(connections: number, factor = 1): RequestTurns {
  const part = (share: number): number => Math.max(1, Math.ceil(connections * share))
  let held = 0
  return {
    turns: createTurns({ running: connections, waiting: waitingMax * factor, waitMs }),
    sharesOf(call, principal, ip) {
      if (!principal) {
        return [
          { key: `network ${networkOf(ip)}`, running: Math.min(ofNetwork.running, part(0.4)), waiting: ofNetwork.waiting * factor },
          { key: 'anonymous', running: part(0.5), waiting: waitingMax * factor },
        ]
      }
      const person: Share = {
        key: `user ${principal.user_id}`,
        running: Math.min(ofPerson.running, part(0.6)),
        waiting: ofPerson.waiting * factor,
        runningWhenSpent: Math.min(2, part(0.3)),
        spendingMax: personSecondsMax,
      }
      const tenant = tenantOf(principal)
      const own = tenant === null ? [person] : [person, tenantShare(tenant)]
      if (!call.heavy) return own
      const one = { running: 1, waiting: heavy.waitingOfOne * factor }
      return [
        ...own,
        { key: 'heavy', running: part(0.1), waiting: heavy.waiting * factor },
        ...own.map(({ key }) => ({ key: `heavy ${key}`, ...one })),
      ]
    },
    async holding(work) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Failure && error.code === 'too_many' && held < heldMax) {
          held += 1
          await sleep(holdMs)
          held -= 1
        }
        throw error
      }
    },
  }

  function tenantShare(tenant: string): Share {
    return {
      key: tenant,
      running: part(0.8),
      waiting: waitingMax * factor,
      runningWhenSpent: part(0.5),
      spendingMax: connections * tenantSecondsMaxPerTurn,
    }
  }
}

const tenants = new WeakMap<Principal, string>()

/**
 * Callers that reach the same clients form one tenant: the people of a client or of a channel partner. The provider's staff have no tenant.
 */
function tenantOf(principal: Principal): string | null {
  const known = tenants.get(principal)
  if (known !== undefined) return known
  const clients = principal.grants.flatMap((grant) => (grant.clients === 'all' ? [] : grant.clients))
  if (clients.length === 0 || principal.grants.some((grant) => grant.clients === 'all')) return null
  const tenant = `clients ${[...new Set(clients)].toSorted().join(' ')}`
  tenants.set(principal, tenant)
  return tenant
}
