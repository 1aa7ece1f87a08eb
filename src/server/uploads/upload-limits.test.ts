/**
 * Tests what a hostile or unlucky sender can do with a file, over a real socket where that matters: nothing is left behind, memory stays flat.
 */
import { existsSync, readdirSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { createServer, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { uploadBytesMax, uploadKindNames, uploadKinds, type UploadKind } from '#contract/uploads/upload-kinds.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { formOf, letter, pdfOf, pngOf, workbook, zipOf } from '../../../test/support/forms.ts'
import { cutSlowBody } from '../kernel/http/multipart.ts'

const run = promisify(execFile)
const started = await startTestApp()
const { app, database, ask, dataFolder } = started
const { db } = database
let staff: Person
let path: string
let address: string

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  path = `/api/v5/clients/${await makeClient(db)}/documents`
  address = await started.listen()
})
afterEach(() => vi.restoreAllMocks())

const samples: Record<UploadKind, Buffer> = {
  pdf: pdfOf('A page'),
  png: pngOf(4, 4),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xd9]),
  webp: Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'latin1'),
  gif: Buffer.from('GIF89a\u000a\u0000\u000a\u0000;', 'latin1'),
  tiff: Buffer.from([0x49, 0x49, 0x2a, 0x00, 8, 0, 0, 0]),
  text: Buffer.from('a,b\r\n1,2\r\n'),
  xlsx: workbook,
  docx: letter,
}

const send = (filename: string, type: string, bytes: Buffer) => {
  const form = formOf({ 'document[title]': 'Any', 'document[file]': { filename, type, bytes } })
  return app.server.inject({ method: 'POST', url: path, headers: { ...staff.headers, ...form.headers }, payload: form.payload })
}
const office = (type: string): string => `application/vnd.openxmlformats-officedocument.${type}`
const filesOnDisk = (): string[] => {
  const folder = join(dataFolder, 'files')
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
    : []
}
const left = async () => {
  const { rows } = await sql<{ files: number; documents: number }>`select (select count(*) from files) as files,
    (select count(*) from documents) as documents`.execute(db)
  return { ...rows[0], disk: filesOnDisk().length }
}

