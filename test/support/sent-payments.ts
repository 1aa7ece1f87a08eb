/** Payments that the desk has sent from a bank account: what statements of banks are laid against. */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../../src/server/kernel/postgres/database.ts'
import { secretColumns } from '../../src/server/kernel/secret.ts'
import { testSecretKey, type Person, type TestApp } from './app.ts'
import type { Ground } from './bills.ts'
import { makeAchVendor, makeDeskBill, makeDeskVendor } from './desk.ts'

/** Gives a bank profile this account number. */
export async function giveAccount(db: Kysely<Tables>, id: number, account: string): Promise<void> {
  const place = { table: 'originating_profiles', column: 'account_number', id }
  const { account_number_encrypted: sealed } = secretColumns(testSecretKey, place, account)
  await sql`update originating_profiles set account_number_encrypted = ${sealed}, account_number_last4 = ${account.slice(-4)} where id = ${id}`.execute(
    db,
  )
}

export interface Sent {
  readonly batch: number
  readonly bills: readonly number[]
  readonly entries: readonly { readonly id: number; readonly payment: number; readonly trace: string | null }[]
}

export interface Sending {
  readonly amounts: readonly string[]
  readonly type: 'ACH' | 'Check'
  readonly of: Ground
}

/** Sends one payment of each amount in one export of 11/25/2026. The entries are in the order of their amounts. */
export async function sendPayments(
  { ask, database: { db } }: Pick<TestApp, 'ask' | 'database'>,
  staff: Person,
  { amounts, type, of }: Sending,
): Promise<Sent> {
  const bills: number[] = []
  for (const amount of amounts) {
    const vendor = type === 'ACH' ? await makeAchVendor(db) : await makeDeskVendor(db)
    bills.push(await makeDeskBill(db, of, vendor, { amount }))
  }
  const made = await ask(staff, 'POST', '/global_batches', {
    global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: bills },
  })
  const batch = Number(made.body['id'])
  const answer = await ask(staff, 'POST', '/global_batches/export', { ids: [batch], pay_method: type })
  if (answer.status !== 200) throw new Error(answer.text)
  const { rows } = await sql<Sent['entries'][number]>`select entry.id, entry.vendor_payment_id as payment, entry.trace_number as trace
    from global_batch_file_payments entry join vendor_payments on vendor_payments.id = entry.vendor_payment_id
    join global_batch_files file on file.id = entry.global_batch_file_id
    where payment_batch_id = ${batch} and file.purpose = 'payment' order by entry.amount, entry.id`.execute(db)
  return { batch, bills, entries: rows }
}
