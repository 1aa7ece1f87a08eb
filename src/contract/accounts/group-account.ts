/**
 * A group account has other accounts of its client as subaccounts. It has no table of its own: it is a billable or supply account marked as a
 * group account, with the account's id (G-GROUP-CREATE).
 */
import { z } from 'zod'
import { accountAddress } from './address.ts'
import {
  boolean,
  date,
  defaulted,
  derived,
  entity,
  helped,
  instant,
  optional,
  ref,
  refs,
  text,
  type RowOf,
  numberText,
} from '../kernel/entity.ts'
import { accountPageSizes } from './account-fields.ts'

/** Maximum subaccounts of one group account. */
export const subaccountsMax = 5_000

const { street_address_1, street_address_2, city, state, zip } = accountAddress
const address = { street_address_1, street_address_2, city, state, zip }
/** The same fields, read-only. */
export const shownAddress = {
  street_address_1: derived(street_address_1),
  street_address_2: derived(street_address_2),
  city: derived(city),
  state: derived(state),
  zip: derived(zip),
  country: derived(text('Country')),
}

export const accountNumber = numberText('Account Number', 100)

/** A group account's facility and last bill. The facility's name appears under both names that the specification gives it. */
const place = {
  active: derived(boolean('Active')),
  facility: derived(optional(text('Facility'))),
  facility_id: derived(optional(ref('Facility', 'facilities'))),
  facility_name: derived(optional(text('Facility Name'))),
  division_id: derived(optional(ref('Division', 'divisions'))),
  division_name: derived(optional(text('Division'))),
  vendor_name: derived(optional(text('Vendor'))),
  last_bill_date: derived(optional(date('Last Bill Date'))),
  created_at: derived(instant('Created')),
  client_id: derived(ref('Client', 'clients')),
  client: derived(text('Client')),
}

const groupList = {
  filter: [
    'id',
    'name',
    'account_number',
    'active',
    'facility',
    'facility_id',
    'division_id',
    'division_name',
    'vendor_name',
    'street_address_1',
    'city',
    'state',
    'zip',
    'country',
    'last_bill_date',
    'client_id',
    'client',
  ],
  sort: ['name', 'account_number', 'facility', 'division_name', 'city', 'state', 'last_bill_date', 'created_at', 'client', 'id'],
  defaultSort: 'name asc',
  sizes: accountPageSizes,
}

const subaccountHelp = 'Those that you may see. Others that the group account has stay in it.'

export const groupAccount = entity(
  'group_account',
  'group_accounts',
  {
    name: text('Name'),
    account_number: accountNumber,
    ...address,
    country: shownAddress.country,
    ...place,
    subaccount_ids: helped(defaulted(refs('Subaccounts', 'billable_accounts', subaccountsMax), []), subaccountHelp),
  },
  groupList,
)
export type GroupAccount = RowOf<typeof groupAccount.fields>

/** Its own fields are changed through the supply account; here only its subaccounts. */
export const groupSupplyAccount = entity(
  'group_supply_account',
  'group_supply_accounts',
  {
    name: derived(text('Name')),
    account_number: derived(accountNumber),
    ...shownAddress,
    ...place,
    subaccount_ids: helped(defaulted(refs('Subaccounts', 'supply_accounts', subaccountsMax), []), subaccountHelp),
  },
  groupList,
)
export type GroupSupplyAccount = RowOf<typeof groupSupplyAccount.fields>

export const subaccountOption = z.object({
  id: z.int(),
  account_number: z.string(),
  name: z.string(),
  facility: z.string().nullable(),
  active: z.boolean(),
  client_id: z.int(),
})
export type SubaccountOption = z.infer<typeof subaccountOption>

/** A line that a bill of the group account can include. */
export const linkedServiceBillOption = z.object({
  /** Id of the service bill. */
  id: z.int(),
  bill_id: z.int(),
  date: z.iso.date(),
  account_type: z.enum(['BillableAccount', 'SupplyAccount']),
  account_id: z.int(),
  account_number: z.string(),
  account_name: z.string(),
  vendor_name: z.string().nullable(),
  service_id: z.int(),
  service_meter_number: z.string(),
  service_name_1: z.string().nullable(),
  service_utility_service_name: z.string().nullable(),
  previous_read_date: z.iso.date().nullable(),
  read_date: z.iso.date().nullable(),
  usage: z.string().nullable(),
  unit_symbol: z.string().nullable(),
  /** Total of the line, two decimals. */
  charge: z.string(),
  /** How a bill of the group includes it: a subaccount's whole bill by its `group_bill_id`, a supplier's line by its id. */
  linked_by: z.enum(['group_bill_id', 'linked_service_bill_ids']),
  /** The bill that already includes it. */
  linked_to: z.int().nullable(),
})
export type LinkedServiceBillOption = z.infer<typeof linkedServiceBillOption>
