/**
 * With whom a view is shared: the people of a client, of a channel partner, or the staff who reach every client. What a view holds, such as
 * an account number in a filter, may lie anywhere in the client, so a role that is narrowed inside it neither shares nor sees one.
 */
import { sql, type SqlBool } from 'kysely'
import { partnersOf } from '../channel-partners/channel-partners.ts'
import { clientScope, isWholeRole } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { or, scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { covers, isNarrowed, reachesEveryClient, reachesWhole, reachOf, wholeReach, type Principal } from '../kernel/principal.ts'
import { forbidden, invalid, unknownRecords } from '../kernel/problem.ts'

/** Neither id: the staff. */
export interface Audience {
  readonly clientId: number | null
  readonly partnerId: number | null
}

/** A person who may change divisions speaks for the client: its manager and its administrator may, a reader may not. */
const speaking = 'division.update'
const staff: Audience = { clientId: null, partnerId: null }

/** With whom the caller shares. Throws forbidden where they may not, and 422 where they have to say with whom. */
export async function audienceOf(context: Context, clientId: number | undefined): Promise<Audience> {
  const { principal } = context
  const reach = reachOf(principal, speaking)
  if (clientId !== undefined) {
    const isKnown = principal.grants.some(({ clients }) => covers(clients, clientId))
    if (!isKnown) throw unknownRecords('client_id')
    if (!reachesWhole(reach, clientId)) throw forbidden('Only who changes the whole client shares views with its people.')
    return { clientId, partnerId: null }
  }
  if (reachesEveryClient(reach)) return staff
  const partners = await partnersOf(context)
  const clients = partners.length > 0 ? [] : namedClients(principal).filter((id) => reachesWhole(reach, id))
  const [partnerId = null] = partners
  const [only = null] = clients
  if (partnerId === null && only === null) throw forbidden('Only who changes a whole client shares views with its people.')
  if (partners.length + clients.length > 1) throw invalid({ client_id: ['Choose the client whose people see the view'] })
  return { clientId: only, partnerId }
}

/** Throws forbidden where the caller no longer speaks for those with whom the view is shared. */
export async function mustStillShare(context: Context, { clientId, partnerId }: Audience): Promise<void> {
  const reach = reachOf(context.principal, speaking)
  const ofClient = clientId !== null && reachesWhole(reach, clientId)
  const ofPartner = partnerId !== null && (await partnersOf(context)).includes(partnerId)
  const ofStaff = clientId === null && partnerId === null && reachesEveryClient(reach)
  if (!ofClient && !ofPartner && !ofStaff)
    throw forbidden('You may no longer share views with these people. Take the sharing back, or delete the view.')
}

/** The rows of `view` that the caller sees. With a client, of the views of clients that one's only. */
export function isSeen({ principal }: Pick<Context, 'principal'>, clientId?: number): Condition {
  return or([sql<SqlBool>`view.user_id = ${principal.user_id}`, sql<SqlBool>`(view.shared and ${isAmong(principal, clientId)})`])
}

function isAmong(principal: Principal, clientId: number | undefined): Condition {
  const reach = wholeReach(principal)
  const ids = clientId === undefined ? namedClients(principal) : reachesWhole(reach, clientId) ? [clientId] : []
  return or([
    sql<SqlBool>`view.shared_client_id = any(${ids}::bigint[])`,
    administersPartner({ principal }),
    ...(reachesEveryClient(reach) ? [sql<SqlBool>`(view.shared_client_id is null and view.shared_partner_id is null)`] : []),
  ])
}

/** Whether the caller administers the partner of the row `view`. */
export function administersPartner({ principal }: Pick<Context, 'principal'>): Condition {
  return sql<SqlBool>`view.shared_partner_id in (select held.channel_partner_id from user_roles held join roles on roles.id = held.role_id
    where held.user_id = ${principal.user_id} and roles.name = 'channel_partner_admin' and ${isWholeRole('held')})`
}

/** Whether the caller still reaches the client of the row `view`, and so its name. */
export function reachesClient({ principal }: Pick<Context, 'principal'>): Condition {
  return scopeCondition({ scope: clientScope }, { reach: wholeReach(principal) })
}

/** The clients that one's roles name as a whole. Of all clients together there would be too many views. */
function namedClients({ grants }: Principal): number[] {
  return [...new Set(grants.flatMap((grant) => (grant.clients === 'all' || isNarrowed(grant) ? [] : grant.clients)))]
}
