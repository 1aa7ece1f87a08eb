/** Tests the trail of a bill over HTTP on a real PostgreSQL: its sums against plain SQL, its breaks, and what each role may read. */
import type { BillTrail, TrailStep, TrailStepKey } from '#contract/bill-trail/bill-trail.ts'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makePaymentWorld, type PaymentWorld } from '../../../test/support/payments.ts'

const app = await startTestApp()
const { ask } = app
const { db } = app.database
let world: PaymentWorld

beforeEach(async () => {
  world = await makePaymentWorld(app)
})

const trailOf = async (id: number, who: Person = world.admin): Promise<BillTrail> => {
  const answer = await ask(who, 'GET', `/clients/${world.ground.clientId}/bills/${id}/trail`)
  expect(answer.status, answer.text).toBe(200)
  const { trail }: { trail: BillTrail } = JSON.parse(answer.text)
  return trail
}
const stepOf = (trail: BillTrail, key: TrailStepKey): TrailStep | undefined => trail.steps.find((step) => step.key === key)
/** Computes the three sums of a bill from the tables alone. */
const sumsBySql = async (id: number) =>
  (
    await sql`select (select (balance_forward + current_charges + late_fee)::text from bills where id = ${id}) as charged,
      (select sum(amount)::text from gl_lines where bill_id = ${id} and kind <> 'payable' and reverses_id is null) as booked,
      (select amount_paid::text from payment_batch_bills where bill_id = ${id} and released_at is null) as paid`.execute(db)
  ).rows[0]

/** Makes a closed client batch with this bill, every service on one ledger account. */
async function book(bill: number): Promise<number> {
  const { clientId } = world.ground
  const { rows } = await sql<{
    id: number
  }>`insert into ledger_accounts (client_id, name) values (${clientId}, 'Utilities') returning id`.execute(db)
  await sql`update services set ledger_account_id = ${rows[0]?.id} where client_id = ${clientId}`.execute(db)
  const at = `/clients/${clientId}/accounting_batches`
  const made = await ask(world.admin, 'POST', at, {
    accounting_batch: { batch_code: `B${bill}`, batch_date: '2026-11-02T17:00:00.000Z', bill_ids: [bill] },
  })
  const id = Number(made.body['id'])
  const closed = await ask(world.admin, 'PATCH', `${at}/${id}`, { accounting_batch: { closed: true } })
  expect(closed.status, `${made.text} ${closed.text}`).toBe(200)
  return id
}

it('lays charged, booked and paid beside each other, as the rows say, and names who did each step when', async () => {
  const bill = await world.makeBill(1)
  const open = await trailOf(bill)
  expect(open).toMatchObject({ charged: '151.00', booked: '151.00', paid: null, breaks_at: null })
  expect(stepOf(open, 'ledger')?.facts[0]?.text).toBe('Computed until the batch is closed')
  expect(stepOf(open, 'vendor_payment')).toMatchObject({ state: 'none', why: 'In no vendor batch yet' })
  const clientBatch = await book(bill)
  const batch = await world.paid([bill])
  const trail = await trailOf(bill)
  expect(await sumsBySql(bill)).toEqual({ charged: trail.charged, booked: trail.booked, paid: trail.paid })
  expect(trail).toMatchObject({ charged: '151.00', booked: '151.00', paid: '151.00', breaks_at: null })
  expect(stepOf(trail, 'keyed')).toMatchObject({ mark: 'equal', charged: '151.00' })
  expect(stepOf(trail, 'ledger')).toMatchObject({ mark: 'equal', facts: [{ text: 'Frozen when the batch was closed' }, {}, {}] })
  expect(stepOf(trail, 'client_batch')?.facts).toMatchObject([
    { text: `B${bill}, made`, amount: '151.00', link: `/clients/${world.ground.clientId}/accounting_batches/${clientBatch}/ledger` },
    { text: 'Closed', by: world.admin.email, at: expect.any(String) },
  ])
  const [payment] = await world.paymentsOf(batch)
  expect(stepOf(trail, 'vendor_payment')).toMatchObject({
    mark: 'equal',
    facts: [
      { text: `VP-${payment?.id} in vendor batch ${batch}`, by: world.admin.email, link: `${world.at}/${batch}/vendor_payments` },
      { text: `Check, ${10_000 + (payment?.id ?? 0)}, 11/05/2026` },
      { text: 'Paid', by: world.admin.email, at: expect.any(String) },
    ],
  })
  expect(trail.steps.map(({ key }) => key)).toEqual([
    'document',
    'keyed',
    'findings',
    'ledger',
    'client_batch',
    'upload_file',
    'invoice',
    'vendor_payment',
    'approval',
    'payment_file',
    'reversal',
  ])
})

