/**
 * The application as a process, killed while accountants book bills in client batches, write upload files, and pay in vendor batches, and
 * restarted: work that was acknowledged is stored, and nothing is half done or done twice.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { randomOf } from '../../../test/support/dice.ts'
import { makeLedgerAccount } from '../../../test/support/estate.ts'
import { killAmid, type Over } from '../../../test/support/kill-round.ts'
import { programOn, START_MS, transactionsEnded } from '../../../test/support/launch.ts'
import { brokenBeforeSync, brokenInClientBatches, brokenInVendorBatches, expectNoneBroken } from '../../../test/support/money-invariants.ts'
import { askUnlessCut } from '../../../test/support/requests.ts'
import { sweptTwoDaysLater } from '../../../test/support/stored-files.ts'
import { createBills } from '../bills/bills.ts'

/** The long run sets BATCH_KILL_ROUNDS=60. A start takes most of a round's time. */
const KILLS = Number(process.env['BATCH_KILL_ROUNDS'] ?? 2)
/** A start on a busy machine takes most of a minute. */
const LONGEST_TEST_MS = 600_000 + KILLS * 60_000
const PEOPLE = 6
const BILLS = 2
/** Maximum number of acknowledged acts before a kill, and the longest wait after them. */
const BEFORE_KILL = 20
const LONGEST_MS = 150
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000_007)

const database = await testDatabase()
const { db } = database
const program = await programOn(database.url, 'api-process.ts')

/**
 * The steps that a person takes with two bills, in this order. Both batches are made with the first bill, and take the second one in a step of
 * its own. Before the sync the second bill's vendor is sold, so that the sync has a payment to make and a bill to move.
 */
const steps = ['book', 'add_booked', 'close', 'write', 'batch', 'add', 'sync', 'number', 'pay'] as const
type Step = (typeof steps)[number]
/** Two bills with their batches. */
interface Work {
  readonly round: number
  readonly bills: readonly number[]
  clientBatch: number
  vendorBatch: number
}
interface Accountant {
  readonly person: Person
  readonly ground: Ground
  /** The vendor that the second bills are sold to. */
  readonly buyer: number
  readonly works: Work[]
  /** Number of the next step of the last of the works. */
  step: number
  acknowledged: number
  /** Tasks of upload files that were acknowledged. */
  readonly tasks: number[]
  isPending: boolean
}
/** Steps that were under way when the program was killed. `either`: a repeat does the same whether it was stored or not. */
interface Met {
  stored: number
  absent: number
  either: number
}

it(
  'bills are booked, paid and written to a file once and whole, whenever the program is killed',
  { timeout: LONGEST_TEST_MS },
  async () => {
    console.log(`killed batches: seed ${seed}`)
    const random = randomOf(seed)
    const people = await Promise.all(Array.from({ length: PEOPLE }, makeAccountant))
    const done = (): number => people.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
    const met: Met = { stored: 0, absent: 0, either: 0 }
    // Each kills at another step, so that a few kills cover all steps.
    const start = await program.launch()
    await Promise.all(people.map((one, place) => goAhead(start, one, Math.ceil((place * steps.length) / PEOPLE))))
    for (let kill = 0; kill < KILLS; kill += 1) {
      const url = await program.running()
      await Promise.all(people.map((one) => repeatPending(url, one, met)))
      await killAmid(program, {
        work: (over) => people.map((one) => work(url, one, over)),
        acknowledged: done,
        acts: Math.floor(random() * BEFORE_KILL),
        waitMs: random() * LONGEST_MS,
      })
      await transactionsEnded(db)
      for (const one of people) await expectWhole(one, people)
    }
    const url = await program.launch()
    await Promise.all(people.map((one) => repeatPending(url, one, met)))
    const versions = (await Promise.all(people.map((one) => expectWritten(url, one)))).reduce((sum, count) => sum + count, 0)
    for (const one of people) await expectWhole(one, people)
    expect(met.stored + met.absent + met.either).toBeGreaterThanOrEqual(KILLS)
    await program.end('SIGTERM')
    const { halves, unnamed, withoutFile, paths } = await sweptTwoDaysLater(db, program)
    expect([await halves(), await unnamed(), await withoutFile()]).toEqual([[], [], []])
    console.log(
      `killed ${KILLS} times: ${done()} acts, ${versions} versions, ${(await paths()).length} files; under way when killed ${JSON.stringify(met)}`,
    )
    expect(await paths()).toHaveLength(versions)
    await program.end('SIGTERM')
  },
)

