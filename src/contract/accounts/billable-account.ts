/** A billable account: the account under which a vendor bills a facility, with its services (meters). */
import {
  accountBilling,
  accountClient,
  accountFilters,
  accountGroup,
  accountName,
  accountNarrowing,
  accountOption,
  accountPageSizes,
  accountRules,
  accountServices,
  accountSorts,
  billingPeriod,
  inForce,
} from './account-fields.ts'
import { call, exportOf, crudCalls, listReply, optionsCall } from '../kernel/call.ts'
import { boolean, date, defaulted, derived, entity, optional, ref, text, type Draft, type Row } from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { idsInput, searchCall } from '../kernel/lookup.ts'

export const billableAccount = entity(
  'billable_account',
  'billable_accounts',
  {
    active: defaulted(boolean('Active'), true),
    is_group_account: accountGroup,
    facility_id: ref('Facility', 'facilities'),
    vendor_id: ref('Vendor', 'vendors'),
    utility_service_id: optional(ref('Utility Service', 'utility_services')),
    ...accountName,
    tax_id: optional(text('Tax ID', 100)),
    ...accountBilling,
    billing_period: optional(billingPeriod),
    ...accountRules,
    ...accountServices,
    last_bills_date: derived(optional(date('Last Bill Date'))),
    facility: derived(text('Facility')),
    division_id: derived(ref('Division', 'divisions')),
    division_name: derived(text('Division')),
    vendor_name: derived(text('Vendor')),
    group_account_id: derived(optional(ref('Group Account', 'group_accounts'))),
    ...accountClient,
  },
  {
    filter: [...accountFilters, 'last_bills_date', 'utility_service_id', 'group_account_id'],
    sort: accountSorts,
    defaultSort: 'name asc',
    sizes: accountPageSizes,
  },
  { rules: [inForce] },
)
export type BillableAccount = Row<typeof billableAccount>
export type BillableAccountDraft = Draft<typeof billableAccount>

const narrowing = { ...accountNarrowing, billable_account_id: idsInput.optional() }

const listAllBillableAccounts = call({
  name: 'billable_accounts.list_all',
  method: 'GET',
  path: '/billable_accounts',
  may: 'billable_account.read',
  summary: 'Lists the billable accounts of all clients that you reach',
  query: listInputWith(narrowing),
  reply: listReply('billable_accounts', billableAccount.row),
})

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
  listAll: listAllBillableAccounts,
  exportAll: exportOf(listAllBillableAccounts, 'billable accounts of all clients'),
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
  clientSearch: searchCall(
    'billable_accounts',
    '/clients/:client_id/billable_accounts/search',
    'billable_account.read',
    accountOption,
    'billable_accounts.client_search',
  ),
}
