/** A channel partner: a company that brings clients and looks after them. */
import { z } from 'zod'
import { call, crudCalls, optionsCall } from '../kernel/call.ts'
import { defaulted, derived, entity, list, optional, refs, shownOnly, text, writeOnly, type Draft, type Row } from '../kernel/entity.ts'
import { searchCall } from '../kernel/lookup.ts'

export const channelPartner = entity(
  'channel_partner',
  'channel_partners',
  {
    name: text('Name'),
    /** Clients in the reader's reach, by name. A client has at most one partner: adding it here removes it from another. */
    client_ids: defaulted(refs('Clients', 'clients'), []),
    client_names: derived(list('Clients', z.array(z.string()))),
    file_url: shownOnly(optional(text('Logo'))),
    filename: derived(optional(text('Logo File'))),
    /** The signed id of an upload; null removes the logo. */
    signed_file_id: writeOnly(optional(text('Logo', 4_000))),
    /** The same under the field name of a client's logo. */
    logo: writeOnly(optional(text('Logo', 4_000))),
  },
  { filter: ['id', 'name'], sort: ['name', 'id'], defaultSort: 'name asc' },
)
export type ChannelPartner = Row<typeof channelPartner>
export type ChannelPartnerDraft = Draft<typeof channelPartner>

const option = z.object({ id: z.int(), name: z.string() })

export const channelPartnerCalls = {
  ...crudCalls(channelPartner, '/channel_partners', {
    read: 'channel_partner.read',
    create: 'channel_partner.create',
    update: 'channel_partner.update',
    destroy: 'channel_partner.destroy',
  }),
  selectOptions: optionsCall('channel_partners', '/channel_partners/select_options', 'channel_partner.read', option),
  search: searchCall('channel_partners', '/channel_partners/search', 'channel_partner.read', option),
  flat: call({
    name: 'channel_partners.flat',
    method: 'GET',
    path: '/channel_partners/flat',
    may: 'signed_in',
    summary: 'The channel partners of the clients that you reach; all of them where you reach all clients',
    reply: z.object({ channel_partners: z.array(option) }),
  }),
}
