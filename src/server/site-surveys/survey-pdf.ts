/**
 * Draws a site survey, or an empty sheet for one, on Letter pages in black and white, in the order of the wizard. A survey record stays together
 * on a page if it fits.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { printable } from '../kernel/files/pdf-text.ts'
import type { PaperCell } from './survey-cells.ts'
import { type Document, PAGE, ROOM_HEIGHT, cellHeight, drawCell, COLUMN, GAP, COLUMNS } from './draw-cells.ts'

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
