/**
 * Zips 100 files of 1 MB in a process of its own, whose memory nobody else uses, and prints the bytes of the archive and the most bytes of
 * buffers that were in use at once: `node --expose-gc zip-memory-process.ts`.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { zipBytes, type ZipEntry } from '../../src/server/kernel/files/zip-stream.ts'

const megabyte = randomBytes(1_000_000)

function* entries(): Generator<ZipEntry> {
  for (let at = 0; at < 100; at += 1) yield { name: `${at}.pdf`, date: '2026-02-28', content: Readable.from([megabyte]) }
}

function heldBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().arrayBuffers
}

const before = heldBytes()
let bytes = 0
let most = 0
for await (const part of zipBytes(Readable.from(entries()))) {
  const tens = Math.floor(bytes / 10_000_000)
  bytes += part.length
  if (Math.floor(bytes / 10_000_000) > tens) most = Math.max(most, heldBytes() - before)
}
process.stdout.write(JSON.stringify({ bytes, most }))
