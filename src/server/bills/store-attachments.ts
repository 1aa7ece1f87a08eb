/** Writes the changed charges, files and linked lines of an edited bill. */
import type { BillOfBody } from '#contract/bills/bill-body.ts'
import type { FindingChanges } from '#contract/bills/compare-findings.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { releaseFile } from '../uploads/uploads.ts'
import type { BillChange } from './bill-changes.ts'
import { insertFiles, insertLinks } from './store-beside.ts'
import type { BillToStore } from './bill-to-store.ts'
import type { StoredBill } from './stored-bill.ts'

export interface BillEdit {
  readonly before: StoredBill
  readonly bill: BillOfBody
  readonly changes: readonly BillChange[]
  readonly edited: BillToStore
  readonly findings: FindingChanges
}

export async function storeBeside(context: Context, clientId: number, { before, bill, changes, edited }: BillEdit): Promise<void> {
  const { tx } = context
  const hasChanged = (key: string): boolean => changes.some((one) => one.line === null && one.key === key)
  if (hasChanged('bill_charges_attributes')) await storeCharges(context, clientId, bill, edited)
  if (hasChanged('linked_service_bill_ids')) {
    await sql`delete from bill_linked_service_bills where client_id = ${clientId} and bill_id = ${edited.id}`.execute(tx)
    await insertLinks(tx, clientId, [edited])
  }
  if (!hasChanged('signed_file_ids')) return
  await sql`delete from bill_files where client_id = ${clientId} and bill_id = ${edited.id}`.execute(tx)
  await insertFiles(tx, clientId, [edited])
  for (const { file_id } of before.files) if (!edited.draft.file_ids.includes(file_id)) await releaseUnheld(context, clientId, file_id)
}

/** A copy that another record shows too is kept. */
async function releaseUnheld(context: Context, clientId: number, fileId: number): Promise<void> {
  const { rows } = await sql`select from bill_files where file_id = ${fileId}
    union all select from bill_scans where ${fileId} in (file_id, origin_file_id)
    union all select from bill_documents where file_id = ${fileId}
    union all select from documents where file_id = ${fileId}
    union all select from retrieval_statements where client_id = ${clientId} and pdf_file_id = ${fileId}`.execute(context.tx)
  if (rows.length === 0) await releaseFile(context, fileId)
}

async function storeCharges(context: Context, clientId: number, bill: BillOfBody, edited: BillToStore): Promise<void> {
  const rows = edited.draft.bill_charges.map((charge, position) => ({ ...charge, position, id: bill.charges[position]?.id ?? null }))
  const kept = rows.flatMap((row) => row.id ?? [])
  await sql`delete from bill_charges where client_id = ${clientId} and bill_id = ${edited.id} and not id = any(${kept}::bigint[])`.execute(
    context.tx,
  )
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as charge(id bigint, position int, name text, amount numeric)`
  await sql`update bill_charges set position = charge.position, name = charge.name, amount = charge.amount from ${given}
    where bill_charges.client_id = ${clientId} and bill_charges.bill_id = ${edited.id} and bill_charges.id = charge.id`.execute(context.tx)
  await sql`insert into bill_charges (client_id, bill_id, position, name, amount)
    select ${clientId}::bigint, ${edited.id}::bigint, charge.position, charge.name, charge.amount from ${given} where charge.id is null`.execute(
    context.tx,
  )
}
