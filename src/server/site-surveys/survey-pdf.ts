/**
 * Draws a site survey, or an empty sheet for one, on Letter pages in black and white, in the order of the wizard. A survey record stays together
 * on a page if it fits.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type PDFDocument from 'pdfkit'
import { printable } from '../kernel/files/pdf-text.ts'
import type { PaperCell } from './survey-cells.ts'

type Document = InstanceType<typeof PDFDocument>

/** Page measures in points. */
const PAGE = { left: 50, right: 562, top: 50, bottom: 720, foot: 742 } as const
const COLUMNS = 3
const GAP = 14
const COLUMN = (PAGE.right - PAGE.left - GAP * (COLUMNS - 1)) / COLUMNS
const LABEL_HEIGHT = 10
const ROOM_HEIGHT = 28
/** Height of the room for notes. */
const WIDE_ROOM_HEIGHT = 58
const BOX = 8
const BOX_LINE = 16
const BOXES_PER_LINE = 4

export interface PaperBlock {
  /** Title of the record: 'Motor 2, Pump house'. */
  readonly title: string
  readonly cells: readonly PaperCell[]
}

export interface PaperSection {
  readonly title: string
  readonly blocks: readonly PaperBlock[]
}

export interface SurveyPaper {
  readonly title: string
  /** The line under the title: the client, the facility. */
  readonly about: string
  readonly sections: readonly PaperSection[]
  readonly signal: AbortSignal
}

/**
 * Draws the survey.
 * @returns the PDF as a stream. An error while drawing breaks the stream.
 */
export async function drawSurvey(paper: SurveyPaper): Promise<Readable> {
  // Loaded with the first paper: it takes 15 MiB, and most processes draw none.
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: 'LETTER',
    margin: 0,
    bufferPages: true,
    info: { Title: paper.title, Producer: 'Meterbook' },
  })
  void drawAll(document, paper).then(
    () => document.end(),
    (error: unknown) => document.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return document
}

async function drawAll(document: Document, { title, about, sections, signal }: SurveyPaper): Promise<void> {
  document.font('Helvetica-Bold').fontSize(16)
  document.text(printable(title), PAGE.left, PAGE.top, { width: PAGE.right - PAGE.left })
  document.font('Helvetica').fontSize(10)
  document.text(printable(about), PAGE.left, document.y + 4, { width: PAGE.right - PAGE.left })
  let top = document.y + 10
  for (const section of sections) {
    top = drawHeading(document, section, top)
    for (const block of section.blocks) {
      signal.throwIfAborted()
      await breathe()
      top = drawBlock(document, block, top)
    }
  }
  numberPages(document, title)
}

/** A heading is never alone at the foot of a page. */
function drawHeading(document: Document, { title, blocks: [first] }: PaperSection, top: number): number {
  const follows = first === undefined ? ROOM_HEIGHT : Math.min(heightOf(document, first), PAGE.bottom - PAGE.top - 40)
  const at = top + 26 + follows > PAGE.bottom ? newPage(document) : top + 8
  document.font('Helvetica-Bold').fontSize(12)
  document.text(printable(title), PAGE.left, at, { lineBreak: false })
  document
    .moveTo(PAGE.left, at + 16)
    .lineTo(PAGE.right, at + 16)
    .lineWidth(0.8)
    .stroke()
  if (first !== undefined) return at + 22
  document.font('Helvetica').fontSize(9)
  document.text('None', PAGE.left, at + 22, { lineBreak: false })
  return at + 36
}

function drawBlock(document: Document, block: PaperBlock, top: number): number {
  const height = heightOf(document, block)
  const fits = height <= PAGE.bottom - PAGE.top
  let at = fits && top + height > PAGE.bottom ? newPage(document) : top
  if (block.title !== '') {
    document.font('Helvetica-Bold').fontSize(10)
    document.text(printable(block.title), PAGE.left, at, { width: PAGE.right - PAGE.left, height: 13, ellipsis: true })
    at += 16
  }
  for (const line of linesOf(block.cells)) {
    const lineHeight = Math.max(...line.map((cell) => cellHeight(document, cell)))
    if (at + lineHeight > PAGE.bottom) at = newPage(document)
    for (const [place, cell] of line.entries()) drawCell(document, cell, PAGE.left + place * (COLUMN + GAP), at)
    at += lineHeight + 6
  }
  return at + 6
}

/** Arranges cells in lines; a wide one has its own line. */
function linesOf(cells: readonly PaperCell[]): PaperCell[][] {
  const lines: PaperCell[][] = []
  for (const cell of cells) {
    const last = lines.at(-1)
    if (last && !cell.isWide && last.length < COLUMNS && !last.some(({ isWide }) => isWide)) last.push(cell)
    else lines.push([cell])
  }
  return lines
}

function heightOf(document: Document, { title, cells }: PaperBlock): number {
  const lines = linesOf(cells).map((line) => Math.max(...line.map((cell) => cellHeight(document, cell))) + 6)
  return (title === '' ? 0 : 16) + lines.reduce((sum, height) => sum + height, 0) + 6
}

function widthOf({ isWide }: PaperCell): number {
  return isWide ? PAGE.right - PAGE.left : COLUMN
}

function cellHeight(document: Document, cell: PaperCell): number {
  if (cell.kind === 'room') return cell.isWide ? WIDE_ROOM_HEIGHT : ROOM_HEIGHT
  if (cell.kind === 'boxes') return cell.isWide ? LABEL_HEIGHT + Math.ceil(cell.boxes.length / BOXES_PER_LINE) * BOX_LINE : ROOM_HEIGHT
  const text = document
    .font('Helvetica')
    .fontSize(9.5)
    .heightOfString(printable(cell.text), { width: widthOf(cell) })
  // A text longer than a page is cut at its end.
  return LABEL_HEIGHT + Math.min(text, PAGE.bottom - PAGE.top - LABEL_HEIGHT - 30)
}

function drawCell(document: Document, cell: PaperCell, left: number, top: number): void {
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

function newPage(document: Document): number {
  document.addPage()
  return PAGE.top
}

function numberPages(document: Document, title: string): void {
  const { count } = document.bufferedPageRange()
  document.font('Helvetica').fontSize(8)
  for (let page = 0; page < count; page++) {
    document.switchToPage(page)
    document.text(printable(title), PAGE.left, PAGE.foot, { width: 380, height: 10, lineBreak: false, ellipsis: true })
    document.text(`Page ${page + 1} of ${count}`, PAGE.right - 120, PAGE.foot, { width: 120, align: 'right', lineBreak: false })
  }
}
