/** The whole program as a process, killed at random moments while it takes CSV files in and stores them, and started again. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { programOn, START_MS } from '../../../test/support/launch.ts'

const database = await testDatabase()
const { db } = database
/** Each kill meets as many imports as run at once. The long run sets KILL_ROUNDS=40 KILL_ROWS=10000. */
const KILLS = Number(process.env.KILL_ROUNDS ?? 7)
const AT_ONCE = 3
const ROWS = Number(process.env.KILL_ROWS ?? 3_000)
const LONGEST_MS = 1_500
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007)

const program = await programOn(database.url)

interface Sent {
  readonly client: number
  readonly importId: number
  readonly hash: string
}

it('stores every row once and loses none, whenever it is killed: the next start ends each import', { timeout: 900_000 }, async () => {
  console.log(`seed ${seed}`)
  const random = dice(seed)
  const people = await Promise.all(Array.from({ length: AT_ONCE }, () => makePerson(db, 'super_admin')))
  let open: Sent[] = []
  let url = await program.launch()
  const met: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    open = await Promise.all(people.map((person, at) => sendFile(url, person, `${kill}-${at}`)))
    await sleep(random() * LONGEST_MS)
    await program.end('SIGKILL')
    met.push(...(await statesOf(open)))
    // The claim's heartbeat ends with the process; that it is silent for long enough is not what is tested.
    await sql`update tasks set heartbeat_at = now() - interval '1 hour' where state = 'running'`.execute(db)
    url = await program.launch()
    await expectEachOnce(open)
  }
  console.log(
    `killed while ${JSON.stringify(Object.fromEntries([...new Set(met)].map((state) => [state, met.filter((one) => one === state).length])))}`,
  )
  await program.end('SIGTERM')
})

/** Numbers between 0 and 1 that a seed repeats. */
function dice(from: number): () => number {
  let state = from
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function sendFile(url: string, person: Person, mark: string): Promise<Sent> {
  const client = await makeClient(db)
  await makeDivision(db, client)
  const lines = Array.from({ length: ROWS }, (_, at) => `${mark}-${at},Facility ${at} of ${mark},${at}.2500`)
  const form = new FormData()
  form.append(
    'file',
    new File([`number,name,square_footage,division_code\n${lines.map((line) => `${line},D\n`).join('')}`], 'rows.csv', {
      type: 'text/csv',
    }),
  )
  form.append('mode', 'all')
  const answer = await fetch(`${url}/api/v5/clients/${client}/facilities/import`, { method: 'POST', headers: person.headers, body: form })
  const body: unknown = await answer.json()
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return { client, importId: z.object({ import_id: z.int() }).parse(body).import_id, hash: hashOf(lines) }
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

async function statesOf(sent: readonly Sent[]): Promise<string[]> {
  const { rows } = await sql<{
    state: string
  }>`select state from imports where id = any(${sent.map(({ importId }) => importId)}::bigint[])`.execute(db)
  return rows.map(({ state }) => state)
}

async function expectEachOnce(sent: readonly Sent[]): Promise<void> {
  for (const { client, importId, hash } of sent) {
    await vi.waitFor(
      async () => {
        const { rows } =
          await sql`select imports.state, tasks.state as task from imports join tasks on tasks.id = task_id where imports.id = ${importId}`.execute(
            db,
          )
        expect(rows).toEqual([{ state: 'committed', task: 'done' }])
      },
      { timeout: START_MS, interval: 100 },
    )
    const { rows } = await sql<{
      line: string
    }>`select number || ',' || name || ',' || square_footage as line from facilities where client_id = ${client}`.execute(db)
    expect(rows).toHaveLength(ROWS)
    expect(hashOf(rows.map(({ line }) => line))).toBe(hash)
    const { rows: counts } =
      await sql`select (select count(*)::int from audit_records where client_id = ${client} and item_type = 'facility') as trail,
      (select count(*)::int from import_outcomes where import_id = ${importId} and action = 'create') as outcomes,
      (select count(*)::int from notifications where type = 'import' and payload->>'import_id' = ${String(importId)}) as notices`.execute(
        db,
      )
    expect(counts).toEqual([{ trail: ROWS, outcomes: ROWS, notices: 1 }])
  }
}
