/** The application as a process, killed at random moments while people save bills, and restarted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { acting, makeAccount, makeGround, makeService } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { randomOf } from '../../../test/support/dice.ts'
import { killAmid, type Over } from '../../../test/support/kill-round.ts'
import { programOn, transactionsEnded } from '../../../test/support/launch.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'

const database = await testDatabase()
const { db } = database
/**
 * Each kill meets as many saves as there are people: 40 saves by default. The starts take most of a round's time; the long run sets
 * KILL_ROUNDS=20.
 */
const KILLS = Number(process.env.KILL_ROUNDS ?? 4)
const PEOPLE = 10
const LINES = 10
/** Maximum number of acknowledged saves before a kill, and the wait after them. */
const BEFORE_KILL = 12
const LONGEST_MS = 60
const BULK_KILLS = Number(process.env.KILL_ROUNDS ?? 1)
const BULK_BILLS = 400
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007)

const program = await programOn(database.url, 'api-process.ts')
const answered = z.object({ bill: z.object({ id: z.int(), lock_version: z.int(), service_bills: z.array(z.object({ id: z.int() })) }) })
type Saved = z.infer<typeof answered>['bill']

/** A person with their own account, who enters a bill, changes it, and enters the next one. */
interface Writer {
  readonly person: Person
  readonly clientId: number
  readonly accountId: number
  readonly services: readonly number[]
  /** Saves that were sent, numbered over all rounds. */
  sent: number
  /** Versions of the bills that the program has acknowledged. */
  readonly known: Map<number, number>
  pending: Save | null
}
interface Save {
  readonly mark: number
  /** Null for a new bill. */
  readonly bill: Saved | null
}

it(
  'a save that was acknowledged is there once and whole; one that was not is whole or absent, and is made once when it is sent again',
  { timeout: 900_000 },
  async () => {
    console.log(`seed ${seed}`)
    const random = randomOf(seed)
    const writers = await Promise.all(Array.from({ length: PEOPLE }, makeWriter))
    const met = { stored: 0, absent: 0, saves: 0 }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const url = await program.launch()
      await Promise.all(writers.map((writer) => repeatPending(url, writer, met)))
      await killAmid(program, {
        work: (over) => writers.map((writer) => work(url, writer, over)),
        acknowledged: () => acknowledged(writers),
        acts: Math.floor(random() * BEFORE_KILL),
        waitMs: random() * LONGEST_MS,
      })
      await Promise.all(writers.map(expectWhole))
    }
    const url = await program.launch()
    await Promise.all(writers.map((writer) => repeatPending(url, writer, met)))
    await Promise.all(writers.map(expectWhole))
    met.saves = writers.reduce((sum, writer) => sum + writer.sent, 0)
    console.log(
      `killed ${KILLS} times: ${met.saves} saves, under way when killed ${met.stored + met.absent}, of which ${met.stored} were stored already`,
    )
    expect(met.stored + met.absent).toBeGreaterThan(KILLS)
    for (const { clientId } of writers) await expectFactsRight(clientId)
  },
)

