/** The calls of group accounts and group supply accounts, which are alike. */
import { z } from 'zod'
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
import type { DraftOf, Entity, Fields, RowOf } from '../kernel/entity.ts'
import type { Permission } from '../kernel/permission.ts'
import { listInput, listInputWith, type ListInput } from '../kernel/query.ts'
import { idsInput } from '../kernel/lookup.ts'
import { groupAccount, linkedServiceBillOption, groupSupplyAccount, type SubaccountOption, subaccountOption } from './group-account.ts'
import { subaccount, type Subaccount } from './subaccount.ts'

const sidebarRecord = z.object({ id: z.int(), name: z.string(), account_number: z.string(), client_id: z.int() })
type SidebarRecord = z.infer<typeof sidebarRecord>

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
