/** The accounting export: one file of all batches of a day that are paid and not finalized. The export finalizes them. */
import { sql } from 'kysely'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { exportFaults } from '#contract/payment-files/payment-files.ts'
import type { ExportInput } from '#contract/payment-files/payment-file.ts'
import type { AuditEntry } from '../kernel/audit.ts'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Condition } from '../kernel/lists/list.ts'
import { joinsFor, selectedKeys, selection } from '../kernel/lists/list-source.ts'
import { askedBy } from '../kernel/lists/resource.ts'
import { invalid, refused } from '../kernel/problem.ts'
import type { ChosenBatch } from './chosen-batches.ts'
import { madeOn } from './desk-days.ts'
import { holdPayments, readExportData } from './export-data.ts'
import { globalBatches } from './global-batch-source.ts'
import { validDay } from './list-batches.ts'
import { totalOf } from './pay-by-files.ts'
import { storeFiles } from './store-files.ts'

const nothing = 'There are no batches which are paid that have not already been finalized today.'

/** Batches of the day in reach that are paid and not finalized. */
const waiting = (context: Context, day: string): Condition =>
  sql<boolean>`${scopeCondition(globalBatches, askedBy(context, {}))} and payment_batches.is_global and payment_batches.unbatched_at is null
    and payment_batches.is_paid and not payment_batches.finalized and ${madeOn(day)}`

export async function paidCount(context: Context, day: string | undefined): Promise<{ count: number }> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from payment_batches
    where ${waiting(context, day === undefined ? today() : validDay(day))}`.execute(context.tx)
  return { count: rows[0]?.count ?? 0 }
}

/** If two exports run at once, the second waits for the first and finds nothing left. */
export async function exportAccounting(
  context: Context,
  { day, seen_count: seen }: { day?: string | undefined; seen_count?: string | undefined },
  key: string,
) {
  const of = day === undefined ? today() : validDay(day)
  const { rows: locked } = await sql<{
    id: number
  }>`select id from payment_batches where ${waiting(context, of)} order by client_id, id for update`.execute(context.tx)
  if (locked.length === 0) throw refused(nothing)
  if (seen !== undefined && Number(seen) !== locked.length)
    throw refused(
      `You were shown ${seen === '1' ? '1 paid batch' : `${seen} paid batches`}, and there are ${locked.length} now. Look at them again.`,
    )
  const ids = locked.map(({ id }) => id)
  const batches = await readBatches(context, ids)
  await holdPayments(context, ids)
  const { date, time } = wallTimeIn(NEW_YORK, now())
  const moment = { date, time: time.slice(0, 5) }
  const data = await readExportData(context, batches)
  if (data.payments.length === 0) {
    await finalize(context, batches)
    const message = 'All payments of these batches came back, so there is no file. The batches were finalized.'
    return { success: true, message, finalized: batches.length, files: [] }
  }
  const input: ExportInput = { type: 'Accounting', format: 'accounting', moment, ...data, vendor_name: null, is_test: false }
  const faults = exportFaults(input)
  if (faults.length > 0) throw invalid({ day: faults.map(({ sentence }) => sentence) })
  const { files } = await storeFiles(context, {
    input,
    export_type: 'Accounting',
    purpose: 'accounting',
    exportKey: key,
    total: totalOf(input),
  })
  await finalize(context, batches)
  const message =
    batches.length === 1 ? '1 paid batch was exported and finalized' : `${batches.length} paid batches were exported and finalized`
  return { success: true, message, finalized: batches.length, files }
}

async function readBatches(context: Context, ids: readonly number[]): Promise<ChosenBatch[]> {
  const keys = selectedKeys(globalBatches)
  const { rows } =
    await sql<ChosenBatch>`select ${selection(context.tx, globalBatches, keys, context).words} from payment_batches ${joinsFor(globalBatches, keys)}
    where payment_batches.id = any(${ids}::bigint[]) order by payment_batches.client_id, payment_batches.id`.execute(context.tx)
  return rows
}

/** Finalizes batches and their bills, client by client. */
async function finalize(context: Context, batches: readonly ChosenBatch[]): Promise<void> {
  const entries: AuditEntry[] = []
  for (const [clientId, own] of Map.groupBy(batches, ({ client_id }) => client_id)) {
    const ids = own.map(({ id }) => id)
    await sql`update payment_batches set finalized = true, finalized_at = ${now()}, lock_version = lock_version + 1, updated_at = ${now()}
      where client_id = ${clientId} and id = any(${ids}::bigint[])`.execute(context.tx)
    const { rows } = await sql<{
      id: number
    }>`update bills set finalized = true, lock_version = bills.lock_version + 1, updated_at = ${now()}
      where bills.client_id = ${clientId} and not bills.finalized and bills.id in (select member.bill_id from payment_batch_bills member
        where member.client_id = ${clientId} and member.payment_batch_id = any(${ids}::bigint[]) and member.released_at is null)
      returning bills.id`.execute(context.tx)
    const changes = { finalized: { from: false, to: true } }
    entries.push(
      ...ids.map((id): AuditEntry => ({ event: 'update', item_type: 'global_batch', item_id: id, client_id: clientId, changes })),
      ...rows.map(({ id }): AuditEntry => ({ event: 'update', item_type: 'bill', item_id: id, client_id: clientId, changes })),
    )
  }
  await context.audit.many(entries)
}
