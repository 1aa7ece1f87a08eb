/** Clients from a CSV file. */
import { clientImport } from '#contract/clients/import-reference.ts'
import { partnersOf } from '../channel-partners/channel-partners.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'

export function clientTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: clientImport,
    source,
    may: { create: 'client.create', update: 'client.update' },
    initial: partnerOfNew,
    staysBecause: 'Clients are never deleted. Deactivate them instead.',
    // Cached sessions with their clients and subscriptions are dropped.
    after: ({ afterCommit, machinery }) => {
      afterCommit(() => machinery.sessions.forgetAll())
      return Promise.resolve()
    },
  }
}

/** Users who reach all clients may create one anywhere; a partner's administrator creates clients of that partner. */
async function partnerOfNew(context: Context): Promise<Record<string, number>> {
  if (reachesEveryClient(context.reach)) return {}
  const [first] = await partnersOf(context)
  if (first === undefined) throw forbidden('Only who reaches all clients can make a new one.')
  return { channel_partner_id: first }
}
