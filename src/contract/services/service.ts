/** A service: a meter of a billable or a supply account. */
import { z } from 'zod'
import { inForce } from '../accounts/account-fields.ts'
import { auditSettingsField } from '../bill-audits/setting-words.ts'
import { portfolioManagerId } from '../clients/portfolio-manager-id.ts'
import { children, needed } from '../kernel/children.ts'
import { ratiosSumToOne } from '../kernel/decimal.ts'
import {
  boolean,
  choice,
  date,
  decimal,
  defaulted,
  derived,
  entity,
  helped,
  integer,
  list,
  longText,
  optional,
  ref,
  refs,
  shownOnly,
  text,
  type Draft,
  type Row,
  numberText,
} from '../kernel/entity.ts'

/** Maximum services of one account in a new order. */
export const accountServicesMax = 1_000

export const accountTypes = [
  { value: 'BillableAccount', label: 'Billable Account' },
  { value: 'SupplyAccount', label: 'Supply Account' },
] as const

/** Title and text shown if shares do not add up to 1. */
export const shareRatioError = { title: 'Share Ratio Error', message: 'Share ratios must add up to 1' } as const

/** Shown where a service of another scope would get factors of a supplier. */
export const purchasedOnly = 'Supplier factors are for purchased energy, which is scope 2'

const share = decimal('Share Ratio', 4, { min: 0, whole: 1 }).schema.refine(
  (value) => Number(value) <= 1,
  'Share Ratio must be between 0 and 1',
)

export const sharedAccountShape = {
  ledger_account_id: needed('Missing Ledger Account', z.int('Missing Ledger Account').positive('Missing Ledger Account')),
  share_ratio: needed('Missing Share Ratio', share),
}

/** The factor of a supplier of purchased energy for a calendar year, in kilograms of CO2e per standard unit. */
export const supplierFactorShape = {
  year: needed('Missing Year', integer('Year', { min: 1990, max: 2200 }).schema),
  value: needed('Missing Supplier Factor', decimal('Supplier Factor', 4, { min: 0 }).schema),
  source: needed('Missing Source', text('Source').schema),
}

export const additionalFieldShape = { name: needed('Missing Field Name', text('Field Name').schema), active: z.boolean().optional() }

/** A share of a service's charges; the ratio is text with 4 decimals. */
export const sharedAccount = z.object({ id: z.int(), ledger_account_id: z.int(), ledger_account_name: z.string(), share_ratio: z.string() })
/** A service of a billable account that a supply account supplies. */
export const linkedService = z.object({
  id: z.int(),
  meter_number: z.string(),
  service_name_1: z.string().nullable(),
  account_id: z.int(),
  account_number: z.string(),
})

/** One ledger account that charges are booked on, with its share. */
export const effectiveLedger = z.object({ ledger_account_id: z.int(), ledger_account_name: z.string(), share_ratio: z.string() })

export const supplierFactor = z.object({ id: z.int(), year: z.int(), value: z.string(), source: z.string() })
export type SupplierFactor = z.infer<typeof supplierFactor>

export const additionalField = z.object({ id: z.int(), name: z.string(), active: z.boolean() })

