/** A channel partner: a company that brings clients and looks after them. */
import { z } from 'zod'
import { call } from './kernel/call.ts'

export const channelPartnerCalls = {
  flat: call({
    name: 'channel_partners.flat',
    method: 'GET',
    path: '/channel_partners/flat',
    may: 'signed_in',
    summary: 'The channel partners of the clients that you reach; all of them where you reach all clients',
    reply: z.object({ channel_partners: z.array(z.object({ id: z.int(), name: z.string() })) }),
  }),
}
