/**
 * Writes the changes of an edit, in one transaction with all consequences: findings, related bills, the last bill, the months, the trail.
 */
import { headFields, lineFields } from '#contract/bills/bill-fields.ts'
import type { FindingChanges } from '#contract/bills/compare-findings.ts'
import { silentOf } from '#contract/kernel/record.ts'
import { sql } from 'kysely'
import { factSpans, refreshFactsOfBills } from '../month-facts/month-facts.ts'
import type { Context } from '../kernel/context.ts'
import { keepLastBills } from '../estate/estate.ts'
import { bookKey } from './account-books.ts'
import { trailOf } from './bill-changes.ts'
import { applyFindingChanges, recountFindings } from './finding-changes.ts'
import { addFindingEvents } from './finding-events.ts'
import { groupsBefore, linkGroups } from './link-groups.ts'
import { billColumns, billRow, replaceOriginals } from './store-bills.ts'
import { findingRow, writeFindings } from './store-findings.ts'
import { replaceLines } from './store-lines.ts'
import type { BillToStore } from './bill-to-store.ts'
import { movedEntries, type Moved } from './moved-bills.ts'
import { type BillEdit, storeBeside } from './store-attachments.ts'

/** The version rises even if only a line changes: an editor of the old form must get the stale error. */
export async function storeEdit(context: Context, clientId: number, edit: BillEdit): Promise<void> {
  const { before, bill, changes, edited, findings } = edit
  const moved = linksAnew(edit) ? await factSpans(context.tx, clientId, [edited.id]) : []
  const groups = await groupsBefore(context.tx, clientId, [
    edited.id,
    ...(edited.draft.rebill_of_id === null ? [] : [edited.draft.rebill_of_id]),
  ])
  await updateHead(context, clientId, edit)
  await storeLines(context, clientId, edit)
  await storeBeside(context, clientId, edit)
  await storeFindings(context, clientId, edited, findings)
  await storeRebill(context, clientId, edit)
  await relinkNext(context, clientId, edit)
  await keepLastBills(context.tx, clientId, accountsOf(edit))
  await context.audit.updated('bill', edited.id, clientId, auditedChanges(edit, trailOf(before, edited, bill, changes)))
  if (linksAnew(edit)) {
    const linked = await linkGroups(context, clientId, [edited.id], groups, new Map([[edited.id, edited.draft]]))
    await refreshFactsOfBills(context.tx, clientId, [edited.id, ...linked], moved)
  }
  context.touch(clientId)
}

/** Adds the reason of an override and the resolutions of the save to the trail. */
function auditedChanges({ edited }: BillEdit, changes: ReturnType<typeof trailOf>): ReturnType<typeof trailOf> {
  const { override_reason } = edited.draft
  const resolved = edited.findings.flatMap(({ code, resolution }) => (resolution === null ? [] : [`${code}: ${resolution.reason}`]))
  return {
    ...changes,
    ...(override_reason === null ? {} : { override_reason: { from: null, to: override_reason } }),
    ...(resolved.length === 0 ? {} : { resolved: { from: null, to: resolved.join(', ') } }),
  }
}

/** Months hold cost and usage by day and account: a note, a hold or a file changes none of them. */
const silentKeys: readonly string[] = [...silentOf(headFields), ...silentOf(lineFields), 'signed_file_ids']

function countsAnew({ changes, bill }: BillEdit): boolean {
  return changes.some((one) => !silentKeys.includes(one.key)) || bill.removed.length > 0 || bill.lines.some((line) => line.id === null)
}

/** The values that the months hold, and the number of the statement, determine which bill of its group carries the bill. */
function linksAnew(edit: BillEdit): boolean {
  return countsAnew(edit) || edit.changes.some((one) => one.key === 'invoice_number')
}

async function updateHead(context: Context, clientId: number, { before, edited }: BillEdit): Promise<void> {
  const hasMoved = bookKey(edited.draft) !== bookKey(before.draft)
  const { account_number, vendor_id, facility_id, division_id } = hasMoved ? edited.book : before.head
  const row = { ...billRow(edited), account_number, vendor_id, facility_id, division_id }
  const values = new Map<string, unknown>(Object.entries(row))
  const sets = billColumns.map((column) => sql`${sql.ref(column)} = ${values.get(column) ?? null}`)
  await sql`update bills set ${sql.join(sets)}, override_reason = coalesce(${edited.draft.override_reason}::text, override_reason),
      lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = ${edited.id}`.execute(context.tx)
}

