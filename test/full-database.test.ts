/**
 * The program whose embedded database has no space left: requests are refused with the reason, running work ends, and everything works
 * again when there is space. The same process of the program survives, even if PostgreSQL has ended and cannot start.
 */
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { exportKey } from '../src/server/kernel/lists/export-file.ts'
import { openDatabase, type Tx } from '../src/server/kernel/postgres/database.ts'
import { readPidFile } from '../src/server/kernel/postgres/postgres-server.ts'
import { makePerson } from './support/app.ts'
import { makeClient, makeDivision } from './support/estate.ts'
import { hurryTries } from './support/hurry-tries.ts'
import { START_MS } from './support/launch.ts'
import {
  asking,
  endOf,
  expectDone,
  expectRefused,
  isAlive,
  maySeeFullDisk,
  noRoomMessage,
  paper,
  pathsBelow,
  rowsFile,
  type Answer,
  type Ask,
} from './support/room.ts'
import { startOnSmallDisk, type SmallDisk } from './support/small-disk.ts'
import { writeStatements } from './support/statement-files.ts'

/** A new database takes about 60 MiB. */
const DATABASE_MIB = 220
/** Enough to begin work, and less than the work takes. */
const LITTLE_ROOM_BYTES = 1_048_576
const ROWS = 8_000
const STATEMENTS = { utilities: 1, accounts: 20, months: 24 }
/** A few small rows fit into existing pages. */
const GRANTED_MAX = 300
/** More than the existing segments of the log can hold. */
const LOG_BYTES = 40_000_000
const waited = { timeout: START_MS, interval: 200 }

interface Ground {
  readonly disk: SmallDisk
  readonly db: Tx
  readonly ask: Ask
  readonly clientId: number
  /** Folder of the store's files, on a disk with space. */
  readonly files: string
}

/** All kinds of writing requests, by name. */
const asked: readonly (readonly [what: string, send: (ground: Ground, at: string) => Promise<Answer>])[] = [
  ['a save', ({ ask }, at) => ask('POST', '/vendors', { vendor: { name: `Vendor ${at}`, short_code: at } })],
  ['an upload', ({ ask, clientId }) => ask('POST', `/clients/${clientId}/documents`, paper())],
  ['an import', ({ ask }, at) => ask('POST', '/vendors/import', rowsFile(at, 10))],
  ['an export', ({ ask, clientId }) => ask('GET', `/clients/${clientId}/divisions/export_csv`)],
  ['a retrieval', ({ ask, clientId }) => ask('POST', `/clients/${clientId}/bill_retrieval/fetch`, {})],
]

async function startFullOfRoom(): Promise<Ground> {
  const set = await writeStatements(STATEMENTS)
  const files = await mkdtemp(join(tmpdir(), 'meterbook-roomy-'))
  await chmod(files, 0o755)
  const disk = await startOnSmallDisk(join(import.meta.dirname, 'support/embedded-process.ts'), DATABASE_MIB, {
    NODE_ENV: 'test',
    SHARED_BUFFERS: '16MB',
    RETRIEVAL_STATEMENTS: set.folder,
  })
  await symlink(files, disk.path('files'))
  const { db, close } = openDatabase({ url: await databaseUrl(disk), size: 2 })
  onTestFinished(async () => {
    await close()
    for (const folder of [set.folder, files]) await rm(folder, { recursive: true, force: true })
  })
  const ask = asking(disk.url, await makePerson(db, 'super_admin'))
  const clientId = await makeClient(db)
  await makeDivision(db, clientId)
  return { disk, db, ask, clientId, files }
}

/** The data folder has another path than the program's, so only its parts can be read here. */
async function databaseUrl(disk: SmallDisk): Promise<string> {
  const password = (await readFile(disk.path('pg18.password'), 'utf8')).trim()
  return `postgres://meterbook:${password}@127.0.0.1:${readPidFile(disk.path('pg18'))?.port}/meterbook`
}

/** Starts work that is accepted while there is a little space. @returns the tasks' ids. */
async function beginWork({ ask, clientId }: Ground): Promise<unknown[]> {
  const importing = expectDone('an import', await ask('POST', '/vendors/import', rowsFile('full', ROWS)))
  const fetching = expectDone('a retrieval', await ask('POST', `/clients/${clientId}/bill_retrieval/fetch`, {}))
  return [importing.task_id, fetching.task_id]
}

/** Sends requests until there is no space, or until a task is accepted, which must then end. @returns such tasks. */
async function untilRefused(ground: Ground, [what, send]: (typeof asked)[number]): Promise<unknown[]> {
  for (let granted = 0; granted < GRANTED_MAX; granted += 1) {
    const answer = await send(ground, `FULL${granted}`)
    if (answer.body['task_id'] !== undefined) return [answer.body['task_id']]
    if (answer.status !== 200) {
      expectRefused(what, answer)
      return []
    }
  }
  throw new Error(`${what} finds room again and again`)
}