describe('the file of a form', () => {
  test('is what its name says: each of more than 100 mismatched pairs is refused, and nothing stays', async () => {
    const before = await left()
    let pairs = 0
    for (const named of uploadKindNames)
      for (const ending of uploadKinds[named].endings)
        for (const real of uploadKindNames.filter((kind) => kind !== named)) {
          const answer = await send(`file.${ending}`, uploadKinds[named].types[0], samples[real])
          expect(answer.statusCode, `${real} as .${ending}`).toBe(422)
          pairs++
        }
    expect(pairs).toBeGreaterThan(100)
    expect(await left()).toEqual(before)
  }, 60_000)

  test.each(uploadKindNames)('of the kind %s is taken under each of its endings, also where the browser knows no type', async (kind) => {
    for (const ending of uploadKinds[kind].endings)
      for (const type of [uploadKinds[kind].types[0], 'application/octet-stream'])
        expect((await send(`file.${ending}`, type, samples[kind])).statusCode, ending).toBe(200)
  })

  test.each([
    ['logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['page.html', 'text/html', '<script>alert(1)</script>'],
    ['data.xml', 'application/xml', '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><lolz>&lol2;</lolz>'],
    ['data.csv', 'text/csv', '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><lolz>&lol;</lolz>'],
    ['page.csv', 'text/csv', '  <html><script>alert(1)</script>'],
    ['both.pdf', 'application/pdf', `<html>%PDF-1.4 ${' '.repeat(100)}`],
    ['script.pdf', 'application/pdf', '%PDF-1.4\n1 0 obj << /S /JavaScript /JS (app.alert\\(1\\)) >>'],
    ['tool.exe', 'application/octet-stream', 'MZ'],
    ['noending', 'application/pdf', '%PDF-1.4'],
    ['bill.pdf.html', 'text/html', '%PDF-1.4'],
  ])('%s (%s) is refused: what a browser or a reader would run is not on the list', async (filename, type, text) => {
    const before = await left()
    expect((await send(filename, type, Buffer.from(text))).statusCode).toBe(422)
    expect(await left()).toEqual(before)
  })

  test('that unpacks to gigabytes, as a picture, a workbook or a letter, is refused by its head or its list, at once and in flat memory', async () => {
    const before = await left()
    const memory = process.memoryUsage().rss
    const since = performance.now()
    const side = pngOf(1, 1)
    side.writeUInt32BE(1_000_000, 16)
    side.writeUInt32BE(1_000_000, 20)
    expect((await send('pixels.png', 'image/png', side)).statusCode).toBe(422)
    for (const [name, type, bytes] of [
      ['sheet.xlsx', 'spreadsheetml.sheet', zipOf({ '[Content_Types].xml': 9, 'xl/workbook.xml': 9, 'xl/sheet.xml': 4_200_000_000 })],
      ['letter.docx', 'wordprocessingml.document', zipOf({ '[Content_Types].xml': 9, 'word/document.xml': 500_000_000 })],
    ] as const) {
      const { statusCode, body } = await send(name, office(type), bytes)
      expect([name, statusCode, body]).toEqual([name, 422, expect.stringContaining('would unpack to far too much')])
    }
    expect(performance.now() - since).toBeLessThan(20_000)
    expect(process.memoryUsage().rss - memory).toBeLessThan(50 * 1_048_576)
    expect(await left()).toEqual(before)
  })

  test('with more files inside than an office file has is refused by its list, however small they are', async () => {
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`xl/sheet${at}.xml`, 1]))
    const bytes = (count: number) => zipOf({ '[Content_Types].xml': 10, ...files(count), 'xl/workbook.xml': 10 })
    const many = await send('many.xlsx', office('spreadsheetml.sheet'), bytes(20_000))
    expect([many.statusCode, many.body]).toEqual([422, expect.stringContaining('far too many files')])
    const some = await send('some.xlsx', office('spreadsheetml.sheet'), bytes(200))
    expect([some.statusCode, some.body]).toEqual([200, expect.anything()])
  })

  test.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\temp\\bill.pdf', 'bill.pdf'],
    ['nul\u0000l.pdf', 'null.pdf'],
    ['evil\u202efdp.exe.pdf', 'evilfdp.exe.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ['März, 1 €.pdf', 'März, 1 €.pdf'],
  ])('with the name %j is stored under a key of ours and shown as %j', async (given, shown) => {
    const answer = await send(given, 'application/pdf', samples.pdf)
    expect(answer.json()).toMatchObject({ document: { filename: shown } })
    const { rows } = await sql<{ key: string }>`select key from files order by id desc limit 1`.execute(db)
    expect(rows[0]?.key).toMatch(/^uploads\/[0-9a-f]{2}\/[0-9a-f-]{36}$/)
  })
})

