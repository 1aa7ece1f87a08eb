/**
 * The application as a process, killed while clerks create batches, export payment files and finalize, and restarted: every bill is paid in
 * exactly one file, and work that was acknowledged is stored.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkNacha } from '#contract/payment-files/nacha-check.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import type { Ground } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeAchVendor, makeBankProfile, makeDeskBill, makeDeskVendor, makePayer } from '../../../test/support/desk.ts'
import { randomOf } from '../../../test/support/dice.ts'
import { killAmid, type Over } from '../../../test/support/kill-round.ts'
import { programOn, transactionsEnded } from '../../../test/support/launch.ts'
import { brokenAtTheDesk, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { askUnlessCut, requestOf } from '../../../test/support/requests.ts'

/** The long run sets KILL_ROUNDS=20. A start takes most of a round's time. */
const KILLS = Number(process.env['KILL_ROUNDS'] ?? 2)
const KILL_MS = 60_000
const CLERKS = 6
const BILLS = 3
/** Every third batch is paid by ACH, the others by check. */
const ACH_ONE_IN = 3
/** Maximum number of acknowledged acts before a kill, and the longest wait after them. */
const BEFORE_KILL = 12
const LONGEST_MS = 150
const FINALIZE_EVERY_MS = 100
/** Characters that the bank of the payers takes besides letters and digits. */
const MARKS = `.-/&',()#`
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000_007)

const { db, url: databaseUrl } = await testDatabase()
const program = await programOn(databaseUrl, 'api-process.ts')

const created = z.object({ global_batches: z.tuple([z.object({ id: z.int() })]) })
const exported = z.object({ files: z.array(z.object({ id: z.int() })).min(1) })
type Method = 'ACH' | 'Check'
interface Batch {
  readonly id: number
  readonly method: Method
}
/** A batch is created from its bills, or exported. */
type Act = { readonly key: string } & ({ readonly method: Method; readonly bills: readonly number[] } | { readonly batch: Batch })

interface Clerk {
  readonly person: Person
  readonly payer: Ground
  readonly vendors: Readonly<Record<Method, number>>
  sent: number
  /** The batch whose creation was acknowledged last, until it is exported. */
  open: Batch | null
  readonly batches: Set<number>
  /** Ids of the files whose export was acknowledged, by batch. */
  readonly files: Map<number, readonly number[]>
  /** The export that was acknowledged last. */
  exported: Act | null
  pending: Act | null
}

it(
  'each bill is paid in exactly one file, whenever the program is killed, and a repeated export returns its file',
  { timeout: 900_000 + KILLS * KILL_MS },
  async () => {
    console.log(`killed desk: seed ${seed}`)
    const random = randomOf(seed)
    await sql`insert into global_batch_bank_values (day, value, locked)
    select (now() at time zone 'America/New_York')::date + n, 9000000, true from generate_series(0, 1) n`.execute(db)
    const clerks = await Promise.all(Array.from({ length: CLERKS }, makeClerk))
    const staff = await makePerson(db, 'super_admin')
    const met = { stored: 0, absent: 0 }
    const start = await program.launch()
    await Promise.all(clerks.map((clerk) => exportOne(start, clerk)))
    for (let kill = 0; kill < KILLS; kill += 1) {
      await freshOrigins(kill)
      const url = await program.running()
      await Promise.all(clerks.map((clerk) => repeatPending(url, clerk, met)))
      await killAmid(program, {
        work: (over) => [...clerks.map((clerk) => work(url, clerk, over)), finalize(url, staff, over)],
        acknowledged: () => acknowledged(clerks),
        acts: Math.floor(random() * BEFORE_KILL),
        waitMs: random() * LONGEST_MS,
      })
      await transactionsEnded(db)
      await expectWhole(clerks)
    }
    const url = await program.launch()
    await Promise.all(clerks.map((clerk) => repeatPending(url, clerk, met)))
    await expectWhole(clerks)
    for (const clerk of clerks) await expectSameFiles(url, clerk)
    const files = await expectFilesRight(url, staff)
    console.log(`killed ${KILLS} times: ${acknowledged(clerks)} acts, ${files} files; under way when killed ${JSON.stringify(met)}`)
    expect(met.stored + met.absent).toBeGreaterThan(KILLS)
    await program.end('SIGTERM')
  },
)

async function makeClerk(): Promise<Clerk> {
  const payer = await makePayer(db)
  await makeBankProfile(db, payer.clientId)
  return {
    person: await makePerson(db, 'super_admin'),
    payer,
    vendors: { ACH: await makeAchVendor(db), Check: await makeDeskVendor(db) },
    sent: 0,
    open: null,
    batches: new Set(),
    files: new Map(),
    exported: null,
    pending: null,
  }
}

/** A bank takes 36 files a day of one origin. */
const freshOrigins = (round: number): Promise<unknown> =>
  sql`update originating_profiles set immediate_origin = lpad((client_id * 1000 + ${round}::int)::text, 10, '1')`.execute(db)

const acknowledged = (clerks: readonly Clerk[]): number => clerks.reduce((sum, { batches, files }) => sum + batches.size + files.size, 0)

async function nextAct(clerk: Clerk): Promise<Act> {
  clerk.sent += 1
  const key = `act-${clerk.sent}`
  if (clerk.open !== null) return { key, batch: clerk.open }
  const method = clerk.sent % (2 * ACH_ONE_IN) === 1 ? 'ACH' : 'Check'
  const bills: number[] = []
  for (let place = 0; place < BILLS; place += 1)
    bills.push(await makeDeskBill(db, clerk.payer, clerk.vendors[method], { amount: `${clerk.sent}.${10 + place}` }))
  return { key, method, bills }
}

