/** A service: a meter of a billable or a supply account. */
import { z } from 'zod'
import { inForce } from '../accounts/account-fields.ts'
import { auditSettingsField } from '../bill-audits/setting-words.ts'
import { call, crudCalls, listReply, type Call, type Nothing, type PathParams, type Result } from '../kernel/call.ts'
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

const share = decimal('Share Ratio', 4, { min: 0, whole: 1 }).schema.refine(
  (value) => Number(value) <= 1,
  'Share Ratio must be between 0 and 1',
)

export const sharedAccountShape = {
  ledger_account_id: needed('Missing Ledger Account', z.int('Missing Ledger Account').positive('Missing Ledger Account')),
  share_ratio: needed('Missing Share Ratio', share),
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
const order = z.strictObject({
  service_ids: z
    .array(z.int().positive())
    .min(1)
    .max(accountServicesMax)
    .refine((ids) => new Set(ids).size === ids.length, 'Each service once'),
})
export type ServiceOrder = z.infer<typeof order>

const may = { read: 'service.read', create: 'service.create', update: 'service.update', destroy: 'service.destroy' } as const

const billablePath = '/clients/:client_id/billable_accounts/:billable_account_id/services'
const supplyPath = '/clients/:client_id/supply_accounts/:supply_account_id/services'

export const serviceCalls = {
  ...crudCalls(service, billablePath, may),
  order: orderCall('services.order', billablePath),
}
export const supplyServiceCalls = {
  ...crudCalls(service, supplyPath, may, 'supply_account_services'),
  order: orderCall('supply_account_services.order', supplyPath),
}

/** Sets the order of all services of an account: ranks 1 to n. 409 if the account has other services by now. */
function orderCall<Path extends string>(name: string, path: Path): Call<PathParams<Path>, Nothing, ServiceOrder, Result> {
  return call<string, PathParams<Path>, Nothing, ServiceOrder>({
    name,
    method: 'PUT',
    path: `${path}/order`,
    may: may.update,
    summary: 'Puts the services of an account in order',
    body: order,
  })
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
/** Input of every picker, and the utility service of the options. */
const optionInput = {
  utility_service_id: idText.optional(),
  search_term: z.string().max(500).optional(),
  page: z.union([z.string(), z.number()]).optional(),
  per: z.union([z.string(), z.number()]).optional(),
  values: z.string().max(20_000).optional(),
}

export const serviceOptionCalls = {
  ofBillableAccounts: call({
    name: 'services.billable_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/billable_account_service_options',
    may: 'service.read',
    summary: 'Services of billable accounts to link a supply account to',
    query: z.strictObject({ ...optionInput, account_id: idText.optional() }),
    reply: listReply('services', serviceOption),
  }),
  ofSupplyAccounts: call({
    name: 'services.supply_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/supply_account_service_options',
    may: 'service.read',
    summary: 'Services of supply accounts to pick from',
    query: z.strictObject(optionInput),
    reply: listReply('services', serviceOption),
  }),
}