async function makeAccountant(): Promise<Accountant> {
  const ground = await makeGround(db)
  await sql`update clients set accounting_batch_management = true, ledger_account_management = true, utility_payment_management = true
    where id = ${ground.clientId}`.execute(db)
  const expense = await makeLedgerAccount(db, ground.clientId, '6100 Utilities')
  await sql`update services set ledger_account_id = ${expense} where client_id = ${ground.clientId}`.execute(db)
  const { rows } = await sql<{ id: number }>`insert into vendors (name, short_code) values ('Harbor Gas', ${`BUYER-${ground.clientId}`})
    returning id`.execute(db)
  const buyer = rows[0]?.id ?? 0
  await sql`insert into vendor_payment_methods (vendor_id, payment_method_id) select ${buyer}, id from payment_methods where name = 'Check'`.execute(
    db,
  )
  return { person: await makePerson(db, 'super_admin'), ground, buyer, works: [], step: 0, acknowledged: 0, tasks: [], isPending: false }
}

async function newWork({ ground, works }: Accountant): Promise<Work> {
  const months = Array.from({ length: BILLS }, (_, place) => works.length * BILLS + place + 1)
  const outcomes = await acting(database, (context) =>
    createBills(
      context,
      ground.clientId,
      months.map((month) => monthlyDraft(ground, month)),
    ),
  )
  const bills = outcomes.map((one) => (one.kind === 'created' ? one.id : 0))
  // They have no author, so that anybody may pay them.
  await sql`update bills set open_errors = 0, open_blocking = 0, created_by = null where client_id = ${ground.clientId} and id = any(${bills}::bigint[])`.execute(
    db,
  )
  return { round: works.length, bills, clientBatch: 0, vendorBatch: 0 }
}

const stepOf = ({ step }: Accountant): Step => steps[step] ?? 'book'

async function goAhead(url: string, one: Accountant, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    if (one.step === 0) one.works.push(await newWork(one))
    expect(await take(url, one)).toBe(true)
  }
}

async function work(url: string, one: Accountant, over: Over): Promise<void> {
  while (!over.value) {
    if (one.step === 0) one.works.push(await newWork(one))
    one.isPending = true
    if (!(await take(url, one))) return
  }
}

/** @returns false if the connection ended before the answer. Throws if the step is refused. */
async function take(url: string, one: Accountant): Promise<boolean> {
  const at = one.works.at(-1)
  if (at === undefined) throw new Error('there is no work')
  const answer = await acts[stepOf(one)](`${url}/api/v5/clients/${one.ground.clientId}`, one, at)
  if (answer === null) return false
  one.isPending = false
  one.acknowledged += 1
  one.step = (one.step + 1) % steps.length
  return true
}

const made = z.object({ id: z.int() })
const started = z.object({ task_id: z.int() })
/** A repeat of the sync answers what the first one did. */
const synced = z.object({ made: z.literal(1), emptied: z.literal(0), moved: z.literal(1) })
const payments = z.object({ vendor_payments: z.array(z.object({ id: z.int() })) })

