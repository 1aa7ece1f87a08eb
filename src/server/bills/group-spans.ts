/** Reads the bills of groups and of their subaccounts around a day. */
import type { AccountType } from '#contract/bills/bill.ts'
import type { GroupBook, GroupChild, GroupParent, StoredChild } from '#contract/bills/group-bill.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import type { AccountRef } from './account-books.ts'
import { accountColumn, accountTable, groupColumn, scopeOfAccount } from './account-scope.ts'

/** A group is billed quarterly at most: the bills of one statement lie within this many days. */
const daysAround = 100

/** The group and dates for which bills may now fit differently. */
export interface GroupSpan {
  readonly account_type: AccountType
  readonly group_id: number
  /** Dates of the first and the last bill. */
  readonly first: string
  readonly last: string
  /** True if a bill of the group itself is among them, so that each open bill around it may fit differently. */
  readonly of_group: boolean
}

export async function groupSpans(tx: Tx, clientId: number, billIds: readonly number[]): Promise<GroupSpan[]> {
  const found: GroupSpan[] = []
  for (const type of ['BillableAccount', 'SupplyAccount'] as const) {
    const group = sql`case when account.is_group_account then account.id else ${sql.ref(`account.${groupColumn(type)}`)} end`
    const { rows } = await sql<GroupSpan>`
      select ${type}::text as account_type, ${group} as group_id, min(bills.date) as first, max(bills.date) as last, bool_or(account.is_group_account) as of_group
      from bills join ${accountTable(type)} account on account.client_id = bills.client_id and account.id = ${sql.ref(`bills.${accountColumn(type)}`)}
      where bills.client_id = ${clientId} and bills.id = any(${billIds}::bigint[]) and ${group} is not null group by 2`.execute(tx)
    found.push(...rows)
  }
  return found
}

/** Returns one span per group, in the order in which accounts are locked. */
export function merged(spans: readonly GroupSpan[]): GroupSpan[] {
  return [...Map.groupBy(spans, (span) => `${span.account_type} ${span.group_id}`).values()]
    .flatMap((same): GroupSpan[] => {
      const [one] = same
      const first = same.map((span) => span.first).toSorted()[0]
      const last = same
        .map((span) => span.last)
        .toSorted()
        .at(-1)
      return one && first && last ? [{ ...one, first, last, of_group: same.some((span) => span.of_group) }] : []
    })
    .toSorted((a, b) => (a.account_type === b.account_type ? a.group_id - b.group_id : a.account_type < b.account_type ? -1 : 1))
}

interface ParentBill extends GroupParent {
  readonly group_id: number
}

interface OpenChild extends GroupChild {
  readonly id: number
  readonly group_id: number
  readonly group_bill_id: number | null
}

const spanRows = (spans: readonly GroupSpan[], days: number) =>
  sql`jsonb_to_recordset(${JSON.stringify(spans.map((span) => ({ ...span, first: addDays(span.first, -days), last: addDays(span.last, days) })))}::jsonb)
    as span(group_id bigint, first date, last date, of_group boolean)`

/** Returns bills of the groups that may carry others. A bill that corrects another by an addition carries none. */
export async function parentBills(tx: Tx, clientId: number, type: AccountType, spans: readonly GroupSpan[]): Promise<ParentBill[]> {
  const { rows } = await sql<ParentBill>`
    select bills.id, span.group_id, bills.date, bills.invoice_number, bills.previous_read_date, bills.read_date
    from ${spanRows(spans, 2 * daysAround)} join bills on bills.client_id = ${clientId} and ${sql.ref(`bills.${accountColumn(type)}`)} = span.group_id
      and bills.date between span.first and span.last
    where bills.superseded_by_id is null and bills.group_bill_id is null and bills.rebill_mode is distinct from 'add' order by bills.id`.execute(
    tx,
  )
  return rows
}

/** True if no user has decided about the bill, its payment has not begun, and it carries no bills itself. */
const isOpen = (
  clientId: number,
) => sql<boolean>`(not bills.group_bill_chosen and not bills.paid and not bills.finalized and bills.vendor_payment_id is null
  and not exists (select from bills child where child.client_id = ${clientId} and child.group_bill_id = bills.id and child.superseded_by_id is null))`

/** Returns the bills among which a newly entered bill of the group will be, for bills of these days. */
export async function groupBook(
  { tx, reach }: Context,
  clientId: number,
  { account_type: type, account_id: groupId }: AccountRef,
  days: { readonly first: string; readonly last: string },
): Promise<GroupBook> {
  const parents = await parentBills(tx, clientId, type, [{ account_type: type, group_id: groupId, ...days, of_group: true }])
  const inside = scopeCondition({ scope: scopeOfAccount(type) }, { reach, clientId })
  const of = sql.ref(groupColumn(type))
  const { rows: members } = await sql<{ id: number }>`select id from ${accountTable(type)} where ${inside} and ${of} = ${groupId} and active
    order by account_number, id`.execute(tx)
  const { rows: children } = await sql<StoredChild>`
    select ${sql.ref(`bills.${accountColumn(type)}`)} as account_id, bills.date, bills.invoice_number, bills.read_date, bills.group_bill_id, bills.current_charges,
      ${isOpen(clientId)} as is_open
    from bills where bills.client_id = ${clientId} and bills.superseded_by_id is null and bills.date between ${addDays(days.first, -daysAround)} and ${addDays(days.last, daysAround)}
      and bills.${sql.ref(accountColumn(type))} in (select id from ${accountTable(type)} where ${inside} and ${of} = ${groupId})
      and (bills.group_bill_id is not null or ${isOpen(clientId)})
    order by bills.account_number, bills.id`.execute(tx)
  return { parents: parents.map(({ group_id: _group, ...parent }) => parent), members: members.map(({ id }) => id), children }
}

/**
 * Returns the written bills of subaccounts, and all around a bill of the group: those without a user's decision, and whose payment has not
 * begun.
 */
export async function openChildren(
  tx: Tx,
  clientId: number,
  type: AccountType,
  spans: readonly GroupSpan[],
  written: readonly number[],
): Promise<OpenChild[]> {
  const { rows } = await sql<OpenChild>`
    select bills.id, span.group_id, bills.date, bills.invoice_number, bills.read_date, bills.group_bill_id
    from ${spanRows(spans, daysAround)} join ${accountTable(type)} account on account.client_id = ${clientId} and ${sql.ref(`account.${groupColumn(type)}`)} = span.group_id
    join bills on bills.client_id = ${clientId} and ${sql.ref(`bills.${accountColumn(type)}`)} = account.id and bills.date between span.first and span.last
    where (span.of_group or bills.id = any(${written}::bigint[])) and bills.superseded_by_id is null and ${isOpen(clientId)}
    order by bills.id`.execute(tx)
  return rows
}