export const service = entity(
  'service',
  'services',
  {
    active: defaulted(boolean('Active'), true),
    meter_number: numberText('Meter Number', 100),
    service_name_1: optional(text('Service Name 1')),
    service_name_2: optional(text('Service Name 2')),
    id_number: optional(numberText('ID Number', 100)),
    tax_code: optional(text('Tax Code', 100)),
    meter_multiplier: optional(decimal('Meter Multiplier', 4)),
    rate_schedule: optional(text('Rate Schedule')),
    contract_demand_capacity: optional(text('Contract Demand Capacity', 100)),
    rank: optional(integer('Sort Order', { min: 0, max: 100_000 })),
    utility_service_id: optional(ref('Utility Service', 'utility_services')),
    utility_service_name: derived(optional(text('Utility Service'))),
    usage_unit_id: optional(ref('Usage Unit', 'usage_units')),
    usage_unit_symbol: derived(optional(text('Usage Unit'))),
    usage_factor_ids: defaulted(refs('Usage Factors', 'usage_factors', 50), []),
    emissions_factor: helped(optional(decimal('Emissions Factor', 4, { min: 0 })), 'Empty uses the factor of the utility service.'),
    emissions_factor_source: helped(optional(text('Factor Source')), 'Who publishes the emissions factor of this service.'),
    emissions_factor_year: optional(integer('Factor Year', { min: 1990, max: 2200 })),
    supplier_factors: derived(list('Supplier Factors', z.array(supplierFactor))),
    supplier_factors_attributes: children('Supplier Factors', supplierFactorShape, 100),
    portfolio_manager_meter_id: helped(
      optional(portfolioManagerId('Portfolio Manager Meter ID')),
      'The ID that ENERGY STAR Portfolio Manager gave to the meter. A supplier’s service may have that of the delivery.',
    ),
    entry_field_ids: helped(
      defaulted(refs('Entry Fields', 'entry_fields', 50), []),
      'What its bills charge. A new service without any starts with charges and taxes of its kind.',
    ),
    metered: helped(defaulted(boolean('Metered'), true), 'Lines of an unmetered service carry no usage.'),
    net_metered: helped(defaulted(boolean('Net Metered'), false), 'Usage may be negative: the meter counts what is fed back too.'),
    supply: helped(defaulted(boolean('Supply'), false), 'The service is billed by a supplier.'),
    ledger_account_id: optional(ref('Ledger Account', 'ledger_accounts')),
    billable_ledgers: helped(
      defaulted(boolean('Billable Ledgers'), false),
      'Books a supply service by the ledger account and shares of its billable service.',
    ),
    shared_accounts: derived(list('Shared Accounts', z.array(sharedAccount))),
    shared_accounts_attributes: children('Shared Accounts', sharedAccountShape, 100),
    linked_services: shownOnly(list('Linked Billable Services', z.array(linkedService))),
    effective_ledgers: shownOnly(list('Booked On', z.array(effectiveLedger))),
    additional_entry_fields: derived(list('Additional Entry Fields', z.array(additionalField))),
    additional_entry_fields_attributes: children('Additional Entry Fields', additionalFieldShape, 100),
    effective_from: helped(optional(date('Effective From')), 'Bills before it are flagged.'),
    effective_to: helped(optional(date('Effective To')), 'Bills after it are flagged.'),
    audits_off: helped(defaulted(boolean('Audits Off'), false), 'No audit looks at the lines of this service.'),
    audit_settings: auditSettingsField,
    accruals_off: helped(defaulted(boolean('Accruals Off'), false), 'Accrual reports leave the service out.'),
    notes: optional(longText('Notes')),
    place: shownOnly(integer('Place')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(integer('Account')),
    account_number: derived(numberText('Account Number')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'active',
      'meter_number',
      'service_name_1',
      'service_name_2',
      'rank',
      'utility_service_id',
      'utility_service_name',
      'rate_schedule',
      'portfolio_manager_meter_id',
    ],
    sort: ['place', 'rank', 'service_name_1', 'service_name_2', 'meter_number', 'utility_service_name', 'active', 'id'],
    defaultSort: 'place asc',
  },
  { rules: [inForce] },
)
export type Service = Row<typeof service>
export type ServiceDraft = Draft<typeof service>

/** Returns the initial entry fields of a new service: a supplier charges for supply, a utility for delivery. */
export function startingEntryFieldNames(isSupply: boolean): readonly string[] {
  return isSupply ? ['Supply Charges', 'Supply Taxes'] : ['Utility Charges', 'Utility Taxes']
}

/** Whether these shares may be saved: none at all, or together exactly 1. Text with at most 4 decimals each. */
export function sharesAreWhole(ratios: readonly string[]): boolean {
  return ratios.length === 0 || ratiosSumToOne(ratios)
}

/** The services of one account in their new order: all of them, each once. */
export const order = z.strictObject({
  service_ids: z
    .array(z.int().positive())
    .min(1)
    .max(accountServicesMax)
    .refine((ids) => new Set(ids).size === ids.length, 'Each service once'),
})
export type ServiceOrder = z.infer<typeof order>
