import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { createFileStore, disposition, generatedKey } from './files.ts'
import { openToken, signToken } from './signed-token.ts'
import { z } from 'zod'

const folder = await mkdtemp(join(tmpdir(), 'meterbook-files-'))
const secretKey = 'a key for tests'
const disk = createFileStore({ folder, secretKey })

/** Just enough of S3 to see what is asked of it; it proves nothing about signatures. */
const objects = new Map<string, { bytes: Buffer; type: string }>()
const s3Server = createServer((request, response) => {
  const key = new URL(request.url ?? '', 'http://s3').pathname
  void buffer(request).then((bytes) => {
    const found = objects.get(key)
    if (request.method === 'PUT') objects.set(key, { bytes, type: request.headers['content-type'] ?? '' })
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'PUT' && request.method !== 'DELETE' && !found)
      return response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>')
    return response
      .writeHead(200, found && request.method !== 'PUT' ? { 'content-length': found.bytes.length } : {})
      .end(request.method === 'GET' ? found?.bytes : undefined)
  })
})
const endpoint = await new Promise<string>((resolve) => {
  s3Server.listen(0, '127.0.0.1', () => {
    const address = s3Server.address()
    resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
  })
})
const s3 = createFileStore({
  folder,
  secretKey,
  s3: { bucket: 'bills', accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1', endpoint, forcePathStyle: true },
})
afterAll(async () => {
  s3Server.closeAllConnections()
  s3Server.close()
  await rm(folder, { recursive: true, force: true })
})

const bytes = Buffer.from('x'.repeat(100_000))
const sha256 = createHash('sha256').update(bytes).digest()

describe.each([
  ['disk', disk],
  ['S3', s3],
] as const)('files on %s', (_where, files) => {
  test('are put from a stream of unknown length, measured on the way, read and removed', async () => {
    const key = generatedKey('exports')
    expect(await files.put(key, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), 'text/csv')).toEqual({
      bytes: bytes.length,
      sha256,
    })
    expect((await buffer(await files.read(key))).equals(bytes)).toBe(true)
    await files.remove(key)
    await expect(files.read(key)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a stream that breaks leaves nothing, and its own error comes back', async () => {
    const key = generatedKey('exports')
    const broken = Readable.from(
      (async function* () {
        yield bytes
        throw new Error('the disk of the sender broke')
      })(),
    )
    await expect(files.put(key, broken, 'text/csv')).rejects.toThrow('the disk of the sender broke')
    await expect(files.read(key)).rejects.toMatchObject({ code: 'not_found' })
    expect((await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual([])
  })
})

test('files on disk are listed by their keys and times, those of others are not', async () => {
  const keys = [generatedKey('uploads'), generatedKey('uploads'), generatedKey('scans')].toSorted()
  for (const key of [...keys, 'backups/somebody']) await disk.put(key, bytes, 'text/csv')
  const found = []
  for await (const { key, changedAt } of disk.list()) {
    found.push(key)
    expect(changedAt).toEqual(await disk.changedAt(key))
  }
  expect(found.toSorted()).toEqual(keys)
  expect(await disk.changedAt(generatedKey('uploads'))).toBeNull()
  for (const key of [...keys, 'backups/somebody']) await disk.remove(key)
})

test('what a killed process left half written is removed by its age, and the files beside it stay', async () => {
  const key = generatedKey('uploads')
  await disk.put(key, bytes, 'text/csv')
  const half = join(folder, `${key}.part-0a1b2c3d-0000-4000-8000-0123456789ab`)
  await writeFile(half, 'half')
  const listed = []
  for await (const file of disk.list()) listed.push(file.key)
  expect(listed).toEqual([key])
  expect(await disk.removeHalfWritten(new Date(Date.now() - 60_000))).toBe(0)
  await utimes(half, new Date(0), new Date(0))
  await utimes(join(folder, key), new Date(0), new Date(0))
  expect(await disk.removeHalfWritten(new Date(Date.now() - 60_000))).toBe(1)
  expect((await buffer(await disk.read(key))).equals(bytes)).toBe(true)
  await disk.remove(key)
})

test('with S3 a browser puts and reads by presigned addresses that end after five minutes and name type and checksum', async () => {
  const upload = await s3.uploadUrl({
    key: 'uploads/ab/x',
    contentType: 'application/pdf',
    byteSize: 4,
    checksum: 'AAAAAAAAAAAAAAAAAAAAAA==',
  })
  const address = new URL(upload.url)
  expect(address.pathname).toBe('/bills/uploads/ab/x')
  expect(address.searchParams.get('X-Amz-Expires')).toBe('300')
  expect(upload.headers).toEqual({ 'content-type': 'application/pdf', 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' })
  const download = new URL(await s3.downloadUrl({ key: 'uploads/ab/x', filename: 'a.pdf', contentType: 'application/pdf' }))
  expect(download.searchParams.get('response-content-disposition')).toMatch(/^attachment/)
  expect(download.searchParams.get('X-Amz-Expires')).toBe('300')
})

test('a name in a header can neither end it nor hide its ending', () => {
  expect(disposition('a"b\r\n\\.pdf', false)).toBe(`attachment; filename="a_b___.pdf"; filename*=UTF-8''a%22b%0D%0A%5C.pdf`)
  expect(disposition('Größe.pdf', true)).toBe(`inline; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`)
})

test('a token proves one purpose, by one key, and nothing that was changed', () => {
  const payload = z.object({ id: z.int() })
  const token = signToken(secretKey, 'upload', { id: 5 }, 60)
  expect(openToken(secretKey, 'upload', token, payload)).toEqual({ id: 5 })
  expect(openToken(secretKey, 'download', token, payload)).toBeNull()
  expect(openToken('another key', 'upload', token, payload)).toBeNull()
  expect(openToken(secretKey, 'upload', signToken(secretKey, 'upload', { id: 5 }, 0), payload)).toBeNull()
  expect(openToken(secretKey, 'upload', signToken(secretKey, 'upload', { id: 'five' }, 60), payload)).toBeNull()
  for (const wrong of ['', '.', 'a.b', `${token}.x`, `x${token}`, token.slice(0, -2), token.replace('.', '')])
    expect(openToken(secretKey, 'upload', wrong, payload)).toBeNull()
})
