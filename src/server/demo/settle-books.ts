/** Client batches: one per month and batch group, closed and invoiced with their frozen ledger lines, and the one that is open now. */
import { addDays, addToMonth, firstDayOf, lastDayOf, monthOf, type CalendarDate } from '#contract/kernel/date.ts'
import { ledgerOf } from './make-services.ts'
import type { Desk, MadeBill } from './make-bills.ts'
import type { MadeClients } from './make-clients.ts'
import { idOf } from './plan-bills.ts'
import type { ClientPlan } from './plan.ts'
import { insertNumbered, type Row } from './store-rows.ts'
import { linesOf, frozenLines } from './frozen-lines.ts'

/** Day of the next month on which the books of a month close, and days until the invoice. */
const CLOSES_ON_DAY = 8
const INVOICED_AFTER_DAYS = 10
/** Every third client is slow to invoice, so that on any day some batch is closed and not invoiced yet. */
const INVOICED_LATE_AFTER_DAYS = 40
/** Bills of the last days are not batched yet. */
const UNBATCHED_DAYS = 5

interface PlannedBatch {
  readonly month: string
  readonly group: number
  readonly bills: MadeBill[]
  readonly closedOn: CalendarDate
}

/** @returns the accounting batch of each batched bill. */
export async function settleBooks(
  desk: Desk,
  client: ClientPlan,
  made: readonly MadeBill[],
  clients: MadeClients,
  clerk: number,
): Promise<Map<number, number>> {
  if (!client.sample.subscriptions[2]) return new Map()
  const client_id = idOf(desk.ids, client)
  const ready = made.filter((one) => isReady(one, desk.today))
  const batches = planBatches(ready)
  const ids = await insertNumbered(
    desk.context.tx,
    'accounting_batches',
    batches.map((batch) => ({ client_id, created_by: clerk, ...batchRow(batch, client, clients, desk.today) })),
  )
  const closed = batches.flatMap((batch, place) => (batch.closedOn < desk.today ? [{ batch, id: ids[place] ?? 0 }] : []))
  const lineIds = await linesOf(
    desk,
    client_id,
    closed.flatMap(({ batch }) => batch.bills.map((one) => one.id)),
  )
  const ledger = ledgerOf(clients.ledgers, client)
  await insertNumbered(
    desk.context.tx,
    'gl_lines',
    closed.flatMap(({ batch, id }) =>
      batch.bills.flatMap((one) =>
        frozenLines(desk, one, ledger, lineIds.get(one.id) ?? []).map((row) => ({
          client_id,
          accounting_batch_id: id,
          created_at: closedAt(batch),
          ...row,
        })),
      ),
    ),
  )
  return new Map(batches.flatMap((batch, place) => batch.bills.map((one) => [one.id, ids[place] ?? 0] as const)))
}

/** A group's bill repeats its subaccounts' charges; an error is resolved before the bill is booked. */
function isReady({ bill, findings }: MadeBill, today: CalendarDate): boolean {
  if (bill.account.kind === 'group') return false
  const isNew = bill.created.slice(0, 10) > addDays(today, -UNBATCHED_DAYS)
  return !isNew && !findings.some((finding) => finding.severity.startsWith('E') && bill.date > addDays(today, -UNBATCHED_DAYS * 5))
}

function planBatches(made: readonly MadeBill[]): PlannedBatch[] {
  const batches = new Map<string, PlannedBatch>()
  for (const one of made.toSorted((a, b) => a.id - b.id)) {
    const month = monthOf(one.bill.created.slice(0, 10))
    const { group } = one.bill.account.facility.division
    const key = `${month} ${group}`
    const batch = batches.get(key) ?? { month, group, bills: [], closedOn: addDays(firstDayOf(addToMonth(month, 1)), CLOSES_ON_DAY - 1) }
    batch.bills.push(one)
    batches.set(key, batch)
  }
  return [...batches].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, batch]) => batch)
}

function batchRow(batch: PlannedBatch, client: ClientPlan, clients: MadeClients, today: CalendarDate): Row {
  const { sample } = client
  const isClosed = batch.closedOn < today
  const invoicedOn = addDays(batch.closedOn, client.place % 3 === 0 ? INVOICED_LATE_AFTER_DAYS : INVOICED_AFTER_DAYS)
  const isInvoiced = isClosed && invoicedOn < today
  const created = `${firstDayOf(batch.month)}T14:00:00.000Z`
  return {
    batch_code: `${sample.code}-${batch.month}${sample.groups.length > 1 ? `-${String.fromCodePoint(65 + batch.group)}` : ''}`,
    batch_date: `${isClosed ? lastDayOf(batch.month) : today}T05:00:00.000Z`,
    batch_group_id: clients.groups.get(client)?.[batch.group] ?? null,
    closed: isClosed,
    closed_at: isClosed ? closedAt(batch) : null,
    invoiced: isInvoiced,
    invoiced_at: isInvoiced ? `${invoicedOn}T15:00:00.000Z` : null,
    has_been_closed: isClosed,
    generating_file: false,
    lock_version: 0,
    created_at: created,
    updated_at: isClosed ? closedAt(batch) : created,
  }
}

const closedAt = (batch: PlannedBatch): string => `${batch.closedOn}T20:00:00.000Z`
