/**
 * Writes a ZIP file as a stream: each file is read, compressed and released, whatever the number of files. Sizes and checksums follow the data,
 * so nothing must be known in advance. It uses the plain format, whose limits the caller keeps.
 */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** File name inside the ZIP file. */
  readonly name: string
  /** Date of the file. */
  readonly date: string
  readonly content: Readable | Uint8Array
}

interface Written {
  readonly name: Buffer
  readonly date: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const localSignature = 0x04034b50
const sizesSignature = 0x08074b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const version = 20
/** Flags: sizes follow the data, and names are UTF-8. */
const flags = 0x0808
const deflated = 8
/** Compression level. Copies are mostly pictures and PDF files, which are compressed already: a higher level gains nothing. */
const level = 1

/** Yields the bytes of the ZIP file in order. An entry's content is opened when its turn comes, if `entries` is lazy. */
export async function* zipBytes(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, date, content } of entries) {
    const head = { name: Buffer.from(name, 'utf8'), date: dosDate(date), offset }
    const local = localHeader(head)
    yield local
    const sums = { crc: 0, packed: 0, size: 0 }
    for await (const chunk of packedBytes(content, sums)) yield chunk
    const sizes = sizesAfter(sums)
    yield sizes
    offset += local.length + sums.packed + sizes.length
    written.push({ ...head, ...sums })
  }
  const central = written.map(centralHeader)
  yield* central
  yield endOf(
    written.length,
    central.reduce((sum, part) => sum + part.length, 0),
    offset,
  )
}

interface Sums {
  crc: number
  packed: number
  size: number
}

async function* packedBytes(content: Readable | Uint8Array, sums: Sums): AsyncGenerator<Buffer> {
  const pack = createDeflateRaw({ level })
  const through = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      sums.crc = crc32(chunk, sums.crc)
      sums.size += chunk.length
      yield chunk
    }
  }
  const done = pipeline(content instanceof Readable ? content : Readable.from([Buffer.from(content)]), through, pack)
  // Handled here as well, because the loop below ends with the same error.
  done.catch(() => undefined)
  try {
    for await (const chunk of pack) {
      if (!Buffer.isBuffer(chunk)) continue
      sums.packed += chunk.length
      yield chunk
    }
    await done
  } finally {
    if (!pack.destroyed) {
      pack.destroy()
      await once(pack, 'close')
    }
  }
}

type Head = Pick<Written, 'name' | 'date' | 'offset'>

function localHeader({ name, date }: Head): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(localSignature, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflated, 8)
  head.writeUInt32LE(date, 10)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function sizesAfter({ crc, packed, size }: Sums): Buffer {
  const after = Buffer.alloc(16)
  after.writeUInt32LE(sizesSignature, 0)
  after.writeUInt32LE(crc, 4)
  after.writeUInt32LE(packed, 8)
  after.writeUInt32LE(size, 12)
  return after
}

function centralHeader({ name, date, crc, packed, size, offset }: Written): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(centralSignature, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(deflated, 10)
  head.writeUInt32LE(date, 12)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt32LE(offset, 42)
  return Buffer.concat([head, name])
}

function endOf(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/** Midnight of the day as an MS-DOS date, with the time in the lower half; years before 1980 become 1980. */
function dosDate(date: string): number {
  const [year = 1980, month = 1, day = 1] = date.split('-').map(Number)
  return (((Math.max(year, 1980) - 1980) << 25) | (month << 21) | (day << 16)) >>> 0
}
