/** Draws the cells of a site survey. */
import type PDFDocument from 'pdfkit'
import { printable } from '../kernel/files/pdf-text.ts'
import type { PaperCell } from './survey-cells.ts'

export type Document = InstanceType<typeof PDFDocument>

/** Page measures in points. */
export const PAGE = { left: 50, right: 562, top: 50, bottom: 720, foot: 742 } as const
export const COLUMNS = 3
export const GAP = 14
export const COLUMN = (PAGE.right - PAGE.left - GAP * (COLUMNS - 1)) / COLUMNS
const LABEL_HEIGHT = 10
export const ROOM_HEIGHT = 28
/** Height of the room for notes. */
const WIDE_ROOM_HEIGHT = 58
const BOX = 8
const BOX_LINE = 16
const BOXES_PER_LINE = 4

function widthOf({ isWide }: PaperCell): number {
  return isWide ? PAGE.right - PAGE.left : COLUMN
}

export function cellHeight(document: Document, cell: PaperCell): number {
  if (cell.kind === 'room') return cell.isWide ? WIDE_ROOM_HEIGHT : ROOM_HEIGHT
  if (cell.kind === 'boxes') return cell.isWide ? LABEL_HEIGHT + Math.ceil(cell.boxes.length / BOXES_PER_LINE) * BOX_LINE : ROOM_HEIGHT
  const text = document
    .font('Helvetica')
    .fontSize(9.5)
    .heightOfString(printable(cell.text), { width: widthOf(cell) })
  // A text longer than a page is cut at its end.
  return LABEL_HEIGHT + Math.min(text, PAGE.bottom - PAGE.top - LABEL_HEIGHT - 30)
}

export function drawCell(document: Document, cell: PaperCell, left: number, top: number): void {
  const width = widthOf(cell)
  document.font('Helvetica').fontSize(7.5)
  document.text(printable(cell.label), left, top, { width, height: LABEL_HEIGHT, lineBreak: false, ellipsis: true })
  if (cell.kind === 'boxes') return drawBoxes(document, cell, left, top)
  if (cell.kind === 'value') {
    const height = cellHeight(document, cell) - LABEL_HEIGHT + 1
    document.fontSize(9.5).text(printable(cell.text), left, top + LABEL_HEIGHT, { width, height, ellipsis: true })
    return
  }
  const bottom = top + cellHeight(document, cell) - 2
  document
    .moveTo(left, bottom)
    .lineTo(left + width, bottom)
    .lineWidth(0.5)
    .stroke()
  if (cell.unit !== '') document.text(printable(cell.unit), left, bottom - 10, { width, align: 'right', lineBreak: false })
}

function drawBoxes(document: Document, { boxes, isWide }: Extract<PaperCell, { kind: 'boxes' }>, left: number, top: number): void {
  const perLine = isWide ? BOXES_PER_LINE : boxes.length
  const step = (isWide ? PAGE.right - PAGE.left : COLUMN) / perLine
  for (const [place, label] of boxes.entries()) {
    const x = left + (place % perLine) * step
    const y = top + LABEL_HEIGHT + Math.floor(place / perLine) * BOX_LINE
    document
      .rect(x, y + 1, BOX, BOX)
      .lineWidth(0.6)
      .stroke()
    document
      .fontSize(8.5)
      .text(printable(label), x + BOX + 4, y + 1, { width: step - BOX - 6, height: 11, lineBreak: false, ellipsis: true })
  }
}
