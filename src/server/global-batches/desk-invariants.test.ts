/** Tests random actions of eight clerks at once: no bill is ever paid twice, and every file matches its batches. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makePayer } from '../../../test/support/desk.ts'
import { diceOf } from '../../../test/support/dice.ts'
import { brokenAtTheDesk, expectNoneBroken } from '../../../test/support/money-invariants.ts'

const { ask, database } = await startTestApp()
const { db } = database
const MINUTE = 60_000
const clerks = 8
/** Actions of each clerk; the environment may ask for more. */
const actsEach = Number(process.env['DESK_ACTS'] ?? 25)
/** An action reads the batches first. On a machine with other work both take half a second. */
const ACT_MS = 1_000

interface Desk {
  readonly bills: readonly number[]
}

/** Makes bills of three clients for vendors of two types, one of them exclusive. */
async function makeDesk(): Promise<Desk> {
  const bills: number[] = []
  const payers: Ground[] = []
  for (let place = 0; place < 3; place++) payers.push(await makePayer(db))
  for (const [method, exclusive] of [
    ['Check', false],
    ['Check', true],
    ['OP', false],
  ] as const) {
    const vendor = await makeDeskVendor(db, { method, exclusive, name: `${method} ${exclusive ? 'alone' : 'with others'}` })
    for (const payer of payers)
      for (let place = 0; place < 4; place++) bills.push(await makeDeskBill(db, payer, vendor, { amount: `0.${20 + place}` }))
  }
  await sql`insert into global_batch_bank_values (day, value, locked) values ((now() at time zone 'America/New_York')::date, 1000, true)`.execute(
    db,
  )
  return { bills }
}

/**
 * Runs one action of one clerk.
 * @returns its status.
 */
async function act(who: Person, { bills }: Desk, dice: (to: number) => number): Promise<number> {
  const { text } = await ask(who, 'GET', '/global_batches?per=1000')
  const { batches }: { batches: { id: number; lock_version: number; effective_type: string }[] } = JSON.parse(text)
  const chosen = bills.filter(() => dice(12) === 0)
  const some = batches.filter(() => dice(4) === 0).map(({ id }) => id)
  const batch = batches[dice(Math.max(batches.length, 1))]
  const dates = { batch_date: '2026-11-25', bills_due_date: '2026-12-09' }
  if (batch === undefined || dice(4) === 0)
    return (await ask(who, 'POST', '/global_batches', { global_batch: { ...dates, bill_ids: chosen } })).status
  const ids = some.length > 0 ? some : [batch.id]
  const one = `/global_batches/${batch.id}`
  const amounts = chosen.map((id) => ({ id, amount_paid: `${dice(2)}.${10 + dice(80)}` }))
  const acts = [
    () => ask(who, 'PATCH', one, { global_batch: { new_bill_ids: chosen } }),
    () => ask(who, 'PATCH', one, { global_batch: { bill_ids: chosen, lock_version: batch.lock_version } }),
    () => ask(who, 'PATCH', one, { global_batch: { bills_attributes: amounts } }),
    () => ask(who, 'POST', '/global_batches/unbatch', { ids }),
    () =>
      ask(who, 'PATCH', '/global_batches/temp_pay_method', { ids, temp_method: (['NP', 'OP', 'Avid', null] as const)[dice(4)] ?? null }),
    () => ask(who, 'POST', '/global_batches/export', { ids: [batch.id], pay_method: batch.effective_type }),
    () => ask(who, 'POST', '/global_batches/export', { ids, pay_method: 'Check' }),
    () => ask(who, 'POST', '/global_batches/pay', { ids }),
    () => ask(who, 'POST', '/global_batches/finalize', { ids }),
    () => ask(who, 'GET', '/global_batches/accounting_export'),
    () => ask(who, 'PATCH', '/global_batch_bank_value/lock', { current_value: '1000', new_value: '1000', locked: dice(5) !== 0 }),
  ]
  return (await (acts[dice(acts.length)] ?? acts[0])?.())?.status ?? 0
}

it(
  'whatever eight clerks do at once, no bill is paid twice, every sum is that of its rows, and nobody gets a failure',
  { timeout: MINUTE + clerks * actsEach * ACT_MS },
  async () => {
    const seed = Number(process.env['DESK_SEED'] ?? Date.now() % 1_000_000_007)
    console.log(`desk invariants: seed ${seed}`)
    const desk = await makeDesk()
    const crowd = await Promise.all(Array.from({ length: clerks }, () => makePerson(db, 'super_admin')))
    const statuses = new Map<number, number>()
    await Promise.all(
      crowd.map(async (who, place) => {
        const dice = diceOf(seed + place)
        for (let turn = 0; turn < actsEach; turn++) {
          const status = await act(who, desk, dice)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    console.log(`desk invariants: answers ${JSON.stringify(Object.fromEntries(statuses))}`)
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
    expect(statuses.get(200) ?? 0).toBeGreaterThan(clerks)
    await expectNoneBroken(db, brokenAtTheDesk)
    const { text } = await ask(crowd[0] ?? null, 'GET', '/global_batch_bank_value')
    const { batched_total, value, remaining }: Record<string, string> = JSON.parse(text)
    const { rows } = await sql`select coalesce(sum(member.amount_paid), 0)::numeric(14,2)::text as total from payment_batch_bills member
    join payment_batches batch on batch.client_id = member.client_id and batch.id = member.payment_batch_id
    where member.released_at is null and batch.unbatched_at is null and coalesce(batch.temp_pay_method, batch.payment_method) <> 'NP'`.execute(
      db,
    )
    expect(rows).toEqual([{ total: batched_total }])
    expect(Math.round(Number(value) * 100) - Math.round(Number(batched_total) * 100)).toBe(Math.round(Number(remaining) * 100))
  },
)

it(
  'of fifty overlapping selections in random orders each bill goes to one batch, the losers are told, and no batch is left empty',
  { timeout: 2 * MINUTE },
  async () => {
    const seed = Number(process.env['DESK_SEED'] ?? Date.now() % 1_000_000_007)
    console.log(`desk overlaps: seed ${seed}`)
    const dice = diceOf(seed)
    const vendor = await makeDeskVendor(db, { method: 'Check' })
    const payers = [await makePayer(db), await makePayer(db)]
    const bills: number[] = []
    for (const payer of payers)
      for (let place = 0; place < 6; place++) bills.push(await makeDeskBill(db, payer, vendor, { amount: '1.00' }))
    await sql`update global_batch_bank_values set locked = true`.execute(db)
    const clerk = await makePerson(db, 'super_admin')
    const selections = Array.from({ length: 50 }, () => bills.filter(() => dice(3) === 0).toSorted(() => dice(3) - 1))
    const answers = await Promise.all(
      selections
        .filter((ids) => ids.length > 0)
        .map((bill_ids) =>
          ask(clerk, 'POST', '/global_batches', { global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids } }),
        ),
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 409).map(({ text }) => text)).toEqual([])
    for (const { status, text } of answers) if (status === 409) expect(text).toContain('In vendor batch')
    await expectNoneBroken(db, brokenAtTheDesk)
  },
)
