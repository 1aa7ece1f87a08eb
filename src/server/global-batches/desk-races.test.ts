/**
 * Tests pairs of acts of the desk that meet at the same moment, by real parallel connections: one wins or both fit, and the money agrees. The
 * letters are those of the design of payments.
 */
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill } from '../../../test/support/desk.ts'
import { atEndOfFile } from '../../../test/support/end-of-file.ts'
import {
  createBatch,
  leaveToday,
  meet as meetRounds,
  raceBatch,
  raceGround,
  raceRounds as ROUNDS,
  raceTimeout as timeout,
} from '../../../test/support/desk-meet.ts'
import { brokenAtTheDesk, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { openDatabase } from '../kernel/postgres/database.ts'

/** Fewer connections than requests. */
const FEW_CONNECTIONS = 2
const CROWD = 8

const { ask, database } = await startTestApp()
const { db } = database
const narrow = openDatabase({ url: database.url, size: FEW_CONNECTIONS })
atEndOfFile(narrow.close)
const small = await startTestApp({}, { ...narrow, url: database.url })
let one: Person
let other: Person
let payer: Ground
let check: number

beforeEach(async () => {
  ;({ one, other, payer, check } = await raceGround(db))
})

const bill = (amount = '10.00', vendor = check) => makeDeskBill(db, payer, vendor, { amount })
const create = (who: Person, bill_ids: readonly number[]) => createBatch(ask, who, bill_ids)
const batchOf = (...bills: number[]) => raceBatch(ask, one, bills)
const pay = (who: Person, ids: readonly number[], pay_method = 'Check') => ask(who, 'POST', '/global_batches/export', { ids, pay_method })
const edit = (who: Person, id: number, values: object) => ask(who, 'PATCH', `/global_batches/${id}`, { global_batch: values })
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)
const won = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length

const meet = (
  round: (turn: number) => Promise<readonly [() => Promise<Answer>, () => Promise<Answer>, (answers: Answer[]) => void | Promise<void>]>,
) =>
  meetRounds(db, async (turn) => {
    const [first, second, judge] = await round(turn)
    return { acts: [first, second], judge }
  })

it('G2: a bill that is added while its batch is exported is in the file and in the batch, or in neither', { timeout }, async () => {
  await meet(async () => {
    const id = await batchOf(await bill())
    const late = await bill('5.00')
    return [
      () => edit(one, id, { new_bill_ids: [late] }),
      () => pay(other, [id]),
      async ([added, paid]) => {
        expect(paid?.status, paid?.text).toBe(200)
        const { rows } =
          await sql`select bills.paid, (select file.total::text from global_batch_files file join global_batch_file_batches of_file
          on of_file.global_batch_file_id = file.id where of_file.payment_batch_id = ${id}) as total from bills where bills.id = ${late}`.execute(
            db,
          )
        expect(rows).toEqual([added?.status === 200 ? { paid: true, total: '15.00' } : { paid: false, total: '10.00' }])
      },
    ]
  })
})

it(
  'G3: an amount that is edited while its batch is exported is in the file as it is stored, the old one or the new one',
  { timeout },
  async () => {
    await meet(async () => {
      const paid = await bill()
      const id = await batchOf(paid)
      return [
        () => edit(one, id, { bills_attributes: [{ id: paid, amount_paid: '4.00' }] }),
        () => pay(other, [id]),
        async ([edited, exported]) => {
          expect(exported?.status, exported?.text).toBe(200)
          const { rows } = await sql`select bills.amount_paid::text as stored, entry.amount::text as written from bills
          join payment_batch_bills member on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null
          join global_batch_file_payments entry on entry.client_id = member.client_id and entry.vendor_payment_id = member.vendor_payment_id
          where bills.id = ${paid}`.execute(db)
          const amount = edited?.status === 200 ? '4.00' : '10.00'
          expect(rows).toEqual([{ stored: amount, written: amount }])
        },
      ]
    })
  },
)

it(
  'G4: of unbatching and an export, of a move to NP and an export, of finalizing NP and an amount above 1.00, one wins',
  { timeout },
  async () => {
    const oneWins = (answers: Answer[]) => expect(won(answers), statuses(answers).join()).toBe(1)
    await meet(async () => {
      const id = await batchOf(await bill())
      return [() => ask(one, 'POST', '/global_batches/unbatch', { ids: [id] }), () => pay(other, [id]), oneWins]
    })
    await meet(async () => {
      const id = await batchOf(await bill('0.50'))
      const move = () => ask(one, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'NP' })
      return [move, () => pay(other, [id]), oneWins]
    })
    await meet(async () => {
      const small = await bill('0.50')
      const id = await batchOf(small)
      await ask(one, 'PATCH', '/global_batches/temp_pay_method', { ids: [id], temp_method: 'NP' })
      const raise = () => edit(one, id, { bills_attributes: [{ id: small, amount_paid: '1.01' }] })
      return [raise, () => ask(other, 'POST', '/global_batches/finalize', { ids: [id] }), oneWins]
    })
  },
)

