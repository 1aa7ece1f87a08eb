/** A client with bills to pay, and short forms of the calls of vendor batches. */
import { sql } from 'kysely'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { createBills } from '../../src/server/bills/bills.ts'
import { makePerson, type Answer, type Person, type TestApp } from './app.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from './bills.ts'

export interface TestPayment {
  readonly id: number
  readonly full_name: string
  readonly amount: string
  readonly vendor_id: number
  readonly lock_version: number
}

export interface PaymentWorld {
  readonly ground: Ground
  /** A super_admin. */
  readonly admin: Person
  /** Path of the client's vendor batches. */
  readonly at: string
  /** Creates a bill of 150 dollars plus the month's number, without open errors, entered by no particular user. */
  makeBill(month: number, of?: Ground, change?: Partial<BillDraft>): Promise<number>
  /** Creates an account of another vendor of the same client. */
  otherVendor(name: string): Promise<Ground>
  /** Creates a batch and returns its id. */
  made(billIds: readonly number[], who?: Person): Promise<number>
  save(id: number, values: object, who?: Person, more?: object): Promise<Answer>
  batch(id: number, who?: Person): Promise<unknown>
  paymentsOf(id: number): Promise<readonly TestPayment[]>
  /** Dates and numbers every payment of the batch. */
  numberPayments(id: number): Promise<void>
  /** Creates a batch of these bills, numbers its payments and closes it: they are paid. */
  paid(billIds: readonly number[]): Promise<number>
}

export async function makePaymentWorld({ ask, database }: Pick<TestApp, 'ask' | 'database'>): Promise<PaymentWorld> {
  const { db } = database
  const ground = await makeGround(db)
  await sql`update clients set utility_payment_management = true, accounting_batch_management = true where id = ${ground.clientId}`.execute(
    db,
  )
  const admin = await makePerson(db, 'super_admin')
  const at = `/clients/${ground.clientId}/payment_batches`
  const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-02', bills_due_date: '2026-11-16' }
  const save: PaymentWorld['save'] = (id, values, who = admin, more = {}) =>
    ask(who, 'PATCH', `${at}/${id}`, { payment_batch: values, ...more })
  const made: PaymentWorld['made'] = async (billIds, who = admin) => {
    const answer = await ask(who, 'POST', at, { payment_batch: { ...head, bill_ids: billIds } })
    if (answer.status !== 200) throw new Error(answer.text)
    return Number(answer.body['id'])
  }
  const paymentsOf: PaymentWorld['paymentsOf'] = async (id) => {
    const { text } = await ask(admin, 'GET', `${at}/${id}/vendor_payments?per=200`)
    const answer: { vendor_payments: TestPayment[] } = JSON.parse(text)
    return answer.vendor_payments
  }
  const numberPayments = async (id: number): Promise<void> => {
    for (const payment of await paymentsOf(id)) {
      const vendor_payment = { payment_date: '2026-11-05', check_number: `${10_000 + payment.id}` }
      const answer = await ask(admin, 'PATCH', `${at}/${id}/vendor_payments/${payment.id}`, { vendor_payment })
      if (answer.status !== 200 && answer.status !== 409) throw new Error(answer.text)
    }
  }
  return {
    ground,
    admin,
    at,
    save,
    made,
    paymentsOf,
    numberPayments,
    makeBill: async (month, of = ground, change = {}) => {
      const [bill] = await acting(database, (context) => createBills(context, of.clientId, [monthlyDraft(of, month, change)]))
      if (bill?.kind !== 'created') throw new Error(`the bill was not made: ${JSON.stringify(bill)}`)
      await sql`update bills set open_errors = 0, open_blocking = 0, created_by = null where client_id = ${of.clientId} and id = ${bill.id}`.execute(
        db,
      )
      return bill.id
    },
    otherVendor: async (name) => {
      const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code) values (${name}, ${`${name}${ground.clientId}`})
        returning id`.execute(db)
      const vendorId = rows[0]?.id ?? 0
      await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${vendorId}, id from payment_methods where name = 'Check'`.execute(
        db,
      )
      const accountId = await makeAccount(db, { ...ground, vendorId }, `77${vendorId}`)
      const electricId = await makeService(db, ground.clientId, accountId, 'electric', `E-${vendorId}`)
      const gasId = await makeService(db, ground.clientId, accountId, 'natural_gas', `G-${vendorId}`)
      return { ...ground, vendorId, accountId, electricId, gasId }
    },
    batch: async (id, who = admin) => (await ask(who, 'GET', `${at}/${id}`)).body['payment_batch'],
    paid: async (billIds) => {
      const id = await made(billIds)
      await numberPayments(id)
      const closed = await save(id, { closed: true })
      if (closed.status !== 200) throw new Error(closed.text)
      return id
    },
  }
}

/** Returns the errors by field. */
export function fieldsOf({ text }: { readonly text: string }): unknown {
  const answer: { errors: { fields: unknown } } = JSON.parse(text)
  return answer.errors.fields
}
