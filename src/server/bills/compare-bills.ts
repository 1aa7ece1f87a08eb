/** Relations of a bill to others, each as far as the reader sees it. */
import { billCompareCalls, type BillRelations, type RelatedBill } from '#contract/bills/bill-compare.ts'
import { addMoney } from '#contract/kernel/money.ts'
import { sql, type RawBuilder } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { fullStatusColumn } from './bill-status-sql.ts'
import { mustSeeBill } from './read-bill.ts'

/** Corrections of corrections are few; a group may have a thousand members. */
const relatedMax = 1_000

export const billCompareHandlers: Handler[] = [
  handle(billCompareCalls.relations, async (context, { params }) => {
    await mustSeeBill(context, params.id, askedBy(context, params))
    return { relations: await relationsOf(context, params.client_id, params.id) }
  }),
]

async function relationsOf(context: Context, clientId: number, id: number): Promise<BillRelations> {
  const chain = await related(context, clientId, chainOf(clientId, id))
  const children = await related(context, clientId, sql<boolean>`bills.group_bill_id = ${id} and bills.superseded_by_id is null`)
  const shown_in = await related(
    context,
    clientId,
    sql<boolean>`bills.id in (select link.bill_id from bill_linked_service_bills link
      join service_bills line on line.client_id = link.client_id and line.id = link.service_bill_id where link.client_id = ${clientId} and line.bill_id = ${id})`,
  )
  const sums = children.reduce(
    (sum, child) => ({
      current_charges: addMoney(sum.current_charges, child.current_charges),
      amount_due: addMoney(sum.amount_due, child.amount_due),
    }),
    { current_charges: '0.00', amount_due: '0.00' },
  )
  const count = await countChildren(context, clientId, id)
  return {
    chain: chain.length > 1 ? chain : [],
    children,
    children_sums: { ...sums, count, unseen: count - children.length },
    shown_in,
  }
}

/** Returns the bill, the bills that it corrects step by step, and all that correct any of them. */
function chainOf(clientId: number, id: number): RawBuilder<boolean> {
  return sql<boolean>`bills.id in (
    with recursive linked as (
      select id, rebill_of_id from bills where client_id = ${clientId} and id = ${id}
      union
      select other.id, other.rebill_of_id from linked join bills other on other.client_id = ${clientId}
        and (other.id = linked.rebill_of_id or other.rebill_of_id = linked.id))
    select id from linked)`
}

async function related(context: Context, clientId: number, which: RawBuilder<boolean>): Promise<RelatedBill[]> {
  const { rows } = await sql<RelatedBill>`
    select bills.id, bills.date, bills.created_at, bills.invoice_number, bills.account_number, coalesce(billable.name, supply.name) as account_name, bills.current_charges, bills.amount_due,
      ${fullStatusColumn} as full_status, bills.rebill_mode, bills.rebill_of_id, bills.superseded_by_id
    from bills
    left join billable_accounts billable on billable.client_id = bills.client_id and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = bills.client_id and supply.id = bills.supply_account_id
    left join vendor_payments vendor_payment on vendor_payment.client_id = bills.client_id and vendor_payment.id = bills.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = vendor_payment.client_id and payment_batch.id = vendor_payment.payment_batch_id
    left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id
    where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and bills.client_id = ${clientId} and ${which}
    order by bills.created_at, bills.id limit ${relatedMax}`.execute(context.tx)
  return rows
}

async function countChildren({ tx }: Context, clientId: number, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from bills
    where client_id = ${clientId} and group_bill_id = ${id} and superseded_by_id is null`.execute(tx)
  return rows[0]?.count ?? 0
}
