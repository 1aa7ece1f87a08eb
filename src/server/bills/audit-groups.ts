/**
 * Runs rule 38 after links of groups have changed: for the bills of groups with their present children, and for children with several
 * fitting bills and no decision. It runs after the links are stored, in the transaction of the save, and runs no other rule.
 */
import { auditedHeads, type AuditedHead } from '#contract/bills/bill-fields.ts'
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import { auditBill, groupSumCode, ordinaryContext, type GroupAudit } from '#contract/bill-audits/bill-audits.ts'
import { compareFindings } from '#contract/bills/compare-findings.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { everything } from '../kernel/lists/resource.ts'
import { bookKey, clientTerms, readBooks, type AccountRef, type ClientTerms } from './account-books.ts'
import { groupColumn } from './account-scope.ts'
import { applyFindingChanges, recountFindings, storedFindings } from './finding-changes.ts'
import { settled } from './settle-findings.ts'
import { findingRow, writeFindings } from './store-findings.ts'

/** Values of a save that may resolve the finding at once. */
export type SavedBills = ReadonlyMap<number, Pick<CheckedBill, 'amount_due' | 'override_reason' | 'resolutions'>>

/** `fitting`: by child, the bills of the group that fit a written child equally well. */
export async function auditGroups(
  context: Context,
  clientId: number,
  billIds: readonly number[],
  fitting: ReadonlyMap<number, readonly number[]>,
  saved: SavedBills = new Map(),
): Promise<void> {
  const bills = await judgedBills(context, clientId, billIds, fitting)
  if (bills.length === 0) return
  const terms = await clientTerms(context, clientId)
  // A link is created by the system, whoever's save caused it.
  const books = await readBooks({ tx: context.tx, reach: everything }, clientId, bills, terms)
  const known = await storedFindings(
    context,
    clientId,
    bills.map((bill) => bill.id),
  )
  const changes = bills.flatMap((bill) => {
    const book = books.get(bookKey(bill))
    if (!book) return []
    const input = { ...book, bill: { ...bill, ...withoutLines }, today: today(), context: ordinaryContext, group: groupOf(bill, fitting) }
    const found = auditBill(input).filter((finding) => finding.code === groupSumCode)
    const own = (known.get(bill.id) ?? []).filter((finding) => finding.code === groupSumCode)
    return [{ bill, ...compareFindings([], found, own, () => false) }]
  })
  const rows = changes.flatMap(({ bill, raised }) =>
    raised.map((finding) => {
      const draft = saved.get(bill.id)
      const stored = draft ? settled(finding, draft, terms, context.visitor) : { ...finding, resolution: null }
      return findingRow(bill.id, [], stored, context.visitor?.user_id ?? null)
    }),
  )
  await writeFindings(context.tx, clientId, rows)
  await applyFindingChanges(context, clientId, changes, 'audit')
  await recountFindings(
    context,
    clientId,
    bills.map((bill) => bill.id),
  )
  await holdErrors(
    context,
    clientId,
    terms,
    changes.filter(({ raised, reopened }) => [...raised, ...reopened].some((one) => one.severity === 'E!')).map(({ bill }) => bill.id),
  )
}

const withoutLines = { service_bills: [], bill_charges: [] }

const auditedColumns = sql.join(auditedHeads.map((name) => sql.ref(`bills.${name}`)))

interface JudgedBill extends AccountRef, Pick<CheckedBill, AuditedHead> {
  readonly id: number
  readonly paid: boolean
  readonly finalized: boolean
  readonly children: readonly string[]
  readonly missing: number
}

function groupOf(bill: JudgedBill, fitting: ReadonlyMap<number, readonly number[]>): GroupAudit {
  return { children: bill.children, missing: bill.missing, fitting: fitting.get(bill.id) ?? [] }
}

/** Returns the bills that have children, or a finding; the rule concerns no others. */
async function judgedBills(
  { tx }: Context,
  clientId: number,
  billIds: readonly number[],
  fitting: ReadonlyMap<number, readonly number[]>,
): Promise<JudgedBill[]> {
  if (billIds.length === 0) return []
  const child = sql`from bills child where child.client_id = ${clientId} and child.group_bill_id = bills.id and child.superseded_by_id is null`
  const missing = (type: AccountRef['account_type']) => {
    const [table, column] =
      type === 'BillableAccount'
        ? (['billable_accounts', 'billable_account_id'] as const)
        : (['supply_accounts', 'supply_account_id'] as const)
    return sql`(select count(*)::int from ${sql.table(table)} member where member.client_id = ${clientId} and ${sql.ref(`member.${groupColumn(type)}`)} = ${sql.ref(`bills.${column}`)}
      and member.active and not exists (select ${child} and ${sql.ref(`child.${column}`)} = member.id))`
  }
  const { rows } = await sql<JudgedBill>`
    select bills.id, case when bills.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(bills.billable_account_id, bills.supply_account_id) as account_id, ${auditedColumns}, bills.paid, bills.finalized,
      array(select child.current_charges::text ${child} order by child.account_number, child.id) as children,
      case when bills.billable_account_id is null then ${missing('SupplyAccount')} else ${missing('BillableAccount')} end as missing
    from bills where bills.client_id = ${clientId} and bills.id = any(${billIds}::bigint[]) and bills.superseded_by_id is null
      and (exists (select ${child}) or bills.id = any(${[...fitting.keys()]}::bigint[])
        or exists (select from bill_findings found where found.client_id = ${clientId} and found.bill_id = bills.id and found.code = ${groupSumCode} and found.resolved_at is null))
    order by bills.id`.execute(tx)
  return rows
}

/** Holds the bill if the client holds bills with errors, as any other bill. */
async function holdErrors({ tx }: Context, clientId: number, terms: ClientTerms, ids: readonly number[]): Promise<void> {
  if (!terms.qc_on_error || ids.length === 0) return
  await sql`update bills set qc = true where client_id = ${clientId} and id = any(${ids}::bigint[]) and open_blocking > 0 and not paid`.execute(
    tx,
  )
}