it('of a void bill shows what a closed batch has booked, which batch takes it back, and that nothing of it is left', async () => {
  const bill = await world.makeBill(1)
  const before = await book(bill)
  const replacing = await world.makeBill(1, world.ground, {
    invoice_number: 'R-1',
    current_charges: '140.00',
    amount_due: '140.00',
    rebill_adjustment: true,
    rebill_of_id: bill,
    rebill_mode: 'replace',
  })
  const waiting = await trailOf(bill)
  expect(waiting).toMatchObject({ booked: '151.00', breaks_at: null })
  expect(stepOf(waiting, 'ledger')).toMatchObject({
    mark: 'explained',
    why: 'The bill is void: the client batch of the bill that replaced it takes back what is booked when it is closed',
    facts: [{ text: 'Frozen when the batch was closed' }, { amount: '101.00' }, { amount: '50.00' }],
  })
  const next = await ask(world.admin, 'POST', `/clients/${world.ground.clientId}/accounting_batches`, {
    accounting_batch: { batch_code: 'NEXT', bill_ids: [replacing], closed: true },
  })
  expect(next.status, next.text).toBe(200)
  const after = await trailOf(bill)
  expect(after).toMatchObject({ charged: '151.00', booked: '0.00', breaks_at: null })
  const ledger = `/clients/${world.ground.clientId}/accounting_batches`
  expect(stepOf(after, 'ledger')).toMatchObject({
    mark: 'equal',
    facts: [
      { text: 'Frozen when the batch was closed', link: `${ledger}/${before}/ledger` },
      { amount: '101.00' },
      { amount: '50.00' },
      { text: 'Taken back in client batch NEXT', link: `${ledger}/${String(next.body['id'])}/ledger` },
      { amount: '-101.00' },
      { amount: '-50.00' },
    ],
  })
  // A reversal that is lost is a break.
  await sql`delete from gl_lines where bill_id = ${bill} and reverses_id is not null and amount = -50`.execute(db)
  expect(stepOf(await trailOf(bill), 'ledger')).toMatchObject({ mark: 'broken', why: 'The bill is void and $50.00 of it are still booked' })
})

it('marks a break at the first step at which a figure differs, and a difference with its reason is explained', async () => {
  const bill = await world.makeBill(1)
  const batch = await world.made([bill])
  await world.save(batch, { bill_amounts: [{ bill_id: bill, amount_paid: '100.00' }] })
  expect(await trailOf(bill)).toMatchObject({ breaks_at: 'vendor_payment' })
  await world.save(batch, { bill_amounts: [{ bill_id: bill, difference_reason: 'credit_taken' }] })
  const explained = await trailOf(bill)
  expect(explained.breaks_at).toBe(null)
  expect(stepOf(explained, 'vendor_payment')).toMatchObject({
    mark: 'explained',
    why: '$151.00 are due and $100.00 are to be paid: Credit taken',
  })
  await world.numberPayments(batch)
  await world.save(batch, { closed: true })
  await sql`update bills set amount_paid = 99.99 where id = ${bill}`.execute(db)
  expect(stepOf(await trailOf(bill), 'vendor_payment')).toMatchObject({ mark: 'broken', why: 'The bill says $99.99, its payment $100.00' })
  await sql`update bills set amount_due = 152.00 where id = ${bill}`.execute(db)
  const trail = await trailOf(bill)
  expect(trail.breaks_at).toBe('keyed')
  expect(stepOf(trail, 'keyed')?.why).toBe('Its parts add up to $151.00')
})

