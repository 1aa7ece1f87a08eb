/** Tests that with a virus scanner no upload becomes usable before it is scanned. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { uploadBytesMax } from '#contract/uploads/upload-kinds.ts'
import { makePerson, startTestApp, type Person, type TestApp } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { formOf, pdfOf, type TestFile } from '../../../test/support/forms.ts'
import { eicar, installedClamd, startClamd, startStandInScanner, type ScannerMood } from '../../../test/support/scanner.ts'
import type { Environment } from '../config.ts'
import { loadPrincipal } from '../access/access.ts'
import { unitOfWork } from '../kernel/context.ts'
import { createScanner, scannerAddressOf } from '../kernel/files/virus-scan.ts'
import { attachUpload } from './uploads.ts'

const clamdProgram = installedClamd()
if (clamdProgram === undefined)
  console.warn('SKIPPED: uploads against a real clamd. Install ClamAV, or name its clamd in CLAMD_PATH; the stand-in speaks its protocol.')

const folder = mkdtempSync(join(tmpdir(), 'meterbook-scanner-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

const standIn = await startStandInScanner()
const first = await startTestApp({ CLAMAV_ADDRESS: standIn.address })
const { database } = first
const { db } = database
/** Starts further nodes that share the first one's file store: any of them may read another's files. */
const another = (environment: Environment) => startTestApp({ DATA_DIR: first.dataFolder, ...environment }, database)
const plain = await another({})
const real = clamdProgram === undefined ? undefined : await another({ CLAMAV_ADDRESS: await startClamd(clamdProgram) })
const onSocket = await startStandInScanner(join(folder, 'socket'))
let staff: Person
let clientId: number
beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  clientId = await makeClient(db)
})
afterEach(() => void (standIn.mood = 'well'))

const infected: TestFile = { filename: 'rates.csv', type: 'text/csv', bytes: Buffer.from(`${eicar}\r\n`) }
const clean: TestFile = { filename: 'rates.csv', type: 'text/csv', bytes: Buffer.from('Name\r\nNorth\r\n') }

interface Outcome {
  readonly status: number
  readonly body: { readonly message?: string; readonly errors?: { readonly fields: Record<string, string[]> } }
}

/** All ways of uploading: how each sends a file, and the field that shows a fault. */
const ways: Readonly<Record<string, (at: TestApp, file: TestFile) => Promise<Outcome>>> = {
  document: (at, file) => sendForm(at, `/clients/${clientId}/documents`, { 'document[title]': 'Rates', 'document[file]': file }),
  import: (at, file) => sendForm(at, `/clients/${clientId}/divisions/import`, { file }),
  'direct upload': async (at, file) => (await uploadDirectly(at, file)).outcome,
}
const wayNames = Object.keys(ways)

