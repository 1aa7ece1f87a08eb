/**
 * The whole program as a process, killed with everything that it started while it creates bills from statements, and restarted. The
 * statements are made for the test, so that it runs anywhere.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sumMoney } from '#contract/kernel/money.ts'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { addressIn } from '../../../test/support/launch.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { writeStatements, type StatementSet } from '../../../test/support/statement-files.ts'
import { openDatabase, type Database } from '../kernel/postgres/database.ts'
import { runningPostgresUrl } from '../kernel/postgres/embedded-postgres.ts'
import { processesWith } from '../kernel/postgres/running-process.ts'

/** The long run sets KILL_ACCOUNTS=120. */
const ACCOUNTS = Number(process.env.KILL_ACCOUNTS ?? 50)
const MONTHS = 6
const UTILITIES = 2
const ALL = ACCOUNTS * MONTHS * UTILITIES

let folder = ''
let set: StatementSet
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meterbook-killed-'))
  await chmod(folder, 0o755)
  set = await writeStatements({ utilities: UTILITIES, accounts: ACCOUNTS, months: MONTHS })
})
afterAll(async () => {
  killAll()
  await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), 30_000)
  await rm(folder, { recursive: true, force: true })
  await rm(set.folder, { recursive: true, force: true })
})

it(
  'is finished by the next start after kill -9 of everything in its middle: every statement is one bill, none is lost or made twice',
  { timeout: 300_000 },
  async () => {
    const first = await launch()
    const before = await openRunning()
    const person = await makePerson(before.db, 'super_admin')
    const clientId = await makeClient(before.db)
    const divisionId = await makeDivision(before.db, clientId)
    const retrieval = `/clients/${clientId}/bill_retrieval`
    const fetched = await taskOf(asking(first.url, person), (await asking(first.url, person)('POST', `${retrieval}/fetch`)).body['task_id'])
    expect(fetched).toMatchObject({ state: 'done', result: { fetched: ALL } })
    const started = await asking(first.url, person)('POST', `/clients/${clientId}/bills/retrieval_import`, {
      all_matching: true,
      new_accounts: newAccounts(divisionId),
    })
    const atKill = await killInTheMiddle(before, clientId)
    await before.close()
    expect(atKill).toBeLessThan(ALL)

    const second = await launch()
    const after = await openRunning()
    const task = await taskOf(asking(second.url, person), started.body['task_id'])
    expect(task).toMatchObject({
      state: 'done',
      result: { read: ALL, created: ALL, refused: 0, duplicate: 0, new_accounts: ACCOUNTS * UTILITIES },
    })
    await expectEachOnce(after, clientId)
    await after.close()
    second.child.kill('SIGTERM')
    await once(second.child, 'exit')
  },
)

function newAccounts(division_id: number) {
  return Array.from({ length: UTILITIES }, (_, place) => ({
    provider_name: `Utility ${place + 1}`,
    new_vendor: { name: `Utility ${place + 1}`, short_code: `U${place + 1}` },
    new_facility: { name: 'Campus', number: '1', division_id },
  }))
}

/** Waits for some chunks, then kills the process group and every other process of the folder. @returns the number of bills at that time. */
async function killInTheMiddle({ db }: Database, clientId: number): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from bills where client_id = ${clientId}`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count >= ALL / 4) {
      killAll()
      await vi.waitFor(() => expect(processesWith(folder)).toEqual([]), 15_000)
      return count
    }
    await sleep(20)
  }
}

async function expectEachOnce({ db }: Database, clientId: number): Promise<void> {
  const { rows } = await sql<{
    statement_id: string
    bills: number
  }>`select statement_id, count(*)::int as bills from bills where client_id = ${clientId} group by statement_id order by statement_id`.execute(
    db,
  )
  expect(rows).toEqual(
    set.statements
      .map((one) => ({ statement_id: one.statement_id, bills: 1 }))
      .toSorted((a, b) => (a.statement_id < b.statement_id ? -1 : 1)),
  )
  const sums = await sql<{ due: string; accounts: number; services: number; open: number; facts: string }>`select
      (select sum(amount_due)::text from bills where client_id = ${clientId}) as due,
      (select count(*)::int from billable_accounts where client_id = ${clientId}) as accounts, (select count(*)::int from services where client_id = ${clientId}) as services,
      (select count(*)::int from retrieval_statements where client_id = ${clientId} and (state <> 'created' or bill_id is null)) as open,
      (select sum(cost)::text from service_month_facts where client_id = ${clientId}) as facts`.execute(db)
  const due = sumMoney(set.statements.map((one) => one.amount_due))
  expect(sums.rows).toEqual([{ due, accounts: ACCOUNTS * UTILITIES, services: ACCOUNTS * UTILITIES, open: 0, facts: due }])
}

async function launch(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/support/embedded-process.ts')], {
    env: {
      PATH: '/usr/bin:/bin',
      DATA_DIR: folder,
      PORT: '0',
      DEMO_DATA: 'false',
      SHARED_BUFFERS: '32MB',
      RETRIEVAL_STATEMENTS: set.folder,
      RATE_LIMIT_FACTOR: '1000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const url = await addressIn(() => said)
  return { child, url }
}

/** Each child leads its own process group; PostgreSQL and its watchdog have left it, and are killed by their folder. */
function killAll(): void {
  for (const { pid, exitCode, signalCode } of children.splice(0))
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  for (const { pid } of processesWith(folder)) killQuietly(pid)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}

async function openRunning(): Promise<Database> {
  const url = await runningPostgresUrl(folder)
  if (url === undefined) throw new Error('no database answers')
  // A connection that the kill breaks is expected here.
  return openDatabase({ url, size: 2, onError: () => undefined })
}

function asking(url: string, person: Person) {
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<{ body: Record<string, unknown> }> => {
    const answer = await fetch(`${url}/api/v5${path}`, {
      method,
      headers: { ...person.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said: unknown = await answer.json()
    expect(answer.status, JSON.stringify(said).slice(0, 300)).toBe(200)
    return { body: typeof said === 'object' && said !== null ? { ...said } : {} }
  }
}
