/**
 * G7 of the design of payments: the application is killed at each point of an export, and restarted. Either nothing of the export is there, or
 * all of it; the request that is sent again under its key finishes or returns it. A lock of the test holds the export at the point.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkNacha } from '#contract/payment-files/nacha-check.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makePayer } from '../../../test/support/desk.ts'
import { programOn, transactionsEnded } from '../../../test/support/launch.ts'
import { brokenAtTheDesk, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { askUnlessCut } from '../../../test/support/requests.ts'

/** The long run sets EXPORT_KILLS=200. Each point has its turn. */
const KILLS = Number(process.env['EXPORT_KILLS'] ?? 7)
const KILL_MS = 20_000
const MARKS = `.-/&',()#`
const DAY = sql`(now() at time zone 'America/New_York')::date`

const { db, url: databaseUrl } = await testDatabase()
const program = await programOn(databaseUrl, 'api-process.ts')
const payer = await makePayer(db)
const profile = await makeBankProfile(db, payer.clientId)
const vendor = await makeAchVendor(db)
const staff = await makePerson(db, 'super_admin')
await sql`insert into global_batch_bank_values (day, value, locked) select ${DAY} + n, 9000000, true from generate_series(0, 1) n`.execute(
  db,
)

/** What the export waits for, and so where it is killed. Null: it is not held, and is killed once it has committed. */
const points = [
  { at: 'before the batch is held', hold: sql`select 1 from payment_batches for update`, isThere: false },
  { at: 'before the identity is allocated', hold: sql`lock table payment_file_counters in share mode`, isThere: false },
  { at: 'after the modifier and before the trace numbers', hold: sql`lock table payment_trace_counters in share mode`, isThere: false },
  { at: 'after the file is built and before it is stored', hold: sql`lock table global_batch_files in share mode`, isThere: false },
  { at: 'after the file is stored and before its batch is paid', hold: sql`select 1 from vendor_payments for update`, isThere: false },
  { at: 'after everything is written and before the commit', hold: sql`select 1 from data_versions for update`, isThere: false },
  { at: 'after the commit and before the answer arrives', hold: null, isThere: true },
] as const

const made = z.object({ global_batches: z.tuple([z.object({ id: z.int() })]) })
const exported = z.object({ files: z.tuple([z.object({ id: z.int() })]) })

it(
  'G7: killed at any point of an export, nothing of it is there or all of it, and the same request again finishes or returns it',
  { timeout: 120_000 + KILLS * KILL_MS },
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const point = points[kill % points.length]
      if (!point) throw new Error('there is no such point')
      const url = await program.running()
      const id = await batchOf(url, `make ${kill}`)
      const key = `pay ${kill}`
      await killedAt(point.hold, { url, id, key })
      await transactionsEnded(db)
      const found = await stateOf(id)
      expect(found, point.at).toEqual(point.isThere ? { is_paid: true, paid: true, files: 1 } : { is_paid: false, paid: false, files: 0 })
      await expectNoneBroken(db, brokenAtTheDesk)

      const again = await program.launch()
      const file = await exportOf(again, id, key)
      expect(await exportOf(again, id, key), point.at).toBe(file)
      expect(await stateOf(id), point.at).toEqual({ is_paid: true, paid: true, files: 1 })
      await expectNoneBroken(db, brokenAtTheDesk)
      await expectRight(again, file)
    }
    await program.end('SIGTERM')
  },
)

interface Paying {
  readonly url: string
  readonly id: number
  readonly key: string
}

/** Sends the export, waits until it stands at the point, and kills the program there. */
async function killedAt(hold: (typeof points)[number]['hold'], { url, id, key }: Paying): Promise<void> {
  const address = `${url}/api/v5/global_batches/export`
  const asked = { body: { ids: [id], pay_method: 'ACH' }, key }
  if (hold === null) {
    const answer = askUnlessCut(address, staff, asked)
    await until(async () => (await stateOf(id)).is_paid)
    await program.end('SIGKILL')
    // It may have been faster than the kill.
    await answer
    return
  }
  const answer = await db.transaction().execute(async (tx) => {
    await hold.execute(tx)
    const sent = askUnlessCut(address, staff, asked)
    await until(async () => (await waiting()) > 0)
    await program.end('SIGKILL')
    return sent
  })
  expect(answer).toBeNull()
}

/** Sessions that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(2)
}

/** A bank takes 36 files a day of one sender. */
async function batchOf(url: string, key: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`select coalesce(max(used), 0)::int as used from payment_file_counters
    where origin = (select immediate_origin from originating_profiles where id = ${profile})`.execute(db)
  if ((rows[0]?.used ?? 0) > 20)
    await sql`update originating_profiles set immediate_origin = lpad((immediate_origin::bigint + 1)::text, 10, '0') where id = ${profile}`.execute(
      db,
    )
  const bills = [await makeDeskBill(db, payer, vendor, { amount: '7.50' }), await makeDeskBill(db, payer, vendor, { amount: '2.25' })]
  const body = { global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: bills } }
  const [{ id }] = made.parse(await askUnlessCut(`${url}/api/v5/global_batches`, staff, { body, key })).global_batches
  return id
}

async function exportOf(url: string, id: number, key: string): Promise<number> {
  const answer = await askUnlessCut(`${url}/api/v5/global_batches/export`, staff, { body: { ids: [id], pay_method: 'ACH' }, key })
  const [{ id: file }] = exported.parse(answer).files
  return file
}

async function stateOf(id: number): Promise<{ is_paid: boolean; paid: boolean; files: number }> {
  const { rows } = await sql<{ is_paid: boolean; paid: boolean; files: number }>`select batch.is_paid,
      (select bool_and(bills.paid) from payment_batch_bills member join bills on bills.client_id = member.client_id and bills.id = member.bill_id
        where member.client_id = batch.client_id and member.payment_batch_id = batch.id and member.released_at is null) as paid,
      (select count(*)::int from global_batch_file_batches of_file where of_file.client_id = batch.client_id and of_file.payment_batch_id = batch.id) as files
    from payment_batches batch where batch.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the batch is gone')
  return row
}

/** The stored bytes have their hash, and the checker takes them. */
async function expectRight(url: string, file: number): Promise<void> {
  const { rows } = await sql<{ sha256: string }>`select encode(sha256, 'hex') as sha256 from global_batch_files where id = ${file}`.execute(
    db,
  )
  const answer = await fetch(`${url}/api/v5/global_batch_files/${file}/download`, { headers: staff.headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(rows[0]?.sha256)
  expect(checkNacha(bytes, { line_end: 'lf', marks: MARKS })).toMatchObject({ faults: [], read: { credit: 975 } })
}
