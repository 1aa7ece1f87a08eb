/** The logo in the header if the current client has none: that of the user's channel partner (G-LOGO). */
import { providerRoles } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { logoUrl } from './logo.ts'

/**
 * A partner's administrators see their own partner's logo, users of a client that of the client's partner; the provider's staff sees none.
 * Inside a client it is that client's partner; across clients it is the only partner, or none if there are several. Null if the partner has no
 * logo.
 */
export async function partnerLogoUrl(
  context: Pick<Context, 'tx' | 'principal' | 'machinery'>,
  clientId: number | undefined,
): Promise<string | null> {
  const { tx, principal } = context
  const clientIds = principal.grants.flatMap(({ clients }) => (clients === 'all' ? [] : clients))
  if (principal.grants.some(({ role }) => providerRoles.some((one) => one === role))) return null
  const { rows } = await sql<{ key: string | null; filename: string | null; content_type: string | null }>`
    with partner as (
      select channel_partner_id as id from clients
      where channel_partner_id is not null and ${clientId === undefined ? sql`id = any(${clientIds}::bigint[])` : sql`id = ${clientId}`}
      union
      select channel_partner_id from user_roles
      where channel_partner_id is not null and user_id = ${principal.user_id} and ${clientId === undefined}
    )
    select logo.key, logo.filename, logo.content_type from partner
    join channel_partners on channel_partners.id = partner.id left join files logo on logo.id = channel_partners.logo_file_id`.execute(tx)
  const [logo, another] = rows
  if (another) return null
  const { key, filename, content_type: contentType } = logo ?? {}
  return key && filename && contentType ? logoUrl(context, { key, filename, contentType }) : null
}
