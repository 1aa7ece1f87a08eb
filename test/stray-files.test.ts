/**
 * The whole program as a process, killed while users upload and import files, while it writes exports and fetches the PDFs of statements,
 * and restarted. Later its sweeps leave exactly those files that a row names.
 */
import { request, type ClientRequest } from 'node:http'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makePerson, type Person } from './support/app.ts'
import { testDatabase } from './support/cluster.ts'
import { makeClient, makeDivision } from './support/estate.ts'
import { programOn, START_MS } from './support/launch.ts'
import { taskOf, type SeenTask } from './support/retrieval.ts'
import { writeStatements } from './support/statement-files.ts'
import { storedFilesOf, sweptTwoDaysLater } from './support/stored-files.ts'

const database = await testDatabase()
const { db, pool } = database
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1)
const UPLOADS = 3
/** More than the store writes at once, so that a part of it is on the disk. */
const SENT_BYTES = 2_000_000
const STATEMENTS = { utilities: 1, accounts: 4, months: 3 }
const waited = { timeout: START_MS, interval: 50 }

const statements = await writeStatements(STATEMENTS)
const program = await programOn(database.url, 'api-process.ts', { RETRIEVAL_STATEMENTS: statements.folder })
const files = join(program.folder, 'files')
const { paths, halves, unnamed, withoutFile, age, sweepsDone, sweptSince } = storedFilesOf(db, program)
const open: ClientRequest[] = []
afterAll(() => rm(statements.folder, { recursive: true, force: true }))

it('after kill -9 in the middle of writes the sweeps leave what a row names, and nothing that is young', { timeout: 600_000 }, async () => {
  const person = await makePerson(db, 'super_admin')
  let url = await program.launch()
  let clientId = 0
  const kept = await ask(url, person, 'GET', '/vendors/export_csv')
  expect(await endOf(url, person, kept['task_id'])).toMatchObject({ state: 'done', has_file: true })
  for (let round = 0; round < ROUNDS; round += 1) {
    clientId = await clientWithStatements(url, person)
    const before = (await halves()).length
    for (let at = 0; at < UPLOADS; at += 1) {
      sendSlowly(`${url}/api/v5/clients/${clientId}/documents`, person, 'document[file]', 'paper.pdf', '%PDF-1.7\n')
      sendSlowly(`${url}/api/v5/clients/${clientId}/facilities/import`, person, 'file', 'rows.csv', 'number,name\n')
    }
    await vi.waitFor(async () => expect(await halves()).toHaveLength(before + 2 * UPLOADS), waited)
    await killWithRowsHeldBack(url, person, clientId)
    for (const one of open.splice(0)) one.destroy()
    // The work must not be repeated: it would name its files after all.
    await sql`delete from tasks where state in ('waiting', 'running')`.execute(db)
    await sql`delete from pgboss.job where name in ('task', 'retrieval_pdfs')`.execute(db)
    url = await program.launch()
  }
  const atKill = {
    halves: (await halves()).length,
    unnamed: (await unnamed()).length,
    rowsWithoutFile: (await withoutFile()).length,
  }
  console.log(`after ${ROUNDS} kills: ${JSON.stringify(atKill)}`)
  // A PDF may have been half written as well.
  expect(atKill.halves).toBeGreaterThanOrEqual(2 * UPLOADS * ROUNDS)
  expect(atKill.unnamed).toBeGreaterThanOrEqual(2 * ROUNDS)
  expect(atKill.rowsWithoutFile).toBe(2 * UPLOADS * ROUNDS)
  // The start has swept, but all of this is recent: it might still be written.
  await sweptSince(0)
  expect((await halves()).length).toBe(atKill.halves)
  await program.end('SIGKILL')

  // Two days later. A database created only then would consider none of the files its own.
  await age()
  const before = await sweepsDone()
  url = await program.launch()
  await sweptSince(before)
  expect(await halves()).toEqual([])
  expect((await unnamed()).length).toBe(atKill.unnamed)
  await program.end('SIGKILL')
  await sweptTwoDaysLater(db, program)
  url = await program.running()
  const left = (await paths()).map((path) => relative(files, path)).toSorted()
  const { rows } = await sql<{ key: string }>`select key from files order by key`.execute(db)
  console.log(`after the sweeps: ${left.length} files on disk, ${rows.length} rows`)
  expect(left).toEqual(rows.map(({ key }) => key).toSorted())
  expect(left.length).toBeGreaterThan(0)

  // Swept files can be fetched again.
  const { rows: fetched } = await sql<{
    file_id: string
  }>`select file_id from retrieval_statements where client_id = ${clientId} order by id limit 1`.execute(db)
  const pdf = await fetch(`${url}/api/v5/clients/${clientId}/bill_retrieval/statements/${fetched[0]?.file_id}/pdf`, {
    headers: person.headers,
  })
  expect(pdf.status, await pdf.text()).toBe(200)
  await program.end('SIGTERM')
})

