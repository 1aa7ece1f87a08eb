/**
 * The source of bill rows. Filters read denormalized columns of bills, so that a count joins nothing; names of other tables are looked up
 * in those tables first. Nested lists (an account's bills, a group's bills) are this list with an additional filter.
 */
import { childCodes } from '#contract/bill-audits/flags.ts'
import { bill } from '#contract/bills/bill.ts'
import { fullStatuses } from '#contract/bills/bill-status.ts'
import type { Filter } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import { billScope, billCountsColumn, isPayable } from '../estate/estate.ts'
import { containing, or, type Condition, type Source } from '../kernel/lists/list.ts'
import { registered } from '../kernel/lists/sources.ts'
import {
  accountingStatusColumn,
  anyLinkedFlags,
  fullStatusColumn,
  fullStatusOrder,
  hasStatus,
  isFlagged,
  paymentStatusColumn,
  statusJoins,
} from './bill-status-sql.ts'
import { countedFilters } from './counted-filters.ts'
import { narrowBills } from './narrow-bills.ts'

const openFindings = sql`from bill_findings finding where finding.client_id = bills.client_id and finding.bill_id = bills.id and finding.resolved_at is null`
const anyOpen = sql<boolean>`(bills.open_errors + bills.open_warnings > 0)`
const files = sql`from bill_files file where file.client_id = bills.client_id and file.bill_id = bills.id`
const lines = sql`from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id`

/** Client batches refuse the bill of a group while bills of its children count, and book these. */
const isBooked = sql<boolean>`(bills.superseded_by_id is null and not exists (select from bills child where child.client_id = bills.client_id
  and child.group_bill_id = bills.id and child.superseded_by_id is null))`

/** The meaning of `fieldFlags` of the contract for a line, a meter without a line or a linked bill: an information is not a flag. */
export const childFindingText = `(finding.service_bill_id is not null or finding.service_id is not null or finding.code in ('${childCodes.join("', '")}'))`
const childFinding = sql.raw<boolean>(childFindingText)
const anyChildFlags = sql<boolean>`((${anyOpen} and exists (select ${openFindings} and finding.severity <> 'I' and ${childFinding})) or ${anyLinkedFlags})`

