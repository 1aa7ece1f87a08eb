/** A service: a meter of a billable or a supply account. */
import { z } from 'zod'
import { call, crudCalls, listReply } from './kernel/call.ts'
import { children, needed } from './kernel/children.ts'
import { ratiosSumToOne } from './kernel/decimal.ts'
import {
  boolean,
  choice,
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
  text,
  type Draft,
  type Row,
} from './kernel/entity.ts'

export const accountTypes = [
  { value: 'BillableAccount', label: 'Billable Account' },
  { value: 'SupplyAccount', label: 'Supply Account' },
] as const

/** Shown as title and text where shares do not fill the whole. */
export const shareRatioError = { title: 'Share Ratio Error', message: 'Share ratios must add up to 1' } as const

const share = decimal('Share Ratio', 4, { min: 0, whole: 1 }).schema.refine(
  (value) => Number(value) <= 1,
  'Share Ratio must be between 0 and 1',
)

export const sharedAccountShape = {
  ledger_account_id: needed('Missing Ledger Account', z.int('Missing Ledger Account').positive('Missing Ledger Account')),
  share_ratio: needed('Missing Share Ratio', share),
}

export const additionalFieldShape = { name: needed('Missing Field Name', text('Field Name').schema), active: z.boolean().optional() }

/** How a service's charges are split; the ratio is text with 4 decimals. */
export const sharedAccount = z.object({ id: z.int(), ledger_account_id: z.int(), ledger_account_name: z.string(), share_ratio: z.string() })
export const additionalField = z.object({ id: z.int(), name: z.string(), active: z.boolean() })

export const service = entity(
  'service',
  'services',
  {
    active: defaulted(boolean('Active'), true),
    meter_number: text('Meter Number', 100),
    service_name_1: optional(text('Service Name 1')),
    service_name_2: optional(text('Service Name 2')),
    id_number: optional(text('ID Number', 100)),
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
    entry_field_ids: defaulted(refs('Entry Fields', 'entry_fields', 50), []),
    metered: helped(defaulted(boolean('Metered'), true), 'Lines of an unmetered service carry no usage.'),
    supply: helped(defaulted(boolean('Supply'), false), 'The service is billed by a supplier.'),
    ledger_account_id: optional(ref('Ledger Account', 'ledger_accounts')),
    billable_ledgers: helped(
      defaulted(boolean('Billable Ledgers'), false),
      'Books a supply service by the ledger account and shares of its billable service.',
    ),
    shared_accounts: derived(list('Shared Accounts', z.array(sharedAccount))),
    shared_accounts_attributes: children('Shared Accounts', sharedAccountShape, 100),
    additional_entry_fields: derived(list('Additional Entry Fields', z.array(additionalField))),
    additional_entry_fields_attributes: children('Additional Entry Fields', additionalFieldShape, 100),
    notes: optional(longText('Notes')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(integer('Account')),
    account_number: derived(text('Account Number')),
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
    ],
    sort: ['rank', 'service_name_1', 'service_name_2', 'meter_number', 'utility_service_name', 'active', 'id'],
    defaultSort: 'rank asc',
  },
)
export type Service = Row<typeof service>
export type ServiceDraft = Draft<typeof service>

/** Whether these shares may be saved: none at all, or together exactly 1. Text with at most 4 decimals each. */
export function sharesAreWhole(ratios: readonly string[]): boolean {
  return ratios.length === 0 || ratiosSumToOne(ratios)
}

const may = { read: 'service.read', create: 'service.create', update: 'service.update', destroy: 'service.destroy' } as const

export const serviceCalls = { ...crudCalls(service, '/clients/:client_id/billable_accounts/:billable_account_id/services', may) }
export const supplyServiceCalls = {
  ...crudCalls(service, '/clients/:client_id/supply_accounts/:supply_account_id/services', may, 'supply_account_services'),
}

const serviceOption = z.object({
  id: z.int(),
  meter_number: z.string(),
  service_name_1: z.string().nullable(),
  utility_service_name: z.string().nullable(),
  account_id: z.int(),
  account_number: z.string(),
})
const idText = z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id')

export const serviceOptionCalls = {
  ofBillableAccounts: call({
    name: 'services.billable_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/billable_account_service_options',
    may: 'service.read',
    summary: 'Services of billable accounts to link a supply account to',
    query: z.strictObject({
      utility_service_id: idText.optional(),
      account_id: idText.optional(),
      search_term: z.string().max(500).optional(),
    }),
    reply: listReply('services', serviceOption),
  }),
  ofSupplyAccounts: call({
    name: 'services.supply_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/supply_account_service_options',
    may: 'service.read',
    summary: 'Services of supply accounts to pick from',
    query: z.strictObject({ utility_service_id: idText.optional(), search_term: z.string().max(500).optional() }),
    reply: listReply('services', serviceOption),
  }),
}
