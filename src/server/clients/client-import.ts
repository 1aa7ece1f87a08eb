/** Clients from a CSV file. */
import { clientImport } from '#contract/import-reference.ts'
import { sql, type SqlBool } from 'kysely'
import { partnersOf } from '../channel-partners/channel-partners.ts'
import type { Context } from '../kernel/context.ts'
import type { ImportCheck, ImportCheckParts, ImportTarget } from '../kernel/import-target.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'

export function clientTarget(source: ImportTarget['source']): ImportTarget {
  return {
    kind: clientImport,
    source,
    may: { create: 'client.create', update: 'client.update' },
    initial: partnerOfNew,
    checks: clientChecks,
    staysBecause: 'Clients are never deleted. Deactivate them instead.',
    // What a sign-in remembers of its clients and their subscriptions is read anew.
    after: ({ afterCommit, services }) => {
      afterCommit(() => services.sessions.forgetAll())
      return Promise.resolve()
    },
  }
}

/** Who reaches all clients makes one anywhere; a partner's administrator makes clients of that partner. */
async function partnerOfNew(context: Context): Promise<Record<string, number>> {
  if (reachesEveryClient(context.reach)) return {}
  const [first] = await partnersOf(context)
  if (first === undefined) throw forbidden('Only who reaches all clients can make a new one.')
  return { channel_partner_id: first }
}

function clientChecks({ reach, item, draft, has }: ImportCheckParts): ImportCheck[] {
  if (reachesEveryClient(reach)) return []
  const code = draft('short_code')
  const taken: ImportCheck = {
    column: 'short_code',
    message: 'Short Code is taken already',
    when: sql<SqlBool>`${item('id')} is null and exists (select from clients other where other.short_code = ${code})`,
  }
  const moved: ImportCheck = {
    column: 'channel_partner',
    message: 'Only provider staff can move a client to another channel partner',
    when: sql<SqlBool>`${item('id')} is not null and ${draft('channel_partner_id')} is not null`,
  }
  return has('channel_partner_id') ? [taken, moved] : [taken]
}
