/**
 * Tests who batches a bill, and what leaves in a file, when two people act at the same moment: G1, G5, G8, G10 and G11 of the design of payments.
 * The other letters are in desk-races.test.ts, G7 is in killed-export.test.ts.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { makePerson, startTestApp, type Answer, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor } from '../../../test/support/desk.ts'
import { createBatch, meet, raceBatch, raceGround, raceTimeout as timeout } from '../../../test/support/desk-meet.ts'

const {
  ask,
  database: { db },
} = await startTestApp()
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
const pay = (who: Person, ids: readonly number[], pay_method = 'Check', more: object = {}, headers: Record<string, string> = {}) =>
  ask(who, 'POST', '/global_batches/export', { ids, pay_method, ...more }, headers)
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted()
const filesOf = (answer: Answer | undefined): number[] => {
  const { files }: { files?: { id: number }[] } = JSON.parse(answer?.text ?? '{}')
  return (files ?? []).map(({ id }) => id)
}

it(
  'G1: of two people who batch the same bill one succeeds; the other is told which bill, and has no batch, not even an empty one',
  { timeout },
  async () => {
    await meet(db, async (turn) => {
      const [shared, own, others] = [await bill(), await bill(), await bill()]
      const { rows: before } = await sql<{ count: number }>`select count(*)::int as count from payment_batches`.execute(db)
      const second = turn % 3 === 0 ? [shared] : [others, shared]
      return {
        acts: [() => create(one, [own, shared]), () => create(other, second)],
        judge: async (answers) => {
          expect(statuses(answers)).toEqual([200, 409])
          expect(answers.find(({ status }) => status === 409)?.text).toContain(String(shared))
          const { rows: after } = await sql<{ count: number }>`select count(*)::int as count from payment_batches`.execute(db)
          expect(after[0]?.count).toBe((before[0]?.count ?? 0) + 1)
        },
      }
    })
  },
)

it('G5: of two exports of the same batch there is one file: one key answers it twice, another key is refused', { timeout }, async () => {
  await meet(db, async (turn) => {
    const id = await batchOf(await bill())
    const sameKey = turn % 4 < 2
    const key = (place: number) => ({ 'idempotency-key': `${turn} of ${id} ${sameKey ? '' : place}` })
    return {
      // Two tabs of one person have one key; two people never do.
      acts: [() => pay(one, [id], 'Check', {}, key(1)), () => pay(sameKey ? one : other, [id], 'Check', {}, key(2))],
      judge: async (answers) => {
        expect(statuses(answers)).toEqual(sameKey ? [200, 200] : [200, 409])
        expect(new Set(answers.flatMap(filesOf)).size).toBe(1)
        const { rows } =
          await sql`select count(*)::int as files from global_batch_file_batches where payment_batch_id = ${id} and purpose = 'payment'`.execute(
            db,
          )
        expect(rows).toEqual([{ files: 1 }])
      },
    }
  })
})

it(
  'G8: a download that meets an edit of the vendor gives the bytes of the export, of which the database alone has a copy',
  { timeout },
  async () => {
    await meet(db, async () => {
      const vendor = await makeDeskVendor(db, { method: 'Check', name: 'Before' })
      const [file = 0] = filesOf(await pay(one, [await batchOf(await bill('1.00', vendor))]))
      const { rows } = await sql<{
        sha256: string
      }>`select encode(sha256, 'hex') as sha256 from global_batch_files where id = ${file}`.execute(db)
      const download = () => ask(other, 'GET', `/global_batch_files/${file}/download`)
      return {
        acts: [() => ask(one, 'PATCH', `/vendors/${vendor}`, { vendor: { name: 'After' } }), download],
        judge: async ([edited, taken]) => {
          expect(edited?.status, edited?.text).toBe(200)
          for (const text of [taken?.text, (await download()).text]) {
            expect(
              createHash('sha256')
                .update(text ?? '')
                .digest('hex'),
            ).toBe(rows[0]?.sha256)
            expect(text).toContain('Before')
          }
        },
      }
    })
  },
)

it(
  'G10: of two accounting exports at once every paid batch is in exactly one file; a batch that is paid meanwhile is in it or waits',
  { timeout },
  async () => {
    // Batches of the tests above wait for an accounting export as well.
    await ask(one, 'GET', '/global_batches/accounting_export')
    await meet(db, async () => {
      const [paid, also, late] = [await batchOf(await bill()), await batchOf(await bill()), await batchOf(await bill())]
      expect((await pay(one, [paid, also])).status).toBe(200)
      const finalize = (who: Person) => () => ask(who, 'GET', '/global_batches/accounting_export')
      return {
        acts: [finalize(one), finalize(other), () => pay(other, [late])],
        judge: async ([first, second, paidLate]) => {
          expect(paidLate?.status, paidLate?.text).toBe(200)
          const { rows } = await sql<{
            id: number
            files: number
          }>`select batch.id, (select count(*)::int from global_batch_file_batches of_file
              where of_file.payment_batch_id = batch.id and of_file.purpose = 'accounting') as files
            from payment_batches batch where batch.id = any(${[paid, also, late]}::bigint[]) order by 1`.execute(db)
          const found = new Map(rows.map(({ id, files }) => [id, files]))
          expect([found.get(paid), found.get(also)]).toEqual([1, 1])
          expect([0, 1]).toContain(found.get(late))
          const finalized = [first, second].map((answer) => (answer?.status === 200 ? Number(answer.body['finalized']) : 0))
          expect((finalized[0] ?? 0) + (finalized[1] ?? 0)).toBe(2 + (found.get(late) ?? 0))
          await ask(one, 'GET', '/global_batches/accounting_export')
        },
      }
    })
  },
)

it(
  'G11: an export that meets the approval of a new account pays to the account that is approved at that moment, and its file says which',
  { timeout },
  async () => {
    await makeBankProfile(db, payer.clientId)
    await meet(db, async (turn) => {
      const vendor = await makeAchVendor(db, `Wire ${turn}`, '123456789')
      const asked = await ask(one, 'PATCH', `/vendors/${vendor}`, { vendor: { payment_identifier: '998877665544' } })
      expect(asked.status, asked.text).toBe(200)
      const { rows } = await sql<{
        id: number
      }>`select id from vendor_bank_changes where vendor_id = ${vendor} and state = 'waiting'`.execute(db)
      await sql`update originating_profiles set immediate_origin = ${String(3_000_000_000 + turn)} where client_id = ${payer.clientId}`.execute(
        db,
      )
      const id = await batchOf(await bill('1.00', vendor))
      const clerk = await makePerson(db, 'super_admin')
      return {
        acts: [() => ask(other, 'POST', `/vendor_bank_changes/${rows[0]?.id}/approve`), () => pay(clerk, [id], 'ACH')],
        judge: async ([approved, paid]) => {
          expect(approved?.status, approved?.text).toBe(200)
          // An export that comes after the approval asks for the confirmation of the first payment, and writes nothing before it.
          if (paid?.status === 200) expect(await paidTo(id)).toEqual([{ last4: '6789', knows: false }])
          else {
            expect([paid?.status, await paidTo(id)], paid?.text).toEqual([422, []])
            const again = await pay(clerk, [id], 'ACH', { confirmed_vendors: await toConfirm(clerk, id) })
            expect(again.status, again.text).toBe(200)
            expect(await paidTo(id)).toEqual([{ last4: '5544', knows: true }])
          }
        },
      }
    })
  },
)

/** The first payments of a batch, as its exporter is shown them. */
async function toConfirm(who: Person, id: number): Promise<object[]> {
  const { text } = await ask(who, 'POST', '/global_batches/export_preview', { ids: [id], pay_method: 'ACH' })
  const { first_payments }: { first_payments: { vendor_id: number; changed_at: string }[] } = JSON.parse(text)
  return first_payments.map(({ vendor_id, changed_at }) => ({ vendor_id, changed_at }))
}

/** The account that the file of a batch pays to, and whether its entry names the change of the bank details. */
async function paidTo(batch: number): Promise<object[]> {
  const { rows } = await sql<object>`select entry.account_last4 as last4, entry.bank_changed_at is not null as knows
    from global_batch_file_payments entry join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
    where payment.payment_batch_id = ${batch}`.execute(db)
  return rows
}
