/** Tests random saves, syncs, closes and deletes of several users at once: no bill is ever paid twice, and every sum matches its rows. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, type Ground } from '../../../test/support/bills.ts'
import { addBill } from '../../../test/support/fact-bills.ts'

const { ask, database } = await startTestApp()
const { db } = database
const MINUTE = 60_000
const people = 8
const actsEach = 40

/** Returns a seeded generator of numbers from 0 to below `to` (mulberry32). */
function diceOf(seed: number): (to: number) => number {
  let state = seed
  return (to) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * to)
  }
}

async function makeBills(ground: Ground): Promise<number[]> {
  const bills: number[] = []
  const { rows } = await sql<{
    id: number
  }>`insert into vendors (name, short_code) select 'Vendor ' || n, 'V' || n || '-' || ${ground.clientId}::text
    from generate_series(1, 3) n returning id`.execute(db)
  for (const { id: vendorId } of rows) {
    const account = await makeAccount(db, { ...ground, vendorId }, `9${vendorId}`)
    for (let place = 0; place < 5; place++) {
      const charges = `${vendorId + place}.${10 + place}`
      const { id } = await addBill(db, ground.clientId, {
        account: { billable_account_id: account },
        date: '2026-11-02',
        current_charges: charges,
        lines: [],
      })
      await sql`update bills set vendor_id = ${vendorId}, division_id = ${ground.divisionId}, amount_due = current_charges where id = ${id}`.execute(
        db,
      )
      bills.push(id)
    }
  }
  return bills
}

interface World {
  readonly at: string
  readonly clientId: number
  readonly bills: readonly number[]
}

const listOf = async (who: Person, path: string, key: string): Promise<{ id: number; lock_version: number }[]> => {
  const { text } = await ask(who, 'GET', path)
  const answer: Record<string, { id: number; lock_version: number }[] | undefined> = JSON.parse(text)
  return answer[key] ?? []
}

/**
 * Runs one action of one user.
 * @returns its status.
 */
async function act(who: Person, { at, clientId, bills }: World, dice: (to: number) => number): Promise<number> {
  const batches = await listOf(who, at, 'payment_batches')
  const batch = batches[dice(Math.max(batches.length, 1))]
  const chosen = bills.filter(() => dice(3) === 0)
  if (batch === undefined || dice(8) === 0) {
    const head = { payer_type: 'Client', payer_id: clientId, batch_date: '2026-11-24', bills_due_date: '2026-12-08' }
    return (await ask(who, 'POST', at, { payment_batch: { ...head, bill_ids: chosen } })).status
  }
  const one = `${at}/${batch.id}`
  const payments = await listOf(who, `${one}/vendor_payments`, 'vendor_payments')
  const payment = payments[dice(Math.max(payments.length, 1))]
  const version = dice(2) === 0 ? { lock_version: batch.lock_version } : {}
  const acts = [
    () => ask(who, 'PATCH', one, { payment_batch: { bill_ids: chosen, ...version } }),
    () =>
      ask(who, 'PATCH', one, { payment_batch: { bill_amounts: chosen.map((bill_id) => ({ bill_id, amount_paid: `${dice(90)}.05` })) } }),
    () => ask(who, 'PATCH', one, { payment_batch: { closed: true, ...version } }),
    () => ask(who, 'PATCH', one, { payment_batch: { closed: false } }),
    () => ask(who, 'POST', `${one}/create_missing_vendor_payments`),
    () => ask(who, 'DELETE', one),
    () =>
      ask(who, 'PATCH', `${one}/vendor_payments/${payment?.id ?? 1}`, {
        vendor_payment: { payment_date: '2026-11-02', check_number: `${dice(999)}` },
      }),
    () =>
      ask(who, 'PATCH', `${one}/vendor_payments/${payment?.id ?? 1}`, {
        vendor_payment: { payment_date: '2026-11-02', check_number: `${dice(999)}` },
      }),
    () => ask(who, 'DELETE', `${one}/vendor_payments/${payment?.id ?? 1}`),
    () => ask(who, 'PATCH', one, { payment_batch: { bill_ids: chosen }, vendor_payment_id: payment?.id ?? 1 }),
    () =>
      ask(who, 'POST', `${one}/vendor_payments/${payment?.id ?? 1}/reverse`, {
        payment_reversal: { kind: 'other', reversed_date: '2026-11-03', reason: 'Random' },
      }),
  ]
  return (await (acts[dice(acts.length)] ?? acts[0])?.())?.status ?? 0
}