async function sendForm(at: TestApp, path: string, values: Parameters<typeof formOf>[0]): Promise<Outcome> {
  const form = formOf(values)
  const answer = await at.app.server.inject({
    method: 'POST',
    url: `/api/v5${path}`,
    headers: { ...staff.headers, ...form.headers },
    payload: form.payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function announced(at: TestApp, file: TestFile) {
  const { body } = await at.ask(staff, 'GET', '/direct_upload_url')
  const checksum = createHash('md5').update(file.bytes).digest('base64')
  const blob = { filename: file.filename, content_type: file.type, byte_size: file.bytes.length, checksum }
  const answer = await at.app.server.inject({ method: 'POST', url: String(body['direct_upload_url']), payload: { blob } })
  return answer.json<{ id: number; signed_id: string; direct_upload: { url: string; headers: Record<string, string> } }>()
}

async function uploadDirectly(at: TestApp, file: TestFile) {
  const told = await announced(at, file)
  const { url, headers } = told.direct_upload
  const answer = await at.app.server.inject({ method: 'PUT', url, headers, payload: file.bytes })
  const outcome: Outcome = { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
  return { ...told, outcome }
}

const attach = (at: TestApp, signedId: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const principal = await loadPrincipal(tx, staff.id)
    const unit = unitOfWork(tx, { principal, ip: '127.0.0.1', requestId: 'r', connectionId: null }, [], at.app.machinery)
    return attachUpload(unit.context, signedId, { kinds: ['text'] }, 'logo')
  })

const filesOnDisk = (): string[] => {
  const files = join(first.dataFolder, 'files')
  return existsSync(files)
    ? readdirSync(files, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : []
}
/** Returns everything usable: rows of stored files, and records with a file. */
const usable = async () =>
  (
    await sql`select (select count(*) from files where state <> 'waiting') as files, (select count(*) from documents) as documents,
      (select count(*) from tasks) as tasks`.execute(db)
  ).rows[0]
const finds = async (): Promise<Record<string, unknown>[]> =>
  (
    await sql<Record<string, unknown>>`select user_id, event, client_id, item_id, object_changes, ip_address from audit_records
      where item_type = 'upload' order by id`.execute(db)
  ).rows

async function refusesTheVirus(at: TestApp, way: string): Promise<void> {
  const [before, files, noted] = [await usable(), filesOnDisk(), (await finds()).length]
  const logged = vi.spyOn(at.app.machinery.log, 'warn').mockImplementation(() => undefined)
  const { status, body } = await (ways[way] ?? expect.fail(way))(at, infected)
  expect(status).toBe(422)
  // clamd's name for it depends on its signatures; all names end alike.
  expect(body.errors?.fields).toEqual({
    file: [expect.stringMatching(/^The file holds a virus \(Eicar-Test-Signature\S*\) and was not kept\.$/)],
  })
  expect(await usable()).toEqual(before)
  expect(filesOnDisk()).toEqual(files)
  const rows = await finds()
  expect(rows).toHaveLength(noted + 1)
  expect(rows.at(-1)).toMatchObject({
    user_id: staff.id,
    event: 'destroy',
    client_id: 0,
    item_id: expect.any(Number),
    ip_address: '127.0.0.1',
    object_changes: { filename: { from: 'rates.csv', to: null }, virus: { from: expect.stringContaining('Eicar'), to: null } },
  })
  expect(logged).toHaveBeenCalledOnce()
  expect(JSON.stringify(logged.mock.calls)).not.toContain('ANTIVIRUS')
  expect(JSON.stringify(body)).not.toContain('ANTIVIRUS')
}

async function takesWhatIsClean(at: TestApp, way: string): Promise<void> {
  expect([200, 204]).toContain((await (ways[way] ?? expect.fail(way))(at, clean)).status)
  // An import's file is removed once its rows are read; the next test counts files.
  await expect
    .poll(async () => (await sql`select 1 from files where key like 'imports/%' and state <> 'waiting'`.execute(db)).rows.length, {
      timeout: 20_000,
    })
    .toBe(0)
}

describe.each(wayNames)('a file that comes as %s', (way) => {
  const send = ways[way] ?? expect.fail(way)

  test('is refused at its field where it holds a virus: nothing is kept, the audit log says who sent it, and the log shows no content', async () => {
    await refusesTheVirus(first, way)
  })

  test('is taken where it is clean, after every byte was looked at', async () => {
    standIn.looked.length = 0
    await takesWhatIsClean(first, way)
    expect(standIn.looked).toEqual([clean.bytes.length])
  })

  test.each<ScannerMood>(['in trouble', 'breaks off', 'takes no more', 'babbles'])(
    'is not taken where the scanner %s: 503, to try again, and nothing that could be used is left',
    async (mood) => {
      const before = await usable()
      const logged = vi.spyOn(first.app.machinery.log, 'error').mockImplementation(() => undefined)
      standIn.mood = mood
      const { status, body } = await send(first, clean)
      expect({ status, message: body.message }).toEqual({
        status: 503,
        message: 'The file could not be checked for viruses. Please try again shortly.',
      })
      expect(await usable()).toEqual(before)
      expect(logged.mock.calls.map(([message]) => message)).toContain('an upload could not be scanned for viruses')
    },
  )
})

describe('an upload whose look has failed', () => {
  test('is looked at when a record takes it: refused while the scanner is down, taken once it is well, and never with a virus', async () => {
    vi.spyOn(first.app.machinery.log, 'error').mockImplementation(() => undefined)
    vi.spyOn(first.app.machinery.log, 'warn').mockImplementation(() => undefined)
    standIn.mood = 'in trouble'
    const [good, bad] = [await uploadDirectly(first, clean), await uploadDirectly(first, infected)]
    await expect(attach(first, good.signed_id)).rejects.toMatchObject({ code: 'unavailable' })
    standIn.mood = 'well'
    expect(await attach(first, good.signed_id)).toBe(good.id)
    const noted = (await finds()).length
    await expect(attach(first, bad.signed_id)).rejects.toMatchObject({
      code: 'invalid',
      fields: { logo: [expect.stringContaining('virus')] },
    })
    expect(await finds()).toHaveLength(noted + 1)
    await expect(attach(first, bad.signed_id)).rejects.toThrow('not finished')
  })
})

describe('the scanner', () => {
  const scannerAt = (address: string, patience = { connectMs: 3_000, idleMs: 30_000 }) =>
    createScanner(scannerAddressOf(address) ?? expect.fail(address), patience)

  test('that says nothing is not waited for longer than its time', async () => {
    standIn.mood = 'silent'
    await expect(scannerAt(standIn.address, { connectMs: 3_000, idleMs: 100 }).scan(Readable.from([clean.bytes]))).rejects.toThrow(
      'does not answer in time',
    )
  })

  test('that nobody has started is a failure, on a port and on a socket', async () => {
    for (const address of ['127.0.0.1:1', join(folder, 'nobody')])
      await expect(scannerAt(address).scan(Readable.from([clean.bytes]))).rejects.toThrow(/ECONNREFUSED|ENOENT/)
  })

  test('is reached on a socket too; a source that breaks is a failure, and no verdict', async () => {
    expect(await scannerAt(onSocket.address).scan(Readable.from([clean.bytes]))).toEqual({ clean: true })
    const cut = Readable.from(
      (function* parts() {
        yield clean.bytes
        throw new Error('the store broke')
      })(),
    )
    await expect(scannerAt(onSocket.address).scan(cut)).rejects.toThrow('the store broke')
    expect(onSocket.looked).toEqual([clean.bytes.length])
  })

  test('finds what is cut by the edge of two chunks, and gets the largest file in small pieces', async () => {
    const half = Math.floor(eicar.length / 2)
    const verdict = await scannerAt(standIn.address).scan(
      Readable.from([Buffer.from(eicar.slice(0, half)), Buffer.alloc(0), Buffer.from(eicar.slice(half))]),
    )
    expect(verdict).toEqual({ clean: false, found: 'Eicar-Test-Signature' })
    standIn.looked.length = 0
    standIn.longestChunk = 0
    const head = pdfOf('Large')
    const large = {
      filename: 'large.pdf',
      type: 'application/pdf',
      bytes: Buffer.concat([head, Buffer.alloc(uploadBytesMax - head.length, 32)]),
    }
    expect((await uploadDirectly(first, large)).outcome.status).toBe(204)
    expect(standIn.looked).toEqual([uploadBytesMax])
    expect(standIn.longestChunk).toBeLessThanOrEqual(1_048_576)
  })
})

test('without a scanner set, files are taken as they are', async () => {
  standIn.looked.length = 0
  expect((await sendForm(plain, `/clients/${clientId}/documents`, { 'document[title]': 'Rates', 'document[file]': infected })).status).toBe(
    200,
  )
  expect(standIn.looked).toEqual([])
})

// Without clamd, the head of this file reports the test as skipped.
if (real !== undefined)
  test('a real clamd finds the virus on every way in and takes what is clean', async () => {
    for (const way of wayNames) {
      await refusesTheVirus(real, way)
      vi.restoreAllMocks()
      await takesWhatIsClean(real, way)
    }
  }, 60_000)
