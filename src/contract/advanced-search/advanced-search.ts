/** Advanced search: finds accounts of both kinds by any of their data, inside one client or over all clients in reach. */
import { z } from 'zod'
import { serviceType } from '../accounts/account-fields.ts'
import { states } from '../accounts/address.ts'
import { accountTypes } from '../bills/bill.ts'
import { call, started, type Call, type Nothing, type PathParams, type Started } from '../kernel/call.ts'
import { boolean, choice, date, derived, entity, list, optional, ref, text, writeOnly, numberText } from '../kernel/entity.ts'
import { filterValuesMax } from '../kernel/query.ts'
import { idsInput } from '../kernel/lookup.ts'

/** The refusal of a search without filters, also the console's warning. */
export const noFilterMessage = 'You must provide at least one search filter'

/** Most ids per kind in `acc_ids`; with more, `acc_ids_complete` is false. */
export const searchedIdsMax = 10_000

/** Most options per kind in one response of the associations. */
export const associationsMax = 1_000

export const searchedKinds = ['billable_accounts', 'supply_accounts'] as const
export type SearchedKind = (typeof searchedKinds)[number]

/** A group account is of either kind. */
export const searchedTypes = [...accountTypes, { value: 'GroupAccount', label: 'Group Account' }] as const

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

export const foundAccount = z.object({
  id: z.int(),
  client_id: z.int(),
  account_type: z.enum(accountTypes.map((one) => one.value)),
  account_number: z.string(),
  name: z.string(),
  client_name: z.string(),
  active: z.boolean(),
  is_group_account: z.boolean(),
  vendor_name: z.string().nullable(),
  service_types: z.array(serviceType),
  facility_number: z.string().nullable(),
  facility_name: z.string().nullable(),
  division_name: z.string().nullable(),
  street_address_1: z.string(),
  street_address_2: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  last_bill_date: z.string().nullable(),
  /** Address of the last bill's file copy; null if it has none or the reader may not read bills. */
  last_bill_file_url: z.string().nullable(),
})
export type FoundAccount = z.infer<typeof foundAccount>

const scalar = z.union([z.string(), z.number(), z.boolean()])
const whole = z.union([z.string(), z.number()])
const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false'])])
const q = z.record(z.string().max(100), z.union([scalar, z.array(whole).max(filterValuesMax)])).optional()
const unknown = (issue: object) =>
  'keys' in issue && Array.isArray(issue.keys) ? `Unknown parameter: ${issue.keys.join(', ')}` : undefined

/** `page` applies to both kinds unless a kind has its own; `kind` selects one. Parts that are not requested are not computed. */
const searchInput = z.strictObject(
  {
    q,
    kind: z.enum(searchedKinds).optional(),
    page: whole.optional(),
    page_billable: whole.optional(),
    page_supply: whole.optional(),
    per: whole.optional(),
    with_rows: yesOrNo.optional(),
    with_total: yesOrNo.optional(),
    with_ids: yesOrNo.optional(),
  },
  { error: unknown },
)
export type SearchInput = z.infer<typeof searchInput>

const searchReply = z.object({
  billable_accounts: z.array(foundAccount),
  supply_accounts: z.array(foundAccount),
  acc_ids: z.object({ billable_accounts: z.array(z.int()), supply_accounts: z.array(z.int()) }).optional(),
  /** Whether `acc_ids` contains all matches. */
  acc_ids_complete: z.boolean().optional(),
  billable_accounts_total: z.int().optional(),
  supply_accounts_total: z.int().optional(),
  /** Total of both kinds. */
  total: z.int().optional(),
})
export type SearchReply = z.infer<typeof searchReply>

const associationsInput = z.strictObject(
  {
    /** Requests a single list, for a picker. */
    only: z.enum(['services', 'vendors', 'divisions', 'facilities']).optional(),
    search_term: z.string().max(500).optional(),
    /** Only divisions and facilities of this client. */
    client_id: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be an id')
      .optional(),
    /** Ids of selected options, as a JSON list; requires `only`. */
    values: z.string().max(20_000).optional(),
    page: whole.optional(),
    per: whole.optional(),
  },
  { error: unknown },
)
export type AssociationsInput = z.infer<typeof associationsInput>

const place = { id: z.int(), name: z.string(), client_id: z.int(), client: z.string() }
const associationsReply = z.object({
  services: z.array(z.object({ id: z.int(), name: z.string() })),
  vendors: z.array(z.object({ id: z.int(), display_name: z.string() })),
  divisions: z.array(z.object(place)),
  facilities: z.array(z.object({ ...place, number: z.string() })),
  /** Total of the one list that was requested. */
  total: z.int().optional(),
})
export type Associations = z.infer<typeof associationsReply>

const exportInput = z.strictObject(
  {
    q,
    /** Ids from `acc_ids`: comma-separated, or repeated. */
    billable_accounts: idsInput.optional(),
    supply_accounts: idsInput.optional(),
    page: whole.optional(),
    per: whole.optional(),
    connection_id: z.string().max(100).optional(),
  },
  { error: unknown },
)
export type SearchExportInput = z.infer<typeof exportInput>

export const advancedSearchCalls = callsUnder('', 'advanced_search', '')
export const clientSearchCalls = callsUnder('/clients/:client_id', 'client_advanced_search', ' of one client')

type SearchCalls<Path extends string> = {
  readonly associations: Call<PathParams<Path>, AssociationsInput, Nothing, Associations>
  readonly search: Call<PathParams<Path>, SearchInput, Nothing, SearchReply>
  readonly exportCsv: Call<PathParams<Path>, SearchExportInput, Nothing, Started>
}

function callsUnder<Path extends string>(base: Path, name: string, where: string): SearchCalls<Path> {
  const may = 'advanced_search.read'
  return {
    associations: call<string, PathParams<Path>, AssociationsInput, Nothing, Associations>({
      name: `${name}.associations`,
      method: 'GET',
      path: `${base}/advanced_search_associations`,
      may,
      summary: `What the advanced search${where} offers to choose from: services, vendors, divisions and facilities`,
      query: associationsInput,
      reply: associationsReply,
    }),
    search: call<string, PathParams<Path>, SearchInput, Nothing, SearchReply>({
      name: `${name}.search`,
      method: 'GET',
      path: `${base}/advanced_search`,
      may,
      summary: `Finds the billable and supply accounts${where} that all filters fit`,
      query: searchInput,
      reply: searchReply,
    }),
    exportCsv: call<string, PathParams<Path>, SearchExportInput, Nothing, Started>({
      name: `${name}.export`,
      method: 'GET',
      path: `${base}/advanced_search/export_csv`,
      effect: 'write',
      may,
      summary: `Starts one CSV export of the found accounts${where}, by their filters or by their ids`,
      query: exportInput,
      reply: started,
    }),
  }
}
