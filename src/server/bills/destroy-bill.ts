/** Deletes bills with no further processing. A bill that was batched, booked or paid stays; it can be replaced by a rebill. */
import { billListCalls } from '#contract/bills/bill-list-calls.ts'
import { sql } from 'kysely'
import { reopenScans } from '../bill-scans/bill-scans.ts'
import { factSpans, refreshFactsOfBills } from '../month-facts/month-facts.ts'
import { billScope, keepLastBills, lockAccounts, type BilledAccounts } from '../estate/estate.ts'
import { changesBetween } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import { goesAlong } from '../kernel/lists/goes-along.ts'
import { handle } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { refused, busy, noSuch } from '../kernel/problem.ts'
import type { AccountRef } from './account-books.ts'
import { groupsBefore, linkGroups } from './link-groups.ts'
import { moveChildren } from './move-children.ts'
import { movedEntries, type Moved } from './moved-bills.ts'
import { reauditAccounts } from './reaudit.ts'
import { refuseHeld } from './refuse-held.ts'

export const destroyBillHandler = handle(billListCalls.destroy, async (context, { params }) => {
  await destroyBills(context, params.client_id, [params.id])
  return { success: true, message: 'Bill deleted' }
})

interface Doomed {
  readonly id: number
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly accounting_batch_id: number | null
  readonly vendor_payment_id: number | null
  readonly paid: boolean
  readonly finalized: boolean
  readonly superseded_by_id: number | null
  readonly values: Record<string, unknown>
}

/**
 * Deletes all of them or none. Throws not-found if one is outside the reach, refused if a batch, a payment or a remaining bill holds it;
 * `nameOf` gives the name for the refusal. Bills that they replaced count again. Accounts are locked before their bills, in the same order
 * as by saves.
 */
export async function destroyBills(
  context: Context,
  clientId: number,
  ids: readonly number[],
  nameOf: (id: number) => string = () => 'The bill',
): Promise<void> {
  const { tx } = context
  const locked = await lockAccountsOfBills(context, clientId, ids)
  const { rows: bills } =
    await sql<Doomed>`select id, billable_account_id, supply_account_id, accounting_batch_id, vendor_payment_id, paid, finalized, superseded_by_id, to_jsonb(bills) as "values"
    from bills where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and id = any(${ids}::bigint[]) order by id for update`.execute(
      tx,
    )
  if (bills.length < new Set(ids).size) throw noSuch('Bill')
  const accounts = accountsOf(bills)
  if (!holdsAll(locked, accounts)) throw busy()
  for (const bill of bills) {
    const holds = holdOf(bill, ids, nameOf(bill.id))
    if (holds !== null) throw refused(holds)
  }
  await refuseHeld(context, clientId, ids, nameOf)
  const moved = await factSpans(tx, clientId, ids)
  const groups = await groupsBefore(tx, clientId, ids)
  const along = await goesAlong(tx, 'bills', ids, clientId)
  const following = await letGo(context, clientId, ids)
  await reopenScans(context, clientId, ids)
  await sql`delete from bills where client_id = ${clientId} and id = any(${ids}::bigint[])`.execute(tx)
  await keepLastBills(tx, clientId, accounts)
  const linked = await linkGroups(context, clientId, [], groups)
  await refreshFactsOfBills(tx, clientId, linked, moved)
  // The remaining bills were measured against these: their readings, dates and amounts. A former duplicate is one no longer.
  await reauditAccounts(context, clientId, refsOf(accounts))
  await context.audit.many(
    bills.map(({ id, values }) => {
      const next = following.filter(({ from }) => from === id).map((bill) => bill.id)
      const lost = { ...values, ...along.get(id), ...(next.length > 0 ? { next_bill_ids: next } : {}) }
      return { event: 'destroy', item_type: 'bill', item_id: id, client_id: clientId, changes: changesBetween(lost, {}, Object.keys(lost)) }
    }),
  )
}

