/** The program while its database connections are cut, and while the database is killed, repeatedly under load. */
import { randomUUID } from 'node:crypto'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openDatabase, type Tables } from '../src/server/kernel/postgres/database.ts'
import { runningPostgresUrl } from '../src/server/kernel/postgres/embedded-postgres.ts'
import { makePerson, type Person } from './support/app.ts'
import { testDatabase } from './support/cluster.ts'
import { makeClient, makeDivision } from './support/estate.ts'
import { untilCommitted } from './support/import-files.ts'
import { programOn, START_MS, type Program } from './support/launch.ts'
import { requestOf } from './support/requests.ts'
import { pathsBelow } from './support/room.ts'

/** The long run sets CUT_SECONDS=60 KILL_ROUNDS=20. */
const CUT_SECONDS = Number(process.env.CUT_SECONDS ?? 3)
const CUT_EVERY_MS = 100
const KILLS = Number(process.env.KILL_ROUNDS ?? 2)
const WRITERS = 4
const READERS = 3
const ROWS = 2_000
/** A refused write is sent again with the same key until it is acknowledged; the database is unavailable for seconds, not minutes. */
const AGAIN_MS = 50

it(
  'lives on when its sessions are ended every 100 ms: a request is answered or refused with 503, and long work goes on',
  { timeout: 600_000 },
  async () => {
    const database = await testDatabase()
    const program = await programOn(database.url, 'api-process.ts')
    const load = await startLoad(await program.launch(), database.db)
    const importId = await sendFile(load)
    const cuts = await cutSessions(database.url, CUT_SECONDS)
    await load.stop()
    console.log(`${cuts} sessions ended in ${CUT_SECONDS} s: ${load.told()}`)
    expect(cuts).toBeGreaterThan(CUT_SECONDS)
    expect(load.refused()).toBeGreaterThan(0)
    await expectNothingLost(program, load)
    await expectImported(load, importId)
    await program.end('SIGTERM')
  },
)

it(
  'lives on when the embedded database is killed: what was acknowledged is there once, and the same process goes on',
  { timeout: 900_000 },
  async () => {
    const program = await programOn(null, 'embedded-process.ts')
    const address = await program.launch()
    const url = await runningPostgresUrl(program.folder)
    if (url === undefined) throw new Error(`no database answers: ${program.said()}`)
    const database = openDatabase({ url, size: 2 })
    afterAll(database.close)
    const load = await startLoad(address, database.db)
    const importId = await sendFile(load)
    for (let kill = 0; kill < KILLS; kill += 1) {
      await load.untilAcknowledged(20)
      process.kill(await postmasterOf(database.db), 'SIGKILL')
    }
    await load.untilAcknowledged(20)
    await load.stop()
    console.log(`database killed ${KILLS} times: ${load.told()}`)
    expect(load.refused()).toBeGreaterThan(0)
    await expectNothingLost(program, load)
    await expectImported(load, importId)
    await program.end('SIGTERM')
  },
)

interface Load {
  readonly db: Kysely<Tables>
  readonly url: string
  readonly person: Person
  readonly clientId: number
  /** Codes of the divisions whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Titles of the documents whose upload was acknowledged. */
  readonly uploaded: ReadonlySet<string>
  readonly statuses: ReadonlyMap<string, number>
  refused(): number
  told(): string
  /** Waits until this many more writes are acknowledged. */
  untilAcknowledged(more: number): Promise<void>
  /** Lets each loop finish what it has begun. */
  stop(): Promise<void>
}

/** Users who write, upload, read, and mark notifications as seen without a pause, over real sockets. */
async function startLoad(url: string, db: Kysely<Tables>): Promise<Load> {
  const person = await makePerson(db, 'super_admin')
  const clientId = await makeClient(db)
  await makeDivision(db, clientId)
  const acknowledged = new Set<string>()
  const uploaded = new Set<string>()
  const statuses = new Map<string, number>()
  let over = false
  const send = async (method: string, path: string, body?: object, key?: string): Promise<number> =>
    count(
      await fetch(
        `${url}/api/v5${path}`,
        requestOf(person, { method, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) }),
      ),
    )
  const count = async (answer: Response): Promise<number> => {
    const text = await answer.text()
    const told = answer.status === 503 && !answer.headers.has('retry-after') ? '503 without retry-after' : String(answer.status)
    if (!/^(2|4|503$)/.test(told)) statuses.set(`${told} ${text}`.slice(0, 300), 1)
    statuses.set(told, (statuses.get(told) ?? 0) + 1)
    return answer.status
  }
  // A write under way when the load ends is sent until it is acknowledged: otherwise the expected rows are unknown.
  const untilDone = async (what: string, work: () => Promise<number>): Promise<void> => {
    for (let status = 0; status !== 200;) {
      status = await work()
      if (![200, 409, 503].includes(status)) throw new Error(`${what} was answered ${status}`)
      if (status !== 200) await sleep(AGAIN_MS)
    }
  }
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !over; at += 1) {
      const code = `${writer}-${at}`
      const key = randomUUID()
      const body = { division: { name: `Division ${code}`, code, short_code: code } }
      await untilDone('a division', () => send('POST', `/clients/${clientId}/divisions`, body, key))
      acknowledged.add(code)
    }
  }
  const upload = async (): Promise<void> => {
    for (let at = 0; !over; at += 1) {
      const title = `Document ${at}`
      const headers = { ...person.headers, 'idempotency-key': randomUUID() }
      const path = `${url}/api/v5/clients/${clientId}/documents`
      await untilDone('a document', async () => count(await fetch(path, { method: 'POST', headers, body: paper(title) })))
      uploaded.add(title)
    }
  }
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over) {
      await work()
      await sleep(2)
    }
  }
  const loops = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
    upload(),
    ...Array.from({ length: READERS }, () => repeat(() => send('GET', `/clients/${clientId}/divisions?per=50`))),
    repeat(() => send('POST', '/notifications/seen', {})),
  ]
  return {
    db,
    url,
    person,
    clientId,
    acknowledged,
    uploaded,
    statuses,
    refused: () => statuses.get('503') ?? 0,
    told: () =>
      `${acknowledged.size} writes and ${uploaded.size} uploads acknowledged, answers ${JSON.stringify(Object.fromEntries(statuses))}`,
    async untilAcknowledged(more) {
      const enough = acknowledged.size + more
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThanOrEqual(enough), { timeout: START_MS, interval: 20 })
    },
    async stop() {
      over = true
      await Promise.all(loops)
    },
  }
}