/** Queries for rows that break an invariant, by name; each reads the tables alone. */
const broken: Readonly<Record<string, string>> = {
  'a bill in two live batches': `select bill_id from payment_batch_bills where released_at is null group by client_id, bill_id having count(*) > 1`,
  'a bill that names another payment than its membership': `select bills.id from bills left join payment_batch_bills member
    on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null
    where bills.vendor_payment_id is distinct from member.vendor_payment_id`,
  'a payment of another vendor than its bill': `select bills.id from bills join vendor_payments payment on payment.client_id = bills.client_id
    and payment.id = bills.vendor_payment_id where payment.vendor_id is distinct from bills.vendor_id`,
  'a live membership of a payment of another batch': `select member.id from payment_batch_bills member join vendor_payments payment
    on payment.client_id = member.client_id and payment.id = member.vendor_payment_id where payment.payment_batch_id <> member.payment_batch_id`,
  'a live membership of a deleted batch': `select member.id from payment_batch_bills member join payment_batches batch on batch.client_id = member.client_id
    and batch.id = member.payment_batch_id where member.released_at is null and batch.unbatched_at is not null`,
  'a paid bill whose amount is not that of its payment': `select bills.id from bills left join payment_batch_bills member
    on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null
    where bills.paid and bills.amount_paid is distinct from member.amount_paid`,
  'a paid bill without a date and an ID of its payment': `select bills.id from bills join vendor_payments payment on payment.client_id = bills.client_id
    and payment.id = bills.vendor_payment_id where bills.paid and (payment.payment_date is null or payment.check_number is null)`,
  'a paid batch with an unpaid bill': `select batch.id from payment_batches batch join payment_batch_bills member on member.client_id = batch.client_id
    and member.payment_batch_id = batch.id and member.released_at is null join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where batch.is_paid and not bills.paid`,
  'a bill that was paid more often than once and never taken back in between': `select item_id from audit_records where item_type = 'bill' and object_changes->'paid'->>'to' = 'true'
    group by client_id, item_id having count(*) > 1 + (select count(*) from payment_reversals reversal where reversal.client_id = audit_records.client_id
      and reversal.bill_id = audit_records.item_id)`,
  'a bill that is still paid by a payment that took it back': `select reversal.id from payment_reversals reversal join payment_batch_bills member
    on member.client_id = reversal.client_id and member.bill_id = reversal.bill_id and member.vendor_payment_id = reversal.vendor_payment_id`,
  'a live bill of a reversed payment': `select member.id from payment_batch_bills member join payment_reversals reversal
    on reversal.client_id = member.client_id and reversal.vendor_payment_id = member.vendor_payment_id where member.released_at is null`,
}

it('whatever eight people do at once, no bill is paid twice and every sum is that of its rows', { timeout: 3 * MINUTE }, async () => {
  const seed = Number(process.env['PAYMENT_SEED'] ?? Date.now() % 1_000_000_007)
  console.log(`payment invariants: seed ${seed}`)
  const ground = await makeGround(db)
  await sql`update clients set utility_payment_management = true where id = ${ground.clientId}`.execute(db)
  const world = { at: `/clients/${ground.clientId}/payment_batches`, clientId: ground.clientId, bills: await makeBills(ground) }
  const crowd = await Promise.all(Array.from({ length: people }, () => makePerson(db, 'super_admin')))
  const statuses = new Map<number, number>()
  await Promise.all(
    crowd.map(async (who, place) => {
      const dice = diceOf(seed + place)
      for (let turn = 0; turn < actsEach; turn++) {
        const status = await act(who, world, dice)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  console.log(`payment invariants: answers ${JSON.stringify(Object.fromEntries(statuses))}`)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(200) ?? 0).toBeGreaterThan(people)
  for (const [name, text] of Object.entries(broken)) expect((await sql.raw(text).execute(db)).rows, name).toEqual([])
  const [admin] = crowd
  const { text } = await ask(admin ?? null, 'GET', `${world.at}?per=200`)
  const { payment_batches }: { payment_batches: { id: number; batch_total: string }[] } = JSON.parse(text)
  for (const { id, batch_total } of payment_batches) {
    const { rows } = await sql`select coalesce(sum(amount_paid), 0)::numeric(14,2)::text as total from payment_batch_bills
      where payment_batch_id = ${id} and released_at is null`.execute(db)
    expect(rows).toEqual([{ total: batch_total }])
    const { text: list } = await ask(admin ?? null, 'GET', `${world.at}/${id}/vendor_payments?per=200`)
    const { vendor_payments }: { vendor_payments: { amount: string }[] } = JSON.parse(list)
    const cents = vendor_payments.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
    expect(cents).toBe(Math.round(Number(batch_total) * 100))
  }
})
