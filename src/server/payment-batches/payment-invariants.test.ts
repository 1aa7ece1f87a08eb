/** Tests random saves, syncs, closes and deletes of several users at once: no bill is ever paid twice, and every sum matches its rows. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, type Ground } from '../../../test/support/bills.ts'
import { diceOf } from '../../../test/support/dice.ts'
import { addBill } from '../../../test/support/fact-bills.ts'
import { brokenInVendorBatches, expectNoneBroken } from '../../../test/support/money-invariants.ts'

const { ask, database } = await startTestApp()
const { db } = database
const MINUTE = 60_000
const people = 8
const actsEach = 40

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
  await expectNoneBroken(db, brokenInVendorBatches)
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