/** Findings of a removed line are kept. */
async function storeLines(context: Context, clientId: number, { before, bill, changes, edited }: BillEdit): Promise<void> {
  const removed = bill.removed.map((line) => line.id)
  if (removed.length > 0) {
    await sql`update bill_findings set service_bill_id = null where client_id = ${clientId} and service_bill_id = any(${removed}::bigint[])`.execute(
      context.tx,
    )
    await sql`delete from service_bills where client_id = ${clientId} and id = any(${removed}::bigint[])`.execute(context.tx)
  }
  const written = edited.line_ids.filter((id, place) => {
    const isNew = bill.lines[place]?.id === null
    const hasMoved = before.lines.find((line) => line.id === id)?.position !== place
    return isNew || hasMoved || changes.some((one) => one.line === place)
  })
  if (written.length > 0) await replaceLines(context.tx, clientId, edited, new Set(written))
}

async function storeFindings(context: Context, clientId: number, edited: BillToStore, findings: FindingChanges): Promise<void> {
  const raised = findings.raised.map((finding) => findingRow(edited.id, edited.line_ids, { ...finding, resolution: null }, null))
  await writeFindings(context.tx, clientId, raised)
  await applyFindingChanges(context, clientId, [findings], 'edit')
  await settleOpen(context, clientId, edited)
  await recountFindings(context, clientId, [edited.id])
}

async function settleOpen(context: Context, clientId: number, edited: BillToStore): Promise<void> {
  const rows = edited.findings.flatMap(({ code, line, resolution }) =>
    resolution === null ? [] : [{ ...resolution, code, service_bill_id: line === null ? null : edited.line_ids[line] }],
  )
  if (rows.length === 0) return
  const settled = await sql<{ finding_id: number; reason: string; comment: string | null }>`
    update bill_findings set resolved_at = now(), resolved_by = ${context.visitor?.user_id ?? null}::bigint, reason = given.reason, comment = given.comment
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(code text, service_bill_id bigint, reason text, comment text)
    where bill_findings.client_id = ${clientId} and bill_findings.bill_id = ${edited.id} and bill_findings.resolved_at is null
      and bill_findings.code = given.code and bill_findings.service_bill_id is not distinct from given.service_bill_id
    returning bill_findings.id as finding_id, bill_findings.reason, bill_findings.comment`.execute(context.tx)
  await addFindingEvents(
    context,
    clientId,
    settled.rows.map((row) => ({ ...row, event: 'resolved' as const })),
  )
}

/** Excludes a replaced bill from the counts again, before another one takes its place. */
async function storeRebill(context: Context, clientId: number, { changes, edited }: BillEdit): Promise<void> {
  if (!changes.some((one) => one.key === 'rebill_of_id' || one.key === 'rebill_mode')) return
  const { rows } = await sql<Moved>`update bills set superseded_by_id = null, lock_version = bills.lock_version + 1, updated_at = now()
    where client_id = ${clientId} and superseded_by_id = ${edited.id}
    returning bills.id, old.superseded_by_id as "from", new.superseded_by_id as "to"`.execute(context.tx)
  await context.audit.many(movedEntries(clientId, 'superseded_by_id', rows))
  await replaceOriginals(context, clientId, [edited])
}

/** Bills that followed this one are linked to the bill that now precedes them. */
async function relinkNext(context: Context, clientId: number, { before, edited }: BillEdit): Promise<void> {
  const hasMoved = before.draft.date !== edited.draft.date || bookKey(before.draft) !== bookKey(edited.draft)
  if (!hasMoved) return
  const { rows } =
    await sql<Moved>`update bills next set lock_version = next.lock_version + 1, updated_at = now(), bill_id = (select earlier.id from bills earlier
      where earlier.client_id = next.client_id and earlier.superseded_by_id is null and (earlier.date, earlier.id) < (next.date, next.id)
        and (earlier.billable_account_id = next.billable_account_id or earlier.supply_account_id = next.supply_account_id)
      order by earlier.date desc, earlier.id desc limit 1)
    where next.client_id = ${clientId} and next.bill_id = ${edited.id}
    returning next.id, old.bill_id as "from", new.bill_id as "to"`.execute(context.tx)
  await context.audit.many(movedEntries(clientId, 'bill_id', rows))
}

function accountsOf({ before, edited }: BillEdit) {
  const refs = [before.draft, edited.draft]
  const ids = (type: string) => [...new Set(refs.filter((ref) => ref.account_type === type).map((ref) => ref.account_id))]
  return { billable_account_ids: ids('BillableAccount'), supply_account_ids: ids('SupplyAccount') }
}
