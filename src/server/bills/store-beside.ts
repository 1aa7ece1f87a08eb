/** Writes the charges, files and linked lines of bills. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { BillToStore } from './bill-to-store.ts'

type FiledBill = Pick<BillToStore, 'id' | 'draft' | 'file_names'>

/** Inserts account-level charges, files and links. */
export async function insertBeside(tx: Tx, clientId: number, bills: readonly BillToStore[]): Promise<void> {
  const charges = bills.flatMap((bill) => bill.draft.bill_charges.map((charge, position) => ({ bill_id: bill.id, position, ...charge })))
  if (charges.length > 0) {
    await sql`insert into bill_charges (client_id, bill_id, position, name, amount) select ${clientId}::bigint, charge.*
      from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as charge(bill_id bigint, position int, name text, amount numeric)`.execute(
      tx,
    )
  }
  await insertFiles(tx, clientId, bills)
  await insertLinks(tx, clientId, bills)
}

export async function insertFiles(tx: Tx, clientId: number, bills: readonly FiledBill[]): Promise<void> {
  const files = bills.flatMap((bill) =>
    bill.draft.file_ids.map((file_id, place) => ({
      bill_id: bill.id,
      position: place + 1,
      file_id,
      filename: bill.file_names.get(file_id),
    })),
  )
  if (files.length > 0) {
    await sql`insert into bill_files (client_id, bill_id, position, file_id, filename) select ${clientId}::bigint, file.*
      from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as file(bill_id bigint, position int, file_id bigint, filename text)`.execute(
      tx,
    )
    await sql`update files set state = 'attached', attached_at = coalesce(attached_at, now()) where id = any(${files.map((file) => file.file_id)}::bigint[])`.execute(
      tx,
    )
  }
}

export async function insertLinks(tx: Tx, clientId: number, bills: readonly Pick<BillToStore, 'id' | 'draft'>[]): Promise<void> {
  const links = bills.flatMap((bill) =>
    [...new Set(bill.draft.linked_service_bill_ids)].map((service_bill_id) => ({ bill_id: bill.id, service_bill_id })),
  )
  if (links.length > 0) {
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id) select ${clientId}::bigint, link.*
      from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(bill_id bigint, service_bill_id bigint)`.execute(tx)
  }
}
