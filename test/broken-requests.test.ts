/** A caller hangs up in the middle of a body: nothing of it is kept, and no server error is reported. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../src/server/kernel/log.ts'
import { makePerson, startTestApp } from './support/app.ts'
import { makeClient } from './support/estate.ts'

const lines: string[] = []
const { ask, database, dataFolder, listen } = await startTestApp(
  {},
  undefined,
  createLog({ level: 'error', write: (line) => lines.push(line) }),
)
const url = await listen()
/** More than the store writes at once, so that a part of it is on the disk. */
const SENT_BYTES = 2_000_000

async function stored(): Promise<string[]> {
  const entries = await readdir(join(dataFolder, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

interface Sending {
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
  /** Beginning of the body. */
  readonly begin: string
}

/** Sends half of a body, waits until the store has begun to write it, and hangs up. */
async function hangUp({ line, headers, begin }: Sending): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = [
    line,
    'host: test',
    `content-length: ${2 * SENT_BYTES}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${begin}${'x'.repeat(SENT_BYTES)}`)
  await expect.poll(stored).toHaveLength(1)
  socket.resetAndDestroy()
  await expect.poll(stored).toEqual([])
  // The work after the removal of the file is over before the next request is answered.
  expect((await fetch(`${url}/livez`)).status).toBe(200)
}

test('an upload whose sender hangs up leaves no file and no line in the log', async () => {
  const person = await makePerson(database.db, 'super_admin')
  const clientId = await makeClient(database.db)
  await hangUp({
    line: `POST /api/v5/clients/${clientId}/documents HTTP/1.1`,
    headers: { 'content-type': 'multipart/form-data; boundary=x', ...person.headers },
    begin:
      '--x\r\ncontent-disposition: form-data; name="document[file]"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\n',
  })
  expect(lines).toEqual([])
})

test('the bytes of an announced upload whose sender hangs up leave no file and no line in the log', async () => {
  const person = await makePerson(database.db, 'super_admin')
  const asked = await ask(person, 'GET', '/direct_upload_url')
  const blob = {
    filename: 'a.pdf',
    content_type: 'application/pdf',
    byte_size: 2 * SENT_BYTES,
    checksum: createHash('md5').digest('base64'),
  }
  const announced = await fetch(new URL(String(asked.body['direct_upload_url']), url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blob }),
  })
  const { direct_upload: target } = z
    .object({ direct_upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }) })
    .parse(await announced.json())
  await hangUp({ line: `PUT ${new URL(target.url, url).pathname} HTTP/1.1`, headers: target.headers, begin: '%PDF-1.7\n' })
  expect(lines).toEqual([])
})

/** Sends bytes as they are and returns all that comes back until the server closes. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (part) => (heard += String(part)))
  socket.on('error', reject)
  socket.on('close', () => resolve(heard))
  socket.write(text)
  return promise
}

test.each([
  ['both lengths', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'content-length: 4\r\ncontent-length: 5\r\n\r\nabcde'],
  ['a length that is no number', 'content-length: +5\r\n\r\nabcde'],
  ['a coding that is not known', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'content-length : 5\r\n\r\nabcde'],
  ['a chunk without a size', 'transfer-encoding: chunked\r\n\r\nzz\r\n\r\n'],
])('a request whose end could be read in two ways is refused and its connection closed: %s', async (_, rest) => {
  const second = 'GET /livez HTTP/1.1\r\nhost: test\r\n\r\n'
  const answer = await raw(`POST /api/v5/auth/sign_in HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n${rest}${second}`)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
})
