/** A client, whose bills are managed. Everything below it belongs to it alone. */
import { z } from 'zod'
import { call, crudCalls, listReply, oneReply, optionsCall, optionsInput } from '../kernel/call.ts'
import { children, needed } from '../kernel/children.ts'
import {
  boolean,
  defaulted,
  derived,
  entity,
  helped,
  list,
  longText,
  optional,
  ref,
  shownOnly,
  text,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { searchCall } from '../kernel/lookup.ts'

export const billsDueOnDefault = 'Upon Receipt'

const billsDueOn = text('Bills Due On', 100)

/** The subscriptions of a client, which control menus and rights. */
export const subscriptionFields = {
  user_management: defaulted(boolean('User Management'), false),
  utility_payment_management: defaulted(boolean('Utility Payment Management'), false),
  accounting_batch_management: defaulted(boolean('Client Batch Management'), false),
  ledger_account_management: defaulted(boolean('Ledger Account Management'), false),
}

export const batchGroupShape = { name: needed('Missing Batch Group Name', text('Batch Group Name').schema) }

export const client = entity(
  'client',
  'clients',
  {
    name: text('Name'),
    short_code: text('Short Code', 40),
    identifier: text('Identifier', 100),
    active: defaulted(boolean('Active', { yes: 'Active', no: 'Deactivated' }), true),
    channel_partner_id: optional(ref('Channel Partner', 'channel_partners')),
    bills_due_on: defaulted(
      { ...billsDueOn, schema: z.preprocess((value) => (value === '' || value === null ? billsDueOnDefault : value), billsDueOn.schema) },
      billsDueOnDefault,
    ),
    notes: optional(longText('Notes')),
    logo: writeOnly(optional(text('Logo', 4_000))),
    file_url: shownOnly(optional(text('Logo'))),
    filename: derived(optional(text('Logo File'))),
    batch_groups: derived(list('Batch Groups', z.array(z.object({ id: z.int(), name: z.string() })))),
    batch_groups_attributes: children('Batch Groups', batchGroupShape),
    retrieval_provider: helped(
      optional(text('Retrieval Service', 100)),
      'Where the statements of this client are fetched from. Empty: the default of this installation.',
    ),
    ...subscriptionFields,
  },
  {
    filter: ['id', 'name', 'short_code', 'identifier', 'active', 'channel_partner_id', ...Object.keys(subscriptionFields)],
    sort: ['name', 'short_code', 'identifier', 'active', 'id'],
    defaultSort: 'name asc',
    sizes: [10, 20, 50, 100, 1000],
  },
)
export type Client = Row<typeof client>
export type ClientDraft = Draft<typeof client>

const option = z.object({ id: z.int(), name: z.string(), short_code: z.string(), active: z.boolean() })

const {
  list: listClients,
  get,
  create,
  update,
  exportCsv,
} = crudCalls(client, '/clients', { read: 'client.read', create: 'client.create', update: 'client.update', destroy: 'client.destroy' })

const flag = z.boolean().optional()
const subscriptions = z.strictObject({
  user_management: flag,
  utility_payment_management: flag,
  accounting_batch_management: flag,
  ledger_account_management: flag,
  lock_version: z.int().min(0).optional(),
})
export type Subscriptions = z.infer<typeof subscriptions>
const subscriptionsBody = z.object({ client: subscriptions })

function subscriptionsCall<Method extends 'PUT' | 'POST'>(method: Method) {
  return call({
    name: method === 'PUT' ? 'clients.subscriptions' : 'clients.subscriptions_post',
    method,
    path: '/clients/:id/subscriptions',
    may: 'client.update',
    summary: 'Sets what the client has subscribed to (PUT and POST do the same)',
    body: subscriptionsBody,
  })
}

/** Clients are created and changed, never deleted: their bills are kept. */
export const clientCalls = {
  list: listClients,
  get,
  create,
  update,
  exportCsv,
  selectOptions: optionsCall('clients', '/clients/select_options', 'client.read', option),
  selectOptionById: call({
    name: 'clients.select_option_by_id',
    method: 'GET',
    path: '/clients/select_option_by_id',
    may: 'client.read',
    summary: 'One client to pick',
    query: z.strictObject({ client_id: z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id') }),
    reply: oneReply('client', option),
  }),
  dropdownOptions: call({
    name: 'clients.dropdown_options',
    method: 'GET',
    path: '/clients/dropdown_options',
    may: 'signed_in',
    summary: 'The clients that you reach, for the client picker, 20 at a time',
    query: optionsInput,
    reply: listReply('clients', option),
  }),
  search: searchCall('clients', '/clients/search', 'client.read', option),
  subscriptions: subscriptionsCall('PUT'),
  subscriptionsPost: subscriptionsCall('POST'),
  retrievalServices: call({
    name: 'clients.retrieval_services',
    method: 'GET',
    path: '/clients/retrieval_services',
    may: 'setting.update',
    summary: 'The bill-retrieval services that are set up here, the default first',
    reply: z.object({ retrieval_services: z.array(z.object({ id: z.string(), label: z.string() })) }),
  }),
  utilityServices: call({
    name: 'clients.client_utility_services',
    method: 'GET',
    path: '/clients/:id/client_utility_services',
    may: 'client.read',
    summary: 'The utility services that the client’s accounts have',
    reply: z.object({ client_utility_services: z.array(z.object({ id: z.int(), name: z.string() })), total: z.int() }),
  }),
}