/** Each resolves to null if the connection ended before the answer. */
const acts: Readonly<Record<Step, (at: string, one: Accountant, work: Work) => Promise<unknown>>> = {
  book: async (at, one, work) => {
    const body = { accounting_batch: { batch_code: `K-${work.round}`, bill_ids: work.bills.slice(0, 1) } }
    const answer = await askUnlessCut(`${at}/accounting_batches`, one.person, { body, key: `book-${work.round}` })
    if (answer !== null) work.clientBatch = made.parse(answer).id
    return answer
  },
  add_booked: (at, { person }, work) =>
    askUnlessCut(`${at}/accounting_batches/${work.clientBatch}`, person, {
      method: 'PATCH',
      body: { accounting_batch: { bill_ids: work.bills } },
    }),
  close: (at, { person }, work) =>
    askUnlessCut(`${at}/accounting_batches/${work.clientBatch}`, person, { method: 'PATCH', body: { accounting_batch: { closed: true } } }),
  write: async (at, one, work) => {
    const answer = await askUnlessCut(`${at}/accounting_batches/${work.clientBatch}/generate_upload_file`, one.person, { method: 'GET' })
    if (answer !== null) one.tasks.push(started.parse(answer).task_id)
    return answer
  },
  batch: async (at, { person, ground }, work) => {
    const head = { payer_type: 'Client', payer_id: ground.clientId, batch_date: '2026-11-02', bills_due_date: '2026-11-16' }
    const body = { payment_batch: { ...head, bill_ids: work.bills.slice(0, 1) } }
    const answer = await askUnlessCut(`${at}/payment_batches`, person, { body, key: `batch-${work.round}` })
    if (answer !== null) work.vendorBatch = made.parse(answer).id
    return answer
  },
  add: (at, { person }, work) =>
    askUnlessCut(`${at}/payment_batches/${work.vendorBatch}`, person, {
      method: 'PATCH',
      body: { payment_batch: { bill_ids: work.bills } },
    }),
  sync: async (at, { person, ground, buyer }, work) => {
    await sql`update bills set vendor_id = ${buyer} where client_id = ${ground.clientId} and id = ${work.bills[1]}`.execute(db)
    const answer = await askUnlessCut(`${at}/payment_batches/${work.vendorBatch}/create_missing_vendor_payments`, person, {
      body: {},
      key: `sync-${work.round}`,
    })
    if (answer !== null) synced.parse(answer)
    return answer
  },
  number: async (at, { person }, work) => {
    const path = `${at}/payment_batches/${work.vendorBatch}/vendor_payments`
    const list = await askUnlessCut(`${path}?per=100`, person, { method: 'GET' })
    if (list === null) return null
    for (const { id } of payments.parse(list).vendor_payments) {
      const body = { vendor_payment: { payment_date: '2026-11-05', check_number: `${10_000 + id}` } }
      if ((await askUnlessCut(`${path}/${id}`, person, { method: 'PATCH', body })) === null) return null
    }
    return list
  },
  pay: (at, { person }, work) =>
    askUnlessCut(`${at}/payment_batches/${work.vendorBatch}`, person, { method: 'PATCH', body: { payment_batch: { closed: true } } }),
}

/** Takes the step again that the program did not acknowledge. A close that was stored is not repeated: it would be refused. */
async function repeatPending(url: string, one: Accountant, met: Met): Promise<void> {
  const at = one.works.at(-1)
  if (!one.isPending || at === undefined) return
  const step = stepOf(one)
  const isStored = await stored(one, at, step)
  met[isStored === null ? 'either' : isStored ? 'stored' : 'absent'] += 1
  if (isStored && (step === 'close' || step === 'pay')) {
    one.isPending = false
    one.acknowledged += 1
    one.step = (one.step + 1) % steps.length
  } else expect(await take(url, one), step).toBe(true)
}

/** Returns true if the step has been stored, null if the repeat does not depend on it. */
async function stored({ ground: { clientId }, buyer }: Accountant, work: Work, step: Step): Promise<boolean | null> {
  const queries: Partial<Record<Step, ReturnType<typeof sql>>> = {
    book: sql`select 1 as one from accounting_batches where client_id = ${clientId} and batch_code = ${`K-${work.round}`}`,
    add_booked: sql`select 1 as one from bills where client_id = ${clientId} and id = ${work.bills[1]} and accounting_batch_id = ${work.clientBatch}`,
    add: sql`select 1 as one from payment_batch_bills where client_id = ${clientId} and bill_id = ${work.bills[1]} and released_at is null`,
    sync: sql`select 1 as one from bills join vendor_payments payment on payment.client_id = bills.client_id and payment.id = bills.vendor_payment_id
      where bills.client_id = ${clientId} and bills.id = ${work.bills[1]} and payment.vendor_id = ${buyer}`,
    close: sql`select 1 as one from accounting_batches where client_id = ${clientId} and id = ${work.clientBatch} and closed`,
    batch: sql`select 1 as one from payment_batch_bills where client_id = ${clientId} and bill_id = any(${work.bills}::bigint[]) and released_at is null`,
    pay: sql`select 1 as one from payment_batches where client_id = ${clientId} and id = ${work.vendorBatch} and closed`,
  }
  const query = queries[step]
  return query === undefined ? null : (await query.execute(db)).rows.length > 0
}

