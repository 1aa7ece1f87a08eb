/** Tests random actions of eight clerks at once: no bill is ever paid twice, and every file matches its batches. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeDeskBill, makeDeskVendor, makePayer } from '../../../test/support/desk.ts'

const { ask, database } = await startTestApp()
const { db } = database
const MINUTE = 60_000
const clerks = 8
/** Actions of each clerk; the environment may ask for more. */
const actsEach = Number(process.env['DESK_ACTS'] ?? 25)

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

/** Queries for rows that break an invariant, by name; each reads the tables alone. */
const broken: Readonly<Record<string, string>> = {
  'A1: a bill in two live batches': `select bill_id from payment_batch_bills where released_at is null group by client_id, bill_id having count(*) > 1`,
  'A3: a live batch without a bill': `select id from payment_batches batch where is_global and unbatched_at is null and not exists (select 1
    from payment_batch_bills member where member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null)`,
  'A4: a batch with bills of two types': `select member.payment_batch_id from payment_batch_bills member join bills on bills.client_id = member.client_id
    and bills.id = member.bill_id join vendor_payment_methods method on method.vendor_id = bills.vendor_id where member.released_at is null
    group by 1 having count(distinct method.payment_method_id) > 1`,
  'A5: an exclusive vendor beside another': `select member.payment_batch_id from payment_batch_bills member join bills on bills.client_id = member.client_id
    and bills.id = member.bill_id join vendors on vendors.id = bills.vendor_id where member.released_at is null
    group by 1 having bool_or(vendors.is_exclusive) and count(distinct vendors.id) > 1`,
  'A6: a bill without its payment': `select bills.id from bills left join payment_batch_bills member on member.client_id = bills.client_id
    and member.bill_id = bills.id and member.released_at is null left join vendor_payments payment on payment.id = member.vendor_payment_id
    where bills.vendor_payment_id is distinct from member.vendor_payment_id or (payment.id is not null and (payment.vendor_id <> bills.vendor_id
      or payment.payment_batch_id <> member.payment_batch_id))`,
  'A8: a live membership of an unbatched batch': `select member.id from payment_batch_bills member join payment_batches batch on batch.client_id = member.client_id
    and batch.id = member.payment_batch_id where member.released_at is null and batch.unbatched_at is not null`,
  'B1: a payment of a live batch without bills': `select payment.id from vendor_payments payment join payment_batches batch on batch.client_id = payment.client_id
    and batch.id = payment.payment_batch_id where batch.unbatched_at is null and not exists (select 1 from payment_batch_bills member
    where member.client_id = payment.client_id and member.vendor_payment_id = payment.id)`,
  'B2: a file that is not the sum of its batches': `select file.id from global_batch_files file where file.total is distinct from (select sum(member.amount_paid)
    from global_batch_file_batches of_file join payment_batch_bills member on member.client_id = of_file.client_id
      and member.payment_batch_id = of_file.payment_batch_id and member.released_at is null where of_file.global_batch_file_id = file.id)`,
  'B2: an entry that is not its payment': `select entry.id from global_batch_file_payments entry where entry.bill_id is null and entry.amount <> (select sum(member.amount_paid)
    from payment_batch_bills member where member.client_id = entry.client_id and member.vendor_payment_id = entry.vendor_payment_id)`,
  'C4: a cash payment that is not above 0': `select entry.id from global_batch_file_payments entry join global_batch_files file on file.id = entry.global_batch_file_id
    where file.purpose = 'payment' and entry.amount <= 0`,
  'C5, C7: no payment above 1.00, or with a payment file': `select batch.id from payment_batches batch where batch.paid_as = 'NP' and ((select sum(amount_paid)
      from payment_batch_bills member where member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null) > 1
    or exists (select 1 from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose <> 'companion'))`,
  'D1: a paid batch with an unpaid bill, or the other way round': `select member.id from payment_batch_bills member join payment_batches batch
    on batch.client_id = member.client_id and batch.id = member.payment_batch_id join bills on bills.client_id = member.client_id and bills.id = member.bill_id
    where member.released_at is null and (batch.is_paid <> bills.paid or batch.finalized <> bills.finalized)`,
  'D1: finalized and not paid, or open after it was paid': `select id from payment_batches where (finalized and not is_paid) or (is_global and is_paid and not closed)`,
  'D3: a paid bill whose amount is not that of its payment': `select bills.id from bills join payment_batch_bills member on member.client_id = bills.client_id
    and member.bill_id = bills.id and member.released_at is null where bills.paid and bills.amount_paid is distinct from member.amount_paid`,
  'D4: a bill that was paid more often than once': `select item_id from audit_records where item_type = 'bill' and object_changes ? 'paid'
    group by client_id, item_id having count(*) > 1`,
  'E3: a batch in two payment files, or a paid one in none': `select batch.id from payment_batches batch where batch.is_global and batch.is_paid and (select count(*)
    from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose in ('payment', 'companion')) <> 1`,
  'G10: a finalized batch that is not in exactly one accounting file': `select batch.id from payment_batches batch where batch.finalized and batch.paid_as <> 'NP' and (select count(*)
    from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id and of_file.purpose = 'accounting') <> 1`,
}

it(
  'whatever eight clerks do at once, no bill is paid twice, every sum is that of its rows, and nobody gets a failure',
  { timeout: 5 * MINUTE },
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
    for (const [name, text] of Object.entries(broken)) expect((await sql.raw(text).execute(db)).rows, name).toEqual([])
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
    for (const [name, text] of Object.entries(broken)) expect((await sql.raw(text).execute(db)).rows, name).toEqual([])
  },
)
