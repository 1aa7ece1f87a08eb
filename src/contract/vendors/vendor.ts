/** A vendor: the utility that sends bills and is paid. Reference data, changed by the provider's staff, read by every client. */
import { z } from 'zod'
import { call, crudCalls, listReply, optionsCall } from '../kernel/call.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  email,
  entity,
  helped,
  instant,
  integer,
  list,
  optional,
  refs,
  secret,
  shownOnly,
  text,
  texts,
  writeOnly,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { searchCall } from '../kernel/lookup.ts'
import { accountHolderLengthMax, accountTypes } from './vendor-bank-change.ts'

export const paymentTermsDaysDefault = 19
/** Maximum aliases of one vendor. */
export const vendorAliasesMax = 5

/** Remittance information that a payment gives the vendor about its bills. */
export const remittanceChoices = [
  { value: 'ctx', label: 'One payment with all bills (CTX)' },
  { value: 'per_bill', label: 'A payment for each bill (CCD+)' },
  { value: 'none', label: 'No remittance' },
] as const

/** A zero payment that tests the account before money is sent there. */
export const prenoteStates = [
  { value: 'none', label: 'None' },
  { value: 'sent', label: 'Sent' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'returned', label: 'Returned' },
] as const

/** For users who change vendors: the change that waits for a second user, and the last one while it is recent. */
const bankNotes = z.object({
  waiting: z.object({ id: z.int(), requested_at: z.string(), requested_by: z.string() }).nullable(),
  changed: z.object({ at: z.string(), requested_by: z.string(), approved_by: z.string() }).nullable(),
})
export type BankNotes = z.infer<typeof bankNotes>

export const vendor = entity(
  'vendor',
  'vendors',
  {
    name: text('Name'),
    short_code: text('Short Code', 40),
    active: helped(defaulted(boolean('Active'), true), 'An inactive vendor is no longer offered for new accounts.'),
    aliases: helped(
      defaulted(texts('Aliases', { count: vendorAliasesMax, length: 255 }), []),
      'Other names under which bills and files know the vendor.',
    ),
    street_address_1: optional(text('Street Address 1')),
    street_address_2: optional(text('Street Address 2')),
    city: optional(text('City', 100)),
    state: optional(text('State', 40)),
    zip: optional(text('Zipcode', 20)),
    country: optional(text('Country', 60)),
    phone: optional(text('Phone', 40)),
    po_box: optional(secret('Routing Number')),
    payment_identifier: optional(secret('Accounting Number')),
    account_type: defaulted(choice('Account Type', accountTypes), 'checking'),
    account_holder: optional(text('Account Holder', accountHolderLengthMax)),
    bank_notes: shownOnly(optional(list('Bank Details', bankNotes))),
    remittance: defaulted(choice('Remittance', remittanceChoices), 'ctx'),
    prenote_state: helped(
      defaulted(choice('Prenote', prenoteStates), 'none'),
      'Payments by ACH wait three banking days after it was sent, and stop where it came back. New bank details begin with none.',
    ),
    prenote_date: optional(date('Prenote Date')),
    remittance_email: helped(optional(email('Remittance Email')), 'One address. Another address takes away the mark of a bounce.'),
    remittance_by_mail: helped(
      defaulted(boolean('Remittance by Mail'), false),
      'Each payment by the desk sends a remittance advice to the remittance email.',
    ),
    /** When an advice to the present address came back; none is sent while this is set. */
    remittance_bounced_at: shownOnly(optional(instant('Last Advice Bounced'))),
    remit_name: optional(text('Payee')),
    remit_street_address_1: optional(text('Remit Street Address 1')),
    remit_street_address_2: optional(text('Remit Street Address 2')),
    remit_city: optional(text('Remit City', 100)),
    remit_state: optional(text('Remit State', 40)),
    remit_zip: optional(text('Remit Zipcode', 20)),
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
    filter: ['id', 'name', 'short_code', 'active', 'phone', 'city', 'state', 'is_exclusive', 'remittance_email', 'remittance_by_mail'],
    sort: ['name', 'short_code', 'active', 'phone', 'city', 'state', 'is_exclusive', 'id'],
    defaultSort: 'name asc',
  },
)
export type Vendor = Row<typeof vendor>
export type VendorDraft = Draft<typeof vendor>

const vendorOption = z.object({ id: z.int(), name: z.string(), display_name: z.string() })

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
  selectOptions: optionsCall('vendors', '/vendors/select_options', 'vendor.read', vendorOption),
  clientSearch: searchCall('vendors', '/clients/:client_id/vendors/search', 'vendor.read', vendorOption),
}
