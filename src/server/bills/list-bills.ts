/** The lists of bills: of a client, of all clients in reach, of an account and of a group. All are one source with filters. */
import { billListCalls, type BillRow } from '#contract/bill.ts'
import { billFileCalls } from '#contract/bill-file.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/list.ts'
import { mayIn } from '../kernel/principal.ts'
import { askedBy } from '../kernel/resource.ts'
import { checkedQuery } from '../kernel/sources.ts'
import { mustSeeAccount } from './account-scope.ts'
import { readBillPage } from './bill-rows.ts'
import { billFileSource } from './bill-file.ts'
import { billSource } from './bill-source.ts'

/** What a nested list adds to the query. */
type Filters = NonNullable<ListInput['q']>

export const billListHandlers: Handler[] = [
  handle(billListCalls.list, (context, { params, query }) => listBills(context, query, askedBy(context, params))),
  handle(billListCalls.listAll, (context, { query }) => listBills(context, query, { reach: context.reach })),
  handle(billListCalls.ofBillableAccount, async (context, { params, query }) => {
    await mustSeeAccount(context, params.client_id, 'BillableAccount', params.id)
    return listBills(context, query, askedBy(context, params), { billable_account_id_eq: params.id })
  }),
  handle(billListCalls.ofSupplyAccount, async (context, { params, query }) => {
    await mustSeeAccount(context, params.client_id, 'SupplyAccount', params.id)
    return listBills(context, query, askedBy(context, params), { supply_account_id_eq: params.id })
  }),
  handle(billListCalls.ofGroupAccount, async (context, { params, query }) => {
    await mustSeeAccount(context, params.client_id, 'BillableAccount', params.id, true)
    return listBills(context, query, askedBy(context, params), { group_account_id_eq: params.id })
  }),
  handle(billListCalls.ofGroupSupplyAccount, async (context, { params, query }) => {
    await mustSeeAccount(context, params.client_id, 'SupplyAccount', params.id, true)
    return listBills(context, query, askedBy(context, params), { group_supply_account_id_eq: params.id })
  }),
  handle(billListCalls.exportCsv, (context, { params, query }) => startExport(context, billSource, query, askedBy(context, params))),
  handle(billFileCalls.exportCsv, (context, { params, query }) => startExport(context, billFileSource, query, askedBy(context, params))),
]

/** One page of bills. Notes are left out of rows whose client's notes the caller may not read. */
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

/** The same row without its notes where the caller may not read notes of its client. */
export function withReadableNotes<R extends { readonly client_id: number; notes?: string | null | undefined }>(
  context: Context,
  row: R,
): R {
  if (mayIn(context.principal, 'bill_notes.read', row.client_id)) return row
  const { notes: _, ...readable } = row
  return sameKind<R>(readable)
}

/** `notes` is optional in R, which the compiler cannot see through the rest of a generic. */
function sameKind<R>(row: object): R
function sameKind(row: object): object {
  return row
}
