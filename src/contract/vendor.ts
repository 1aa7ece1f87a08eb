/** A vendor: the utility that sends bills and is paid. Reference data, kept by the provider's staff, read by every client. */
import { z } from 'zod'
import { call, crudCalls, listReply, optionsCall } from './kernel/call.ts'
import {
  boolean,
  defaulted,
  derived,
  entity,
  helped,
  integer,
  list,
  optional,
  refs,
  secret,
  text,
  writeOnly,
  type Draft,
  type Row,
} from './kernel/entity.ts'
import { listInputWith } from './kernel/query.ts'

export const paymentTermsDaysDefault = 19

export const vendor = entity(
  'vendor',
  'vendors',
  {
    name: text('Name'),
    short_code: text('Short Code', 40),
    street_address_1: optional(text('Street Address 1')),
    street_address_2: optional(text('Street Address 2')),
    city: optional(text('City', 100)),
    state: optional(text('State', 40)),
    zip: optional(text('Zipcode', 20)),
    country: optional(text('Country', 60)),
    phone: optional(text('Phone', 40)),
    po_box: optional(secret('Routing Number')),
    payment_identifier: optional(secret('Accounting Number')),
    tariffs_link: optional(text('W-9 Name')),
    payment_methods: derived(list('Payment Methods', z.array(z.object({ id: z.int(), name: z.string() })))),
    payment_method_ids: writeOnly(refs('Payment Methods', 'payment_methods', 20)),
    is_exclusive: helped(
      defaulted(boolean('Exclusive'), false),
      'Its bills can only be batched individually or with bills of the same vendor.',
    ),
    payment_terms_days: helped(
      defaulted(integer('Payment Terms (days)', { min: 0, max: 365 }), paymentTermsDaysDefault),
      'The due date of a statement that prints none is its bill date plus these days.',
    ),
    display_name: derived(text('Vendor')),
  },
  {
    filter: ['id', 'name', 'short_code', 'phone', 'city', 'state', 'is_exclusive'],
    sort: ['name', 'short_code', 'phone', 'city', 'state', 'is_exclusive', 'id'],
    defaultSort: 'name asc',
  },
)
export type Vendor = Row<typeof vendor>
export type VendorDraft = Draft<typeof vendor>

export const vendorCalls = {
  ...crudCalls(vendor, '/vendors', { read: 'vendor.read', create: 'vendor.create', update: 'vendor.update', destroy: 'vendor.destroy' }),
  list: call({
    name: 'vendors.list',
    method: 'GET',
    path: '/vendors',
    may: 'vendor.read',
    summary: 'Lists Vendors; `ids`, a comma list, names them',
    query: listInputWith({ ids: z.string().max(20_000).optional() }),
    reply: listReply('vendors', vendor.row),
  }),
  selectOptions: optionsCall(
    'vendors',
    '/vendors/select_options',
    'vendor.read',
    z.object({ id: z.int(), name: z.string(), display_name: z.string() }),
  ),
}
