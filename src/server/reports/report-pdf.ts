/**
 * Draws a report as PDF: landscape, black and white, with column widths by content. Each page repeats the title, the heading and the control
 * figures, and has 'page n of m'; the last page has the totals.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { formatAmount } from '#contract/kernel/money.ts'
import { formatInstant } from '#contract/kernel/zone.ts'
import type { ReportControl } from '#contract/reports/generated-report.ts'
import { shownCell } from '#contract/reports/report-cell.ts'
import type { ReportColumn, ReportColumnKind } from '#contract/reports/report-form.ts'
import type PDFDocument from 'pdfkit'
import { penOf, type Pen } from '../kernel/files/pdf-pen.ts'
import { Failure } from '../kernel/problem.ts'
import type { TaskRun } from '../kernel/work/task.ts'
import type { Cell, ReportHead, ReportRow } from './report-table.ts'

type Document = InstanceType<typeof PDFDocument>

/** Page measures in points. */
const MARGIN = 36
const LINE = 12
const HEAD_LINE = 11
const HEAD_SIZE = 9
const HEAD_LINES_MAX = 24
const FOOT = 30
const LOGO = { width: 120, height: 36 } as const
const papers = [
  { size: 'LETTER', width: 792, height: 612 },
  { size: 'LEGAL', width: 1008, height: 612 },
] as const

/** Widths of columns at 8 points by kind, so that no date and no usual amount is cut. Text columns share the rest. */
const widths: Readonly<Record<Exclude<ReportColumnKind, 'text'>, number>> = {
  date: 48,
  month: 40,
  integer: 40,
  decimal: 60,
  money: 60,
  percent: 46,
}
const FONT_SIZES = [8, 7, 6.5] as const
/** Least width of a text column at 8 points; below it, smaller type or longer paper is used. */
const TEXT_LEAST = 76
const TEXT_MOST = 170
const SHORT_TEXT = 50
/** Room between two columns. */
const GAP = 6

export interface DrawnReport {
  readonly head: ReportHead
  readonly columns: readonly ReportColumn[]
  readonly rows: AsyncIterable<ReportRow>
  /** How many these are: pages say of how many they are before the rows are read. */
  readonly rowCount: number
  readonly totals: readonly Cell[]
  readonly control: ReportControl | null
  readonly remarks: readonly string[]
}

type Run = Pick<TaskRun, 'signal' | 'progress'> & { readonly machinery: { readonly files: Pick<TaskRun['machinery']['files'], 'read'> } }

/**
 * Draws the report.
 * @returns the PDF as a stream. An error while drawing breaks the stream.
 */
