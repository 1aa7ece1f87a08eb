/** The rows, headings and page numbers of a drawn statement. */
import type PDFDocument from 'pdfkit'
import { formatDecimal } from '#contract/kernel/decimal.ts'
import { printable } from '../kernel/files/pdf-text.ts'

export type Document = InstanceType<typeof PDFDocument>

/** In points. */
export const PAGE = { left: 50, right: 562, bottom: 720 } as const
const LINE_HEIGHT = 14
export const INK = '#1b2430'
export const MUTED = '#5c6b7a'
const RULE = '#c3ccd6'

export function heading(document: Document, text: string): void {
  if (document.y > PAGE.bottom - 4 * LINE_HEIGHT) nextPage(document)
  const top = document.y
  document.moveTo(PAGE.left, top).lineTo(PAGE.right, top).strokeColor(RULE).stroke()
  document.y = top + 6
  row(document, [{ text, x: PAGE.left, width: 300, bold: true }])
}

interface Cell {
  text: string
  x: number
  width: number
  bold?: boolean
  muted?: boolean
  right?: boolean
}

/** Draws one line of cells; text that does not fit its cell is cut with an ellipsis, so that it stays one line. */
export function row(document: Document, cells: readonly Cell[]): void {
  if (document.y > PAGE.bottom - LINE_HEIGHT) nextPage(document)
  const top = document.y
  for (const cell of cells) {
    document
      .font(cell.bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(9)
      .fillColor(cell.muted ? MUTED : INK)
    document.text(printable(cell.text), cell.x, top, {
      width: cell.width,
      height: LINE_HEIGHT - 2,
      lineBreak: false,
      ellipsis: true,
      align: cell.right ? 'right' : 'left',
    })
  }
  document.y = top + LINE_HEIGHT
}

function nextPage(document: Document): void {
  document.addPage()
  document.y = PAGE.left
}

/** Below the margin pdfkit would start a new page, so the margin is removed while the footer is written. */
export function numberPages(document: Document): void {
  const { start, count } = document.bufferedPageRange()
  for (let place = 0; place < count; place += 1) {
    document.switchToPage(start + place)
    document.page.margins.bottom = 0
    document.font('Helvetica').fontSize(8).fillColor(MUTED)
    document.text(`Page ${place + 1} of ${count}`, PAGE.left, 752, { width: PAGE.right - PAGE.left, align: 'right', lineBreak: false })
  }
}

export function trimmed(value: string | null): string {
  return value === null ? '' : formatDecimal(value, 3).replace(/\.?0+$/, '')
}
