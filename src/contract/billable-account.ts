/** A billable account: what a vendor bills a facility under, with its services (meters). */
import { z } from 'zod'
import { accountAddress } from './address.ts'
import { call, crudCalls, listReply, optionsCall } from './kernel/call.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  entity,
  helped,
  integer,
  list,
  longText,
  optional,
  ref,
  text,
  type Draft,
  type Row,
} from './kernel/entity.ts'
import { listInputWith } from './kernel/query.ts'
import { idsInput, searchCall } from './lookup.ts'

export const billingPeriods = [
  { value: 0, label: 'Weekly' },
  { value: 1, label: 'Bi-Weekly' },
  { value: 2, label: 'Monthly' },
  { value: 3, label: 'Quarterly' },
] as const

/** Days between two bills. */
export const billingCycleDefault = 30

/** What an account's services are, for icons: the utility service's name and the symbol of the unit that its usage comes in. */
export const serviceType = z.object({ name: z.string(), symbol: z.string().nullable() })
export type ServiceType = z.infer<typeof serviceType>

/** Page sizes that the account lists offer. */
export const accountPageSizes = [10, 20, 50, 100, 200] as const

export const billableAccount = entity(
  'billable_account',
  'billable_accounts',
  {
    active: defaulted(boolean('Active'), true),
    is_group_account: helped(
      defaulted(boolean('Group Account'), false),
      'A group account gathers other accounts as its subaccounts. It cannot change once the account has services.',
    ),
    facility_id: ref('Facility', 'facilities'),
    vendor_id: ref('Vendor', 'vendors'),
    utility_service_id: optional(ref('Utility Service', 'utility_services')),
    name: text('Name'),
    account_number: text('Account Number', 100),
    tax_id: optional(text('Tax ID', 100)),
    ...accountAddress,
    billing_period: optional(choice('Billing Period', billingPeriods)),
    billing_cycle: defaulted(integer('Billing Cycle', { min: 1, max: 400 }), billingCycleDefault),
    notes: optional(longText('Notes')),
    services_count: derived(integer('Services')),
    service_names: derived(list('Service Names', z.array(z.string()))),
    service_types: derived(list('Service Types', z.array(serviceType))),
    last_bills_date: derived(optional(date('Last Bill Date'))),
    facility: derived(text('Facility')),
    division_id: derived(ref('Division', 'divisions')),
    division_name: derived(text('Division')),
    vendor_name: derived(text('Vendor')),
    group_account_id: derived(optional(ref('Group Account', 'group_accounts'))),
    client_id: derived(ref('Client', 'clients')),
    client: derived(text('Client')),
  },
  {
    filter: [
      'id',
      'active',
      'is_group_account',
      'name',
      'account_number',
      'city',
      'state',
      'zip',
      'billing_period',
      'facility_id',
      'facility',
      'division_id',
      'division_name',
      'vendor_id',
      'vendor_name',
      'utility_service_id',
      'group_account_id',
      'client_id',
      'client',
    ],
    sort: ['name', 'account_number', 'facility', 'vendor_name', 'division_name', 'active', 'city', 'state', 'client', 'id'],
    defaultSort: 'name asc',
    sizes: accountPageSizes,
  },
)
export type BillableAccount = Row<typeof billableAccount>
export type BillableAccountDraft = Draft<typeof billableAccount>

export const accountOption = z.object({
  id: z.int(),
  name: z.string(),
  account_number: z.string(),
  client_id: z.int(),
  vendor_name: z.string().nullable(),
})

const narrowing = {
  vendor_id: idsInput.optional(),
  facility_id: idsInput.optional(),
  division_id: idsInput.optional(),
  billable_account_id: idsInput.optional(),
}

export const billableAccountCalls = {
  ...crudCalls(billableAccount, '/clients/:client_id/billable_accounts', {
    read: 'billable_account.read',
    create: 'billable_account.create',
    update: 'billable_account.update',
    destroy: 'billable_account.destroy',
  }),
  list: call({
    name: 'billable_accounts.list',
    method: 'GET',
    path: '/clients/:client_id/billable_accounts',
    may: 'billable_account.read',
    summary: 'Lists the billable accounts of a client',
    query: listInputWith(narrowing),
    reply: listReply('billable_accounts', billableAccount.row),
  }),
  listAll: call({
    name: 'billable_accounts.list_all',
    method: 'GET',
    path: '/billable_accounts',
    may: 'billable_account.read',
    summary: 'Lists the billable accounts of all clients that you reach',
    query: listInputWith({ ...narrowing, client_id: idsInput.optional() }),
    reply: listReply('billable_accounts', billableAccount.row),
  }),
  selectOptions: optionsCall(
    'billable_accounts',
    '/clients/:client_id/billable_accounts/select_options',
    'billable_account.read',
    accountOption,
  ),
  numberSearch: searchCall(
    'billable_accounts',
    '/clients/:client_id/billable_accounts/account_number_search',
    'billable_account.read',
    accountOption,
    'billable_accounts.account_number_search',
  ),
  search: searchCall('billable_accounts', '/billable_accounts/search', 'billable_account.read', accountOption),
}
