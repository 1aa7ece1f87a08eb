import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { startBucket } from '../../../../test/support/bucket.ts'
import { createFileStore, disposition, generatedKey } from './files.ts'
import { purposes } from './disk-store.ts'
import { openToken, signToken } from '../http/signed-token.ts'
import { z } from 'zod'
import { taskFileKey } from '../work/task-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'meterbook-files-'))
const secretKey = 'a key for tests'
const disk = createFileStore({ folder, secretKey })

const bucket = await startBucket()
const s3 = createFileStore({ folder, secretKey, s3: bucket.settings })
afterAll(() => rm(folder, { recursive: true, force: true }))

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
  const keys = [
    generatedKey('uploads'),
    generatedKey('uploads'),
    generatedKey('scans'),
    taskFileKey('retrieval-imports', 101),
    taskFileKey('accounting_batches', 102),
  ].toSorted()
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

test('files in a bucket are listed by their keys and times, page by page, and those of others are not', async () => {
  const old = new Date('2026-01-02T03:04:05.000Z')
  const keys = Array.from({ length: 2_500 }, () => generatedKey('exports'))
  for (const key of [...keys, generatedKey('scans'), 'exports-of-others/a', 'backups/a']) bucket.place(key, old)
  bucket.asked.length = 0
  const found = new Map<string, Date>()
  for await (const { key, changedAt } of s3.list()) found.set(key, changedAt)
  expect([...found.keys()].filter((key) => key.startsWith('exports')).toSorted()).toEqual(keys.toSorted())
  expect([...found.keys()].filter((key) => !key.startsWith('exports/'))).toHaveLength(1)
  expect(new Set([...found.values()].map((date) => date.toISOString()))).toEqual(new Set([old.toISOString()]))
  // Three pages of exports and one page for each other purpose; no request for a single object.
  expect(bucket.asked).toHaveLength(3 + purposes.length - 1)
  bucket.clear()
})

test('a bucket is read no further than its list is', async () => {
  for (let at = 0; at < 3_500; at += 1) bucket.place(generatedKey('uploads'), new Date())
  bucket.asked.length = 0
  let seen = 0
  for await (const file of s3.list()) {
    expect(file.key).toMatch(/^uploads/)
    if (++seen === 1_500) break
  }
  expect(bucket.asked).toHaveLength(2)
  bucket.clear()
})

test('a bucket that is away is said to be away, whatever is asked of it, also in the middle of a file', async () => {
  const key = generatedKey('uploads')
  const away = { code: 'unavailable', message: 'The store of the files cannot be reached. Please try again shortly.' }
  await s3.put(key, bytes, 'text/csv')
  bucket.cutAfter(1_000)
  await expect(s3.read(key).then(buffer)).rejects.toMatchObject(away)
  const gone = await startBucket()
  const store = createFileStore({ folder, secretKey, s3: gone.settings })
  await gone.stop()
  await expect(store.put(key, bytes, 'text/csv')).rejects.toMatchObject(away)
  await expect(store.read(key)).rejects.toMatchObject(away)
  await expect(store.remove(key)).rejects.toMatchObject(away)
  await expect(store.changedAt(key)).rejects.toMatchObject(away)
  await expect(store.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(away)
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

test('with S3 a browser puts by a presigned address of five minutes that names type and checksum, and reads by one of half a minute', async () => {
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
  const download = new URL((await s3.directUrl({ key: 'uploads/ab/x', filename: 'a.pdf', contentType: 'application/pdf' })) ?? '')
  expect(download.searchParams.get('response-content-disposition')).toMatch(/^attachment/)
  expect(download.searchParams.get('X-Amz-Expires')).toBe('30')
})

test('the origin of the store is that of its signed addresses, whether the bucket stands in the path or in the host', async () => {
  expect(await s3.origin()).toBe(new URL(bucket.settings.endpoint ?? '').origin)
  const inHost = createFileStore({
    folder,
    secretKey,
    s3: { ...bucket.settings, endpoint: 'https://store.example.com', forcePathStyle: false },
  })
  expect(await inHost.origin()).toBe('https://bills.store.example.com')
  expect(await createFileStore({ folder, secretKey }).origin()).toBeNull()
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
