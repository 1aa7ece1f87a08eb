/** Malicious documents for the reader. The bytes are the same in each run. */
import { buffer } from 'node:stream/consumers'
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import PdfDocument from 'pdfkit'
import { billPdf, paperBill } from './scan-files.ts'

export interface Bomb {
  readonly name: string
  readonly filename: string
  readonly type: string
  readonly bytes: Buffer
  /** Expected outcome: the state, and the reason if there is one. A reason of the upload follows `422`. */
  readonly outcome: RegExp
}

const MIB = 1_048_576
const memory = 'This document needs too much memory to be read\\.'
const slow = 'took more than \\d+ seconds? of a processor'

export async function bombs(): Promise<Bomb[]> {
  const pdf = (name: string, bytes: Buffer, outcome: RegExp): Bomb => ({
    name,
    filename: `${name}.pdf`,
    type: 'application/pdf',
    bytes,
    outcome,
  })
  const png = (name: string, bytes: Buffer, outcome: RegExp): Bomb => ({ name, filename: `${name}.png`, type: 'image/png', bytes, outcome })
  const bill = await billPdf([paperBill])
  return [
    pdf('double Flate, 4 of 512 MB', doubleFlate(4, 512), new RegExp(`^failed: ${memory}$`)),
    pdf(
      'single Flate, 300 MB of text',
      onePage(stream('/Filter /FlateDecode', deflated(textBlock(), 300))),
      new RegExp(`^failed: ${memory}$`),
    ),
    pdf('60 MB of text, below the count', textPdf(), new RegExp(`^failed: (${memory}|.*${slow}.*)$`)),
    pdf('Flate behind ASCIIHex, 512 MB', hexFlate(512), new RegExp(`^(read|failed: (${memory}|.*${slow}.*))$`)),
    pdf('page of 14,400 by 1,000,000 points', hugePage(), new RegExp(`^(read|failed: (Page 1 is too long to be read\\.|.*${slow}.*))$`)),
    // A slow machine spends the limit on counting the pages.
    pdf(
      '100,000 pages',
      manyPages(100_000),
      new RegExp(`^failed: (The document has 100000 pages; at most 200 are read at once\\.|.*${slow}.*)$`),
    ),
    pdf(
      'Flate picture, 30,000 by 30,000',
      picturePage('/Filter /FlateDecode', deflated(Buffer.alloc(MIB), 858), 30_000),
      new RegExp(`^failed: ${memory}$`),
    ),
    pdf('JPEG, 30,000 by 30,000', picturePage('/Filter /DCTDecode', hugeJpeg(30_000), 30_000), new RegExp(`^failed: ${memory}$`)),
    pdf(
      'JPEG that says 100 by 100, and is 30,000',
      picturePage('/Filter /DCTDecode', hugeJpeg(30_000), 100),
      new RegExp(`^(read|failed: (${memory}|.*${slow}.*))$`),
    ),
    pdf('JBIG2, 30,000 by 30,000', picturePage('/Filter /JBIG2Decode', hugeJbig2(30_000), 30_000, 1), new RegExp(`^failed: ${memory}$`)),
    pdf(
      'JBIG2 that says 100 by 100, and is 30,000',
      picturePage('/Filter /JBIG2Decode', hugeJbig2(30_000), 100, 1),
      new RegExp(`^(read|failed: (${memory}|.*${slow}.*))$`),
    ),
    png(
      'PNG, 30,000 by 30,000',
      pngOf(30_000, 30_000, deflated(Buffer.alloc(MIB), 858), 8, 0),
      /^422 .*too many pixels: 30,000 by 30,000\./,
    ),
    png(
      'PNG, 7,000 by 8,500 of 8 bytes',
      pngOf(7_000, 8_500, deflated(Buffer.alloc(MIB), 455), 16, 6),
      new RegExp(`^(read|failed: (${memory}|.*${slow}.*))$`),
    ),
    png('PNG, 100 by 100 of 2 GB', pngOf(100, 100, deflated(Buffer.alloc(MIB), 2_048), 8, 0), /^(read|failed: .*)$/),
    pdf('cross references that lead nowhere', brokenReferences(bill), /^read$/),
    pdf('forms in forms, 10 to the 12th', nestedForms(12, 10), new RegExp(`^failed: .*(${slow}|${memory}).*$`)),
    pdf('form that draws itself', selfForm(), /^(read|failed: .*)$/),
    pdf('page tree that is its own kid', selfPages(), /^failed: .*$/),
    pdf('truncated', bill.subarray(0, Math.floor(bill.length / 2)), /^(read|failed: .*)$/),
    pdf('PNG that is named pdf', createCanvas(20, 20).toBuffer('image/png'), /^422 /),
    pdf('HTML that is named pdf', Buffer.from('<html><script>alert(1)</script></html>'), /^422 /),
    {
      name: 'TIFF',
      filename: 'Scan.tif',
      type: 'image/tiff',
      bytes: Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]),
      outcome: /^422 .*Scan\.tif cannot be taken here, only PDF, .* Please save it as PDF/,
    },
    pdf(
      'HTML behind the mark of a PDF',
      Buffer.from(`%PDF-1.7\n<html>${'<b>'.repeat(5_000)}</html>`),
      /^failed: The document could not be read: it is not a whole PDF\.$/,
    ),
    pdf('PDF with a password', await lockedPdf(), /^failed: The document is locked with a password\.$/),
  ]
}

