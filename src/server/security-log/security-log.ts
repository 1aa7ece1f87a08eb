/** The security log: events that the kernel has stored, for whoever manages the people that they concern. */
import { securityEvent, securityEventCalls } from '#contract/security-log/security-event.ts'
import { securityKinds } from '#contract/security-log/security-kinds.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { exportHandler, listAnswer, resource } from '../kernel/lists/resource.ts'
import { inSight } from './event-reach.ts'
import { tiedPairHandlers } from './tied-pairs.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export { securityLogJobs } from './security-log-jobs.ts'

const severityOfKind = sql`case security_events.kind ${sql.join(
  securityKinds.map(({ value, severity }) => sql`when ${sql.lit(value)} then ${sql.lit(severity)}`),
  sql` `,
)} else 'info' end`

/** The parts of `detail` as `reason forbidden, status 403`. */
const detailText = sql`(select nullif(string_agg(part.key || ' ' || part.value, ', ' order by part.key), '')
  from jsonb_each_text(security_events.detail) part) collate natural_order`

const securityEvents = resource({
  entity: securityEvent,
  table: 'security_events',
  // Events without a client are visible by their person, so every query starts from `inSight`.
  scope: 'shared',
  joins: {
    person: sql`left join users person on person.id = security_events.user_id`,
    client: sql`left join clients on clients.id = security_events.client_id`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    severity: { sql: severityOfKind },
    client_id: { sql: sql`nullif(security_events.client_id, 0)` },
    client_name: { sql: sql.ref('clients.name'), joins: ['client'] },
    person: {
      sql: sql`coalesce(${nameOfUser('person', 'username')}, 'User #' || security_events.user_id) collate natural_order`,
      joins: ['person'],
    },
    detail: { sql: detailText },
  },
})

const asked = (context: Context) => ({
  reach: context.reach,
  ...inSight(context.principal, { of: `${context.principal.user_id} ${secondNow()}` }),
})

/** Events arrive without raising the version that totals depend on, and reach follows from roles, so a total is cached for a second. */
function secondNow(): string {
  return now().toISOString().slice(0, 19)
}

export const securityLogHandlers: readonly Handler[] = [
  handle(securityEventCalls.list, (context, { query }) => listAnswer(context, securityEvents, query, asked(context))),
  exportHandler(securityEventCalls.exportCsv, securityEvents, asked),
  ...tiedPairHandlers,
]