it(
  'an act on many bills is done to all of them with their findings, their trail and its undo, or to none',
  { timeout: 300_000 },
  async () => {
    const ground = await makeGround(db)
    const person = await makePerson(db, 'super_admin')
    const ids = await flaggedBills(ground)
    const random = randomOf(seed)
    const url = { value: await program.running() }
    const send = async (path: string, body?: object): Promise<unknown> => {
      const headers = { ...person.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const answer = await fetch(`${url.value}/api/v5/clients/${ground.clientId}/${path}`, {
        method: 'POST',
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answer.json()
    }
    const act = { ids, changes: { parked: true, qc: true, resolve_findings: 'seasonal' }, dry_run: false }
    // The duration of one save gives the time of the kill: somewhere inside it.
    const began = performance.now()
    const first = z.object({ id: z.int() }).parse(await send('bills/bulk_changes', act))
    const lasts = performance.now() - began
    expect(await actedOn(ground)).toEqual({ bills: ids.length, settled: ids.length, trail: ids.length, acts: 1, items: ids.length })
    await send(`bulk_changes/${first.id}/undo`)
    expect(await actedOn(ground)).toMatchObject({ bills: 0, settled: 0 })
    for (let kill = 0; kill < BULK_KILLS; kill += 1) {
      await sql`delete from audit_records where client_id = ${ground.clientId} and item_type = 'bill'`.execute(db)
      await sql`delete from bulk_changes where client_id = ${ground.clientId}`.execute(db)
      const sent = send('bills/bulk_changes', act).catch(() => null)
      await sleep(random() * lasts)
      await program.end('SIGKILL')
      await sent
      await transactionsEnded(db)
      const found = await actedOn(ground)
      const whole = { bills: ids.length, settled: ids.length, trail: ids.length, acts: 1, items: ids.length }
      expect([whole, { bills: 0, settled: 0, trail: 0, acts: 0, items: 0 }]).toContainEqual(found)
      url.value = await program.launch()
      if (found.acts === 0) continue
      const { rows } = await sql<{ id: number }>`select id from bulk_changes where client_id = ${ground.clientId}`.execute(db)
      await send(`bulk_changes/${rows[0]?.id ?? 0}/undo`)
      expect(await actedOn(ground)).toMatchObject({ bills: 0, settled: 0 })
    }
    await program.end('SIGTERM')
  },
)

/** Bills that each have one open finding. */
async function flaggedBills({ clientId, accountId }: { readonly clientId: number; readonly accountId: number }): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`insert into bills (client_id, billable_account_id, account_number, date, due_date, amount_due, open_warnings)
    select ${clientId}, ${accountId}, 'x', '2025-01-01'::date + n, '2025-02-01', 10, 1 from generate_series(1, ${BULK_BILLS}) n returning id`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  await sql`insert into bill_findings (client_id, bill_id, code, severity, message)
    select ${clientId}, id, 'usage_high', 'W', 'x' from unnest(${ids}::bigint[]) as id`.execute(db)
  return ids
}

async function actedOn({ clientId }: { readonly clientId: number }) {
  const { rows } = await sql<{
    bills: number
    settled: number
    trail: number
    acts: number
    items: number
  }>`select (select count(*)::int from bills where client_id = ${clientId} and parked and qc) as bills,
      (select count(*)::int from bill_findings finding where client_id = ${clientId} and resolved_at is not null
        and exists (select from bills where bills.client_id = finding.client_id and bills.id = finding.bill_id and bills.open_warnings = 0)) as settled,
      (select count(distinct item_id)::int from audit_records where client_id = ${clientId} and item_type = 'bill' and object_changes ? 'parked') as trail,
      (select count(*)::int from bulk_changes where client_id = ${clientId}) as acts,
      (select count(*)::int from bulk_change_items where client_id = ${clientId}) as items`.execute(db)
  return rows[0] ?? { bills: -1, settled: -1, trail: -1, acts: -1, items: -1 }
}

const acknowledged = (writers: readonly Writer[]): number =>
  writers.reduce((sum, writer) => sum + [...writer.known.values()].reduce((saves, version) => saves + version + 1, 0), 0)

async function makeWriter(): Promise<Writer> {
  const ground = await makeGround(db)
  const accountId = await makeAccount(db, ground, `kill-${ground.clientId}`)
  const services: number[] = []
  for (let at = 0; at < LINES; at += 1) services.push(await makeService(db, ground.clientId, accountId, 'electric', `E-${at}`))
  const person = await makePerson(db, 'super_admin')
  return { person, clientId: ground.clientId, accountId, services, sent: 0, known: new Map(), pending: null }
}

async function work(url: string, writer: Writer, over: Over): Promise<void> {
  let latest: Saved | null = null
  while (!over.value) {
    const save: Save = { mark: (writer.sent += 1), bill: writer.sent % 2 === 0 ? latest : null }
    writer.pending = save
    const saved = await send(url, writer, save).catch(() => null)
    if (saved === null) return
    latest = saved
    writer.known.set(saved.id, saved.lock_version)
    writer.pending = null
  }
}

/** Null if the connection ended before the answer. */
async function send(url: string, { person, clientId, accountId, services }: Writer, { mark, bill }: Save): Promise<Saved> {
  const body = bill === null ? newBill(accountId, services, mark) : changedBill(bill, mark)
  const answer = await fetch(`${url}/api/v5/clients/${clientId}/bills${bill === null ? '' : `/${bill.id}`}`, {
    method: bill === null ? 'POST' : 'PATCH',
    headers: { ...person.headers, 'content-type': 'application/json', ...(bill === null ? { 'idempotency-key': `save-${mark}` } : {}) },
    body: JSON.stringify({ bill: body }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Refusal(text)
  return answered.parse(JSON.parse(text)).bill
}

class Refusal extends Error {}

function newBill(account_id: number, services: readonly number[], mark: number): object {
  const day = new Date(Date.UTC(2020, 0, 1 + mark)).toISOString().slice(0, 10)
  return {
    account_type: 'BillableAccount',
    account_id,
    date: day,
    due_date: day,
    invoice_number: `MARK-${mark}`,
    balance_forward: '0.00',
    current_charges: `${LINES}.00`,
    amount_due: `${LINES}.00`,
    service_bills_attributes: services.map((service_id) => ({
      service_id,
      previous_read_date: new Date(Date.UTC(2020, 0, mark)).toISOString().slice(0, 10),
      read_date: day,
      usage: String(mark),
      service_bill_entry_fields: [{ name: 'Utility Charges', value: '1.00' }],
    })),
  }
}

function changedBill({ lock_version, service_bills }: Saved, mark: number): object {
  return { lock_version, notes: `MARK-${mark}`, service_bills_attributes: service_bills.map(({ id }) => ({ id, usage: String(mark) })) }
}

/** Sends again what the program did not acknowledge: the answer is the same if it was stored; otherwise it is created now. */
async function repeatPending(url: string, writer: Writer, met: { stored: number; absent: number }): Promise<void> {
  const save = writer.pending
  if (save === null) return
  const stored = await isStored(writer, save)
  met[stored ? 'stored' : 'absent'] += 1
  writer.pending = null
  const saved = await send(url, writer, save).catch((error: unknown) => {
    // A change has a version instead of a key: the repeat gets a stale error.
    if (error instanceof Refusal && stored && save.bill !== null) return null
    throw error
  })
  if (saved !== null) writer.known.set(saved.id, saved.lock_version)
  else if (save.bill !== null) writer.known.set(save.bill.id, save.bill.lock_version + 1)
}

async function isStored({ clientId }: Writer, { mark, bill }: Save): Promise<boolean> {
  const { rows } =
    bill === null
      ? await sql`select from bills where client_id = ${clientId} and invoice_number = ${`MARK-${mark}`}`.execute(db)
      : await sql`select from bills where client_id = ${clientId} and id = ${bill.id} and notes = ${`MARK-${mark}`}`.execute(db)
  return rows.length > 0
}

interface Whole {
  readonly id: number
  readonly lock_version: number
  readonly lines: number
  readonly usages: number
  readonly values: number
  readonly created: number
  readonly updated: number
  readonly counted: boolean
  readonly mark: string
}

/** Each bill has all of its lines with one consistent state, its values, its rows in the trail and its counts; nothing exists twice. */
async function expectWhole({ clientId, known, pending }: Writer): Promise<void> {
  const { rows } = await sql<Whole>`
    select bills.id, bills.lock_version, coalesce(bills.notes, bills.invoice_number) as mark,
      (select count(*)::int from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id) as lines,
      (select count(distinct line.usage)::int from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id
        and line.usage = split_part(coalesce(bills.notes, bills.invoice_number), '-', 2)::numeric) as usages,
      (select count(*)::int from service_bill_entry_values entry join service_bills line on line.client_id = entry.client_id and line.id = entry.service_bill_id
        where line.client_id = bills.client_id and line.bill_id = bills.id) as values,
      (select count(*)::int from audit_records where client_id = bills.client_id and item_type = 'bill' and item_id = bills.id and event = 'create') as created,
      (select count(*)::int from audit_records where client_id = bills.client_id and item_type = 'bill' and item_id = bills.id and event = 'update') as updated,
      (select count(*) filter (where severity in ('E', 'E!')) = bills.open_errors and count(*) filter (where severity = 'W') = bills.open_warnings
        from bill_findings finding where finding.client_id = bills.client_id and finding.bill_id = bills.id and finding.resolved_at is null) as counted
    from bills where bills.client_id = ${clientId}`.execute(db)
  for (const row of rows)
    expect(row).toMatchObject({ lines: LINES, usages: 1, values: LINES, created: 1, updated: row.lock_version, counted: true })
  const stored = new Map(rows.map((row) => [row.id, row.lock_version]))
  for (const [id, version] of known) {
    const isPending = pending?.bill?.id === id
    expect(isPending ? [version, version + 1] : [version]).toContain(stored.get(id))
  }
  const unknown = rows.filter((row) => !known.has(row.id))
  expect(unknown.every((row) => row.mark === `MARK-${pending?.mark}`) && unknown.length <= 1).toBe(true)
}

async function expectFactsRight(clientId: number): Promise<void> {
  const facts = async () =>
    (
      await sql<object>`select service_id, month, cost, usage from service_month_facts where client_id = ${clientId} order by service_id, month`.execute(
        db,
      )
    ).rows
  const kept = await facts()
  expect(kept.length).toBeGreaterThan(0)
  await acting(database, (context) => rebuildFacts(context.tx, clientId))
  expect(kept).toEqual(await facts())
}
