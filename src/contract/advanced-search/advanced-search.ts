/** Advanced search: finds accounts of both kinds by any of their data, inside one client or over all clients in reach. */
import { z } from 'zod'
import { serviceType } from '../accounts/account-fields.ts'
import { accountTypes } from '../bills/bill.ts'
import { filterValuesMax, unknownParameters } from '../kernel/query.ts'
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

/** `page` applies to both kinds unless a kind has its own; `kind` selects one. Parts that are not requested are not computed. */
export const searchInput = z.strictObject(
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
  { error: unknownParameters },
)
export type SearchInput = z.infer<typeof searchInput>

export const searchReply = z.object({
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

export const associationsInput = z.strictObject(
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
  { error: unknownParameters },
)
export type AssociationsInput = z.infer<typeof associationsInput>

const place = { id: z.int(), name: z.string(), client_id: z.int(), client: z.string() }
export const associationsReply = z.object({
  services: z.array(z.object({ id: z.int(), name: z.string() })),
  vendors: z.array(z.object({ id: z.int(), display_name: z.string() })),
  divisions: z.array(z.object(place)),
  facilities: z.array(z.object({ ...place, number: z.string() })),
  /** Total of the one list that was requested. */
  total: z.int().optional(),
})
export type Associations = z.infer<typeof associationsReply>

export const exportInput = z.strictObject(
  {
    q,
    /** Ids from `acc_ids`: comma-separated, or repeated. */
    billable_accounts: idsInput.optional(),
    supply_accounts: idsInput.optional(),
    page: whole.optional(),
    per: whole.optional(),
    connection_id: z.string().max(100).optional(),
  },
  { error: unknownParameters },
)
export type SearchExportInput = z.infer<typeof exportInput>
