/**
 * Resolves the ids in drafts: other bills, lines of supply bills, files. All drafts of a call are looked up at once, inside the caller's
 * reach.
 */
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import { sql } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'

export interface NamedBill {
  readonly id: number
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly group_bill_id: number | null
  readonly group_bill_chosen: boolean
  readonly previous_read_date: string | null
  readonly read_date: string | null
  readonly superseded_by_id: number | null
  readonly vendor_payment_id: number | null
  readonly paid: boolean
}

export interface References {
  readonly bills: ReadonlyMap<number, NamedBill>
  /** Lines of bills of supply accounts. */
  readonly supplyLines: ReadonlySet<number>
  readonly files: ReadonlyMap<number, string>
  /** Bills by the statement from which they were made, keyed by `statementKey`. */
  readonly statements: ReadonlyMap<string, number>
}

export const statementKey = (draft: Pick<CheckedBill, 'source' | 'retrieval_provider' | 'statement_id'>): string | null =>
  draft.source === 'retrieval' && draft.retrieval_provider !== null && draft.statement_id !== null
    ? JSON.stringify([draft.retrieval_provider, draft.statement_id])
    : null

/** Looks up everything that the drafts name; what cannot be found is absent. */
export async function findReferences(context: Context, clientId: number, drafts: readonly CheckedBill[]): Promise<References> {
  const billIds = drafts
    .flatMap((draft) => [draft.rebill_of_id, draft.group_bill_id, draft.bill_id, ...draft.service_bills.map((line) => line.supply_bill_id)])
    .filter((id) => id !== null)
  const lineIds = drafts.flatMap((draft) => draft.linked_service_bill_ids)
  return {
    bills: await namedBills(context, clientId, billIds),
    supplyLines: await supplyLines(context, clientId, lineIds),
    files: await storedFiles(
      context,
      drafts.flatMap((draft) => draft.file_ids),
    ),
    statements: await billsOfStatements(context, clientId, drafts),
  }
}

/** Returns the reasons why a draft names something forbidden; empty if there are none. */
export function faultyReferences(draft: CheckedBill, found: References): Record<string, string[]> {
  const reasons: Record<string, string[]> = {}
  const absent = 'This bill cannot be found'
  const group = draft.group_bill_id === null ? null : (found.bills.get(draft.group_bill_id) ?? absent)
  if (group === absent) reasons['group_bill_id'] = [absent]
  else if (group !== null && group.group_bill_id !== null) reasons['group_bill_id'] = ['This bill belongs to a group’s bill itself']
  if (draft.bill_id !== null && !isOfAccount(found.bills.get(draft.bill_id), draft)) reasons['bill_id'] = [otherAccount]
  const unknownLine = draft.linked_service_bill_ids.find((id) => !found.supplyLines.has(id))
  if (unknownLine !== undefined) reasons['linked_service_bill_ids'] = [`Line ${unknownLine} is none of a supply account’s bill`]
  if (draft.file_ids.some((id) => !found.files.has(id))) reasons['file_ids'] = ['This file cannot be found']
  for (const [place, line] of draft.service_bills.entries()) {
    if (line.supply_bill_id !== null && !found.bills.has(line.supply_bill_id)) reasons[`service_bills.${place}.supply_bill_id`] = [absent]
  }
  const rebill = rebillFault(draft, found)
  if (rebill !== null) reasons['rebill_of_id'] = [rebill]
  return reasons
}

function rebillFault(draft: CheckedBill, found: References): string | null {
  if (draft.rebill_of_id === null) return null
  const original = found.bills.get(draft.rebill_of_id)
  if (!original || !isOfAccount(original, draft)) return otherAccount
  if (draft.rebill_mode === 'add') return null
  if (original.superseded_by_id !== null) return `Bill ${original.id} was replaced before, by bill ${original.superseded_by_id}`
  return original.vendor_payment_id !== null && !original.paid
    ? `Bill ${original.id} is about to be paid: take it out of its batch first`
    : null
}

function isOfAccount(bill: NamedBill | undefined, { account_type, account_id }: CheckedBill): boolean {
  return account_id === (account_type === 'BillableAccount' ? bill?.billable_account_id : bill?.supply_account_id)
}

async function namedBills(context: Context, clientId: number, ids: readonly number[]): Promise<Map<number, NamedBill>> {
  if (ids.length === 0) return new Map()
  const { rows } =
    await sql<NamedBill>`select id, billable_account_id, supply_account_id, group_bill_id, group_bill_chosen, previous_read_date, read_date, superseded_by_id, vendor_payment_id, paid
    from bills where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and id = any(${[...new Set(ids)]}::bigint[])
    order by id for no key update`.execute(context.tx)
  return new Map(rows.map((row) => [row.id, row]))
}

async function supplyLines(context: Context, clientId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: number
  }>`select line.id from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
    where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and bills.supply_account_id is not null and line.id = any(${[...new Set(ids)]}::bigint[])`.execute(
    context.tx,
  )
  return new Set(rows.map((row) => row.id))
}

/** A file that another bill or document already has may be shared, but an upload that never arrived is refused. */
async function storedFiles(context: Context, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    filename: string
  }>`select id, filename from files where id = any(${[...new Set(ids)]}::bigint[]) and state in ('stored', 'attached')`.execute(context.tx)
  return new Map(rows.map((row) => [row.id, row.filename]))
}

async function billsOfStatements(context: Context, clientId: number, drafts: readonly CheckedBill[]): Promise<Map<string, number>> {
  const wanted = drafts
    .filter((draft) => statementKey(draft) !== null)
    .map(({ retrieval_provider, statement_id }) => ({ retrieval_provider, statement_id }))
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    retrieval_provider: string
    statement_id: string
  }>`select bills.id, bills.retrieval_provider, bills.statement_id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted(retrieval_provider text, statement_id text)
    join bills on bills.client_id = ${clientId} and bills.retrieval_provider = wanted.retrieval_provider and bills.statement_id = wanted.statement_id
      and bills.statement_id is not null and bills.source = 'retrieval'`.execute(context.tx)
  return new Map(rows.map((row) => [JSON.stringify([row.retrieval_provider, row.statement_id]), row.id]))
}

const otherAccount = 'The account has no such bill'
