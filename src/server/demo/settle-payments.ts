/** Vendor batches and global batches of two years: a run every few days pays what falls due; the last run still waits. */
import { addDays, dayNumber, type CalendarDate } from '#contract/kernel/date.ts'
import { diceOf } from './dice.ts'
import type { Desk, MadeBill } from './make-bills.ts'
import { idOf } from './plan-bills.ts'
import type { Reference } from './make-reference.ts'
import type { ClientPlan, DivisionPlan } from './plan.ts'
import { insertNumbered, type Row } from './store-rows.ts'
import type { VendorSample } from './vendor-catalog.ts'

const RUN_EVERY_DAYS = 10
const FINALIZED_AFTER_DAYS = 20
const BATCH_TERMS_DAYS = 14
/** Clients whose last run was batched yesterday, and is paid by the product's own calls (make-paid-day.ts); the batches of the others are of today. */
const paidYesterday: readonly string[] = ['BAL', 'IWM']

export interface Paid {
  readonly vendor_payment_id: number
  readonly amount_paid: string
  readonly paid: boolean
  readonly finalized: boolean
}

interface Run {
  readonly day: CalendarDate
  readonly method: string
  readonly division: DivisionPlan | null
  readonly payments: Map<VendorSample, MadeBill[]>
  readonly stage: 'open' | 'paid' | 'finalized'
}

/** @returns the payment state of each batched bill. */
export async function settlePayments(
  desk: Desk,
  client: ClientPlan,
  made: readonly MadeBill[],
  reference: Reference,
  payer: number,
): Promise<Map<number, Paid>> {
  if (!client.sample.subscriptions[1]) return new Map()
  const { tx } = desk.context
  const client_id = idOf(desk.ids, client)
  const runs = planRuns(client, made, desk.today)
  const batchIds = await insertNumbered(
    tx,
    'payment_batches',
    runs.map((run) => ({ client_id, created_by: payer, ...batchRow(desk, client, run) })),
  )
  const payments = runs.flatMap((run, place) =>
    [...run.payments].map(([vendor, bills]) => ({ run, batch: batchIds[place] ?? 0, vendor, bills })),
  )
  const paymentIds = await insertNumbered(
    tx,
    'vendor_payments',
    payments.map(({ run, batch, vendor }, place) => ({
      client_id,
      payment_batch_id: batch,
      vendor_id: reference.vendors.get(vendor.code),
      ...paymentRow(client, run, place),
    })),
  )
  const memberships = payments.flatMap(({ run, batch, bills }, place) =>
    bills.map((one) => ({
      bill_id: one.id,
      payment_batch_id: batch,
      vendor_payment_id: paymentIds[place] ?? 0,
      amount_paid: amountOf(one),
      created_at: startedAt(client, run, desk.today),
      stage: run.stage,
    })),
  )
  await insertNumbered(
    tx,
    'payment_batch_bills',
    memberships.map(({ stage: _stage, ...row }) => ({ client_id, created_by: payer, ...row })),
  )
  return new Map(
    memberships.map(({ bill_id, vendor_payment_id, amount_paid, stage }) => [
      bill_id,
      { vendor_payment_id, amount_paid, paid: stage !== 'open', finalized: stage === 'finalized' },
    ]),
  )
}

/** The bill of the group pays for its subaccounts. */
function amountOf({ bill, draft }: MadeBill): string {
  return bill.account.isInGroup ? '0.00' : draft.amount_due
}

/** Returns the next day of payment runs: the same for all clients, counted from a fixed day. */
export function runDayAfter(day: CalendarDate): CalendarDate {
  return addDays(day, RUN_EVERY_DAYS - (dayNumber(day) % RUN_EVERY_DAYS))
}

function planRuns(client: ClientPlan, made: readonly MadeBill[], today: CalendarDate): Run[] {
  const runs = new Map<string, Run>()
  for (const one of made.toSorted((a, b) => a.id - b.id)) {
    const day = runDayAfter(one.bill.created.slice(0, 10))
    if (day > today || one.findings.some((finding) => finding.severity === 'E!')) continue
    const vendor = one.bill.is_supply ? (one.bill.account.supply?.vendor ?? one.bill.account.vendor) : one.bill.account.vendor
    const method = vendor.methods[0]
    if (method === undefined) continue
    const division = client.sample.pays === 'vendor' && client.divisions.length > 1 ? one.bill.account.facility.division : null
    // An exclusive vendor is never batched together with others.
    const key = `${day} ${method} ${division?.code ?? ''} ${vendor.is_exclusive ? vendor.code : ''}`
    const run = runs.get(key) ?? {
      day,
      method,
      division,
      payments: new Map<VendorSample, MadeBill[]>(),
      stage: stageOf(client, day, today),
    }
    run.payments.set(vendor, [...(run.payments.get(vendor) ?? []), one])
    runs.set(key, run)
  }
  return [...runs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run)
}

function stageOf(client: ClientPlan, day: CalendarDate, today: CalendarDate): Run['stage'] {
  const isLast = runDayAfter(day) > today
  if (isLast) return client.sample.left === undefined ? 'open' : 'paid'
  // The desk exports to accounting each evening.
  if (client.sample.pays === 'global') return 'finalized'
  return day < addDays(today, -FINALIZED_AFTER_DAYS) ? 'finalized' : 'paid'
}

/** Bills that wait in the global batch were added today, or yesterday. */
function startedAt(client: ClientPlan, run: Run, today: CalendarDate): string {
  if (client.sample.pays !== 'global' || run.stage !== 'open') return `${run.day}T15:00:00.000Z`
  return paidYesterday.includes(client.sample.code) ? `${addDays(today, -1)}T15:00:00.000Z` : `${today}T05:01:00.000Z`
}

function batchRow({ ids, today }: Desk, client: ClientPlan, run: Run): Row {
  const isPaid = run.stage !== 'open'
  const isFinalized = run.stage === 'finalized'
  const isGlobal = client.sample.pays === 'global'
  const created = startedAt(client, run, today)
  const day = created.slice(0, 10)
  return {
    division_id: run.division === null ? null : idOf(ids, run.division),
    is_global: isGlobal,
    batch_date: day,
    bills_due_date: addDays(day, BATCH_TERMS_DAYS),
    payment_method: run.method,
    paid_as: isPaid ? run.method : null,
    closed: isPaid,
    has_been_closed: isPaid,
    is_paid: isPaid,
    paid_at: isPaid ? `${run.day}T20:00:00.000Z` : null,
    finalized: isFinalized,
    finalized_at: isFinalized ? `${run.day}T21:00:00.000Z` : null,
    lock_version: 0,
    created_at: created,
    updated_at: isPaid ? `${run.day}T20:00:00.000Z` : created,
  }
}

function paymentRow(client: ClientPlan, run: Run, place: number): Row {
  const isPaid = run.stage !== 'open'
  const at = `${run.day}T15:00:00.000Z`
  return {
    payment_method: run.method,
    payment_date: isPaid ? addDays(run.day, 1) : null,
    check_number: isPaid ? paymentNumber(client, run.method, place) : null,
    lock_version: 0,
    created_at: at,
    updated_at: at,
  }
}

function paymentNumber(client: ClientPlan, method: string, place: number): string {
  if (method.startsWith('Check')) return String(10_001 + place)
  return `${method.toUpperCase()}${diceOf(`payment ${client.sample.code} ${place}`).digits(8)}`
}
