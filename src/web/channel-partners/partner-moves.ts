/** Clients that a partner would take from another one. A client has one partner, and the former partner's administrators lose access to it. */
import { channelPartner, channelPartnerCalls } from '#contract/clients/channel-partner.ts'
import { clientCalls } from '#contract/clients/client.ts'
import { callApi } from '../kernel/api.ts'

export interface Move {
  readonly client: string
  readonly from: string
}

/** Returns those of the clients that currently belong to another partner. */
export async function movesOf(clientIds: readonly number[], partnerId: number | undefined, signal?: AbortSignal): Promise<Move[]> {
  if (clientIds.length === 0) return []
  const query = { values: JSON.stringify(clientIds), per: clientIds.length, with_total: 'false' } as const
  const [{ clients }, { channel_partners }] = await Promise.all([
    callApi(clientCalls.list, { query, signal }),
    callApi(channelPartnerCalls.flat, { signal }),
  ])
  const names = new Map(channel_partners.map(({ id, name }) => [id, name]))
  return clients.flatMap(({ name, channel_partner_id: id }) =>
    id === null || id === partnerId ? [] : [{ client: name, from: names.get(id) ?? 'another partner' }],
  )
}

/** Returns the client ids in a form's body; none if it does not change them. */
export function clientsSent(body: Readonly<Record<string, unknown>>): readonly number[] {
  return channelPartner.patch.parse(body['channel_partner']).client_ids ?? []
}