describe('a body over a socket', () => {
  /** Writes a form of this many bytes from another process, until it is stopped. */
  const pour = async (bytes: number, headers: Record<string, string> = {}): Promise<{ status: number | null }> => {
    const script = join(import.meta.dirname, '../../../test/support/pour-form-process.ts')
    const all = JSON.stringify({ ...staff.headers, ...headers })
    const { stdout } = await run(process.execPath, [script, `${address}${path}`, all, String(bytes)])
    return z.object({ status: z.number().nullable() }).parse(JSON.parse(stdout))
  }

  /** Returns the bytes that the server read from the next connection; bytes in socket buffers were never read. */
  const bytesRead = (): (() => number) => {
    let socket: Socket | undefined
    app.server.server.once('connection', (one: Socket) => (socket = one))
    return () => socket?.bytesRead ?? 0
  }

  test('of 2 GB is refused soon after the limit: the rest is not read, memory stays flat, and nothing stays on disk', async () => {
    // A first file of the full size is accepted, so that buffers and code are loaded.
    expect((await send('full.csv', 'text/csv', Buffer.alloc(uploadBytesMax, 'a,b\n'))).statusCode).toBe(200)
    const before = await left()
    const memory = process.memoryUsage().rss
    let highest = memory
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50)
    const read = bytesRead()
    const { status } = await pour(2_000_000_000)
    clearInterval(watch)
    // Either the response arrived, or the connection ended before it was read.
    expect([413, null]).toContain(status)
    expect(read()).toBeGreaterThan(uploadBytesMax)
    expect(read()).toBeLessThan(uploadBytesMax + 2_000_000)
    expect(highest - memory).toBeLessThan(50 * 1_048_576)
    await expect.poll(left, { timeout: 5_000 }).toEqual(before)
  }, 60_000)

  test('that says beforehand that it is too large is refused before any of it is read', async () => {
    const before = await left()
    const read = bytesRead()
    const { status } = await pour(2_000_000_000, { 'content-length': '2000000000' })
    expect([413, null]).toContain(status)
    // The amount in the socket buffers of a busy machine by then: a hundredth of what was announced.
    expect(read()).toBeLessThan(20_000_000)
    expect(await left()).toEqual(before)
  }, 30_000)

  test('that is cut off in the middle leaves no file, no row and no document', async () => {
    const before = await left()
    const request = httpRequest(`${address}${path}`, {
      method: 'POST',
      headers: { ...staff.headers, 'content-type': 'multipart/form-data; boundary=x' },
    })
    request.on('error', () => undefined)
    request.write(
      '--x\r\ncontent-disposition: form-data; name="document[file]"; filename="cut.csv"\r\ncontent-type: text/csv\r\n\r\na,b\r\n'.padEnd(
        200_000,
        'x',
      ),
    )
    await expect.poll(async () => (await left()).files, { timeout: 10_000 }).toBe((before.files ?? 0) + 1)
    request.destroy()
    await expect.poll(left, { timeout: 10_000 }).toEqual(before)
  })

  test('that trickles is cut after its window, and one that flows is not', async () => {
    const pace = { windowMs: 200, bytesMin: 1_000 }
    const trickling = await slowly(1, pace)
    expect(trickling.cut).toBe(true)
    const flowing = await slowly(5_000, pace)
    expect(flowing.cut).toBe(false)
  })

  /** Sends a body of this many bytes every 20 ms for a second, under this pace limit. */
  async function slowly(bytes: number, pace: { windowMs: number; bytesMin: number }): Promise<{ cut: boolean }> {
    let cut = false
    const server = createServer((raw, response) => {
      const stop = cutSlowBody({ raw }, pace)
      raw.on('data', () => undefined)
      raw.on('error', () => (cut = true))
      raw.on('end', () => response.end())
      raw.on('close', stop)
    })
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const at = server.address()
        resolve(typeof at === 'object' && at ? at.port : 0)
      })
    })
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' })
    const over = new Promise<void>((resolve) => void request.on('error', () => resolve()).on('response', () => resolve()))
    for (let times = 0; times < 50 && !cut; times++) {
      request.write(Buffer.alloc(bytes))
      await sleep(20)
    }
    request.end()
    await over
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
    return { cut }
  }
})

describe('a store that fails', () => {
  test('is 503 with a clear word, and leaves no row and no document', async () => {
    const before = await left()
    vi.spyOn(app.machinery.files, 'put').mockRejectedValue(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    vi.spyOn(app.machinery.log, 'error').mockImplementation(() => undefined)
    const answer = await send('file.pdf', 'application/pdf', samples.pdf)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ message: 'The file could not be stored. Please try again shortly.' })
    expect(answer.headers['retry-after']).toBeDefined()
    vi.restoreAllMocks()
    expect(await left()).toEqual(before)
    expect((await ask(staff, 'GET', path.replace('/api/v5', ''))).status).toBe(200)
  })
})