/** Locks the present accounts of these bills, in the common order of writers. Accounts outside the reach are skipped. */
export async function lockAccountsOfBills(context: Context, clientId: number, ids: readonly number[]): Promise<BilledAccounts> {
  const { rows } = await sql<Owned>`select distinct billable_account_id, supply_account_id from bills
    where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and id = any(${ids}::bigint[])`.execute(context.tx)
  const accounts = accountsOf(rows)
  await lockAccounts(context.tx, clientId, accounts)
  return accounts
}

type Owned = Pick<Doomed, 'billable_account_id' | 'supply_account_id'>

function accountsOf(bills: readonly Owned[]): BilledAccounts {
  return {
    billable_account_ids: [...new Set(bills.flatMap((bill) => bill.billable_account_id ?? []))],
    supply_account_ids: [...new Set(bills.flatMap((bill) => bill.supply_account_id ?? []))],
  }
}

function refsOf({ billable_account_ids: billable, supply_account_ids: supply }: BilledAccounts): AccountRef[] {
  return [
    ...billable.map((id) => ({ account_type: 'BillableAccount' as const, account_id: id })),
    ...supply.map((id) => ({ account_type: 'SupplyAccount' as const, account_id: id })),
  ]
}

/** A bill may have moved to another account before it was locked itself. */
function holdsAll(locked: BilledAccounts, accounts: BilledAccounts): boolean {
  const { billable_account_ids: billable, supply_account_ids: supply } = accounts
  return billable.every((id) => locked.billable_account_ids.includes(id)) && supply.every((id) => locked.supply_account_ids.includes(id))
}

/**
 * Restores the bills that these had replaced, with their children, and links the bills that followed one of them to the preceding one that
 * stays. Each bill's own trail shows it.
 * @returns the bills that followed one of them.
 */
async function letGo(context: Context, clientId: number, ids: readonly number[]): Promise<readonly Moved[]> {
  const { tx } = context
  const { rows: back } = await sql<{
    from: number
    to: number | null
  }>`select doomed.id as "from", min(original.id) as "to" from bills doomed
    left join bills original on original.client_id = ${clientId} and original.superseded_by_id = doomed.id and not original.id = any(${ids}::bigint[])
    where doomed.client_id = ${clientId} and doomed.id = any(${ids}::bigint[]) group by doomed.id`.execute(tx)
  await moveChildren(context, clientId, back)
  const counting = await sql<Moved>`update bills set superseded_by_id = null, lock_version = bills.lock_version + 1, updated_at = now()
    where client_id = ${clientId} and superseded_by_id = any(${ids}::bigint[]) and not id = any(${ids}::bigint[])
    returning bills.id, old.superseded_by_id as "from", new.superseded_by_id as "to"`.execute(tx)
  const following = await sql<Moved>`with recursive before as (
      select id, bill_id as before_id from bills where client_id = ${clientId} and bill_id = any(${ids}::bigint[]) and not id = any(${ids}::bigint[])
      union select before.id, doomed.bill_id from before join bills doomed on doomed.client_id = ${clientId} and doomed.id = before.before_id and doomed.id = any(${ids}::bigint[]))
    update bills set bill_id = before.before_id, lock_version = bills.lock_version + 1, updated_at = now() from before
    where bills.client_id = ${clientId} and bills.id = before.id and (before.before_id is null or not before.before_id = any(${ids}::bigint[]))
    returning bills.id, old.bill_id as "from", new.bill_id as "to"`.execute(tx)
  await context.audit.many([
    ...movedEntries(clientId, 'superseded_by_id', counting.rows),
    ...movedEntries(clientId, 'bill_id', following.rows),
  ])
  return following.rows
}

function holdOf(bill: Doomed, ids: readonly number[], name: string): string | null {
  if (bill.paid || bill.finalized) return name === 'The bill' ? 'A paid bill cannot be deleted.' : `${name} is paid.`
  if (bill.vendor_payment_id !== null) return `${name} is in a vendor batch: take it out first.`
  if (bill.accounting_batch_id !== null) return `${name} is in a client batch: take it out first.`
  return bill.superseded_by_id === null || ids.includes(bill.superseded_by_id)
    ? null
    : `${name} was replaced by another one, which names it.`
}