async function expectWorkEnds({ ask, db }: Ground, tasks: readonly unknown[]): Promise<void> {
  const hurried: Ask = async (method, path) => {
    await hurryTries(db)
    return ask(method, path)
  }
  for (const id of tasks) {
    const { state, error } = await endOf(hurried, id)
    console.log(`task ${String(id)}: ${state}, ${error}`)
    expect([
      { state: 'done', error: null },
      { state: 'failed', error: noRoomMessage },
    ]).toContainEqual({ state, error })
  }
  const { rows } = await sql<{ task: string; record: string }>`select tasks.state as task, imports.state as record
    from imports join tasks on tasks.id = imports.task_id`.execute(db)
  console.log(`imports: ${JSON.stringify(rows)}`)
  for (const { task, record } of rows) expect(record).toBe(task === 'done' ? 'committed' : 'failed')
}

/** Refused requests are accepted, and tasks end successfully. */
async function expectAllWorks(ground: Ground, at: string): Promise<void> {
  for (const [what, send] of asked) {
    const { task_id: task } = expectDone(what, await send(ground, at))
    if (task !== undefined) expect(await endOf(ground.ask, task), what).toMatchObject({ state: 'done', error: null })
  }
  await expectFilesAreNamed(ground)
  await isAlive(ground.disk)
}

/**
 * Each named file is stored. A stored file without a name belongs to the export without space for its row; the sweep removes it a day
 * later.
 */
async function expectFilesAreNamed({ db, files }: Ground): Promise<void> {
  const stored = (await pathsBelow(files)).map((path) => relative(files, path))
  const { rows: named } = await sql<{ key: string }>`select key from files`.execute(db)
  const { rows: failed } = await sql<{ id: number }>`select id from tasks where kind = 'csv_export' and state = 'failed'`.execute(db)
  const keys = new Set(named.map(({ key }) => key))
  const ofFailed = new Set(failed.map(({ id }) => exportKey(id)))
  expect([...keys].filter((key) => !stored.includes(key))).toEqual([])
  expect(stored.filter((key) => !keys.has(key) && !ofFailed.has(key))).toEqual([])
}

describe.skipIf(!maySeeFullDisk())('a database without room', () => {
  it('refuses with 503 what does not fit, ends the work that runs, and takes all of it again with room', { timeout: 400_000 }, async () => {
    const ground = await startFullOfRoom()
    const { disk, ask } = ground
    await disk.fill(LITTLE_ROOM_BYTES)
    const tasks = await beginWork(ground)
    await disk.fill(0)
    for (const one of asked) tasks.push(...(await untilRefused(ground, one)))
    expect((await ask('GET', '/vendors')).status).toBe(200)
    // All its tries end before there is space. Whether that can still be recorded depends on the pages of the database.
    await vi.waitFor(async () => {
      await hurryTries(ground.db).catch(() => undefined)
      expect(disk.said()).toContain(`"long work failed","task_id":${String(tasks[0])}`)
    }, waited)
    await isAlive(disk)

    await disk.empty()
    await expectWorkEnds(ground, tasks)
    await expectAllWorks(ground, 'ROOM')
    expect(await disk.stop()).toBe(0)
  })

  it(
    'that has ended for want of room and cannot start: 503 until there is room, then the same program goes on',
    { timeout: 400_000 },
    async () => {
      const ground = await startFullOfRoom()
      const { disk, ask, db } = ground
      expectDone('a save', await ask('POST', '/vendors', { vendor: { name: 'Kept', short_code: 'KEPT' } }))
      await disk.fill(LITTLE_ROOM_BYTES)
      const tasks = await beginWork(ground)
      await disk.fill(0)
      const ending = sql`select pg_logical_emit_message(false, 'full', repeat('x', ${LOG_BYTES}::int))`.execute(db)
      await expect(ending).rejects.toThrow(/No space left on device|terminat/)
      for (const [what, send] of asked) {
        const { status, retryAfter, body } = await send(ground, 'DOWN')
        console.log(`${what}: ${status} ${String(body['message'])}`)
        expect({ what, status }).toEqual({ what, status: 503 })
        expect(Number(retryAfter)).toBeGreaterThan(0)
      }
      await vi.waitFor(async () => expect((await fetch(`${disk.url}/readyz`)).status).toBe(503), waited)
      await isAlive(disk)

      await disk.empty()
      await vi.waitFor(async () => expect((await fetch(`${disk.url}/readyz`)).status).toBe(200), waited)
      expectDone('the list', await ask('GET', '/vendors'))
      await expectWorkEnds(ground, tasks)
      await expectAllWorks(ground, 'BACK')
      const { rows } = await sql`select short_code from vendors where short_code = 'KEPT'`.execute(db)
      expect(rows).toHaveLength(1)
      expect(await disk.stop()).toBe(0)
    },
  )
})