it('G6: two exports of one sender at the same moment have different modifiers and different trace numbers', { timeout }, async () => {
  const vendor = await makeAchVendor(db)
  const profile = await makeBankProfile(db, payer.clientId)
  await meet(async (turn) => {
    // A bank takes 36 files a day of one sender.
    await sql`update originating_profiles set immediate_origin = ${String(2_000_000_000 + turn)} where id = ${profile}`.execute(db)
    const ids = [await batchOf(await bill('1.00', vendor)), await batchOf(await bill('2.00', vendor))] as const
    return [
      () => pay(one, [ids[0]], 'ACH'),
      () => pay(other, [ids[1]], 'ACH'),
      async (answers) => {
        expect(statuses(answers), answers.map(({ text }) => text).join()).toEqual([200, 200])
        const { rows } = await sql<{
          modifier: string
          first: number
          last: number
        }>`select file_id_modifier as modifier, first_trace as first, last_trace as last
          from global_batch_files where immediate_origin = ${String(2_000_000_000 + turn)} order by first_trace`.execute(db)
        expect(rows.map(({ modifier }) => modifier).toSorted()).toEqual(['A', 'B'])
        expect(Number(rows[0]?.last)).toBeLessThan(Number(rows[1]?.first))
      },
    ]
  })
})

it(
  'G9: of two changes of the bank value one counts and the other is told; what is created meets a locked value or is refused',
  { timeout },
  async () => {
    const path = '/global_batch_bank_value'
    const attempts = async () => (await ask(one, 'GET', path)).body['attempts']
    await meet(async () => {
      await sql`delete from global_batch_bank_values`.execute(db)
      const change = (who: Person, new_value: string) => () =>
        ask(who, 'PATCH', path, { current_value: '0.00', new_value, locked: false, source: 'input' })
      return [
        change(one, '100'),
        change(other, '200'),
        async (answers) => {
          expect(statuses(answers).toSorted()).toEqual([200, 409])
          expect(await attempts()).toBe(2)
        },
      ]
    })
    await meet(async () => {
      await sql`update global_batch_bank_values set value = 9000000, locked = true, attempts = 3`.execute(db)
      const wanted = await bill()
      const unlock = () =>
        ask(one, 'PATCH', `${path}/lock`, { current_value: '9000000.00', new_value: '9000000.00', locked: false, source: 'button' })
      return [
        unlock,
        () => create(other, [wanted]),
        async ([unlocked, created]) => {
          expect(unlocked?.status).toBe(200)
          expect([200, 409]).toContain(created?.status)
          const { rows } = await sql`select 1 as one from payment_batch_bills where bill_id = ${wanted} and released_at is null`.execute(db)
          expect(rows).toHaveLength(created?.status === 200 ? 1 : 0)
        },
      ]
    })
  },
)

it(
  'G12: with fewer connections than requests, and with all of them cut in the middle, an answer is a success or an error, never half of an act',
  { timeout },
  async () => {
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const batches = await Promise.all(Array.from({ length: CROWD }, async () => batchOf(await bill())))
      const cut = async (): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, (turn * 13) % 60))
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'meterbook'`.execute(
          db,
        )
      }
      const send = (id: number) =>
        small.ask(other, 'POST', '/global_batches/export', { ids: [id], pay_method: 'Check' }, { 'idempotency-key': `few ${id}` })
      const answers = await Promise.all([...batches.map(send), ...(turn % 2 === 0 ? [] : [cut()])])
      for (const [place, answer] of answers.entries()) {
        if (!answer) continue
        expect([200, 503], answer.text).toContain(answer.status)
        const { rows } = await sql<{ paid: boolean }>`select is_paid as paid from payment_batches where id = ${batches[place]}`.execute(db)
        if (answer.status === 200) expect(rows).toEqual([{ paid: true }])
      }
      await expectNoneBroken(db, brokenAtTheDesk)
      const again = await Promise.all(batches.map(send))
      expect(statuses(again), again.map(({ text }) => text.slice(0, 200)).join()).toEqual(batches.map(() => 200))
      await expectNoneBroken(db, brokenAtTheDesk)
      await leaveToday(db)
    }
  },
)
