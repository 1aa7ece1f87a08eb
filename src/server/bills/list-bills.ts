/** The lists of bills: of a client, of all clients in reach, of an account and of a group. All are one source with filters. */
import type { BillRow } from '#contract/bills/bill.ts'
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { billFileCalls } from '#contract/bill-import/bill-file.ts'
import type { Call, ExportInput, ListReply, Started } from '#contract/kernel/call.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { mayIn } from '../kernel/principal.ts'
import { askedBy, exportHandler } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { mustSeeAccount } from './account-scope.ts'
import { readBillPage } from './bill-rows.ts'
import { billFileSource } from './bill-file.ts'
import { billSource } from './bill-source.ts'
import { sumBills } from './sum-bills.ts'

/** Filters that a nested list adds to the query. */
type Filters = NonNullable<ListInput['q']>

export const billListHandlers: Handler[] = [
  handle(billListCalls.list, (context, { params, query }) => listBills(context, query, askedBy(context, params))),
  handle(billListCalls.sums, (context, { params, body }) => sumBills(context, params.client_id, body)),
  handle(billListCalls.listAll, (context, { query }) => listBills(context, query, { reach: context.reach })),
  exportHandler(billListCalls.exportCsv, billSource),
  exportHandler(billFileCalls.exportCsv, billFileSource),
  exportHandler(billListCalls.exportAll, billSource),
  ...ofAccount(billListCalls.ofBillableAccount, billListCalls.exportOfBillableAccount, 'BillableAccount', 'billable_account_id_eq'),
  ...ofAccount(billListCalls.ofSupplyAccount, billListCalls.exportOfSupplyAccount, 'SupplyAccount', 'supply_account_id_eq'),
  ...ofAccount(billListCalls.ofGroupAccount, billListCalls.exportOfGroupAccount, 'BillableAccount', 'group_account_id_eq', true),
  ...ofAccount(
    billListCalls.ofGroupSupplyAccount,
    billListCalls.exportOfGroupSupplyAccount,
    'SupplyAccount',
    'group_supply_account_id_eq',
    true,
  ),
]

type AccountParams = { client_id: number; id: number }

/** Returns the handlers for the bills of an account that the caller sees, and their export. */
function ofAccount(
  list: Call<AccountParams, ListInput, unknown, ListReply<'bills', BillRow>>,
  exported: Call<AccountParams, ExportInput, unknown, Started>,
  type: 'BillableAccount' | 'SupplyAccount',
  filter: string,
  isGroup = false,
): Handler[] {
  const mustSee = (context: Context, { client_id, id }: AccountParams) => mustSeeAccount(context, client_id, type, id, isGroup)
  return [
    handle(list, async (context, { params, query }) => {
      await mustSee(context, params)
      return listBills(context, query, askedBy(context, params), { [filter]: params.id })
    }),
    handle(exported, async (context, { params, query }) => {
      await mustSee(context, params)
      return startExport(context, billSource, { ...query, q: { ...query.q, [filter]: params.id } }, askedBy(context, params))
    }),
  ]
}

/** Returns one page of bills. Notes are left out of rows whose client's notes the caller may not read. */
export async function listBills(
  context: Context,
  input: ListInput,
  asked: Asked,
  filters: Filters = {},
): Promise<{ bills: BillRow[]; total?: number | undefined }> {
  const query = checkedQuery(billSource, { ...input, q: { ...input.q, ...filters } })
  const { rows, total } = await readBillPage(context.tx, query, asked)
  const bills = rows.map((row) => withReadableNotes(context, row))
  return total === undefined ? { bills } : { bills, total }
}

/** Returns the same row, without its notes if the caller may not read notes of its client. */
export function withReadableNotes<R extends { readonly client_id: number; notes?: string | null | undefined }>(
  context: Context,
  row: R,
): R {
  if (mayIn(context.principal, 'bill_notes.read', row.client_id)) return row
  const { notes: _, ...readable } = row
  return sameKind<R>(readable)
}

/** `notes` is optional in R, which the compiler cannot derive through the rest of a generic. */
function sameKind<R>(row: object): R
function sameKind(row: object): object {
  return row
}
