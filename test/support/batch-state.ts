/** Reads the model of test/support/batch-model.ts from the tables, and compares its sums with the answers of the product. */
import { wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'
import type { Person, TestApp } from './app.ts'
import { sumOf, type Model, type ModelBill, type ModelClientBatch, type ModelPayment, type ModelVendorBatch } from './batch-model.ts'
import { bookedIn } from './client-batch-model.ts'
import { heldBy, paidBy, paymentsIn } from './vendor-batch-model.ts'

/** The client whose batches are compared, with its vendors. */
export interface ModelClient {
  readonly clientId: number
  readonly vendors: Model['vendors']
}

export async function readModel(db: Tx, { clientId, vendors }: ModelClient): Promise<Model> {
  const { rows: bills } = await sql<ModelBill>`select bills.id, bills.vendor_id as vendor, (bills.amount_due * 100)::int as due,
      bills.parked as "isParked", bills.amount_due = bills.balance_forward + bills.current_charges + bills.late_fee as "addsUp",
      (bills.amount_paid * 100)::int as keyed, bills.paid, bills.accounting_batch_id as booked, member.payment_batch_id as batch,
      bills.vendor_payment_id as payment, coalesce(member.amount_paid * 100, 0)::int as amount
    from bills left join payment_batch_bills member on member.client_id = ${clientId} and member.bill_id = bills.id and member.released_at is null
    where bills.client_id = ${clientId} order by bills.id`.execute(db)
  const { rows: payments } = await sql<ModelPayment>`select payment.id, payment.payment_batch_id as batch, payment.vendor_id as vendor,
      payment.payment_date::text as date, payment.check_number as number,
      (select coalesce(sum(amount) * 100, 0)::int from payment_reversals where client_id = ${clientId} and vendor_payment_id = payment.id) as reversed
    from vendor_payments payment where payment.client_id = ${clientId} order by payment.id`.execute(db)
  const { rows: vendorBatches } = await sql<ModelVendorBatch>`select id, lock_version as version, closed, has_been_closed as "everClosed",
      is_paid as "isPaid", unbatched_at is null as "isLive" from payment_batches where client_id = ${clientId} order by id`.execute(db)
  const { rows: clientBatches } =
    await sql<ModelClientBatch>`select id, lock_version as version, closed, has_been_closed as "everClosed", invoiced,
      (select (-sum(amount) * 100)::int from gl_lines line where line.client_id = ${clientId} and line.accounting_batch_id = batch.id
        and line.kind = 'payable') as frozen
    from accounting_batches batch where client_id = ${clientId} order by id`.execute(db)
  return {
    vendors,
    bills: byId(bills),
    payments: byId(payments),
    vendorBatches: byId(vendorBatches),
    clientBatches: byId(clientBatches),
    lastPayment: payments.at(-1)?.id ?? 0,
    takesOtherWay: false,
    metOpenPlace: false,
  }
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Compares the lists of batches, and the payments, bills and new bills of each open or named vendor batch, with the sums of the model. */
export async function expectSums(
  ask: TestApp['ask'],
  who: Person,
  clientId: number,
  model: Model,
  batches: readonly number[],
): Promise<void> {
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const { status, text, body } = await ask(who, 'GET', `/clients/${clientId}${path}`)
    expect(status, `${path} ${text.slice(0, 300)}`).toBe(200)
    return body
  }
  expect((await read('/payment_batches?per=200&q[s]=id asc'))['payment_batches']).toMatchObject(vendorBatchRows(model))
  expect((await read('/accounting_batches?per=200&q[s]=id asc'))['accounting_batches']).toMatchObject(clientBatchRows(model))
  for (const id of batches) {
    const batch = model.vendorBatches.get(id)
    if (!batch?.isLive) continue
    const at = `/payment_batches/${id}`
    expect((await read(`${at}/vendor_payments?per=200&q[s]=id asc`))['vendor_payments'], `payments of ${id}`).toMatchObject(
      paymentRows(model, batch),
    )
    expect(sortedById((await read(`${at}/bills`))['bills']), `bills of ${id}`).toMatchObject(billRows(heldBy(model, id)))
    if (batch.closed) continue
    const answer = await read(`${at}/new_bills`)
    const free = freeBills(model)
    expect(
      sortedById(answer['new_bills']).map((bill) => bill.id),
      `new bills of ${id}`,
    ).toEqual(free.map((bill) => bill.id))
    expect(answer['new_bills_total']).toBe(wireOf(free.reduce((sum, { keyed, due }) => sum + (keyed ?? due), 0)))
  }
}

/** Lists are compared whole: a row that the model lacks differs in length. */
function vendorBatchRows(model: Model): object[] {
  return [...model.vendorBatches.values()]
    .filter(({ isLive }) => isLive)
    .map(({ id, closed, everClosed, isPaid, version }) => ({
      id,
      closed,
      has_been_closed: everClosed,
      is_paid: isPaid,
      lock_version: version,
      batch_total: wireOf(sumOf(heldBy(model, id))),
      reversed_total: wireOf(paymentsIn(model, id).reduce((sum, { reversed }) => sum + reversed, 0)),
      bill_count: heldBy(model, id).length,
      payment_count: paymentsIn(model, id).length,
    }))
}

function clientBatchRows(model: Model): object[] {
  return [...model.clientBatches.values()].map(({ id, closed, everClosed, invoiced, version }) => ({
    id,
    closed,
    has_been_closed: everClosed,
    invoiced,
    lock_version: version,
    bill_count: bookedIn(model, id).length,
    bills_total: wireOf(bookedIn(model, id).reduce((sum, { due }) => sum + due, 0)),
  }))
}

function paymentRows(model: Model, { id, closed, isPaid }: ModelVendorBatch): object[] {
  return paymentsIn(model, id).map((payment) => {
    const bills = paidBy(model, payment.id)
    const paid = bills.some((bill) => bill.paid)
    return {
      id: payment.id,
      vendor_id: payment.vendor,
      payment_date: payment.date,
      check_number: payment.number,
      paid,
      amount: wireOf(sumOf(bills)),
      bill_count: bills.length,
      reversed_amount: wireOf(payment.reversed),
      locked: closed || isPaid || paid || payment.reversed > 0,
    }
  })
}

function billRows(bills: readonly ModelBill[]): object[] {
  return bills.map(({ id, due, amount, paid, payment }) => ({
    id,
    paid,
    vendor_payment_id: payment,
    amount_due: wireOf(due),
    amount_paid: wireOf(amount),
  }))
}

/** The bills that a batch of the client may take. */
function freeBills({ bills }: Model): ModelBill[] {
  return [...bills.values()].filter(({ batch, paid, isParked, addsUp }) => batch === null && !paid && !isParked && addsUp)
}

function sortedById(rows: unknown): { id: number }[] {
  const list = Array.isArray(rows) ? rows : []
  return list.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)
}
