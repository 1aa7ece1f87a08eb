/** Forms with a file as a browser sends them, and the files that go into them. */
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

export interface TestFile {
  readonly filename: string
  readonly type: string
  readonly bytes: Buffer
}

/** Several values of the same name are given as a list. */
export type FormValues = Readonly<Record<string, string | TestFile | readonly (string | TestFile)[]>>

/** A multipart body with its header. */
export function formOf(values: FormValues): {
  payload: Buffer
  headers: Record<string, string>
} {
  const boundary = `----test${randomBytes(8).toString('hex')}`
  const parts = Object.entries(values).flatMap(([name, value]) =>
    (isList(value) ? value : [value]).map((one) => partOf(boundary, name, one)),
  )
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

function isList(value: string | TestFile | readonly (string | TestFile)[]): value is readonly (string | TestFile)[] {
  return Array.isArray(value)
}

function partOf(boundary: string, name: string, value: string | TestFile): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  if (typeof value === 'string') return Buffer.from(`${head}\r\n\r\n${value}\r\n`)
  const file = `; filename="${value.filename.replaceAll('"', '%22')}"\r\ncontent-type: ${value.type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head + file), value.bytes, Buffer.from('\r\n')])
}

/** A minimal PDF of one page with these words, which readers open without repairing it. */
export function pdfOf(words: string): Buffer {
  const content = `BT /F1 24 Tf 72 700 Td (${words.replace(/[()\\]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A zip archive with these empty contents, each with a declared unpacked size. */
export function zipOf(contents: Readonly<Record<string, number>>): Buffer {
  const local: Buffer[] = []
  const list: Buffer[] = []
  let place = 0
  for (const [name, unpacked] of Object.entries(contents)) {
    const head = Buffer.alloc(30 + name.length)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt32LE(unpacked, 22)
    head.writeUInt16LE(name.length, 26)
    head.write(name, 30, 'latin1')
    const entry = Buffer.alloc(46 + name.length)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt32LE(unpacked, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(place, 42)
    entry.write(name, 46, 'latin1')
    local.push(head)
    list.push(entry)
    place += head.length
  }
  const entries = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(list.length, 8)
  end.writeUInt16LE(list.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(place, 16)
  return Buffer.concat([...local, entries, end])
}

export const workbook = zipOf({ '[Content_Types].xml': 10, 'xl/workbook.xml': 10, 'xl/worksheets/sheet1.xml': 100 })
export const letter = zipOf({ '[Content_Types].xml': 10, 'word/document.xml': 100 })

/** The header of a PNG of this size: enough for code that reads only the header. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from('IHDR'),
    Buffer.alloc(13),
  ])
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

/** A complete picture in one colour. */
export function pngOf(width: number, height: number): Buffer {
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x5b)])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, bytes: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), bytes])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
