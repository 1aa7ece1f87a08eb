/**
 * Draws the invoice of a client batch: landscape Letter pages in black and white, by division and facility, with the total and the payment
 * instructions at the end. Each page repeats the head, and its foot shows the number of bills and the total.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import type { Invoice, InvoiceBill } from '#contract/accounting-batches/invoice.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatAmount, formatMoney } from '#contract/kernel/money.ts'
import type PDFDocument from 'pdfkit'
import { penOf, type Pen } from '../kernel/files/pdf-pen.ts'
import { layOut, pagesOf } from './invoice-layout.ts'
import type { InvoiceDivision, InvoiceFacility } from './invoice-head.ts'
import { closingOf, drawClosing, drawGroup, PAGE, FONT, columns, billsText } from './draw-invoice-sums.ts'

type Document = InstanceType<typeof PDFDocument>

const TABLE_TOP = 128

const LINE = 12.5
const LOGO = { left: 36, top: 30, width: 150, height: 44 } as const

export interface DrawnInvoice {
  readonly head: Invoice
  readonly divisions: readonly InvoiceDivision[]
  /** A PNG or JPEG. */
  readonly logo: { readonly bytes: Buffer; readonly contentType: string } | null
  /** Ordered by division and facility. */
  readonly bills: AsyncIterable<readonly InvoiceBill[]>
  readonly signal: AbortSignal
}

/**
 * Draws the invoice.
 * @returns the PDF as a stream; pages follow as the bills are read. An error while drawing breaks the stream.
 */
export async function drawInvoice(invoice: DrawnInvoice): Promise<Readable> {
  // Loaded with the first invoice: it takes 15 MiB, and most processes draw none.
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: 'LETTER',
    layout: 'landscape',
    margin: 0,
    autoFirstPage: false,
    info: { Title: `Invoice ${invoice.head.number}`, Producer: 'Meterbook' },
  })
  void drawAll(document, invoice).then(
    () => document.end(),
    (error: unknown) => document.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return document
}

async function drawAll(document: Document, invoice: DrawnInvoice): Promise<void> {
  const { head, divisions, signal } = invoice
  const closing = closingOf(head)
  const pages = pagesOf(divisions, closing.length)
  const bills = oneByOne(invoice.bills)
  const logo = addressOf(invoice.logo)
  const pen = penOf(document)
  let page = 0
  for (const line of layOut<InvoiceFacility, InvoiceDivision>(divisions, closing.length)) {
    if (line.page !== page) {
      pen.flush()
      signal.throwIfAborted()
      // Yields to other requests between pages, and lets the store consume what is ready.
      await breathe()
      page = line.page
      startPage(document, pen, { head, logo, page, pages })
    }
    const top = TABLE_TOP + 18 + line.line * LINE
    if (line.kind === 'bill') drawBill(pen, await next(bills), top)
    else if (line.kind === 'closing') drawClosing(pen, closing[line.place], top)
    else drawGroup(pen, line, top)
  }
  pen.flush()
}

async function* oneByOne(some: AsyncIterable<readonly InvoiceBill[]>): AsyncGenerator<InvoiceBill> {
  for await (const bills of some) yield* bills
}

async function next(bills: AsyncGenerator<InvoiceBill>): Promise<InvoiceBill> {
  const { value, done } = await bills.next()
  if (done) throw new Error('an invoice has fewer bills than were counted')
  return value
}

/** Returns the logo as a data URL, so that the document stores it once for all pages. */
function addressOf(logo: DrawnInvoice['logo']): string | null {
  return logo === null ? null : `data:${logo.contentType};base64,${logo.bytes.toString('base64')}`
}

/**
 * Draws the logo. An unreadable picture is left out, and the name is printed in its place.
 * @returns whether it was drawn.
 */
function drawLogo(document: Document, address: string | null): boolean {
  if (address === null) return false
  try {
    document.image(address, LOGO.left, LOGO.top, { fit: [LOGO.width, LOGO.height] })
    return true
  } catch {
    return false
  }
}

interface StartedPage {
  readonly head: Invoice
  readonly logo: string | null
  readonly page: number
  readonly pages: number
}

function startPage(document: Document, pen: Pen, { head, logo, page, pages }: StartedPage): void {
  document.addPage()
  pen.startPage()
  pen.font('Helvetica-Bold', 11)
  const isDrawn = drawLogo(document, logo)
  if (head.from_name !== null) pen.write(head.from_name, { left: isDrawn ? 200 : PAGE.left, top: 36, width: 300 })
  pen.font('Helvetica-Bold', 18)
  pen.write(head.is_final ? 'Invoice' : 'Draft invoice', { left: 520, top: 30, width: 236, right: true })
  pen.font('Helvetica-Bold', 9)
  pen.write('Bill to', { left: PAGE.left, top: 84, width: 60 })
  pen.write(head.client_name, { left: 100, top: 84, width: 380 })
  pen.font('Helvetica', 9)
  if (!head.is_final) pen.write('The batch is open: its bills may still change.', { left: 100, top: 97, width: 380 })
  const facts = [
    ['Invoice number', head.number],
    ['Invoice date', formatDate(head.date)],
    ['Terms', head.terms],
    ['Total due', formatMoney(head.total_due)],
  ] as const
  for (const [place, [label, value]] of facts.entries()) {
    const top = 58 + place * LINE
    pen.write(label, { left: 500, top, width: 90 })
    pen.write(value, { left: 592, top, width: 164, right: true })
  }
  pen.font('Helvetica-Bold', FONT)
  for (const { label, ...at } of columns) pen.write(label, { ...at, top: TABLE_TOP })
  pen.rule(PAGE.left, PAGE.right, TABLE_TOP + 12)
  pen.font('Helvetica', FONT)
  const control = `${head.number}: ${billsText(head.bill_count)}, ${formatMoney(head.amount_due)}`
  pen.write(control, { left: PAGE.left, top: PAGE.foot, width: 400 })
  pen.write(`Page ${page} of ${pages}`, { left: 600, top: PAGE.foot, width: 156, right: true })
}

function drawBill(pen: Pen, bill: InvoiceBill, top: number): void {
  const { previous_read_date: from, read_date: to } = bill
  const cells = [
    bill.vendor_name ?? '',
    bill.account_number,
    from === null || to === null ? '' : `${formatDate(from)} - ${formatDate(to)}`,
    formatDate(bill.date),
    formatDate(bill.due_date),
    formatAmount(bill.current_charges),
    formatAmount(bill.balance_forward),
    formatAmount(bill.late_fee),
    formatAmount(bill.amount_due),
  ]
  for (const [place, column] of columns.entries()) pen.write(cells[place] ?? '', { ...column, top })
}
