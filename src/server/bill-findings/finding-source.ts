/** The rows of findings, joined with their bills. A finding is visible to users who see its bill. */
import { billFindings, type BillFindingRow } from '#contract/bill-findings/bill-finding.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billScope } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Condition, ScopeRule } from '../kernel/lists/list.ts'
import { resource } from '../kernel/lists/resource.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

export const heldReason =
  'You made this bill, and it is above the limit up to which one person alone may do that. Somebody else must settle what holds its payment.'

/**
 * Above the client's limit, a finding that holds a bill's payment must be resolved by another user than the bill's maker. `bill` and `client`
 * are joined.
 */
export const isHeldFor = (userId: RawBuilder<unknown>): Condition =>
  sql<SqlBool>`(bill_findings.severity = 'E!' and bill.created_by = ${userId} and bill.amount_due > client.override_limit)`

const findingScope: ScopeRule = {
  client: sql.ref('bill_findings.client_id'),
  levels: Object.fromEntries(
    Object.entries(billScope.levels).map(([level, condition]) => [
      level,
      (ids: readonly number[], client: RawBuilder<unknown>) => sql<SqlBool>`exists (select from bills where bills.client_id = ${client}
        and bills.id = bill_findings.bill_id and ${condition(ids, client)})`,
    ]),
  ),
}

const ofBill = (column: string) => ({ sql: sql.ref(`bill.${column}`), joins: ['bill'] })

export const findingSource = resource({
  entity: billFindings,
  table: 'bill_findings',
  scope: findingScope,
  joins: {
    bill: sql`join bills bill on bill.client_id = bill_findings.client_id and bill.id = bill_findings.bill_id`,
    client: sql`join clients client on client.id = bill_findings.client_id`,
    vendor: sql`left join vendors vendor on vendor.id = bill.vendor_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = bill.client_id and billable.id = bill.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = bill.client_id and supply.id = bill.supply_account_id`,
    person: sql`left join users person on person.id = bill_findings.assigned_to`,
    resolver: sql`left join users resolver on resolver.id = bill_findings.resolved_by`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    // Severities sort by rank, not by letter.
    severity: {
      sql: sql.ref('bill_findings.severity'),
      order: sql`case bill_findings.severity when 'E!' then 3 when 'E' then 2 when 'W' then 1 else 0 end`,
    },
    limit: { sql: sql.ref('bill_findings.limit_value') },
    state: {
      sql: sql`case when bill_findings.resolved_at is not null then 'resolved' when bill.superseded_by_id is not null then 'void' else 'open' end`,
      joins: ['bill'],
    },
    bill_date: ofBill('date'),
    account_type: { sql: sql`case when bill.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end`, joins: ['bill'] },
    account_id: { sql: sql`coalesce(bill.billable_account_id, bill.supply_account_id)`, joins: ['bill'] },
    account_number: ofBill('account_number'),
    account_name: { sql: sql`coalesce(billable.name, supply.name)`, joins: ['bill', 'billable', 'supply'] },
    vendor_id: ofBill('vendor_id'),
    vendor_name: { sql: sql`vendor.name`, joins: ['bill', 'vendor'] },
    client_name: { sql: sql`client.name`, joins: ['client'] },
    amount_due: ofBill('amount_due'),
    import_task_id: ofBill('import_task_id'),
    // Computed in code (`present`), since it follows the product's clock.
    age_days: { sql: sql`0` },
    assigned_to_name: { sql: nameOfUser('person'), joins: ['person'] },
    resolved_by_name: { sql: nameOfUser('resolver'), joins: ['resolver'] },
    // The user it is held for; `present` shows it to that user only.
    held_reason: {
      sql: sql`case when bill_findings.resolved_at is null and ${isHeldFor(sql.ref('bill.created_by'))} then bill.created_by::text end`,
      joins: ['bill', 'client'],
    },
  },
  search: ['message', 'account_number', 'vendor_name'],
  present: (context, rows) => Promise.resolve(rows.map((row) => presented(context, row))),
})

function presented({ principal }: Context, row: BillFindingRow): BillFindingRow {
  const isMine = row.held_reason === String(principal.user_id)
  const found = todayIn(NEW_YORK, row.created_at)
  return { ...row, held_reason: isMine ? heldReason : null, age_days: Math.max(0, daysBetween(found, today())) }
}
