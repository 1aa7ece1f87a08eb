/** The clients of a channel partner. A client may join from no partner or from another one; removed clients have none. */
import type { ChannelPartner, ChannelPartnerDraft } from '#contract/clients/channel-partner.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { covers, reachesEveryClient } from '../kernel/principal.ts'
import { invalid } from '../kernel/problem.ts'

/** Throws 422 if anyone but the provider's staff would change a partner's clients, because they decide who sees them. */
export function mayChoose({ reach }: Pick<Context, 'reach'>, { client_ids: wanted }: Partial<ChannelPartnerDraft>, before: ChannelPartner) {
  if (!wanted || reachesEveryClient(reach)) return
  const stored = new Set(before.client_ids)
  if (wanted.length !== stored.size || wanted.some((id) => !stored.has(id)))
    throw invalid({ client_ids: ['Only provider staff can change the clients of a channel partner'] })
}

/** Sets the partner's clients to exactly these, with a row in each client's trail. Undefined leaves them unchanged. */
export async function saveClients(context: Context, partnerId: number, wanted: readonly number[] | undefined): Promise<void> {
  if (!wanted) return
  const { rows } = await sql<{ id: number; from: number | null; to: number | null }>`
    with moving as (
      select id, channel_partner_id from clients
      where (id = any(${wanted}::bigint[])) <> (channel_partner_id is not distinct from ${partnerId}::bigint) order by id for update
    )
    update clients set channel_partner_id = case when moving.channel_partner_id is not distinct from ${partnerId}::bigint then null else ${partnerId}::bigint end,
      lock_version = lock_version + 1, updated_at = now()
    from moving where clients.id = moving.id
    returning clients.id, moving.channel_partner_id as "from", clients.channel_partner_id as "to"`.execute(context.tx)
  await context.audit.many(
    rows.map(({ id, from, to }) => ({
      event: 'update',
      item_type: 'client',
      item_id: id,
      client_id: id,
      changes: { channel_partner_id: { from, to } },
    })),
  )
}

/** Keeps only the clients of each partner that the reader reaches. */
export function withReachedClients({ reach }: Pick<Context, 'reach'>, rows: readonly ChannelPartner[]): ChannelPartner[] {
  if (reachesEveryClient(reach)) return [...rows]
  const isReached = (id: number) => reach.some(({ clients }) => covers(clients, id))
  return rows.map((row) => ({
    ...row,
    client_ids: row.client_ids.filter(isReached),
    // Both lists are in the same order.
    client_names: row.client_names.filter((_, at) => isReached(row.client_ids[at] ?? 0)),
  }))
}
