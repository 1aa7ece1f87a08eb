/** The fields of accounts that the advanced search finds and shows. */
import { z } from 'zod'
import { serviceType } from '../accounts/account-fields.ts'
import { states } from '../accounts/address.ts'
import { boolean, choice, date, derived, entity, list, optional, ref, text, writeOnly, numberText } from '../kernel/entity.ts'
import { searchedTypes } from './advanced-search.ts'

/** Fields shown for a found account. */
const shown = {
  account_number: derived(numberText('Account Number')),
  name: derived(text('Account Name')),
  client_name: derived(text('Client')),
  vendor_name: derived(optional(text('Vendor'))),
  service_types: derived(list('Services', z.array(serviceType))),
  facility_number: derived(optional(numberText('Facility Number'))),
  facility_name: derived(optional(text('Facility'))),
  division_name: derived(optional(text('Division'))),
  street_address_1: derived(text('Street Address')),
  street_address_2: derived(optional(text('Street Address 2'))),
  city: derived(text('City')),
  state: derived(choice('State', states)),
  zip: derived(text('Zipcode')),
  active: derived(boolean('Active')),
  is_group_account: derived(boolean('Group Account')),
  last_bill_date: derived(optional(date('Last Bill Date'))),
}

/** Fields that are only searched. */
const searched = {
  text: writeOnly(text('Number, Name or Meter')),
  alias: writeOnly(text('Alias')),
  account_type: writeOnly(choice('Account Type', searchedTypes)),
  meter_number: writeOnly(numberText('Meter Number')),
  service_name: writeOnly(text('Service Name')),
  id_number: writeOnly(numberText('Service ID Number')),
  rate_schedule: writeOnly(text('Rate Schedule')),
  utility_service_id: writeOnly(ref('Service', 'utility_services')),
  vendor_id: writeOnly(ref('Vendor', 'vendors')),
  client_id: writeOnly(ref('Client', 'clients')),
  division_id: writeOnly(ref('Division', 'divisions')),
  facility_id: writeOnly(ref('Facility', 'facilities')),
  tax_id: writeOnly(text('Tax ID')),
  service_identifier: writeOnly(text('Service Identifier')),
  street_address: writeOnly(text('Street Address')),
  no_bill_since: writeOnly(date('No Bill Since')),
}

const fields = { ...shown, ...searched }
const rules = {
  filter: [
    ...Object.keys(searched),
    'account_number',
    'name',
    'client_name',
    'vendor_name',
    'facility_number',
    'facility_name',
    'division_name',
    'city',
    'state',
    'zip',
    'active',
    'is_group_account',
    'last_bill_date',
  ],
  sort: ['account_number', 'name', 'client_name', 'facility_name', 'facility_number', 'vendor_name', 'last_bill_date', 'active', 'id'],
  defaultSort: 'account_number asc',
  sizes: [10, 20, 50, 100, 200],
}

/** The two lists of results: the same fields, each with its own plural. */
export const foundBillable = entity('billable_account', 'billable_accounts', fields, rules)
export const foundSupply = entity('supply_account', 'supply_accounts', fields, rules)
