/** Deletes a bill that nothing has happened to yet. What was batched, booked or paid stays; it can be replaced by a rebill. */
import { billListCalls } from '#contract/bill.ts'
import { sql } from 'kysely'
import { refreshFacts } from '../dashboard/dashboard.ts'
import { billScope } from '../estate-scope.ts'
import type { Context } from '../kernel/context.ts'
import { handle } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/list.ts'
import { notFound, refused } from '../kernel/problem.ts'
import { keepLastBills } from '../last-bills.ts'

export const destroyBillHandler = handle(billListCalls.destroy, async (context, { params }) => {
  await destroyBill(context, params.client_id, params.id)
  return { success: true, message: 'Bill deleted' }
})

interface Doomed {
  readonly billable_account_id: number | null
  readonly supply_account_id: number | null
  readonly accounting_batch_id: number | null
  readonly vendor_payment_id: number | null
  readonly paid: boolean
  readonly finalized: boolean
  readonly superseded_by_id: number | null
  readonly values: Record<string, unknown>
}

/** Throws not-found outside the reach, refused where a batch, a payment or another bill holds it. A bill that it replaced counts again. */
export async function destroyBill(context: Context, clientId: number, id: number): Promise<void> {
  const { tx } = context
  const { rows } =
    await sql<Doomed>`select billable_account_id, supply_account_id, accounting_batch_id, vendor_payment_id, paid, finalized, superseded_by_id, to_jsonb(bills) as "values"
    from bills where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and id = ${id} for update`.execute(tx)
  const bill = rows[0]
  if (!bill) throw notFound('Bill not found.')
  const holds = holdOf(bill)
  if (holds !== null) throw refused(holds)
  const lines = await sql<{
    service_id: number
  }>`select distinct service_id from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
    where line.client_id = ${clientId} and (bills.id = ${id} or bills.superseded_by_id = ${id})`.execute(tx)
  await sql`update bills set superseded_by_id = null, lock_version = lock_version + 1, updated_at = now() where client_id = ${clientId} and superseded_by_id = ${id}`.execute(
    tx,
  )
  await sql`update bills set bill_id = ${bill.values['bill_id']}::bigint where client_id = ${clientId} and bill_id = ${id}`.execute(tx)
  await sql`delete from bills where client_id = ${clientId} and id = ${id}`.execute(tx)
  const accounts = {
    billable_account_ids: bill.billable_account_id === null ? [] : [bill.billable_account_id],
    supply_account_ids: bill.supply_account_id === null ? [] : [bill.supply_account_id],
  }
  await keepLastBills(tx, clientId, accounts)
  await refreshFacts(
    tx,
    clientId,
    lines.rows.map((line) => line.service_id),
    accounts,
  )
  await context.audit.destroyed('bill', id, clientId, bill.values)
}

function holdOf(bill: Doomed): string | null {
  if (bill.paid || bill.finalized) return 'A paid bill cannot be deleted.'
  if (bill.vendor_payment_id !== null) return 'The bill is in a vendor batch: take it out first.'
  if (bill.accounting_batch_id !== null) return 'The bill is in a client batch: take it out first.'
  return bill.superseded_by_id === null ? null : 'The bill was replaced by another one, which names it.'
}
