/**
 * A supply account: the account at a supplier, in addition to the one at the utility, linked to the services that it supplies (G-SUPPLY-PARENT).
 */
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
import {
  boolean,
  date,
  defaulted,
  derived,
  entity,
  helped,
  optional,
  ref,
  refs,
  text,
  texts,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInputWith } from '../kernel/query.ts'
import { idsInput, searchCall } from '../kernel/lookup.ts'

/** Monthly. */
const billingPeriodDefault = 2

export const supplyAccount = entity(
  'supply_account',
  'supply_accounts',
  {
    active: defaulted(boolean('Active'), true),
    is_group_account: accountGroup,
    facility_id: optional(ref('Facility', 'facilities')),
    vendor_id: optional(ref('Vendor', 'vendors')),
    ...accountName,
    ...accountBilling,
    billing_period: defaulted(billingPeriod, billingPeriodDefault),
    billable_service_ids: helped(
      defaulted(refs('Billable Services', 'services'), []),
      'The services of billable accounts whose energy this account supplies.',
    ),
    service_identifiers: helped(
      defaulted(texts('Service Identifiers', { count: 20, length: 100 }), []),
      'What the supplier calls the points that it delivers to.',
    ),
    tax_ids: defaulted(texts('Tax IDs', { count: 20, length: 100 }), []),
    ...accountRules,
    ...accountServices,
    last_bill_date: derived(optional(date('Last Bill Date'))),
    facility: derived(optional(text('Facility'))),
    division_id: derived(optional(ref('Division', 'divisions'))),
    division_name: derived(optional(text('Division'))),
    vendor_name: derived(optional(text('Vendor'))),
    group_supply_account_id: derived(optional(ref('Group Supply Account', 'group_supply_accounts'))),
    ...accountClient,
  },
  {
    filter: [...accountFilters, 'last_bill_date', 'group_supply_account_id'],
    sort: accountSorts,
    defaultSort: 'name asc',
    sizes: accountPageSizes,
  },
  { rules: [inForce] },
)
export type SupplyAccount = Row<typeof supplyAccount>
export type SupplyAccountDraft = Draft<typeof supplyAccount>

const narrowing = { ...accountNarrowing, supply_account_id: idsInput.optional() }

const listAllSupplyAccounts = call({
  name: 'supply_accounts.list_all',
  method: 'GET',
  path: '/supply_accounts',
  may: 'supply_account.read',
  summary: 'Lists the supply accounts of all clients that you reach',
  query: listInputWith(narrowing),
  reply: listReply('supply_accounts', supplyAccount.row),
})

export const supplyAccountCalls = {
  ...crudCalls(supplyAccount, '/clients/:client_id/supply_accounts', {
    read: 'supply_account.read',
    create: 'supply_account.create',
    update: 'supply_account.update',
    destroy: 'supply_account.destroy',
  }),
  list: call({
    name: 'supply_accounts.list',
    method: 'GET',
    path: '/clients/:client_id/supply_accounts',
    may: 'supply_account.read',
    summary: 'Lists the supply accounts of a client',
    query: listInputWith(narrowing),
    reply: listReply('supply_accounts', supplyAccount.row),
  }),
  listAll: listAllSupplyAccounts,
  exportAll: exportOf(listAllSupplyAccounts, 'supply accounts of all clients'),
  selectOptions: optionsCall('supply_accounts', '/clients/:client_id/supply_accounts/select_options', 'supply_account.read', accountOption),
  numberSearch: searchCall(
    'supply_accounts',
    '/clients/:client_id/supply_accounts/account_number_search',
    'supply_account.read',
    accountOption,
    'supply_accounts.account_number_search',
  ),
  search: searchCall('supply_accounts', '/supply_accounts/search', 'supply_account.read', accountOption),
  clientSearch: searchCall(
    'supply_accounts',
    '/clients/:client_id/supply_accounts/search',
    'supply_account.read',
    accountOption,
    'supply_accounts.client_search',
  ),
}