/** Every clerk has an export whose repeat can be judged at the end. */
async function exportOne(url: string, clerk: Clerk): Promise<void> {
  while (clerk.exported === null) expect(await send(url, clerk, await nextAct(clerk))).toBe(true)
}

async function work(url: string, clerk: Clerk, over: Over): Promise<void> {
  while (!over.value) {
    const act = await nextAct(clerk)
    clerk.pending = act
    if (!(await send(url, clerk, act))) return
  }
}

/** Sends the act and records its answer. @returns false if the connection ended before the answer. Throws if the act is refused. */
async function send(url: string, clerk: Clerk, act: Act): Promise<boolean> {
  const isExport = 'batch' in act
  const body = isExport
    ? { ids: [act.batch.id], pay_method: act.batch.method }
    : { global_batch: { batch_date: '2026-11-25', bills_due_date: '2026-12-09', bill_ids: act.bills } }
  const answer = await askUnlessCut(`${url}/api/v5/global_batches${isExport ? '/export' : ''}`, clerk.person, { body, key: act.key })
  if (answer === null) return false
  clerk.pending = null
  if (isExport) {
    clerk.open = null
    clerk.exported = act
    clerk.files.set(
      act.batch.id,
      exported.parse(answer).files.map(({ id }) => id),
    )
  } else {
    const [{ id }] = created.parse(answer).global_batches
    clerk.open = { id, method: act.method }
    clerk.batches.add(id)
  }
  return true
}

/** Writes the accounting export of the paid batches again and again. */
async function finalize(url: string, staff: Person, over: Over): Promise<void> {
  while (!over.value) {
    await fetch(`${url}/api/v5/global_batches/accounting_export`, requestOf(staff, { method: 'GET' }))
      .then((answer) => answer.text())
      .catch(() => null)
    await sleep(FINALIZE_EVERY_MS)
  }
}

/** Sends again what the program did not acknowledge, under the same key. */
async function repeatPending(url: string, clerk: Clerk, met: { stored: number; absent: number }): Promise<void> {
  const act = clerk.pending
  if (act === null) return
  met[(await isStored(act)) ? 'stored' : 'absent'] += 1
  expect(await send(url, clerk, act)).toBe(true)
}

/** A repeat of an export that was acknowledged before a kill returns the same files and writes none. */
async function expectSameFiles(url: string, clerk: Clerk): Promise<void> {
  const act = clerk.exported
  if (act === null) throw new Error('nothing was exported')
  const before = structuredClone([...clerk.files])
  expect(await send(url, clerk, act)).toBe(true)
  expect([...clerk.files]).toEqual(before)
}

async function isStored(act: Act): Promise<boolean> {
  const { rows } =
    'batch' in act
      ? await sql`select 1 as one from payment_batches where id = ${act.batch.id} and is_paid`.execute(db)
      : await sql`select 1 as one from payment_batch_bills where bill_id = any(${act.bills}::bigint[]) and released_at is null`.execute(db)
  return rows.length > 0
}

/** The invariants hold, and what was acknowledged is there. */
async function expectWhole(clerks: readonly Clerk[]): Promise<void> {
  await expectNoneBroken(db, brokenAtTheDesk)
  for (const { payer, batches, files } of clerks) {
    const { rows } = await sql<{ id: number; bills: number; is_paid: boolean; files: number[] }>`select batch.id, batch.is_paid,
        (select count(*)::int from payment_batch_bills member where member.client_id = batch.client_id and member.payment_batch_id = batch.id
          and member.released_at is null) as bills,
        array(select of_file.global_batch_file_id from global_batch_file_batches of_file where of_file.client_id = batch.client_id
          and of_file.payment_batch_id = batch.id and of_file.purpose = 'payment' order by 1) as files
      from payment_batches batch where batch.client_id = ${payer.clientId}`.execute(db)
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const id of batches) expect(stored.get(id), `batch ${id}`).toMatchObject({ bills: BILLS })
    for (const [id, ids] of files)
      expect(stored.get(id), `batch ${id}`).toMatchObject({ is_paid: true, files: ids.toSorted((a, b) => a - b) })
    // Beside the acknowledged ones there is at most the batch that was under way.
    expect(rows.length - batches.size).toBeLessThanOrEqual(1)
  }
}

/** Every file is what its history says, and all of them together pay what is paid. @returns their number. */
async function expectFilesRight(url: string, staff: Person): Promise<number> {
  const { rows } = await sql<{ id: number; sha256: string; export_type: string }>`select id, encode(sha256, 'hex') as sha256, export_type
    from global_batch_files order by id`.execute(db)
  for (const { id, sha256, export_type } of rows) {
    const answer = await fetch(`${url}/api/v5/global_batch_files/${id}/download`, { headers: staff.headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex'), `file ${id}`).toBe(sha256)
    if (export_type === 'ACH') expect(checkNacha(bytes, { line_end: 'lf', marks: MARKS }).faults, `file ${id}`).toEqual([])
  }
  const { rows: sums } =
    await sql`select (select coalesce(sum(total), 0) from global_batch_files where purpose = 'payment')::text as in_files,
    (select coalesce(sum(amount_paid), 0) from bills where paid)::text as paid`.execute(db)
  const [both] = z.array(z.object({ in_files: z.string(), paid: z.string() })).parse(sums)
  expect(both?.in_files).toBe(both?.paid)
  return rows.length
}
