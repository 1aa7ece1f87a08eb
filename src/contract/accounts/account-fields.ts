/**
 * The common fields of billable and supply accounts: billing, effective dates, aliases, audits, and values derived from their services and
 * bills.
 */
import { z } from 'zod'
import { auditSettingsField } from '../bill-audits/setting-words.ts'
import { accountAddress } from './address.ts'
import {
  boolean,
  choice,
  date,
  defaulted,
  derived,
  helped,
  integer,
  list,
  longText,
  optional,
  ref,
  text,
  texts,
  numberText,
} from '../kernel/entity.ts'
import type { ValueRule } from '../kernel/value-rules.ts'
import { idsInput } from '../kernel/lookup.ts'

export const billingPeriods = [
  { value: 0, label: 'Weekly' },
  { value: 1, label: 'Bi-Weekly' },
  { value: 2, label: 'Monthly' },
  { value: 3, label: 'Quarterly' },
] as const

/** Days between two bills. */
export const billingCycleDefault = 30

/** Maximum aliases of one account. */
export const aliasesMax = 5

/** The kind of an account's service, for icons: the utility service's name and the symbol of its usage unit. */
export const serviceType = z.object({ name: z.string(), symbol: z.string().nullable() })
export type ServiceType = z.infer<typeof serviceType>

/** Page sizes of the account lists. */
export const accountPageSizes = [10, 20, 50, 100, 200] as const

export const accountName = { name: text('Name'), account_number: numberText('Account Number', 100) }

export const accountGroup = helped(
  defaulted(boolean('Group Account'), false),
  'A group account gathers other accounts as its subaccounts. It cannot change once the account has services.',
)

/** The account's address, and its billing frequency. */
export const accountBilling = {
  ...accountAddress,
  billing_cycle: defaulted(integer('Billing Cycle', { min: 1, max: 400 }), billingCycleDefault),
  notes: optional(longText('Notes')),
}

export const billingPeriod = choice('Billing Period', billingPeriods)

/** The account's effective dates, its aliases, and its audit settings. */
export const accountRules = {
  effective_from: helped(optional(date('Effective From')), 'Bills for days before it are flagged.'),
  effective_to: helped(optional(date('Effective To')), 'Bills for days after it are flagged.'),
  aliases: helped(
    defaulted(texts('Aliases', { count: aliasesMax, length: 100 }), []),
    'Other numbers that bills and searches may name this account by.',
  ),
  audits_off: helped(
    defaulted(boolean('Audits Off'), false),
    'Bills of this account are not checked, except for what would be paid wrongly.',
  ),
  accruals_off: helped(defaulted(boolean('Accruals Off'), false), 'No accruals are estimated for this account.'),
  audit_settings: auditSettingsField,
}

/** Accounts and services are active between two dates. */
export const inForce: ValueRule = {
  field: 'effective_to',
  notBefore: 'effective_from',
  message: 'Effective To must not be before Effective From',
}

/** Values that the server derives from an account's services. */
export const accountServices = {
  services_count: derived(integer('Services')),
  service_names: derived(list('Service Names', z.array(z.string()))),
  service_types: derived(list('Service Types', z.array(serviceType))),
}

export const accountClient = { client_id: derived(ref('Client', 'clients')), client: derived(text('Client')) }

/** Filters and sorts of both lists. They may be empty for supply accounts where they are not for billable ones. */
export const accountFilters = [
  'id',
  'active',
  'is_group_account',
  'name',
  'account_number',
  'city',
  'state',
  'zip',
  'billing_period',
  'effective_from',
  'effective_to',
  'facility_id',
  'facility',
  'division_id',
  'division_name',
  'vendor_id',
  'vendor_name',
  'client_id',
  'client',
] as const
export const accountSorts = [
  'name',
  'account_number',
  'facility',
  'vendor_name',
  'division_name',
  'active',
  'city',
  'state',
  'client',
  'id',
] as const

export const accountOption = z.object({
  id: z.int(),
  name: z.string(),
  account_number: z.string(),
  client_id: z.int(),
  vendor_name: z.string().nullable(),
  street_address_1: z.string().nullable().optional(),
})

/** Ids that a list accepts besides `q`. */
export const accountNarrowing = {
  facility_id: idsInput.optional(),
  division_id: idsInput.optional(),
}
