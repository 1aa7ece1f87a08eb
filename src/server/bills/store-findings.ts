/** Writes the findings of bills. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { BillToStore, StoredFinding } from './bill-to-store.ts'

export async function insertFindings(tx: Tx, clientId: number, bills: readonly BillToStore[], userId: number | null): Promise<void> {
  const rows = bills.flatMap((bill) => bill.findings.map((finding) => findingRow(bill.id, bill.line_ids, finding, userId)))
  await writeFindings(tx, clientId, rows)
}

/** Returns a finding as a row of its table. */
export function findingRow(
  billId: number,
  lineIds: readonly number[],
  finding: StoredFinding,
  userId: number | null,
): Readonly<Record<string, unknown>> {
  const { resolution, line, limit, ...found } = finding
  return {
    ...found,
    bill_id: billId,
    service_bill_id: line === null ? null : lineIds[line],
    limit_value: limit,
    reason: resolution?.reason ?? null,
    comment: resolution?.comment ?? null,
    resolved_by: resolution ? userId : null,
    resolved: resolution !== null,
  }
}

export async function writeFindings(tx: Tx, clientId: number, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into bill_findings (client_id, bill_id, service_bill_id, service_id, code, severity, field, message, expected, actual, limit_value, other_bill_id, reason, comment, resolved_by, resolved_at)
    select ${clientId}::bigint, bill_id, service_bill_id, service_id, code, severity, field, message, expected, actual, limit_value, other_bill_id, reason, comment, resolved_by,
      case when resolved then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as finding(bill_id bigint, service_bill_id bigint, service_id bigint, code text, severity text, field text, message text,
      expected text, actual text, limit_value text, other_bill_id bigint, reason text, comment text, resolved_by bigint, resolved boolean)`.execute(
    tx,
  )
}
