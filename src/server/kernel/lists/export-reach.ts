/** The reach of an export when it runs: what the caller had and still has. */
import type { May } from '#contract/kernel/permission.ts'
import { reachOf, wholeReach, type Principal, type Reach } from '../principal.ts'

/** Returns the part of the reach at the time of the request that still exists now. */
export function presentReach(then: Reach, principal: Principal, may: May | undefined): Reach {
  const present = may === undefined || may === 'signed_in' ? wholeReach(principal) : reachOf(principal, may)
  return then.flatMap((part) =>
    present.flatMap((other) => {
      const clients = commonClients(part.clients, other.clients)
      const narrowed = commonNarrowing(part.narrowed, other.narrowed)
      const wasEmpty = part.clients.length === 0 && other.clients.length === 0
      return narrowed === null || (clients !== 'all' && clients.length === 0 && !wasEmpty) ? [] : [{ clients, narrowed }]
    }),
  )
}

function commonClients(one: Reach[number]['clients'], other: Reach[number]['clients']): Reach[number]['clients'] {
  if (one === 'all') return other
  return other === 'all' ? one : one.filter((id) => other.includes(id))
}

/** Returns the narrower of the two. Returns null if both are narrowed and differ, so that nothing is reached. */
function commonNarrowing(one: Reach[number]['narrowed'], other: Reach[number]['narrowed']): Reach[number]['narrowed'] | null {
  if (Object.keys(other).length === 0) return one
  if (Object.keys(one).length === 0) return other
  return JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted()) ? one : null
}
