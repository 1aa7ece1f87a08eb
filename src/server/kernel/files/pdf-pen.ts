/** Draws single lines of text in Helvetica on the pages of a PDF, for tables with many cells. */
import type PDFDocument from 'pdfkit'
import { printable } from './pdf-text.ts'

type Document = InstanceType<typeof PDFDocument>

/** The place of one line of text, in points from the page's top left corner. */
export interface PenLine {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly right?: boolean
}

const fonts = ['Helvetica', 'Helvetica-Bold'] as const

export interface Pen {
  /** Begins to write on the document's last page. */
  startPage(): void
  /** Draws on the page all lines that were written since its start. Each page ends with it. */
  flush(): void
  /** Draws a line across, in points from the page's top left corner. */
  rule(left: number, right: number, top: number): void
  font(name: (typeof fonts)[number], size: number): void
  /** Writes one line; a text wider than its line ends with three dots. */
  write(text: string, line: PenLine): void
  /** Returns the text in at most two lines, broken between words. */
  lines(text: string, width: number): string[]
  /** Returns the text in as many lines as it needs, broken between words. */
  paragraph(text: string, width: number): string[]
}

/** Height of the letters above their base line, as a part of the font's size. */
const ASCENT = 0.718

/**
 * Returns a pen for single lines of text. It writes the operators of the page itself: the library lays each text out as a paragraph, which takes
 * four times as long. Widths of letters are asked for once.
 */
export function penOf(document: Document): Pen {
  let page: string[] = []
  let height = 0
  let fontNumber = 1
  const known = new Map<string, Map<string, number>>()
  let letters = new Map<string, number>()
  let size = 8
  const widthOf = (letter: string): number => {
    const seen = letters.get(letter)
    if (seen !== undefined) return seen
    const width = document.widthOfString(letter) / size
    letters.set(letter, width)
    return width
  }
  const fitted = (text: string, room: number): { text: string; width: number } => {
    let width = 0
    let place = 0
    let lastFit = 0
    let widthAtFit = 0
    const dots = 3 * widthOf('.') * size
    for (const letter of text) {
      const next = width + widthOf(letter) * size
      if (next + dots <= room) {
        lastFit = place + letter.length
        widthAtFit = next
      }
      if (next > room) return { text: `${text.slice(0, lastFit)}...`, width: widthAtFit + dots }
      width = next
      place += letter.length
    }
    return { text, width }
  }
  const wrapped = (text: string, width: number): string[] => {
    const lines: string[] = []
    for (const word of text.split(' ')) {
      const last = lines.pop()
      const longer = last === undefined ? word : `${last} ${word}`
      if (last === undefined || fitted(longer, width).text === longer) lines.push(longer)
      else lines.push(last, word)
    }
    return lines
  }
  return {
    startPage() {
      height = document.page.height
      // The library names the fonts of a page, F1 and F2, when it draws the first text in them. A space is not visible.
      for (const name of fonts) document.font(name).text(' ', 0, 0, { lineBreak: false })
    },
    flush() {
      // The library turns the page upside down, so that distances count from the top. The operators of the pen count from the bottom.
      if (page.length > 0) document.addContent(`q 1 0 0 -1 0 ${height} cm 0 0 0 rg 0 0 0 RG 0.5 w\n${page.join('\n')}\nQ`)
      page = []
    },
    rule(left, right, top) {
      page.push(`${point(left)} ${point(height - top)} m ${point(right)} ${point(height - top)} l S`)
    },
    font(name, points) {
      fontNumber = fonts.indexOf(name) + 1
      letters = known.get(name) ?? new Map<string, number>()
      known.set(name, letters)
      size = points
      document.font(name).fontSize(points)
    },
    lines(text, width) {
      const [first = '', ...rest] = wrapped(text, width)
      return rest.length === 0 ? [first] : [first, rest.join(' ')]
    },
    paragraph: wrapped,
    write(text, { left, top, width, right = false }) {
      const cut = fitted(printable(text), width)
      const at = `${point(right ? left + width - cut.width : left)} ${point(height - top - ASCENT * size)}`
      page.push(`BT /F${fontNumber} ${size} Tf ${at} Td (${escaped(cut.text)}) Tj ET`)
    },
  }
}

function escaped(text: string): string {
  return /[\\()]/.test(text) ? text.replaceAll(/[\\()]/g, String.raw`\$&`) : text
}

function point(value: number): string {
  return String(Math.round(value * 100) / 100)
}
