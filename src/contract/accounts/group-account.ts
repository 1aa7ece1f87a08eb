/**
 * A group account has other accounts of its client as subaccounts. It has no table of its own: it is a billable or supply account marked as a
 * group account, with the account's id (G-GROUP-CREATE).
 */
import { z } from 'zod'
import { accountAddress } from './address.ts'
import {
  call,
  draftBody,
  exportInput,
  exportOf,
  listReply,
  oneReply,
  optionsInput,
  started,
  writeReply,
  type Call,
  type DraftBody,
  type ExportInput,
  type ListReply,
  type Nothing,
  type OneReply,
  type OptionsInput,
  type PathParams,
  type Started,
  type WriteReply,
} from '../kernel/call.ts'
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
  type DraftOf,
  type Entity,
  type Fields,
  type RowOf,
  numberText,
} from '../kernel/entity.ts'
import type { Permission } from '../kernel/permission.ts'
import { listInput, listInputWith, type ListInput } from '../kernel/query.ts'
import { idsInput } from '../kernel/lookup.ts'
import { accountPageSizes } from './account-fields.ts'

/** Maximum subaccounts of one group account. */
export const subaccountsMax = 5_000

const { street_address_1, street_address_2, city, state, zip } = accountAddress
const address = { street_address_1, street_address_2, city, state, zip }
/** The same fields, read-only. */
const shownAddress = {
  street_address_1: derived(street_address_1),
  street_address_2: derived(street_address_2),
  city: derived(city),
  state: derived(state),
  zip: derived(zip),
  country: derived(text('Country')),
}

const accountNumber = numberText('Account Number', 100)

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

const sidebarRecord = z.object({ id: z.int(), name: z.string(), account_number: z.string(), client_id: z.int() })
type SidebarRecord = z.infer<typeof sidebarRecord>

const subaccountOption = z.object({
  id: z.int(),
  account_number: z.string(),
  name: z.string(),
  facility: z.string().nullable(),
  active: z.boolean(),
  client_id: z.int(),
})
export type SubaccountOption = z.infer<typeof subaccountOption>

/** A line that a bill of the group account can include. */
const linkedServiceBillOption = z.object({
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

const narrowing = { facility_id: idsInput.optional(), division_id: idsInput.optional() }

export const groupAccountCalls = {
  ...callsOf(groupAccount, { read: 'billable_account.read', update: 'billable_account.update' }),
  linkedServiceBillOptions: call({
    name: 'group_accounts.linked_service_bill_options',
    method: 'GET',
    path: '/clients/:client_id/group_accounts/:id/linked_service_bill_options',
    may: 'bill.read',
    summary: 'The latest line of each meter of the subaccounts and of their suppliers, for linking into a bill of the group account',
    reply: z.object({ linked_service_bill_options: z.array(linkedServiceBillOption) }),
  }),
}

export const groupSupplyAccountCalls = callsOf(groupSupplyAccount, { read: 'supply_account.read', update: 'supply_account.update' })

type ClientParams = PathParams<'/clients/:client_id'>
type GroupParams = PathParams<'/clients/:client_id/:id'>

export type GroupCalls<Name extends string, Plural extends string, F extends Fields> = ReturnType<typeof callsOf<Name, Plural, F>>

/** The calls of both kinds of group accounts. */
function callsOf<Name extends string, Plural extends string, F extends Fields>(
  { name, plural, label, labels, row, patch }: Entity<Name, Plural, F>,
  may: { readonly read: Permission; readonly update: Permission },
) {
  const base = `/clients/:client_id/${plural}`
  const one = `${base}/:id`
  const accounts = listReply('subaccounts', subaccount.row)
  const listAll = readingOf<Nothing, Narrowed, ListReply<Plural, RowOf<F>>>({
    name: `${plural}.list_all`,
    path: `/${plural}`,
    may: may.read,
    summary: `Lists the ${labels} of all clients that you reach`,
    query: listInputWith(narrowing),
    reply: listReply(plural, row),
  })
  const subaccounts = readingOf<GroupParams, SubaccountInput, ListReply<'subaccounts', Subaccount>>({
    name: `${plural}.subaccounts`,
    path: `${one}/subaccounts`,
    may: may.read,
    summary: `Lists the subaccounts of a ${label}`,
    query: listInputWith(narrowing),
    reply: accounts,
  })
  return {
    list: readingOf<ClientParams, Narrowed, ListReply<Plural, RowOf<F>>>({
      name: `${plural}.list`,
      path: base,
      may: may.read,
      summary: `Lists the ${labels} of a client`,
      query: listInputWith(narrowing),
      reply: listReply(plural, row),
    }),
    listAll,
    exportAll: exportOf(listAll, `${labels} of all clients`),
    get: readingOf<GroupParams, Nothing, OneReply<Name, RowOf<F>>>({
      name: `${plural}.get`,
      path: one,
      may: may.read,
      summary: `One ${label}`,
      reply: oneReply(name, row),
    }),
    update: call<string, GroupParams, Nothing, DraftBody<Name, GroupPatch<F>>, WriteReply<Name, RowOf<F>>>({
      name: `${plural}.update`,
      method: 'PATCH',
      path: one,
      may: may.update,
      summary: `Changes a ${label}: its subaccounts are then those that are named, as far as you see them`,
      body: draftBody(name, patch),
      reply: writeReply(name, row),
    }),
    subaccounts,
    exportSubaccounts: exportOf(subaccounts, `the subaccounts of a ${label}`),
    filterSubaccounts: readingOf<GroupParams, SubaccountInput, ListReply<'subaccounts', Subaccount>>({
      name: `${plural}.filter_subaccounts`,
      path: `${one}/filter_subaccounts`,
      may: may.read,
      summary: `Lists the accounts among which the subaccounts of a ${label} are chosen, and says of each whether it is in a group`,
      query: listInputWith(narrowing),
      reply: accounts,
    }),
    subaccountOptions: readingOf<GroupParams, OptionsInput, ListReply<'subaccount_options', SubaccountOption>>({
      name: `${plural}.subaccount_options`,
      path: `${one}/subaccount_options`,
      may: may.read,
      summary: `The accounts that a ${label} has or can take, to pick from`,
      query: optionsInput,
      reply: listReply('subaccount_options', subaccountOption),
    }),
    sidebarRecords: readingOf<ClientParams, ListInput, ListReply<Plural, SidebarRecord>>({
      name: `${plural}.sidebar_records`,
      path: `${base}/sidebar_records`,
      may: may.read,
      summary: `The ${labels} of a client as the sidebar lists them`,
      query: listInput,
      reply: listReply(plural, sidebarRecord),
    }),
    exportCsv: readingOf<ClientParams, ExportInput, Started>({
      name: `${plural}.export`,
      path: `${base}/export_csv`,
      effect: 'write',
      may: may.read,
      summary: `Starts a CSV export of ${labels}`,
      query: exportInput,
      reply: started,
    }),
  }
}

type Ids = string | string[] | undefined
interface Narrowed extends ListInput {
  readonly facility_id?: Ids
  readonly division_id?: Ids
}
interface SubaccountInput extends Narrowed {}
type GroupPatch<F extends Fields> = Partial<DraftOf<F>> & { lock_version?: number | undefined }

/** A GET whose path is built here, so its parameters must be declared. */
function readingOf<Params, Query, Reply>(parts: {
  name: string
  path: string
  may: Permission
  summary: string
  effect?: 'write'
  query?: z.ZodType<Query>
  reply: z.ZodType<Reply>
}): Call<Params, Query, Nothing, Reply> {
  return call<string, Params, Query, Nothing, Reply>({ method: 'GET', ...parts })
}
