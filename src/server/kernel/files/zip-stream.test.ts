/** Tests ZIP files with the system's own readers. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { inflateRawSync, crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { zipBytes, type ZipEntry } from './zip-stream.ts'

const plain = (name: string, content: Uint8Array | Readable): ZipEntry => ({ name, date: '2026-02-28', content })

async function zipped(entries: readonly ZipEntry[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of zipBytes(Readable.from(entries))) parts.push(part)
  return Buffer.concat(parts)
}

/** Reads by the central directory, as ZIP readers do, and checks it against the bytes. */
function read(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const found = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    const length = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + length)
    const start = zip.readUInt32LE(at + 42)
    expect(zip.readUInt32LE(start)).toBe(0x04034b50)
    const from = start + 30 + zip.readUInt16LE(start + 26)
    const content = inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(at + 20)))
    expect([content.length, crc32(content)]).toEqual([zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 16)])
    expect(zip.readUInt32LE(at + 12) >>> 16).toBe(((2026 - 1980) << 9) | (2 << 5) | 28)
    found.set(name, content)
    at += 46 + length
  }
  expect(at).toBe(end)
  return found
}

it('holds each file as it was, whatever its name, its size and how it comes', async () => {
  const noise = randomBytes(300_000)
  const files = new Map([
    ['empty.pdf', Buffer.alloc(0)],
    ['City-Power_1_2026-01-05.pdf', Buffer.from('%PDF-1.4 '.repeat(40_000))],
    ['Énergie-Übersicht_電力.pdf', noise],
  ])
  const zip = await zipped(
    [...files].map(([name, content], at) => plain(name, at === 1 ? Readable.from([content.subarray(0, 7), content.subarray(7)]) : content)),
  )
  expect(read(zip)).toEqual(files)
})

it('is read by unzip and by the zipfile module of Python, where there are some', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'meterbook-zip-'))
  try {
    const path = join(folder, 'bundle.zip')
    writeFileSync(path, await zipped([plain('a.pdf', Buffer.from('one')), plain('Ü.pdf', Buffer.alloc(100_000, 'x'))]))
    const script = `import zipfile,sys
z=zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(*[f"{i.filename}:{i.file_size}" for i in z.infolist()])`
    const readers = [
      { name: 'unzip', run: () => execFileSync('unzip', ['-t', path], { encoding: 'utf8' }), says: 'No errors detected' },
      {
        name: 'python3',
        run: () => execFileSync('python3', ['-c', script, path], { encoding: 'utf8', env: { ...process.env, PYTHONIOENCODING: 'utf8' } }),
        says: 'a.pdf:3 Ü.pdf:100000',
      },
    ]
    const answers = readers.map(({ run, says }) => {
      try {
        return { says, said: run() }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    })
    if (answers.every((answer) => answer === null)) return context.skip('neither unzip nor Python is installed')
    for (const answer of answers) if (answer) expect(answer.said).toContain(answer.says)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('ends with the failure of a file that cannot be read to its end', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('the disk is gone')
    })(),
  )
  await expect(zipped([plain('a.pdf', Buffer.from('one')), plain('b.pdf', broken)])).rejects.toThrow('the disk is gone')
})

it('keeps a few blocks of its files in memory, not all of them', { timeout: 60_000 }, () => {
  const program = fileURLToPath(import.meta.resolve('../../../../test/support/zip-memory-process.ts'))
  const printed: unknown = JSON.parse(execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' }))
  const { bytes, most } = z.object({ bytes: z.number(), most: z.number() }).parse(printed)
  expect(bytes).toBeGreaterThan(100_000_000)
  expect(most).toBeLessThan(20_000_000)
})