export async function drawReport(run: Run, report: DrawnReport): Promise<Readable> {
  // Loaded with the first report: it takes 15 MiB, and most processes draw none.
  const { default: PdfDocument } = await import('pdfkit')
  const logo = await logoOf(run, report.head)
  const document = new PdfDocument({ margin: 0, autoFirstPage: false, info: { Title: report.head.title, Producer: 'Meterbook' } })
  const pen = penOf(document)
  const layout = layoutOf(report, pen)
  void drawAll(document, run, { ...report, ...layout, logo, pen }).then(
    () => document.end(),
    (error: unknown) => document.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return document
}

/** Returns the logo. A picture missing from the store, or of an unsupported kind, is left out. */
async function logoOf({ machinery }: Run, { logo }: ReportHead): Promise<Buffer | null> {
  if (logo === null || !['image/png', 'image/jpeg'].includes(logo.type)) return null
  try {
    return await buffer(await machinery.files.read(logo.key))
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

interface Place extends ReportColumn {
  readonly at: number
  readonly left: number
  readonly width: number
}

interface Layout {
  readonly paper: (typeof papers)[number]
  readonly fontSize: number
  readonly places: readonly Place[]
  /** Lines of text above the first table. */
  readonly headLines: readonly string[]
  readonly firstRows: number
  readonly furtherRows: number
  readonly pages: number
}

const TABLE_TOP = 84
const FURTHER_TOP = 66
/** A heading has two lines. */
const HEADING = 22

function layoutOf({ columns, rowCount, head, remarks }: DrawnReport, pen: Pen): Layout {
  const shown = columns.map((column, at) => ({ ...column, at })).filter((column) => !column.fileOnly)
  const candidates = papers.flatMap((paper) => FONT_SIZES.map((fontSize) => ({ paper, fontSize })))
  const { paper, fontSize } = candidates.find((one) => textWidth(shown, one) >= (TEXT_LEAST * one.fontSize) / 8) ?? {
    paper: papers[1],
    fontSize: FONT_SIZES[2],
  }
  pen.font('Helvetica', HEAD_SIZE)
  const said = [...head.choices.map(({ label, text }) => `${label}: ${text}`), ...remarks]
  const headLines = cutLines(said.flatMap((line) => pen.paragraph(line, paper.width - 2 * MARGIN)))
  const rowsIn = (top: number): number => Math.floor((paper.height - top - HEADING - FOOT - MARGIN) / LINE)
  const firstRows = rowsIn(TABLE_TOP + headLines.length * HEAD_LINE)
  const furtherRows = rowsIn(FURTHER_TOP)
  // The sums need a line of their own.
  const lines = rowCount + 1
  const pages = 1 + Math.max(0, Math.ceil((lines - firstRows) / furtherRows))
  return { paper, fontSize, places: placed(shown, { paper, fontSize }), headLines, firstRows, furtherRows, pages }
}

/** A head that would leave no room for rows ends early, and says so. */
function cutLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= HEAD_LINES_MAX) return lines
  const left = lines.length - HEAD_LINES_MAX + 1
  return [...lines.slice(0, HEAD_LINES_MAX - 1), `${left} more lines of choices and remarks have no room here.`]
}

interface Sheet {
  readonly paper: (typeof papers)[number]
  readonly fontSize: number
}

/** Returns the fixed width of a column; null for a text column, which shares the rest. */
function neededBy({ kind, short }: ReportColumn, { fontSize }: Sheet): number | null {
  if (kind === 'text') return short ? (SHORT_TEXT * fontSize) / 8 : null
  return (widths[kind] * fontSize) / 8
}

/** Returns the width of each text column after all fixed columns. */
function textWidth(shown: readonly ReportColumn[], sheet: Sheet): number {
  const needs = shown.map((column) => neededBy(column, sheet))
  const texts = needs.filter((need) => need === null).length
  const needed = needs.reduce<number>((sum, need) => sum + (need ?? 0), 0)
  const room = sheet.paper.width - 2 * MARGIN - needed - GAP * (shown.length - 1)
  return texts === 0 ? TEXT_LEAST : Math.min(TEXT_MOST, room / texts)
}

function placed(shown: readonly (ReportColumn & { at: number })[], sheet: Sheet): Place[] {
  const ofText = textWidth(shown, sheet)
  let left = MARGIN
  return shown.map((column) => {
    const width = neededBy(column, sheet) ?? ofText
    const place = { ...column, left, width }
    left += width + GAP
    return place
  })
}

interface Drawing extends DrawnReport, Layout {
  readonly logo: Buffer | null
  readonly pen: Pen
}

async function drawAll(document: Document, run: Run, drawing: Drawing): Promise<void> {
  const { pen } = drawing
  let page = 0
  let top = 0
  let left = 0
  let done = 0
  const turn = async (): Promise<void> => {
    pen.flush()
    run.signal.throwIfAborted()
    run.progress(done, drawing.rowCount)
    // Others have their turn between two pages.
    await breathe()
    page += 1
    top = startPage(document, drawing, page)
    left = page === 1 ? drawing.firstRows : drawing.furtherRows
  }
  await turn()
  for await (const row of drawing.rows) {
    if (left === 0) await turn()
    drawRow(pen, drawing, row, top)
    top += LINE
    left -= 1
    done += 1
  }
  if (left === 0) await turn()
  drawTotals(pen, drawing, top)
  pen.flush()
}

/**
 * Draws the head and the foot of a page.
 * @returns the position of its first row.
 */
function startPage(document: Document, drawing: Drawing, page: number): number {
  const { pen, paper, head, headLines, places, fontSize, control, pages } = drawing
  const right = paper.width - MARGIN
  document.addPage({ size: paper.size, layout: 'landscape', margin: 0 })
  pen.startPage()
  pen.font('Helvetica-Bold', page === 1 ? 15 : 10)
  pen.write(head.name === null ? head.title : `${head.title}: ${head.name}`, {
    left: MARGIN,
    top: MARGIN,
    width: right - MARGIN - LOGO.width - 10,
  })
  pen.font('Helvetica', HEAD_SIZE)
  pen.write(head.client, { left: MARGIN, top: MARGIN + (page === 1 ? 20 : 13), width: right - MARGIN - LOGO.width - 10 })
  if (page === 1) {
    if (drawing.logo) document.image(drawing.logo, right - LOGO.width, MARGIN, { fit: [LOGO.width, LOGO.height], align: 'right' })
    for (const [place, line] of headLines.entries())
      pen.write(line, { left: MARGIN, top: TABLE_TOP - 14 + place * HEAD_LINE, width: right - MARGIN })
  }
  const tableTop = page === 1 ? TABLE_TOP + headLines.length * HEAD_LINE : FURTHER_TOP
  pen.font('Helvetica-Bold', fontSize)
  for (const { label, kind, left, width } of places)
    for (const [place, line] of pen.lines(label, width).entries())
      pen.write(line, { left, width, top: tableTop + place * (fontSize + 1.5), right: isNumber(kind) })
  pen.rule(MARGIN, right, tableTop + HEADING - 3)
  pen.font('Helvetica', 8)
  const foot = paper.height - MARGIN - LINE
  if (control) {
    const bills = `${control.bill_count.toLocaleString('en-US')} ${control.bill_count === 1 ? 'bill' : 'bills'}`
    pen.write(
      `Control: ${bills}, amount due ${formatAmount(control.amount_due)}, current charges ${formatAmount(control.current_charges)}`,
      {
        left: MARGIN,
        top: foot,
        width: 380,
      },
    )
  }
  pen.write(`Made ${formatInstant(head.madeAt)} by ${head.maker}`, { left: MARGIN + 390, top: foot, width: right - MARGIN - 390 - 90 })
  pen.write(`Page ${page} of ${pages}`, { left: right - 86, top: foot, width: 86, right: true })
  pen.font('Helvetica', fontSize)
  return tableTop + HEADING
}

function drawRow(pen: Pen, { places }: Drawing, row: ReportRow, top: number): void {
  for (const { at, kind, left, width } of places) {
    const text = shownCell(kind, row[at] ?? null)
    if (text !== '') pen.write(text, { left, width, top, right: isNumber(kind) })
  }
}

function drawTotals(pen: Pen, { rowCount, totals, places, paper, fontSize }: Drawing, top: number): void {
  if (rowCount === 0) {
    pen.write('No rows match these choices.', { left: MARGIN, top, width: 300 })
    return
  }
  if (totals.every((total) => total === null)) return
  pen.rule(MARGIN, paper.width - MARGIN, top - 1)
  pen.font('Helvetica-Bold', fontSize)
  const [first] = places
  if (first && totals[first.at] === null) pen.write('Total', { left: first.left, width: first.width, top: top + 1 })
  for (const { at, kind, left, width } of places) {
    const text = shownCell(kind, totals[at] ?? null)
    if (text !== '') pen.write(text, { left, width, top: top + 1, right: true })
  }
}

function isNumber(kind: ReportColumnKind): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'money' || kind === 'percent'
}
