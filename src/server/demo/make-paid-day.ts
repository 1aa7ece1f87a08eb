/**
 * Yesterday at the desk, by the product's own calls: its batches are exported with real files and finalized, the bank has sent a statement, and
 * payments have come back since.
 */
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { payTypes } from '#contract/global-batches/pay-type.ts'
import { sql } from 'kysely'
import { loadPrincipal } from '../access/access.ts'
import { readReturnFile } from '../bank-returns/bank-returns.ts'
import { exportAccounting, exportBatches, previewExport } from '../global-batches/global-batches.ts'
import { asOf } from '../kernel/clock.ts'
import { unitOfWork, type Context } from '../kernel/context.ts'
import { makeBankStatement } from './bank-statement.ts'
import { insertRows } from './store-rows.ts'
import { demoReturnFile } from './return-file.ts'

/** The hour (UTC) of yesterday's exports: before the cut-off of every bank profile, on both sides of summer time. */
const EXPORT_HOUR = '19:00:00.000Z'
const BANK_MARGIN_CENTS = 15_000_000
/** Payments that the bank has sent back, and that nobody has applied yet. */
const RETURNED = 2

export async function makePaidDay(
  context: Context,
  { payer, today }: { readonly payer: number; readonly today: CalendarDate },
): Promise<void> {
  const { tx, machinery, reach } = context
  const principal = await loadPrincipal(tx, payer)
  if (!principal) throw new Error('the demo has nobody who pays')
  const yesterday = addDays(today, -1)
  await setBankValue(context, yesterday)
  const unit = unitOfWork(tx, { principal, ip: null, requestId: 'demo', connectionId: null }, reach, machinery)
  await asOf(`${yesterday}T${EXPORT_HOUR}`, async () => {
    if (await exportEach(unit.context, yesterday)) await exportAccounting(unit.context, { day: yesterday }, 'demo accounting')
    await makeBankStatement(unit.context, yesterday)
  })
  await leaveOver(unit.context, yesterday, today)
  await sendBack(unit.context)
  await unit.finish()
}

interface OpenBatch {
  readonly id: number
  readonly type: string
  readonly total: string
}

/** The open batches that were made on this day. */
async function openOf({ tx }: Context, day: CalendarDate): Promise<OpenBatch[]> {
  const { rows } = await sql<OpenBatch>`select batch.id, batch.payment_method as type, sum(member.amount_paid)::numeric(14,2) as total
    from payment_batches batch join payment_batch_bills member on member.client_id = batch.client_id and member.payment_batch_id = batch.id
    where batch.is_global and batch.payment_method is not null and not batch.is_paid and (batch.created_at at time zone 'America/New_York')::date = ${day}::date
    group by batch.client_id, batch.id, batch.payment_method order by batch.id`.execute(tx)
  return rows
}

async function setBankValue(context: Context, day: CalendarDate): Promise<void> {
  const total = (await openOf(context, day)).reduce((sum, batch) => sum + centsOf(batch.total), 0)
  const at = `${day}T14:00:00.000Z`
  await insertRows(context.tx, 'global_batch_bank_values', [
    { day, value: wireOf(total + BANK_MARGIN_CENTS), locked: true, attempts: 2, lock_version: 1, created_at: at, updated_at: at },
  ])
}

/** Exports what nothing prevents. @returns whether anything was exported. */
async function exportEach(context: Context, day: CalendarDate): Promise<boolean> {
  let isAny = false
  for (const { id, type } of await openOf(context, day)) {
    const pay_method = payTypes.find((one) => one === type)
    if (pay_method === undefined || pay_method === 'NP') continue
    const body = { ids: [id], pay_method }
    const { faults, first_payments } = await previewExport(context, body)
    if (faults.length > 0) continue
    const confirmed_vendors = first_payments.map(({ vendor_id, changed_at }) => ({ vendor_id, changed_at }))
    await exportBatches(context, { ...body, confirmed_vendors }, `demo ${id}`)
    isAny = true
  }
  return isAny
}

/** Batches that could not be exported wait among today's batches. */
async function leaveOver({ tx }: Context, yesterday: CalendarDate, today: CalendarDate): Promise<void> {
  await sql`update payment_batches set created_at = created_at + interval '1 day', batch_date = ${today}::date
    where is_global and not is_paid and (created_at at time zone 'America/New_York')::date = ${yesterday}::date`.execute(tx)
}

/** The file in which the bank sends payments of yesterday back: read, and not applied yet. */
async function sendBack(context: Context): Promise<void> {
  const { rows } = await sql<{
    trace_number: string
    amount: string
    receiver: string
    bank: string
  }>`select entry.trace_number, entry.amount,
      vendor.name as receiver, file.immediate_destination as bank
    from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id join vendors vendor on vendor.id = payment.vendor_id
    where entry.trace_number is not null and file.immediate_destination is not null order by file.id, entry.id limit ${RETURNED}`.execute(
    context.tx,
  )
  const [first] = rows
  if (!first) return
  const content = demoReturnFile(
    first.bank,
    rows.filter(({ bank }) => bank === first.bank).map((row) => ({ ...row, cents: centsOf(row.amount) })),
  )
  await readReturnFile(context, { file_name: 'returns.ach', content, lines: [] })
}
