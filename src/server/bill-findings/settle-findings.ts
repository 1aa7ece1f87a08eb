/** Resolves and reopens findings, one or many, and updates the counts on their bills, their history and the trail. */
import { reasonLabel } from '#contract/bill-findings/bill-finding.ts'
import type { FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import { sql, type SqlBool } from 'kysely'
import { addFindingEvents, recountFindings } from '../bills/bills.ts'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Condition } from '../kernel/lists/list.ts'
import { isHeldFor } from './finding-source.ts'

interface Picked {
  readonly id: number
  readonly bill_id: number
  readonly code: string
  readonly reason: string | null
  readonly is_held: boolean
}

export interface Settling {
  readonly reason: FindingReason
  readonly comment?: string | null | undefined
  /** The bulk change that resolves them, so that undoing it reopens exactly these. */
  readonly bulkChangeId?: number | undefined
}

/** Resolves the open findings that match. Findings that another user must resolve stay open and are counted as held. */
export async function settleFindings(
  context: Context,
  clientId: number,
  which: Condition,
  { reason, comment = null, bulkChangeId }: Settling,
): Promise<{ resolved: number; held: number; ids: number[] }> {
  const picked = await pick(context, clientId, sql<SqlBool>`bill_findings.resolved_at is null and ${which}`)
  const free = picked.filter((one) => !one.is_held)
  const counts = { resolved: free.length, held: picked.length - free.length, ids: free.map((one) => one.id) }
  if (free.length === 0) return counts
  const said = comment === '' ? null : comment
  await sql`update bill_findings set resolved_at = now(), resolved_by = ${context.visitor?.user_id ?? null}::bigint, reason = ${reason}, comment = ${said},
      gone_by = null, bulk_change_id = ${bulkChangeId ?? null}::bigint
    where client_id = ${clientId} and id = any(${counts.ids}::bigint[])`.execute(context.tx)
  await addFindingEvents(
    context,
    clientId,
    free.map((one) => ({ finding_id: one.id, event: 'resolved' as const, reason, comment: said })),
  )
  await finish(context, clientId, free, () => reasonLabel(reason) ?? reason)
  return counts
}

/** Reopens the resolved findings that match. `reason` is stored in their history if there is no comment. */
export async function reopenFindings(
  context: Context,
  clientId: number,
  which: Condition,
  { comment = null, reason }: { readonly comment?: string | null | undefined; readonly reason?: 'undo' | undefined } = {},
): Promise<number> {
  const picked = await pick(context, clientId, sql<SqlBool>`bill_findings.resolved_at is not null and ${which}`)
  if (picked.length === 0) return 0
  await sql`update bill_findings set resolved_at = null, resolved_by = null, reason = null, comment = null, gone_by = null, bulk_change_id = null
    where client_id = ${clientId} and id = any(${picked.map((one) => one.id)}::bigint[])`.execute(context.tx)
  await addFindingEvents(
    context,
    clientId,
    picked.map((one) => ({
      finding_id: one.id,
      event: 'reopened' as const,
      comment: comment === '' ? null : comment,
      reason: reason ?? null,
    })),
  )
  await finish(context, clientId, picked, () => 'Open')
  return picked.length
}

/** Locks bills first and in id order, like every writer of bills, then their findings. */
async function pick({ tx, visitor }: Context, clientId: number, which: Condition): Promise<Picked[]> {
  const from = sql`from bill_findings join bills bill on bill.client_id = bill_findings.client_id and bill.id = bill_findings.bill_id
    join clients client on client.id = bill_findings.client_id where bill_findings.client_id = ${clientId} and ${which}`
  await sql`select id from bills where client_id = ${clientId} and id in (select bill.id ${from}) order by id for no key update`.execute(tx)
  const { rows } = await sql<Picked>`select bill_findings.id, bill_findings.bill_id, bill_findings.code, bill_findings.reason,
      coalesce(${isHeldFor(sql`${visitor?.user_id ?? null}::bigint`)}, false) as is_held
    ${from} order by bill_findings.id for update of bill_findings`.execute(tx)
  return rows
}

/** The trail belongs to the bill, whose history people read: one row per bill, whatever the number of findings. */
async function finish(context: Context, clientId: number, picked: readonly Picked[], becomes: () => string): Promise<void> {
  const entries = [...Map.groupBy(picked, (one) => one.bill_id)].map(([billId, ofBill]): AuditEntry => {
    const worded = (state: (one: Picked) => string): string => ofBill.map((one) => `${auditName(one.code)}: ${state(one)}`).join('; ')
    return {
      event: 'update',
      item_type: 'bill',
      item_id: billId,
      client_id: clientId,
      changes: { findings: { from: worded((one) => reasonLabel(one.reason) ?? 'Open'), to: worded(becomes) } },
    }
  })
  await recountFindings(
    context,
    clientId,
    picked.map((one) => one.bill_id),
  )
  await context.audit.many(entries)
  context.touch(clientId)
}