it('a start removes what killed starts left of their drafts, and nothing that is young or in use', { timeout: 300_000 }, async () => {
  const started = await programOn(database.url, 'embedded-process.ts')
  const put = async (name: string, hoursAgo: number): Promise<void> => {
    const path = join(started.folder, name)
    await writeFile(path, 'x')
    const then = new Date(Date.now() - hoursAgo * 3_600_000)
    await utimes(path, then, then)
  }
  const stale = ['instance.json.4711', 'instance.json.old-4711', 'instance.json.new', 'secret-key.4711']
  const kept = ['instance.json.4712', 'secret-key.4712', 'secret-key', 'instance.json.backup', 'secret-key.4711.txt']
  for (const name of stale) await put(name, 2)
  for (const [place, name] of kept.entries()) await put(name, place < 2 ? 0 : 2)
  await started.launch()
  await started.end('SIGTERM')
  const left = await readdir(started.folder)
  expect(left.filter((name) => stale.includes(name))).toEqual([])
  expect(left).toEqual(expect.arrayContaining(kept))
})

/** Kills the program when an export and a PDF are complete on the disk and wait for their rows. */
async function killWithRowsHeldBack(url: string, person: Person, clientId: number): Promise<void> {
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('set local idle_in_transaction_session_timeout = 0')
    await holder.query('lock table files in share row exclusive mode')
    await ask(url, person, 'GET', `/clients/${clientId}/facilities/export_csv`)
    const accounts = newAccounts(await makeDivision(db, clientId))
    await ask(url, person, 'POST', `/clients/${clientId}/bills/retrieval_import`, { all_matching: true, ...accounts })
    await vi.waitFor(async () => {
      const keys = await unnamed()
      expect(keys.some((key) => key.startsWith('exports/'))).toBe(true)
      expect(keys.some((key) => key.startsWith(`statements/${clientId}/`))).toBe(true)
    }, waited)
    await program.end('SIGKILL')
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

async function clientWithStatements(url: string, person: Person): Promise<number> {
  const clientId = await makeClient(db)
  const { task_id: fetching } = await ask(url, person, 'POST', `/clients/${clientId}/bill_retrieval/fetch`, {})
  expect(await endOf(url, person, fetching)).toMatchObject({ state: 'done' })
  return clientId
}

function endOf(url: string, person: Person, taskId: unknown): Promise<SeenTask> {
  return taskOf(async (method, path) => ({ body: await ask(url, person, method, path) }), taskId)
}

function newAccounts(division_id: number) {
  return {
    new_accounts: [
      {
        provider_name: 'Utility 1',
        new_vendor: { name: `Utility ${division_id}`, short_code: `U${division_id}` },
        new_facility: { name: `Campus ${division_id}`, number: String(division_id), division_id },
      },
    ],
  }
}

async function ask(url: string, person: Person, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v5${path}`, {
    method,
    headers: { ...person.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const said = z.record(z.string(), z.unknown()).parse(await answer.json())
  expect(answer.status, JSON.stringify(said).slice(0, 300)).toBe(200)
  return said
}

/** Sends a form whose file begins and does not end. */
function sendSlowly(url: string, person: Person, field: string, filename: string, head: string): void {
  const sent = request(url, { method: 'POST', headers: { ...person.headers, 'content-type': 'multipart/form-data; boundary=x' } })
  sent.on('error', () => undefined)
  const type = filename.endsWith('pdf') ? 'application/pdf' : 'text/csv'
  sent.write(`--x\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: ${type}\r\n\r\n${head}`)
  sent.write('1,one\n'.repeat(SENT_BYTES / 6))
  open.push(sent)
}