/** Ends every session of the program every 100 ms. @returns their number. */
async function cutSessions(url: string, seconds: number): Promise<number> {
  const own = new pg.Client({ connectionString: url, application_name: 'cutter' })
  await own.connect()
  let cuts = 0
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const { rowCount } = await own.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name not in ('cutter', 'meterbook-test')`,
    )
    cuts += rowCount ?? 0
    await sleep(CUT_EVERY_MS)
  }
  await own.end()
  return cuts
}

async function postmasterOf(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: string }>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`.execute(db)
  return Number(rows[0]?.pid)
}

const paper = (title: string): FormData => {
  const form = new FormData()
  form.append('document[title]', title)
  form.append('document[file]', new File(['%PDF-1.7\n', title, '\n%%EOF\n'], 'paper.pdf', { type: 'application/pdf' }))
  return form
}

async function expectNothingLost(program: Program, load: Load): Promise<void> {
  const { db, clientId, acknowledged, statuses } = load
  expect(program.isAlive(), program.said()).toBe(true)
  expect([...statuses.keys()].filter((status) => !/^(2\d\d|4\d\d|503)$/.test(status))).toEqual([])
  const { rows } = await sql<{ code: string }>`select code from divisions where client_id = ${clientId} and code like '%-%'`.execute(db)
  expect(rows.map(({ code }) => code).toSorted()).toEqual([...acknowledged].toSorted())
  const { rows: trail } =
    await sql`select count(*)::int as entries from audit_records where client_id = ${clientId} and item_type = 'division'`.execute(db)
  expect(trail).toEqual([{ entries: acknowledged.size }])
  await expectFilesMatchRows(program, load)
}

/** Each acknowledged document is there once with its file, and each file on the disk has a row. */
async function expectFilesMatchRows(program: Program, { db, clientId, uploaded }: Load): Promise<void> {
  const folder = join(program.folder, 'files')
  const stored = (await pathsBelow(folder)).map((path) => relative(folder, path))
  const { rows: documents } = await sql<{ title: string; key: string }>`
    select documents.title, files.key from documents join files on files.id = documents.file_id where documents.client_id = ${clientId}`.execute(
    db,
  )
  expect(documents.map(({ title }) => title).toSorted()).toEqual([...uploaded].toSorted())
  expect(documents.filter(({ key }) => !stored.includes(key))).toEqual([])
  const { rows: named } = await sql<{ key: string }>`select key from files`.execute(db)
  const keys = new Set(named.map(({ key }) => key))
  const unnamed = stored.filter((key) => !keys.has(key))
  console.log(`${documents.length} documents, ${stored.length} files on the disk, ${keys.size} rows of files`)
  expect(unnamed).toEqual([])
}

/** Sends a file of facilities, which takes several transactions of a task. */
async function sendFile({ url, person, clientId }: Load): Promise<number> {
  const lines = Array.from({ length: ROWS }, (_, at) => `F${at},Facility ${at},D\n`)
  const send = async (): Promise<number | undefined> => {
    const form = new FormData()
    form.append('file', new File(['number,name,division_code\n', ...lines], 'facilities.csv', { type: 'text/csv' }))
    form.append('mode', 'all')
    const path = `/api/v5/clients/${clientId}/facilities/import`
    const answer = await fetch(url + path, { method: 'POST', headers: person.headers, body: form })
    const body: unknown = await answer.json()
    return z.object({ import_id: z.int() }).safeParse(body).data?.import_id
  }
  return vi.waitFor(
    async () => {
      const id = await send()
      if (id === undefined) throw new Error('the file was not taken')
      return id
    },
    { timeout: START_MS, interval: 200 },
  )
}

async function expectImported({ db, clientId }: Load, importId: number): Promise<void> {
  await untilCommitted(db, importId)
  const { rows } =
    await sql`select count(*)::int as stored, count(distinct number)::int as numbers from facilities where client_id = ${clientId}`.execute(
      db,
    )
  expect(rows).toEqual([{ stored: ROWS, numbers: ROWS }])
}
