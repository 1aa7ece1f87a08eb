/** A subaccount of a group. */
import { boolean, date, derived, entity, optional, ref, text, type RowOf } from '../kernel/entity.ts'
import { accountPageSizes } from './account-fields.ts'
import { accountNumber, shownAddress } from './group-account.ts'

/** An account on a group account's pages: a subaccount, or one that could be chosen. */
export const subaccount = entity(
  'subaccount',
  'subaccounts',
  {
    account_number: derived(accountNumber),
    name: derived(text('Name')),
    facility: derived(optional(text('Facility'))),
    facility_id: derived(optional(ref('Facility', 'facilities'))),
    division_id: derived(optional(ref('Division', 'divisions'))),
    division_name: derived(optional(text('Division'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    ...shownAddress,
    active: derived(boolean('Active')),
    is_group_account: derived(boolean('Group Account')),
    grouped: derived(boolean('In a Group')),
    /** The account's group, if the reader may see it; `grouped` is always given. */
    group_id: derived(optional(ref('Group Account', 'group_accounts'))),
    group_name: derived(optional(text('Group'))),
    last_bill_date: derived(optional(date('Last Bill Date'))),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'name',
      'account_number',
      'active',
      'grouped',
      'facility',
      'facility_id',
      'division_id',
      'division_name',
      'vendor_id',
      'vendor_name',
      'street_address_1',
      'city',
      'state',
      'zip',
      'country',
    ],
    sort: ['name', 'account_number', 'facility', 'vendor_name', 'division_name', 'active', 'city', 'state', 'zip', 'id'],
    defaultSort: 'name asc',
    sizes: accountPageSizes,
  },
)
export type Subaccount = RowOf<typeof subaccount.fields>