/** A page of forms that draw forms: nothing visible, and practically endless. */
export const slowPdf = (): Buffer => nestedForms(12, 10)

/** A page with more words than fit into memory, with fewer bytes than are refused before opening. */
export const textPdf = (): Buffer => onePage(stream('/Filter /FlateDecode', deflated(textBlock(), 60)))

type PdfObject = string | { readonly dictionary: string; readonly data: Buffer }
const stream = (dictionary: string, data: Buffer): PdfObject => ({ dictionary, data })

/** The objects are numbered from 1; the first is the catalogue. */
function pdfOf(objects: readonly PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  const add = (part: Buffer): void => {
    parts.push(part)
    at += part.length
  }
  for (const [place, object] of objects.entries()) {
    places.push(at)
    if (typeof object === 'string') add(Buffer.from(`${place + 1} 0 obj\n${object}\nendobj\n`))
    else {
      add(Buffer.from(`${place + 1} 0 obj\n<< ${object.dictionary} /Length ${object.data.length} >>\nstream\n`))
      add(object.data)
      add(Buffer.from('\nendstream\nendobj\n'))
    }
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`))
  return Buffer.concat(parts)
}

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>'
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const pageOf = (resources: string, contents = '4 0 R', box = '0 0 612 792'): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources << ${resources} >> /Contents ${contents} >>`
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'

function onePage(content: PdfObject): Buffer {
  return pdfOf([catalogue, pages, pageOf('/Font << /F 5 0 R >>'), content, font])
}

function doubleFlate(streams: number, mib: number): Buffer {
  const data = deflateSync(deflated(Buffer.alloc(MIB, ' '), mib))
  const contents = Array.from({ length: streams }, () => stream('/Filter [/FlateDecode /FlateDecode]', data))
  return pdfOf([catalogue, pages, pageOf('', `[${contents.map((_, place) => `${place + 4} 0 R`).join(' ')}]`), ...contents])
}

function hexFlate(mib: number): Buffer {
  const hex = Buffer.from(`${deflated(Buffer.alloc(MIB, ' '), mib).toString('hex')}>`)
  return onePage(stream('/Filter [/ASCIIHexDecode /FlateDecode]', hex))
}

function textBlock(): Buffer {
  const line = 'BT /F 9 Tf 10 20 Td (Amount due of meter E-77120 is 12.34) Tj ET\n'
  return Buffer.from(line.repeat(Math.floor(MIB / line.length)))
}

function picturePage(filter: string, data: Buffer, side: number, bits = 8): Buffer {
  const picture = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent ${bits} ${filter}`
  return pdfOf([
    catalogue,
    pages,
    pageOf('/XObject << /P 5 0 R >>'),
    stream('', Buffer.from('612 0 0 792 0 0 cm /P Do')),
    stream(picture, data),
  ])
}

function hugePage(): Buffer {
  const picture = '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8'
  const page = pageOf('/XObject << /P 5 0 R >>', '4 0 R', '0 0 14400 1000000')
  return pdfOf([catalogue, pages, page, stream('', Buffer.from('100 0 0 100 0 0 cm /P Do')), stream(picture, Buffer.alloc(4))])
}

function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, place) => `${place + 3} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'
  return pdfOf([catalogue, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, ...Array.from({ length: count }, () => page)])
}

/** Each form draws the next `times` times, the last a word. */
function nestedForms(depth: number, times: number): Buffer {
  const form = (resources: string, content: string): PdfObject =>
    stream(`/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${resources} >>`, Buffer.from(content))
  const forms = Array.from({ length: depth }, (_, level) => form(`/XObject << /N ${level + 7} 0 R >>`, '/N Do '.repeat(times)))
  const last = form('/Font << /F 5 0 R >>', 'BT /F 9 Tf 10 20 Td (word) Tj ET')
  return pdfOf([catalogue, pages, pageOf('/XObject << /N 6 0 R >>'), stream('', Buffer.from('/N Do')), font, ...forms, last])
}

function selfForm(): Buffer {
  const form = stream(
    '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /N 5 0 R >> >>',
    Buffer.from('/N Do '.repeat(3)),
  )
  return pdfOf([catalogue, pages, pageOf('/XObject << /N 5 0 R >>'), stream('', Buffer.from('/N Do')), form])
}

function selfPages(): Buffer {
  return pdfOf([catalogue, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>'])
}

function brokenReferences(bill: Buffer): Buffer {
  const text = bill.toString('latin1')
  const broken = text.replace(/startxref\n\d+/, 'startxref\n99999999').replaceAll(/\n\d{10} 00000 n/g, '\n0000000007 00000 n')
  return Buffer.from(broken, 'latin1')
}

async function lockedPdf(): Promise<Buffer> {
  const document = new PdfDocument({ userPassword: 'secret', ownerPassword: 'other', pdfVersion: '1.7' })
  document.text('Amount Due 12.34')
  document.end()
  return buffer(document)
}

/** A small picture whose header claims a large size. */
function hugeJpeg(side: number): Buffer {
  const jpeg = createCanvas(16, 16).toBuffer('image/jpeg')
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && (jpeg[at + 1] === 0xc0 || jpeg[at + 1] === 0xc2))
  jpeg.writeUInt16BE(side, frame + 5)
  jpeg.writeUInt16BE(side, frame + 7)
  return jpeg
}

/** A page and one region of that size, with hardly any data. */
function hugeJbig2(side: number): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(11)
    head.writeUInt32BE(number, 0)
    head.writeUInt8(type, 4)
    head.writeUInt8(0, 5)
    head.writeUInt8(1, 6)
    head.writeUInt32BE(data.length, 7)
    return Buffer.concat([head, data])
  }
  const page = Buffer.alloc(19)
  page.writeUInt32BE(side, 0)
  page.writeUInt32BE(side, 4)
  const region = Buffer.alloc(26 + 64, 0x55)
  region.writeUInt32BE(side, 0)
  region.writeUInt32BE(side, 4)
  region.fill(0, 8, 18)
  region.set([3, 255, 253, 255, 2, 254, 254, 254], 18)
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)])
}

function pngOf(width: number, height: number, data: Buffer, bits: number, colour: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([bits, colour], 8)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Deflates the block repeated `times` times, without ever holding all of it. */
function deflated(block: Buffer, times: number): Buffer {
  const once = deflateRawSync(block, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.alloc(6)
  end.set([3, 0])
  end.writeUInt32BE(adlerOf(block, times), 2)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array.from({ length: times }, () => once), end])
}

const ADLER = 65_521

function adlerOf(block: Buffer, times: number): number {
  let sum = 0
  let weighted = 0
  for (const byte of block) {
    sum = (sum + byte) % ADLER
    weighted = (weighted + sum) % ADLER
  }
  let low = 1
  let high = 0
  for (let time = 0; time < times; time += 1) {
    high = (high + (block.length % ADLER) * low + weighted) % ADLER
    low = (low + sum) % ADLER
  }
  return high * 65_536 + low
}
