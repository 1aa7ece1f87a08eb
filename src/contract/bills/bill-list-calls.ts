/** The calls of the lists of bills. */
import { z } from 'zod'
import { call, exportOf, exportInput, listReply, started, type ListReply } from '../kernel/call.ts'
import { listInput } from '../kernel/query.ts'
import { exceptsOfFilter, namesOne, selectedIdsMax, selectionShape } from '../kernel/selection.ts'
import { type BillRow, billRow } from './bill.ts'
import { sumsOfBills } from './bill-counts.ts'

const bills: z.ZodType<ListReply<'bills', BillRow>> = listReply('bills', billRow)

/** Lists of one account accept the plain query; the account of the path must be in the reader's reach. */
const ofAccount = <Name extends string, Path extends string>(name: Name, path: Path, labels: string) =>
  call({ name, method: 'GET', path, may: 'bill.read', summary: `Lists the bills of ${labels}`, query: listInput, reply: bills })

export const billSums = z.object({
  /** Bills that were found, added up or not. */
  count: z.int(),
  current_charges: z.string(),
  late_fee: z.string(),
  amount_due: z.string(),
  /** Found bills that were not added up, by reason; none where all of them are. */
  left_out: z.object({ void: z.int(), group_child: z.int() }),
  /** The part of the amount due that is in it twice: void bills, which others replace, and children whose group's bill is added up too. */
  counted_twice: z.string(),
  /** The part of the bills that a figure counts, by the filters counted_on, counted_service_id and counted_basis; null without whole months. */
  counted: z.string().nullable(),
})
export type BillSums = z.infer<typeof billSums>

const sumsBody = z
  .strictObject({ ...selectionShape('record', selectedIdsMax), add_up: z.enum(sumsOfBills) })
  .refine(...namesOne)
  .refine(...exceptsOfFilter)
export type BillSumsInput = z.infer<typeof sumsBody>

const listAllBills = call({
  name: 'bills.list_all',
  method: 'GET',
  path: '/bills',
  may: 'bill.read',
  summary: 'Lists the bills of all clients in reach',
  query: listInput,
  reply: bills,
})

const ofAccounts = {
  ofBillableAccount: ofAccount('bills.of_billable_account', '/clients/:client_id/billable_accounts/:id/bills', 'a billable account'),
  ofSupplyAccount: ofAccount('bills.of_supply_account', '/clients/:client_id/supply_accounts/:id/bills', 'a supply account'),
  ofGroupAccount: ofAccount(
    'bills.of_group_account',
    '/clients/:client_id/group_accounts/:id/bills',
    'a group account and its subaccounts',
  ),
  ofGroupSupplyAccount: ofAccount(
    'bills.of_group_supply_account',
    '/clients/:client_id/group_supply_accounts/:id/bills',
    'a group supply account and its subaccounts',
  ),
}

export const billListCalls = {
  list: call({
    name: 'bills.list',
    method: 'GET',
    path: '/clients/:client_id/bills',
    may: 'bill.read',
    summary: 'Lists the bills of a client',
    query: listInput,
    reply: bills,
  }),
  sums: call({
    name: 'bills.sums',
    method: 'POST',
    path: '/clients/:client_id/bills/sums',
    effect: 'read',
    may: 'bill.read',
    summary:
      'Adds up chosen bills of a client: `all` of them, as the list shows them, or what is `owed`, without void bills and children of group bills',
    body: sumsBody,
    reply: billSums,
  }),
  listAll: listAllBills,
  exportAll: exportOf(listAllBills, 'bills of all clients'),
  ...ofAccounts,
  exportOfBillableAccount: exportOf(ofAccounts.ofBillableAccount, 'bills of a billable account'),
  exportOfSupplyAccount: exportOf(ofAccounts.ofSupplyAccount, 'bills of a supply account'),
  exportOfGroupAccount: exportOf(ofAccounts.ofGroupAccount, 'bills of a group account and its subaccounts'),
  exportOfGroupSupplyAccount: exportOf(ofAccounts.ofGroupSupplyAccount, 'bills of a group supply account and its subaccounts'),
  exportCsv: call({
    name: 'bills.export',
    method: 'GET',
    path: '/clients/:client_id/bills/export_csv',
    effect: 'write',
    may: 'bill.read',
    summary: 'Starts a CSV export of bills',
    query: exportInput,
    reply: started,
  }),
  // Defined here and not with the other calls of one bill, because rows of lists can be deleted and the lists load separately.
  destroy: call({
    name: 'bills.destroy',
    method: 'DELETE',
    path: '/clients/:client_id/bills/:id',
    may: 'bill.destroy',
    summary: 'Deletes a bill that is in no batch',
  }),
}
