/**
 * Channel partners, who bring clients. The provider's staff creates them and assigns their clients; a partner's administrator sees that partner
 * alone and may change its name and logo.
 */
import { channelPartner, channelPartnerCalls, type ChannelPartner, type ChannelPartnerDraft } from '#contract/clients/channel-partner.ts'
import { dropdownPageSize } from '#contract/kernel/lookup.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { reachesEveryClient } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  createRow,
  destroyRow,
  listAnswer,
  optionsAnswer,
  presented,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { logoColumns, logoJoin, noteLogo, savedLogo, withLogoUrls } from './logo.ts'
import { mayChoose, saveClients, withReachedClients } from './partner-clients.ts'
import { clientNamesCell, partnersAsked, partnersOf } from './partner-reach.ts'

export { partnerLogoUrl } from './partner-logo.ts'
export { partnersOf } from './partner-reach.ts'
export { logoColumns, logoJoin, noteLogo, savedLogo, withLogoUrls } from './logo.ts'

export const channelPartners = resource({
  entity: channelPartner,
  table: 'channel_partners',
  scope: 'shared', // partnersAsked restricts to the reach: a partner has no single client
  joins: { logo: logoJoin('channel_partners') },
  columns: {
    ...logoColumns,
    client_ids: { sql: sql`array(select id from clients where clients.channel_partner_id = channel_partners.id order by name, id)` },
    client_names: { sql: sql`array(select name from clients where clients.channel_partner_id = channel_partners.id order by name, id)` },
  },
  cells: { client_names: clientNamesCell },
  search: ['name'],
  check: checkPartner,
  present: async (context, rows) => withReachedClients(context, withLogoUrls(context, rows)),
})

const saving: Saving<typeof channelPartner.fields> = {
  added: (context, draft) => {
    const { field, signedId } = logoOf(draft)
    return savedLogo(context, signedId, field)
  },
  children: async (context, draft, row, before) => {
    await saveClients(context, row.id, draft.client_ids)
    await noteLogo(context, 'channel_partner', logoOf(draft).signedId, row, before)
    // Sessions cache the clients that a partner's administrator reaches.
    if (draft.client_ids) context.afterCommit(() => context.machinery.sessions.forgetAll())
  },
}
const optionKeys = ['id', 'name'] as const

export const channelPartnerHandlers: readonly Handler[] = [
  handle(channelPartnerCalls.list, (context, { query }) => listAnswer(context, channelPartners, query, partnersAsked(context))),
  handle(channelPartnerCalls.get, async (context, { params }) =>
    answerOne('channel_partner', await readRow(context, channelPartners, params.id, partnersAsked(context))),
  ),
  handle(channelPartnerCalls.create, async (context, { body }) => {
    mustBeStaff(context)
    const row = await createRow(context, channelPartners, body.channel_partner, undefined, saving)
    return answerWrite(channelPartner, 'created', await presented(context, channelPartners, row))
  }),
  handle(channelPartnerCalls.update, async (context, { params, body }) => {
    const row = await updateRow(context, channelPartners, params.id, body.channel_partner, partnersAsked(context), saving)
    return answerWrite(channelPartner, 'updated', await presented(context, channelPartners, row))
  }),
  handle(channelPartnerCalls.destroy, async (context, { params }) => {
    mustBeStaff(context)
    await readRow(context, channelPartners, params.id, partnersAsked(context))
    await mustBeUnused(context, params.id)
    await destroyRow(context, channelPartners, params.id, partnersAsked(context))
    return { success: true, message: 'Channel Partner deleted' }
  }),
  handle(channelPartnerCalls.exportCsv, (context, { query }) => startExport(context, channelPartners, query, partnersAsked(context))),
  handle(channelPartnerCalls.selectOptions, (context, { query }) =>
    optionsAnswer(context, channelPartners, query, partnersAsked(context), optionKeys),
  ),
  handle(channelPartnerCalls.search, (context, { query: { q, search_term, page, per = dropdownPageSize } }) =>
    optionsAnswer(context, channelPartners, { search_term: search_term ?? q, page, per }, partnersAsked(context), optionKeys),
  ),
  handle(channelPartnerCalls.flat, async (context) => {
    const { channel_partners } = await optionsAnswer(context, channelPartners, { with_total: 'false' }, partnersAsked(context), optionKeys)
    return { channel_partners }
  }),
]

async function checkPartner(context: Context, draft: Partial<ChannelPartnerDraft>, before: ChannelPartner | null): Promise<void> {
  if (!before || reachesEveryClient(context.reach)) return
  // Staff of some clients may read the partner of one of them, but it has other clients too.
  if (!(await partnersOf(context)).includes(before.id)) throw forbidden()
  mayChoose(context, draft, before)
}

function mustBeStaff({ reach }: Context): void {
  if (!reachesEveryClient(reach)) throw forbidden('Only who reaches all clients can make or delete channel partners.')
}

/** Names the clients and users that prevent deletion. The database refuses any added in between. */
async function mustBeUnused({ tx }: Context, id: number): Promise<void> {
  const { rows } = await sql<{ clients: number; users: number }>`select
    (select count(*) from clients where channel_partner_id = ${id}) as clients,
    (select count(distinct user_id) from user_roles where channel_partner_id = ${id}) as users`.execute(tx)
  const { clients = 0, users = 0 } = rows[0] ?? {}
  const holders = [...(clients > 0 ? [counted(clients, 'client')] : []), ...(users > 0 ? [counted(users, 'user')] : [])]
  if (holders.length > 0) throw refused(`This channel partner still has ${holders.join(' and ')}. Move them first, then delete it.`)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A logo may be sent under either name. */
function logoOf({ signed_file_id, logo }: Partial<ChannelPartnerDraft>): { field: string; signedId: string | null | undefined } {
  return signed_file_id === undefined ? { field: 'logo', signedId: logo } : { field: 'signed_file_id', signedId: signed_file_id }
}
