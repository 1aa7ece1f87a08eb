/** Runs the application as a process, kills it at random moments while it receives and stores CSV files, and starts it again. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from '../../../test/support/app.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { randomOf } from '../../../test/support/dice.ts'
import { makeClient, makeDivision, makeFacility, makeVendor } from '../../../test/support/estate.ts'
import { untilCommitted } from '../../../test/support/import-files.ts'
import { programOn } from '../../../test/support/launch.ts'

const database = await testDatabase()
const { db } = database
/** Each kill hits as many imports as run at once. The long run sets KILL_ROUNDS=20 KILL_ROWS=10000. */
const KILLS = Number(process.env.KILL_ROUNDS ?? 2)
const AT_ONCE = 3
const ROWS = Number(process.env.KILL_ROWS ?? 2_000)
const LONGEST_MS = 1_000
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007)

const program = await programOn(database.url, 'api-process.ts')

interface Kind {
  readonly list: string
  readonly header: string
  /** A row in the form in which stored records are read back; the rest of the line is the same in every row. */
  readonly line: (mark: string, at: number) => string
  readonly rest: string
  readonly stored: (client: number) => RawBuilder<{ line: string }>
  /** Item types in the trail: each row leaves one of each. */
  readonly items: readonly string[]
}

const kinds: readonly Kind[] = [
  {
    list: 'facilities',
    header: 'number,name,square_footage,division_code',
    line: (mark, at) => `${mark}-${at},Facility ${at} of ${mark},${at}.2500`,
    rest: ',D',
    stored: (client) => sql`select number || ',' || name || ',' || square_footage as line from facilities where client_id = ${client}`,
    items: ['facility'],
  },
  {
    list: 'billable_accounts',
    header: 'account_number,name,meter_number,service_rank,vendor_short_code,facility_number,street_address_1,city,state,zip',
    line: (mark, at) => `${mark}-${at},Account ${at} of ${mark},M-${at},${at}`,
    rest: ',KILL,F,1 Main,Albany,NY,12207',
    stored: (client) => sql`select owner.account_number || ',' || owner.name || ',' || service.meter_number || ',' || service.rank as line
      from billable_accounts owner join services service on service.client_id = owner.client_id and service.billable_account_id = owner.id where owner.client_id = ${client}`,
    items: ['billable_account', 'service'],
  },
]

interface Sent {
  readonly kind: Kind
  readonly client: number
  readonly importId: number
  readonly hash: string
}

it('stores every row once and loses none, whenever it is killed: the next start ends each import', { timeout: 900_000 }, async () => {
  console.log(`seed ${seed}`)
  const random = randomOf(seed)
  await sql`update vendors set short_code = 'KILL' where id = ${await makeVendor(db)}`.execute(db)
  const people = await Promise.all(Array.from({ length: AT_ONCE }, () => makePerson(db, 'super_admin')))
  let open: Sent[] = []
  let url = await program.launch()
  const met: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    open = await Promise.all(people.map((person, at) => sendFile(url, person, `${kill}-${at}`, (kill + at) % 2)))
    await sleep(random() * LONGEST_MS)
    await program.end('SIGKILL')
    met.push(...(await statesOf(open)))
    // The claim's heartbeat ends with the process; the wait for it to expire is not under test.
    await sql`update tasks set heartbeat_at = now() - interval '1 hour' where state = 'running'`.execute(db)
    url = await program.launch()
    await expectEachOnce(open)
  }
  console.log(
    `killed while ${JSON.stringify(Object.fromEntries([...new Set(met)].map((state) => [state, met.filter((one) => one === state).length])))}`,
  )
  await program.end('SIGTERM')
})

async function sendFile(url: string, person: Person, mark: string, of: number): Promise<Sent> {
  const kind = kinds[of]
  if (!kind) throw new Error('no such kind')
  const client = await makeClient(db)
  const division = await makeDivision(db, client)
  if (of === 1) await sql`update facilities set number = 'F' where id = ${await makeFacility(db, client, division)}`.execute(db)
  const lines = Array.from({ length: ROWS }, (_, at) => kind.line(mark, at))
  const form = new FormData()
  form.append(
    'file',
    new File([`${kind.header}\n${lines.map((line) => `${line}${kind.rest}\n`).join('')}`], 'rows.csv', {
      type: 'text/csv',
    }),
  )
  form.append('mode', 'all')
  const answer = await fetch(`${url}/api/v5/clients/${client}/${kind.list}/import`, { method: 'POST', headers: person.headers, body: form })
  const body: unknown = await answer.json()
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return { kind, client, importId: z.object({ import_id: z.int() }).parse(body).import_id, hash: hashOf(lines) }
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
  for (const { kind, client, importId, hash } of sent) {
    await untilCommitted(db, importId)
    const { rows } = await kind.stored(client).execute(db)
    expect(rows).toHaveLength(ROWS)
    expect(hashOf(rows.map(({ line }) => line))).toBe(hash)
    const { rows: counts } =
      await sql`select (select count(*)::int from audit_records where client_id = ${client} and item_type = any(${kind.items}::text[])) as trail,
      (select count(*)::int from import_outcomes where import_id = ${importId} and action = 'create') as outcomes,
      (select count(*)::int from notifications where type = 'import' and payload->>'import_id' = ${String(importId)}) as notices`.execute(
        db,
      )
    expect(counts).toEqual([{ trail: ROWS * kind.items.length, outcomes: ROWS, notices: 1 }])
  }
}
