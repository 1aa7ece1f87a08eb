/** Small real files for the demo data: a page of text, a chart, a table. The same input gives the same bytes. */
import { crc32, deflateSync } from 'node:zlib'

/** Draws a PDF of one page: a heading with lines of text below. */
export function drawPage(heading: string, lines: readonly string[]): Buffer {
  const rows = lines.map((line) => `(${pdfText(line)}) Tj T*`).join('\n')
  const content = `BT /F2 20 Tf 72 700 Td (${pdfText(heading)}) Tj ET\nBT /F1 11 Tf 18 TL 72 660 Td\n${rows}\nET`
  const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + end, 'latin1')
}

function pdfText(words: string): string {
  return words.replaceAll(/[^\x20-\x7e]/g, '-').replaceAll(/[()\\]/g, (sign) => `\\${sign}`)
}

const chart = { width: 640, height: 320, left: 40, bottom: 280, top: 30, step: 48, bar: 30 }
const colors = [
  [255, 255, 255],
  [43, 108, 176],
  [120, 120, 128],
] as const

/** Draws a PNG of bars, one per month; each share from 0 to 1 is the height of one. */
export function drawBars(shares: readonly number[]): Buffer {
  const { width, height, left, bottom, top, step, bar } = chart
  // One byte per pixel for its color; each line begins with its filter type, none.
  const lines = Buffer.alloc(height * (width + 1))
  const paint = (color: number, y: number, from: number, to: number): void => {
    lines.fill(color, y * (width + 1) + 1 + from, y * (width + 1) + 1 + to)
  }
  for (let y = top; y <= bottom; y += 1) {
    paint(2, y, left, y === bottom ? width : left + 1)
    for (const [place, share] of shares.entries()) {
      const from = left + 10 + place * step
      if (y < bottom && y >= bottom - Math.round(share * (bottom - top))) paint(1, y, from, from + bar)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    pngChunk('PLTE', Buffer.from(colors.flat())),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, bytes: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), bytes])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Writes a CSV as spreadsheets do. */
export function writeTable(rows: readonly (readonly (string | number)[])[]): Buffer {
  return Buffer.from(rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join(''))
}

function csvCell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
