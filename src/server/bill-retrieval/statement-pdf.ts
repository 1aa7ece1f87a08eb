/**
 * A utility's bill as a PDF, drawn from the data of a statement if the source has no PDF of its own. The same statement gives the same
 * bytes, so that its hash can be compared; every figure is text, so that the reader of bills can be tested with it.
 */
import { buffer } from 'node:stream/consumers'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, sumMoney } from '#contract/kernel/money.ts'
import { printable } from '../kernel/files/pdf-text.ts'
import type { Meter, PrintedLine, Statement } from '#contract/bill-retrieval/statement.ts'
import { PAGE, numberPages, type Document, INK, MUTED, row, heading, trimmed } from './statement-pdf-rows.ts'

/** Letterheads of different utilities differ in colour, always the same one for the same name. */
const LETTERHEADS = ['#0b5394', '#1f6f5c', '#7a3e1d', '#5b2a86', '#8a1c2b', '#28566b'] as const

/** @returns the bytes of a PDF 1.3 in Letter format. */
export async function drawStatement(statement: Statement): Promise<Uint8Array> {
  // Loaded with the first drawn statement: it weighs 15 MiB, and most processes draw none.
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({ size: 'LETTER', margin: PAGE.left, bufferPages: true, info: infoOf(statement) })
  drawLetterhead(document, statement)
  drawSummary(document, statement)
  if (statement.meters.length > 0) drawMeters(document, statement.meters)
  drawCharges(document, statement)
  drawTotals(document, statement)
  numberPages(document)
  document.end()
  return buffer(document)
}

/** The creation date comes from the statement: the current time would make every drawing a different file. */
function infoOf(statement: Statement): PDFKit.DocumentInfo {
  const [year = 2000, month = 1, day = 1] = (statement.bill_date ?? statement.interval_end ?? '2000-01-01').split('-').map(Number)
  const created = new Date(Date.UTC(year, month - 1, day, 12))
  return {
    Title: `${statement.provider_name} ${statement.account_number}`,
    Author: statement.provider_name,
    Producer: 'Meterbook',
    Creator: 'Meterbook',
    CreationDate: created,
    ModDate: created,
  }
}

function drawLetterhead(document: Document, statement: Statement): void {
  const colour =
    LETTERHEADS[Array.from(statement.provider_name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % LETTERHEADS.length] ??
    INK
  document.rect(0, 0, 612, 8).fill(colour)
  document
    .fillColor(colour)
    .font('Helvetica-Bold')
    .fontSize(20)
    .text(printable(wordsOf(statement.provider_name)), PAGE.left, 36)
  const title = statement.rebill_adjustment ? 'Adjusted statement' : 'Statement of service'
  document.fillColor(MUTED).font('Helvetica').fontSize(10).text(title, PAGE.left, 62)
  document.y = 90
}

function drawSummary(document: Document, statement: Statement): void {
  const rows: [string, string][] = [
    ['Account number', statement.account_number],
    ['Statement date', formatDate(statement.bill_date) || 'not stated'],
    ['Service period', `${formatDate(statement.interval_start)} - ${formatDate(statement.interval_end)}`],
    ...(statement.service_address === null ? [] : [['Service address', statement.service_address] satisfies [string, string]]),
    ...(statement.invoice_number === null ? [] : [['Invoice number', statement.invoice_number] satisfies [string, string]]),
    ...(statement.due_date === null ? [] : [['Due date', formatDate(statement.due_date)] satisfies [string, string]]),
  ]
  for (const [label, value] of rows)
    row(document, [
      { text: label, x: PAGE.left, width: 120, muted: true },
      { text: value, x: 175, width: 380 },
    ])
  row(document, [
    { text: 'Amount due', x: PAGE.left, width: 120, bold: true },
    { text: formatMoney(statement.amount_due), x: 175, width: 200, bold: true },
  ])
  document.y += 10
}

function drawMeters(document: Document, meters: readonly Meter[]): void {
  heading(document, 'Meters')
  const columns = [
    { x: 50, width: 110 },
    { x: 162, width: 62 },
    { x: 226, width: 122 },
    { x: 350, width: 62, right: true },
    { x: 414, width: 62, right: true },
    { x: 478, width: 84, right: true },
  ]
  const line = (texts: readonly string[], muted: boolean): void =>
    row(
      document,
      columns.map((column, place) => ({ ...column, text: texts[place] ?? '', muted })),
    )
  line(['Meter', 'Service', 'Period', 'Previous', 'Current', 'Usage'], true)
  for (const meter of meters) {
    const usage = meter.usage === null ? 'not shown' : `${trimmed(meter.usage)} ${meter.unit ?? ''}${meter.estimated ? ' (est.)' : ''}`
    const period = `${formatDate(meter.previous_read_date)} - ${formatDate(meter.read_date)}`
    line(
      [
        meter.meter_number || 'unmetered',
        meter.commodity.replace('_', ' '),
        period,
        trimmed(meter.previous_reading),
        trimmed(meter.meter_reading),
        usage,
      ],
      false,
    )
    for (const extra of extrasOf(meter)) row(document, [{ text: extra, x: 60, width: 500, muted: true }])
  }
  document.y += 10
}

function extrasOf(meter: Meter): string[] {
  const known: [string, string | null][] = [
    ['Rate', meter.rate_schedule],
    ['Multiplier', meter.multiplier],
    ['Demand kW', meter.demand],
    ['Power factor', meter.power_factor],
  ]
  const shown = known.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`]))
  return shown.length === 0 ? [] : [shown.join('    ')]
}

function drawCharges(document: Document, statement: Statement): void {
  if (statement.printed_lines.length === 0) return
  heading(document, 'Charges')
  for (const [title, lines] of Map.groupBy(statement.printed_lines, groupTitle)) {
    row(document, [{ text: title, x: PAGE.left, width: 500, bold: true }])
    for (const line of lines) charge(document, line.supplier === null ? line.name : `${line.name} (${line.supplier})`, line.amount)
    charge(document, 'Subtotal', sumMoney(lines.map((line) => line.amount)), true)
  }
  document.y += 10
}

function groupTitle(line: PrintedLine): string {
  if (line.meter_number === null) return 'Account'
  return `${(line.commodity ?? '').replace('_', ' ')} ${line.meter_number || 'without meter'}`.trim()
}

function drawTotals(document: Document, statement: Statement): void {
  heading(document, 'Totals')
  charge(document, 'Balance forward', statement.balance_forward)
  charge(document, 'Current charges', statement.current_charges)
  charge(document, 'Late fee', statement.late_fee)
  charge(document, 'Amount due', statement.amount_due, true)
}

function charge(document: Document, label: string, amount: string | null, bold = false): void {
  row(document, [
    { text: label, x: 60, width: 400, bold },
    { text: formatMoney(amount), x: 470, width: 92, right: true, bold },
  ])
}

/** "PacGAndE" on a letterhead becomes "Pac G And E"; a name with spaces stays unchanged. */
function wordsOf(name: string): string {
  return name.includes(' ') ? name : name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
}
