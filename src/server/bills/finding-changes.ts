/** Stored findings of bills: read for a comparison (contract/bills/compare-findings.ts), and written with its result. */
import { countOpen, type Severity } from '#contract/bill-audits/bill-audits.ts'
import { goneReason, type FindingChanges, type StoredFindingState } from '#contract/bills/compare-findings.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { addFindingEvents } from './finding-events.ts'

/** Cause of added and removed findings: an edit of a bill, a setting, or another audit after something else changed. */
export type AuditCause = 'edit' | 'settings' | 'audit'

interface FindingOfBill extends StoredFindingState {
  readonly bill_id: number
}

/** Returns the findings of these bills by bill, open and closed. */
export async function storedFindings(
  { tx }: Pick<Context, 'tx'>,
  clientId: number,
  billIds: readonly number[],
): Promise<Map<number, FindingOfBill[]>> {
  const { rows } =
    await sql<FindingOfBill>`select id, bill_id, service_bill_id, service_id, code, severity, message, actual, resolved_at is null as is_open,
      coalesce(gone_by is not null or reason = ${goneReason}, false) as is_gone
    from bill_findings where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) order by id`.execute(tx)
  return Map.groupBy(rows, (row) => row.bill_id)
}

/** Writes the result of a comparison to stored findings, with an event each; the caller inserts new ones. */
export async function applyFindingChanges(
  context: Context,
  clientId: number,
  changes: readonly FindingChanges[],
  cause: AuditCause,
): Promise<void> {
  const renewed = changes.flatMap((change) => change.renewed)
  const reopened = changes.flatMap((change) => change.reopened)
  const gone = changes.flatMap((change) => change.gone)
  const again = [...renewed, ...reopened]
  if (again.length > 0) {
    await sql`update bill_findings set severity = new.severity, message = new.message, expected = new.expected, actual = new.actual, limit_value = new."limit",
        other_bill_id = new.other_bill_id, resolved_at = null, resolved_by = null, reason = null, comment = null, gone_by = null, bulk_change_id = null
      from jsonb_to_recordset(${JSON.stringify(again)}::jsonb)
        as new(id bigint, severity text, message text, expected text, actual text, "limit" text, other_bill_id bigint)
      where bill_findings.client_id = ${clientId} and bill_findings.id = new.id`.execute(context.tx)
  }
  if (gone.length > 0) {
    await sql`update bill_findings set resolved_at = now(), reason = ${goneReason}, gone_by = ${cause}
      where client_id = ${clientId} and id = any(${gone.map((one) => one.id)}::bigint[]) and resolved_at is null`.execute(context.tx)
  }
  await addFindingEvents(context, clientId, [
    ...renewed.map((one) => ({ finding_id: one.id, event: 'changed' as const, was: one.was, became: one.message })),
    ...reopened.map((one) => ({ finding_id: one.id, event: 'reopened' as const, reason: cause, was: one.was, became: one.message })),
    ...gone.map((one) => ({ finding_id: one.id, event: 'gone' as const, reason: cause, was: one.message })),
  ])
}

/** Updates the counts of open findings on the bills; bills with correct counts are not written. */
export async function recountFindings({ tx }: Pick<Context, 'tx'>, clientId: number, billIds: readonly number[]): Promise<void> {
  if (billIds.length === 0) return
  const { rows } = await sql<{ bill_id: number; severity: Severity }>`select bill_id, severity from bill_findings
    where client_id = ${clientId} and bill_id = any(${billIds}::bigint[]) and resolved_at is null`.execute(tx)
  const open = Map.groupBy(rows, (row) => row.bill_id)
  const counts = [...new Set(billIds)].map((id) => ({ id, ...countOpen(open.get(id) ?? []) }))
  await sql`update bills set open_errors = counted.open_errors, open_blocking = counted.open_blocking, open_warnings = counted.open_warnings
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counted(id bigint, open_errors int, open_blocking int, open_warnings int)
    where bills.client_id = ${clientId} and bills.id = counted.id
      and (bills.open_errors, bills.open_blocking, bills.open_warnings) is distinct from (counted.open_errors, counted.open_blocking, counted.open_warnings)`.execute(
    tx,
  )
}