it('keeps what was paid and taken back, and the entry of a payment file beside the payment', async () => {
  const bill = await world.makeBill(1)
  const batch = await world.paid([bill])
  const [payment] = await world.paymentsOf(batch)
  const { rows } = await sql<{
    id: number
  }>`insert into global_batch_files (file_name, export_type, export_key, content_encrypted, byte_size, sha256, creation_date, creation_time)
    values ('ach_1.ach', 'ACH', ${`key ${bill}`}, 'x', 1, 'x', '2026-11-05', '0900') returning id`.execute(db)
  await sql`insert into global_batch_file_payments (client_id, global_batch_file_id, vendor_payment_id, trace_number, account_last4, amount)
    values (${world.ground.clientId}, ${rows[0]?.id}, ${payment?.id}, '07640125000001', '4321', 151.00)`.execute(db)
  expect(stepOf(await trailOf(bill), 'payment_file')).toMatchObject({
    mark: 'equal',
    facts: [{ text: 'ach_1.ach · trace 07640125000001 · account …4321 · whole payment', amount: '151.00' }],
  })
  await ask(world.admin, 'POST', `${world.at}/${batch}/vendor_payments/${payment?.id}/reverse`, {
    payment_reversal: { kind: 'ach_return', return_code: 'R03', reversed_date: '2026-11-10', reason: 'No such account' },
  })
  const trail = await trailOf(bill)
  expect(trail).toMatchObject({ paid: null, breaks_at: null })
  expect(stepOf(trail, 'payment_file')).toMatchObject({ mark: 'equal' })
  expect(stepOf(trail, 'reversal')).toMatchObject({
    state: 'there',
    facts: [{ text: `VP-${payment?.id} · ACH return R03, 11/10/2026 · No such account`, amount: '-151.00', by: world.admin.email }],
  })
  await sql`update global_batch_file_payments set amount = 150.00 where global_batch_file_id = ${rows[0]?.id}`.execute(db)
  expect(await trailOf(bill)).toMatchObject({ breaks_at: 'payment_file' })
})

it('shows each step only where its reader may read it', async () => {
  const bill = await world.makeBill(1)
  await world.paid([bill])
  const { clientId, divisionId } = world.ground
  const hiddenFrom = async (who: Person) => (await trailOf(bill, who)).steps.filter(({ state }) => state === 'hidden').map(({ key }) => key)
  const books: readonly TrailStepKey[] = ['ledger', 'client_batch', 'upload_file', 'invoice']
  const payments: readonly TrailStepKey[] = ['vendor_payment', 'approval', 'payment_file', 'reversal']
  expect(await hiddenFrom(await makePerson(db, 'muc_admin'))).toEqual([])
  expect(await hiddenFrom(await makePerson(db, 'client_admin', { clients: [clientId] }))).toEqual(['payment_file'])
  expect(await hiddenFrom(await makePerson(db, 'client_user', { clients: [clientId] }))).toEqual(payments)
  const narrowed = await makePerson(db, 'client_manager', { clients: [clientId], division: [[clientId, divisionId]] })
  expect(await hiddenFrom(narrowed)).toEqual([...books, ...payments])
  expect(await trailOf(bill, narrowed)).toMatchObject({ charged: '151.00', booked: null, paid: null })
  const stranger = await makePerson(db, 'client_admin')
  expect((await ask(stranger, 'GET', `/clients/${clientId}/bills/${bill}/trail`)).status).not.toBe(200)
})
