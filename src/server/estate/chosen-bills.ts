/** Bills that a user chooses by what they belong to, as in bundles and reports. The conditions refer to a table called `bills`. */
import { sql, type SqlBool } from 'kysely'
import type { Condition } from '../kernel/lists/list.ts'

/** An empty list means all; both dates are included. Accounts of both kinds are combined. */
export interface ChosenBills {
  readonly date_range: { readonly from: string | null; readonly to: string | null }
  readonly utility_service_ids: readonly number[]
  readonly accounting_batch_ids: readonly number[]
  readonly payment_batch_ids: readonly number[]
  readonly vendor_ids: readonly number[]
  readonly division_ids: readonly number[]
  readonly facility_ids: readonly number[]
  readonly billable_account_ids: readonly number[]
  readonly supply_account_ids: readonly number[]
}

/** Returns the conditions of a choice. `clientId` is the client of all tables; null if the bills of several clients are read. */
export function chosenBills(clientId: number | null, filters: ChosenBills): Condition[] {
  const { from, to } = filters.date_range
  const within = (column: string, ids: readonly number[]): Condition[] =>
    ids.length === 0 ? [] : [sql<SqlBool>`${sql.ref(`bills.${column}`)} = any(${ids}::bigint[])`]
  const { billable_account_ids: billable, supply_account_ids: supply } = filters
  const accounts =
    billable.length + supply.length === 0
      ? []
      : [sql<SqlBool>`(bills.billable_account_id = any(${billable}::bigint[]) or bills.supply_account_id = any(${supply}::bigint[]))`]
  return [
    ...(from === null ? [] : [sql<SqlBool>`bills.date >= ${from}::date`]),
    ...(to === null ? [] : [sql<SqlBool>`bills.date <= ${to}::date`]),
    ...within('vendor_id', filters.vendor_ids),
    ...within('accounting_batch_id', filters.accounting_batch_ids),
    ...ofServices(clientId, filters.utility_service_ids),
    ...inVendorBatches(clientId, filters.payment_batch_ids),
    ...within('division_id', filters.division_ids),
    ...within('facility_id', filters.facility_ids),
    ...accounts,
  ]
}

/** Returns the condition for bills with a line of one of these utilities. */
function ofServices(clientId: number | null, ids: readonly number[]): Condition[] {
  if (ids.length === 0) return []
  const client = clientId === null ? sql`bills.client_id` : sql`${clientId}`
  return [
    sql<SqlBool>`exists (select from service_bills chosen_line join services chosen_service on chosen_service.client_id = ${client} and chosen_service.id = chosen_line.service_id
      where chosen_line.client_id = ${client} and chosen_line.bill_id = bills.id and chosen_service.utility_service_id = any(${ids}::bigint[]))`,
  ]
}

function inVendorBatches(clientId: number | null, ids: readonly number[]): Condition[] {
  if (ids.length === 0) return []
  const client = clientId === null ? sql`bills.client_id` : sql`${clientId}`
  return [
    sql<SqlBool>`exists (select from vendor_payments chosen_payment where chosen_payment.client_id = ${client} and chosen_payment.id = bills.vendor_payment_id
      and chosen_payment.payment_batch_id = any(${ids}::bigint[]))`,
  ]
}
