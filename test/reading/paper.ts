/** A sheet to draw bills on: places in points from the upper left corner, so that layouts are lists of texts and places. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { grouped } from './sample-bill.ts'

export interface Ink {
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  readonly face?: 'Helvetica' | 'Times' | 'Courier'
  /** The text ends at x, or has its middle there. */
  readonly align?: 'right' | 'center'
}

export interface Paper {
  text(x: number, y: number, text: string, ink?: Ink): void
  rule(x: number, y: number, toX: number): void
  box(x: number, y: number, width: number, height: number, fill?: string): void
  disc(x: number, y: number, radius: number, fill: string): void
  nextPage(): void
  finish(): Promise<Uint8Array>
}

/** The file's own date is fixed, so that the same drawing has the same bytes. */
export const sameInfo = { CreationDate: new Date('2024-01-01T00:00:00Z') }

const faces = {
  Helvetica: ['Helvetica', 'Helvetica-Bold'],
  Times: ['Times-Roman', 'Times-Bold'],
  Courier: ['Courier', 'Courier-Bold'],
} as const

/** @param face of everything that names no other. */
export function paper(face: NonNullable<Ink['face']> = 'Helvetica', layout: 'portrait' | 'landscape' = 'portrait'): Paper {
  const document = new PdfDocument({ size: 'LETTER', layout, margin: 0, info: sameInfo })
  return {
    text: (x, y, text, ink = {}) => {
      const [plain, bold] = faces[ink.face ?? face]
      document
        .font(ink.bold === true ? bold : plain)
        .fontSize(ink.size ?? 9)
        .fillColor(ink.color ?? '#111')
      const width = document.widthOfString(text)
      document.text(text, ink.align === 'right' ? x - width : ink.align === 'center' ? x - width / 2 : x, y, { lineBreak: false })
    },
    rule: (x, y, toX) => void document.moveTo(x, y).lineTo(toX, y).lineWidth(0.5).strokeColor('#888').stroke(),
    box: (x, y, width, height, fill) => {
      if (fill === undefined) document.rect(x, y, width, height).lineWidth(0.5).strokeColor('#777').stroke()
      else document.rect(x, y, width, height).fill(fill)
    },
    disc: (x, y, radius, fill) => void document.circle(x, y, radius).fill(fill),
    nextPage: () => void document.addPage({ size: 'LETTER', layout, margin: 0 }),
    finish: () => {
      document.end()
      return buffer(document).then((bytes) => new Uint8Array(bytes))
    },
  }
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** Dates as utilities print them, by the style of 15 February 2024. */
export type DateStyle =
  | '02/15/2024'
  | '2/15/24'
  | 'Feb 15, 2024'
  | 'February 15, 2024'
  | '15-Feb-2024'
  | '02-15-2024'
  | '2024-02-15'
  | 'FEB 15'

export function printDate(date: string, style: DateStyle): string {
  const [year = '', month = '', day = ''] = date.split('-')
  const name = months[Number(month) - 1] ?? ''
  const short = name.slice(0, 3)
  switch (style) {
    case '02/15/2024':
      return `${month}/${day}/${year}`
    case '2/15/24':
      return `${Number(month)}/${Number(day)}/${year.slice(2)}`
    case 'Feb 15, 2024':
      return `${short} ${Number(day)}, ${year}`
    case 'February 15, 2024':
      return `${name} ${Number(day)}, ${year}`
    case '15-Feb-2024':
      return `${day}-${short}-${year}`
    case '02-15-2024':
      return `${month}-${day}-${year}`
    case '2024-02-15':
      return date
    case 'FEB 15':
      return `${short.toUpperCase()} ${Number(day)}`
  }
}

/** Amounts as utilities print them, by the style of minus 1234.5. */
export type MoneyStyle = '-$1,234.50' | '-1,234.50' | '1,234.50-' | '(1,234.50)' | '$1,234.50 CR'

export function printMoney(amount: string, style: MoneyStyle): string {
  const isNegative = amount.startsWith('-')
  const plain = grouped(amount.replace('-', ''))
  switch (style) {
    case '-$1,234.50':
      return `${isNegative ? '-' : ''}$${plain}`
    case '-1,234.50':
      return `${isNegative ? '-' : ''}${plain}`
    case '1,234.50-':
      return `${plain}${isNegative ? '-' : ''}`
    case '(1,234.50)':
      return isNegative ? `(${plain})` : plain
    case '$1,234.50 CR':
      return `$${plain}${isNegative ? ' CR' : ''}`
  }
}
