/** Earlier bills for the bill form: one line for linking, the last five lines of a service, the earlier bills of an account. */
import type { AccountType } from '#contract/bills/bill.ts'
import type { BillHistoryItem, PreviousBill } from '#contract/bills/bill-detail.ts'
import { billDetailCalls } from '#contract/bills/bill-detail-calls.ts'
import { numberOfDays } from '#contract/bill-figures/bill-totals.ts'
import { sql } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { mayIn } from '../kernel/principal.ts'
import { noSuch } from '../kernel/problem.ts'
import { accountColumn, mustSeeAccount, mustSeeService } from './account-scope.ts'
import { fullStatusColumn } from './bill-status-sql.ts'
import { readLines } from './read-lines.ts'

const lastBillsMax = 5
const previousBillsMax = 24

export const billHistoryHandlers: Handler[] = [
  handle(billDetailCalls.serviceBill, async (context, { params }) => ({
    service_bill: await linkableLine(context, params.client_id, params.id),
  })),
  handle(billDetailCalls.lastFiveBills, async (context, { params, query }) => {
    await mustSeeService(context, params.client_id, params.id)
    return lastFive(context, params.client_id, params.id, query.bill_id)
  }),
  handle(billDetailCalls.previousOfBillable, async (context, { params, query }) => ({
    previous_bills: await previousBills(context, params.client_id, 'BillableAccount', params.id, query),
  })),
  handle(billDetailCalls.previousOfSupply, async (context, { params, query }) => ({
    previous_bills: await previousBills(context, params.client_id, 'SupplyAccount', params.id, query),
  })),
]

interface LineHead {
  readonly account_type: AccountType
  readonly account_id: number
  readonly account_number: string
  readonly account_name: string | null
  readonly vendor_name: string | null
  readonly date: string
}

async function linkableLine(context: Context, clientId: number, id: number) {
  const inside = scopeCondition({ scope: billScope }, { reach: context.reach, clientId })
  const { rows } = await sql<LineHead>`
    select case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(bills.billable_account_id, bills.supply_account_id) as account_id,
      bills.account_number, coalesce(billable.name, supply.name) as account_name, vendor.name as vendor_name, bills.date
    from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id
    left join billable_accounts billable on billable.client_id = bills.client_id and billable.id = bills.billable_account_id
    left join supply_accounts supply on supply.client_id = bills.client_id and supply.id = bills.supply_account_id
    left join vendors vendor on vendor.id = bills.vendor_id
    where line.client_id = ${clientId} and line.id = ${id} and ${inside}`.execute(context.tx)
  const [line] = await readLines(context.tx, clientId, sql<boolean>`line.id = ${id}`, [])
  const head = rows[0]
  if (!head || !line) throw noSuch('Service bill')
  const { notes, ...readable } = line
  return mayIn(context.principal, 'bill_notes.read', clientId) ? { ...readable, ...head, notes } : { ...readable, ...head }
}

interface HistoryRow extends Omit<BillHistoryItem, 'number_of_days' | ChargeKey> {
  readonly total: number
}
type ChargeKey = 'utility_charges' | 'utility_taxes' | 'supply_charges' | 'supply_taxes' | 'other_charge' | 'rec_charge'

/** Void bills are left out. `exceptBill` leaves out the bill that is being edited. */
async function lastFive(
  context: Context,
  clientId: number,
  serviceId: number,
  exceptBill: number | undefined,
): Promise<{ last_five_bills: BillHistoryItem[]; total: number }> {
  const { rows } = await sql<HistoryRow>`
    select line.id, line.bill_id, bills.date, line.previous_read_date, line.read_date, line.previous_reading, line.meter_reading, line.multiplier, line.usage,
      coalesce(units.symbol, line.raw_unit) as unit_symbol, line.estimated, count(*) over () as total,
      (select coalesce(jsonb_agg(jsonb_build_object('name', component.name, 'value', component.value::text) order by component.position, component.name), '[]') from (
        select field.position, field.name, entry.value from service_bill_entry_values entry join entry_fields field on field.id = entry.entry_field_id
          where entry.client_id = line.client_id and entry.service_bill_id = line.id
        union all select 1000, field.name, entry.value from service_bill_additional_values entry
          join additional_entry_fields field on field.client_id = entry.client_id and field.id = entry.additional_entry_field_id
          where entry.client_id = line.client_id and entry.service_bill_id = line.id) component) as cost_components
    from service_bills line join bills on bills.client_id = line.client_id and bills.id = line.bill_id left join units on units.id = line.unit_id
    where line.client_id = ${clientId} and line.service_id = ${serviceId} and bills.superseded_by_id is null and line.bill_id is distinct from ${exceptBill ?? null}::bigint
    order by line.read_date desc nulls last, line.id desc limit ${lastBillsMax}`.execute(context.tx)
  return { last_five_bills: rows.map(historyItem), total: rows[0]?.total ?? 0 }
}

function historyItem(found: HistoryRow): BillHistoryItem {
  const { total: _, ...row } = found
  const valueOf = (name: string): string => row.cost_components.find((component) => component.name === name)?.value ?? '0.00'
  return {
    ...row,
    number_of_days: numberOfDays(row),
    utility_charges: valueOf('Utility Charges'),
    utility_taxes: valueOf('Utility Taxes'),
    supply_charges: valueOf('Supply Charges'),
    supply_taxes: valueOf('Supply Taxes'),
    other_charge: valueOf('Other Charge'),
    rec_charge: valueOf('REC Charge'),
  }
}

/** Returns bills dated before `date`, or all; `bill_id` leaves out the bill that is being edited. */
async function previousBills(
  context: Context,
  clientId: number,
  type: AccountType,
  accountId: number,
  { date, bill_id }: { date?: string | undefined; bill_id?: number | undefined },
): Promise<PreviousBill[]> {
  await mustSeeAccount(context, clientId, type, accountId)
  const { rows } = await sql<PreviousBill>`
    select bills.id, bills.date, bills.due_date, bills.invoice_number, bills.previous_read_date, bills.read_date, bills.balance_forward, bills.current_charges, bills.late_fee, bills.amount_due,
      bills.amount_paid, bills.paid, ${fullStatusColumn} as full_status
    from bills
    left join vendor_payments vendor_payment on vendor_payment.client_id = bills.client_id and vendor_payment.id = bills.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = vendor_payment.client_id and payment_batch.id = vendor_payment.payment_batch_id
    left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id
    where bills.client_id = ${clientId} and bills.${sql.ref(accountColumn(type))} = ${accountId} and bills.id is distinct from ${bill_id ?? null}::bigint
      and (${date ?? null}::date is null or bills.date < ${date ?? null}::date)
    order by bills.date desc, bills.id desc limit ${previousBillsMax}`.execute(context.tx)
  return rows
}