export const billSource: Source = {
  entity: bill,
  table: 'bills',
  joins: {
    client: sql`join clients client on client.id = bills.client_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = bills.client_id and billable.id = bills.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = bills.client_id and supply.id = bills.supply_account_id`,
    vendor: sql`left join vendors vendor on vendor.id = bills.vendor_id`,
    division: sql`left join divisions division on division.client_id = bills.client_id and division.id = bills.division_id`,
    facility: sql`left join facilities facility on facility.client_id = bills.client_id and facility.id = bills.facility_id`,
    accounting_batch: sql`left join accounting_batches accounting_batch on accounting_batch.client_id = bills.client_id and accounting_batch.id = bills.accounting_batch_id`,
    payment: sql`left join vendor_payments vendor_payment on vendor_payment.client_id = bills.client_id and vendor_payment.id = bills.vendor_payment_id
      left join payment_batches payment_batch on payment_batch.client_id = vendor_payment.client_id and payment_batch.id = vendor_payment.payment_batch_id`,
  },
  columns: {
    flags: {
      sql: sql`case when ${anyOpen} then (select coalesce(jsonb_object_agg(flag.code, flag.message), '{}') from (
        select finding.code, string_agg(finding.message, '; ' order by finding.id) as message ${openFindings} and finding.severity <> 'I' group by finding.code) flag) else '{}' end`,
      order: sql`(bills.open_errors * 1000 + bills.open_warnings)`,
    },
    any_child_flags: { sql: anyChildFlags },
    flagged: { sql: isFlagged },
    // Computed in code (bill-rows.ts): whether a bill is past due depends on the product's clock.
    badges: { sql: sql`'{}'::text[]` },
    vendor_name: { sql: sql`vendor.name`, joins: ['vendor'] },
    account_type: { sql: sql`case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end` },
    account_id: { sql: sql`coalesce(bills.billable_account_id, bills.supply_account_id)` },
    group_account_id: { sql: sql`billable.group_account_id`, joins: ['billable'] },
    group_supply_account_id: { sql: sql`supply.group_supply_account_id`, joins: ['supply'] },
    account_name: { sql: sql`coalesce(billable.name, supply.name)`, joins: ['billable', 'supply'] },
    account_name_with_number: {
      sql: sql`coalesce(billable.name, supply.name) || ' (' || bills.account_number || ')'`,
      joins: ['billable', 'supply'],
    },
    client_name: { sql: sql`client.name`, joins: ['client'] },
    division_name: { sql: sql`division.name`, joins: ['division'] },
    facility_name: { sql: sql`facility.name`, joins: ['facility'] },
    accounting_batch_batch_code: { sql: sql`accounting_batch.batch_code`, joins: ['accounting_batch'], ofWholeClient: true },
    full_status: { sql: fullStatusColumn, joins: statusJoins, order: fullStatusOrder },
    accounting_status: { sql: accountingStatusColumn, joins: ['accounting_batch'] },
    payment_status: { sql: paymentStatusColumn, joins: ['payment'] },
    unpaid: { sql: isPayable },
    counts: { sql: billCountsColumn },
    estimated: { sql: sql`exists (select ${lines} and line.estimated)` },
    vendor_payment_full_name: { sql: sql`'VP-' || vendor_payment.id || ' ' || vendor.name`, joins: ['payment', 'vendor'] },
    payment_batch_id: { sql: sql`vendor_payment.payment_batch_id`, joins: ['payment'] },
    check_number: { sql: sql`vendor_payment.check_number`, joins: ['payment'] },
    file_url: {
      sql: sql`array(select '/api/v5/clients/' || file.client_id || '/bills/' || file.bill_id || '/files/' || file.position ${files} order by file.position)`,
    },
    filename: { sql: sql`(select file.filename ${files} order by file.position limit 1)` },
  },
  filters: {
    ...countedFilters,
    booked: truth(isBooked),
    service_id: (filter) => ofMeters(filter),
    flags: (filter) => sql<boolean>`exists (select ${openFindings} and finding.code = any(${textsOf(filter)}::text[]))`,
    flagged: truth(isFlagged),
    any_child_flags: truth(anyChildFlags),
    unpaid: truth(isPayable),
    full_status: (filter) => {
      const asked = textsOf(filter)
      const any = or(fullStatuses.filter((status) => asked.includes(status)).map(hasStatus))
      return filter.predicate === 'not_eq' ? sql<boolean>`not ${any}` : any
    },
    vendor_name: lookup('vendor_id', (pattern) => sql`select id from vendors where name ilike ${pattern}`),
    client_name: lookup('client_id', (pattern) => sql`select id from clients where name ilike ${pattern}`),
    division_name: lookup('division_id', (pattern) => sql`select id from divisions where name ilike ${pattern}`),
    facility_name: lookup('facility_id', (pattern) => sql`select id from facilities where name ilike ${pattern}`),
    accounting_batch_batch_code: lookup(
      'accounting_batch_id',
      (pattern) => sql`select id from accounting_batches where batch_code ilike ${pattern}`,
    ),
    // The group's own bills and those of its subaccounts.
    group_account_id: (filter) =>
      sql<boolean>`bills.billable_account_id in (select id from billable_accounts where client_id = bills.client_id and (group_account_id = ${filter.value} or id = ${filter.value}))`,
    group_supply_account_id: (filter) =>
      sql<boolean>`bills.supply_account_id in (select id from supply_accounts where client_id = bills.client_id and (group_supply_account_id = ${filter.value} or id = ${filter.value}))`,
  },
  scope: billScope,
  search: [
    'account_number',
    'invoice_number',
    ({ pattern }) => sql<boolean>`bills.vendor_id = any(array(select id from vendors where name ilike ${pattern}))`,
    ({ pattern, clientId }) =>
      sql<boolean>`bills.facility_id = any(array(select id from facilities where ${clientId === undefined ? sql`` : sql`client_id = ${clientId} and`} name ilike ${pattern}))`,
  ],
  narrow: narrowBills,
}
registered.set(bill.plural, billSource)

/** Bills with a line of one of the meters; `not_eq`, and "is empty", ask for those without. */
function ofMeters({ predicate, value }: Filter): Condition {
  const ids = typeof value === 'object' ? value : [value]
  const isOne = predicate === 'null' ? sql`true` : sql`line.service_id = any(${ids.map(Number)}::bigint[])`
  const found = sql<boolean>`exists (select ${lines} and ${isOne})`
  return predicate === 'not_eq' || (predicate === 'null' && value === true) ? sql<boolean>`not ${found}` : found
}

/** Returns a filter on a boolean that is not a column. */
function truth(condition: Condition) {
  return (filter: Filter): Condition =>
    (filter.value === true) === (filter.predicate !== 'not_eq') ? condition : sql<boolean>`not ${condition}`
}

/** Returns a filter on the name of a related record: the few matching records are found first. Ids are unique across clients. */
function lookup(column: string, select: (pattern: string) => RawBuilder<unknown>) {
  return (filter: Filter): Condition => {
    const found = sql.ref(`bills.${column}`)
    switch (filter.predicate) {
      case 'null':
        return filter.value === true ? sql<boolean>`${found} is null` : sql<boolean>`${found} is not null`
      case 'in':
        return or(textsOf(filter).map((text) => sql<boolean>`${found} in (${select(exactly(text))})`))
      case 'not_eq':
        return sql<boolean>`(${found} is null or ${found} not in (${select(exactly(String(filter.value)))}))`
      case 'cont':
        return sql<boolean>`${found} in (${select(containing(String(filter.value)))})`
      default:
        return sql<boolean>`${found} in (${select(exactly(String(filter.value)))})`
    }
  }
}

/** Returns a pattern that matches only the text itself, regardless of case. */
function exactly(text: string): string {
  return containing(text).slice(1, -1)
}

function textsOf(filter: Filter): string[] {
  return typeof filter.value === 'object' ? filter.value.map(String) : [String(filter.value)]
}
