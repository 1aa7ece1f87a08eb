/** A bill before an edit: locked, with all its children, and as the draft that would create it again. */
import type { StandingBill } from '#contract/bills/bill-body.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import { headFields, lineFields } from '#contract/bills/bill-fields.ts'
import type { StatusFacts } from '#contract/bills/status-facts.ts'
import { ownOf } from '#contract/kernel/record.ts'
import { sql } from 'kysely'
import { billScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { noSuch } from '../kernel/problem.ts'
import type { AccountRef } from './account-books.ts'
import { historyImportOn, wasOver } from './bill-came-in.ts'
import { anyLinkedErrors } from './bill-status-sql.ts'
import { answeredSupplyBill, readLines } from './read-lines.ts'

export interface StoredBill extends StandingBill {
  readonly id: number
  readonly lock_version: number
  readonly facts: StatusFacts
  readonly head: StoredHead
  readonly lines: readonly ServiceBill[]
  readonly files: readonly { readonly file_id: number; readonly filename: string }[]
  /** Supply bills that lines answer without storing them, by the line's id. */
  readonly answeredSupplyBills: ReadonlyMap<number, number>
}

/** Values that a save copies or derives. */
interface StoredHead {
  readonly account_number: string
  readonly vendor_id: number | null
  readonly facility_id: number | null
  readonly division_id: number | null
  readonly missing_fields: readonly string[]
  readonly bill_id: number | null
  /** True if the bill was past due when it was received, so that it is not compared with today. */
  readonly was_over: boolean
  /** Day on which the bill was received as history; null if it was not. */
  readonly history_import_on: string | null
}

/** Returns the account of a bill inside the reach. It is locked before the bill, as in every creation of bills. Throws not-found. */
export async function accountOfBill(context: Context, clientId: number, id: number): Promise<AccountRef> {
  const { rows } =
    await sql<AccountRef>`select ${accountType} as account_type, coalesce(billable_account_id, supply_account_id) as account_id
    from bills where ${scopeCondition({ scope: billScope }, { reach: context.reach, clientId })} and id = ${id}`.execute(context.tx)
  const [ref] = rows
  if (!ref) throw noSuch('Bill')
  return ref
}

/** Locks the bill and reads it completely. Throws not-found if it was deleted meanwhile. */
export async function lockStoredBill(context: Context, clientId: number, id: number): Promise<StoredBill> {
  const { tx } = context
  const locked = await sql`select from bills where client_id = ${clientId} and id = ${id} for no key update`.execute(tx)
  if (locked.rows.length === 0) throw noSuch('Bill')
  const row = await headOf(context, clientId, id)
  const lines = await readLines(tx, clientId, sql<boolean>`line.bill_id = ${id}`, [], sql<number | null>`line.supply_bill_id`)
  const answered = await sql<{
    id: number
    supply_bill_id: number
  }>`select line.id, ${answeredSupplyBill} as supply_bill_id from service_bills line
    join services service on service.client_id = line.client_id and service.id = line.service_id
    where line.client_id = ${clientId} and line.bill_id = ${id} and line.supply_bill_id is null and ${answeredSupplyBill} is not null`.execute(
    tx,
  )
  const charges = await sql<{ id: number; name: string; amount: string }>`select id, name, amount from bill_charges
    where client_id = ${clientId} and bill_id = ${id} order by position, id`.execute(tx)
  const files = await sql<{ file_id: number; filename: string }>`select file_id, filename from bill_files
    where client_id = ${clientId} and bill_id = ${id} order by position`.execute(tx)
  const linked = await sql<{ service_bill_id: number }>`select service_bill_id from bill_linked_service_bills
    where client_id = ${clientId} and bill_id = ${id} order by service_bill_id`.execute(tx)
  const { draft, head, facts, lock_version } = row
  return {
    id,
    lock_version,
    facts,
    head,
    lines,
    files: files.rows,
    line_ids: lines.map((line) => line.id),
    answeredSupplyBills: new Map(answered.rows.map((line) => [line.id, line.supply_bill_id])),
    charge_ids: charges.rows.map((charge) => charge.id),
    draft: {
      ...draft,
      next_read_date: draft.next_read_date === latestNextRead(lines) ? null : draft.next_read_date,
      ...(lines.some((line) => line.previous_read_date ?? line.read_date) ? { previous_read_date: null, read_date: null } : {}),
      service_bills: lines.map(lineDraft),
      bill_charges: charges.rows.map(({ name, amount }) => ({ name, amount })),
      linked_service_bill_ids: linked.rows.map((link) => link.service_bill_id),
      file_ids: files.rows.map((file) => file.file_id),
    },
  }
}

/** Returns the date that the lines give their bill if none was entered. */
function latestNextRead(lines: readonly ServiceBill[]): string | null {
  const dates = lines.flatMap((line) => line.next_read_date ?? []).toSorted()
  return dates.at(-1) ?? null
}

const accountType = sql<
  AccountRef['account_type']
>`case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end`

interface Head {
  readonly draft: Omit<BillDraft, 'service_bills'>
  readonly head: StoredHead
  readonly facts: StatusFacts
  readonly lock_version: number
}

/** Amounts are text: a number of JSON would become a float. */
const storedFields = Object.entries(headFields).map(([name, { scale }]) => {
  const column = sql.ref(`bills.${name}`)
  return sql`${sql.lit(name)}, ${scale === undefined ? column : sql`${column}::text`}`
})

async function headOf(context: Context, clientId: number, id: number): Promise<Head> {
  const { rows } = await sql<Head>`
    select bills.lock_version,
      jsonb_build_object('account_type', ${accountType}, 'account_id', coalesce(bills.billable_account_id, bills.supply_account_id),
        'assumed_due_date', bills.assumed_due_date, 'previous_read_date', bills.previous_read_date, 'read_date', bills.read_date, 'source', bills.source,
        ${sql.join(storedFields)}) as draft,
      jsonb_build_object('account_number', bills.account_number, 'vendor_id', bills.vendor_id, 'facility_id', bills.facility_id, 'division_id', bills.division_id,
        'missing_fields', to_jsonb(bills.missing_fields), 'bill_id', bills.bill_id,
        'was_over', ${wasOver}, 'history_import_on', ${historyImportOn}) as head,
      jsonb_build_object('superseded_by_id', bills.superseded_by_id, 'finalized', bills.finalized, 'paid', bills.paid, 'vendor_payment_id', bills.vendor_payment_id,
        'payment_batch_is_global', payment_batch.is_global, 'parked', bills.parked, 'qc', bills.qc, 'open_errors', bills.open_errors, 'open_blocking', bills.open_blocking,
        'any_linked_errors', ${anyLinkedErrors}, 'accounting_batch_id', bills.accounting_batch_id, 'accounting_batch_closed', accounting_batch.closed,
        'accounting_batch_invoiced', accounting_batch.invoiced, 'missing_fields', to_jsonb(bills.missing_fields)) as facts
    from bills
    left join vendor_payments vendor_payment on vendor_payment.client_id = bills.client_id and vendor_payment.id = bills.vendor_payment_id
    left join payment_batches payment_batch on payment_batch.client_id = vendor_payment.client_id and payment_batch.id = vendor_payment.payment_batch_id
    left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id
    where bills.client_id = ${clientId} and bills.id = ${id}`.execute(context.tx)
  const [head] = rows
  if (!head) throw noSuch('Bill')
  return head
}

function lineDraft(line: ServiceBill): ServiceBillDraft {
  const named = (values: readonly { readonly name: string; readonly value: string | null }[]) =>
    values.map(({ name, value }) => ({ name, value }))
  return {
    ...ownOf(lineFields, line),
    service_bill_entry_fields: named(line.service_bill_entry_fields),
    service_bill_usage_factors: named(line.service_bill_usage_factors),
    service_bill_additional_entry_fields: named(line.service_bill_additional_entry_fields),
  }
}