interface State {
  readonly booked: number
  readonly frozen: number
  /** Bills in the vendor batch, and those of them that are in a payment of their own vendor. */
  readonly held: number
  readonly at_home: number
  readonly paid: number
  /** How often the trail says that a bill came into a client batch. */
  readonly joined: number
}

/** The invariants hold, and each work is as far as it was acknowledged, or one step further. */
async function expectWhole(one: Accountant, people: readonly Accountant[]): Promise<void> {
  await expectNoneBroken(db, brokenInClientBatches)
  // A bill whose vendor is sold waits for the sync.
  await expectNoneBroken(db, people.some(({ step }) => steps[step] === 'sync') ? brokenBeforeSync : brokenInVendorBatches)
  const { clientId } = one.ground
  for (const [place, { bills, clientBatch, vendorBatch }] of one.works.entries()) {
    const isLast = place === one.works.length - 1
    const reached = isLast && one.step !== 0 ? one.step : isLast && one.isPending ? 0 : steps.length
    const { rows } =
      await sql<State>`select (select count(*)::int from bills where client_id = ${clientId} and accounting_batch_id = ${clientBatch}
        and id = any(${bills}::bigint[])) as booked,
      (select count(distinct bill_id)::int from gl_lines where client_id = ${clientId} and accounting_batch_id = ${clientBatch}) as frozen,
      (select count(*)::int from payment_batch_bills where client_id = ${clientId} and payment_batch_id = ${vendorBatch} and released_at is null) as held,
      (select count(*)::int from bills join vendor_payments payment on payment.client_id = bills.client_id and payment.id = bills.vendor_payment_id
        and payment.vendor_id = bills.vendor_id where bills.client_id = ${clientId} and payment.payment_batch_id = ${vendorBatch}) as at_home,
      (select count(*)::int from audit_records where client_id = ${clientId} and item_type = 'bill' and item_id = any(${bills}::bigint[])
        and object_changes ? 'accounting_batch_id') as joined,
      (select count(*)::int from bills join payment_batch_bills member on member.client_id = bills.client_id and member.bill_id = bills.id
        and member.released_at is null where bills.client_id = ${clientId} and member.payment_batch_id = ${vendorBatch} and bills.paid) as paid`.execute(
        db,
      )
    if (reached > steps.indexOf('add_booked')) expect(rows[0], `booked ${place}`).toMatchObject({ booked: BILLS, joined: BILLS })
    if (reached > steps.indexOf('close')) expect(rows[0], `closed ${place}`).toMatchObject({ frozen: BILLS })
    if (reached > steps.indexOf('add')) expect(rows[0], `held ${place}`).toMatchObject({ held: BILLS })
    if (reached > steps.indexOf('sync')) expect(rows[0], `synced ${place}`).toMatchObject({ at_home: BILLS })
    if (reached > steps.indexOf('pay')) expect(rows[0], `paid ${place}`).toMatchObject({ paid: BILLS })
  }
}

/** Every acknowledged upload file is written once, also where its task was killed, and is what its row says. @returns the versions. */
async function expectWritten(url: string, { person, ground: { clientId }, tasks }: Accountant): Promise<number> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select id, state, error from tasks where client_id = ${clientId} and state <> 'done'`.execute(db)
      expect(rows).toEqual([])
    },
    { timeout: START_MS, interval: 100 },
  )
  const { rows: all } = await sql<{ id: number }>`select id from tasks where client_id = ${clientId}`.execute(db)
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(tasks))
  const { rows } = await sql<{
    id: number
    batch: number
    sha256: string
  }>`select id, accounting_batch_id as batch, encode(sha256, 'hex') as sha256
    from accounting_batch_files where client_id = ${clientId}`.execute(db)
  expect(rows).toHaveLength(all.length)
  for (const { id, batch, sha256 } of rows) {
    const answer = z
      .object({ url: z.string() })
      .parse(await askUnlessCut(`${url}/api/v5/clients/${clientId}/accounting_batches/${batch}/files/${id}`, person, { method: 'GET' }))
    const bytes = Buffer.from(await (await fetch(new URL(answer.url, url))).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex'), `version ${id}`).toBe(sha256)
  }
  return rows.length
}
