/**
 * Draws the papers of vendor payments: Letter pages in black and white, one payment after the other, thirty bills per page. Each page repeats
 * the payer, the payee and the number; the last page of a payment has its total in figures and words.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { amountInWords } from '#contract/payment-batches/amount-in-words.ts'
import { paymentNumber } from '#contract/payment-batches/vendor-payment.ts'
import type { VoucherBatch, VoucherBill, VoucherPayment } from '#contract/payment-batches/voucher.ts'
import type PDFDocument from 'pdfkit'
import { penOf, type Pen } from '../kernel/files/pdf-pen.ts'

type Document = InstanceType<typeof PDFDocument>

/** Page measures in points. */
const PAGE = { left: 50, right: 562, foot: 742 } as const
const LINE = 13
/** Font size of everything below the head. */
const FONT = 9
/** Placed so that the address shows in the window of a No. 10 envelope when the page is folded in three. */
const PAYEE_TOP = 120
const TABLE_TOP = 232
export const billsPerPage = 30

const columns = [
  { label: 'Account', left: 50, width: 100, right: false },
  { label: 'Invoice', left: 154, width: 110, right: false },
  { label: 'Bill Date', left: 268, width: 54, right: false },
  { label: 'Facility', left: 326, width: 84, right: false },
  { label: 'Amount Due', left: 414, width: 72, right: true },
  { label: 'Amount Paid', left: 490, width: 72, right: true },
] as const

export interface DrawnPapers {
  readonly batch: VoucherBatch
  readonly payments: readonly VoucherPayment[]
  /** A voucher has lines for the signatures of preparer and approver; a remittance advice goes to the vendor and has none. */
  readonly withApproval: boolean
  readonly billsOf: (payment: VoucherPayment) => AsyncIterable<readonly VoucherBill[]>
  readonly signal: AbortSignal
}

/**
 * Draws the papers.
 * @returns the PDF as a stream; pages follow as the bills are read. An error while drawing breaks the stream.
 */
export async function drawPayments(papers: DrawnPapers): Promise<Readable> {
  // Loaded with the first paper: it takes 15 MiB, and most processes draw none.
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({
    size: 'LETTER',
    margin: 0,
    autoFirstPage: false,
    info: { Title: `Vendor batch ${papers.batch.id}`, Producer: 'Meterbook' },
  })
  void drawAll(document, papers).then(
    () => document.end(),
    (error: unknown) => document.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return document
}

async function drawAll(document: Document, { batch, payments, withApproval, billsOf, signal }: DrawnPapers): Promise<void> {
  const pen = penOf(document)
  const title = withApproval ? 'Voucher' : 'Remittance advice'
  for (const payment of payments) {
    const pages = Math.ceil(payment.bill_count / billsPerPage)
    let place = 0
    for await (const bills of billsOf(payment))
      for (const bill of bills) {
        if (place % billsPerPage === 0) {
          pen.flush()
          signal.throwIfAborted()
          await breathe()
          startPage(document, pen, { batch, payment, title, page: place / billsPerPage + 1, pages })
        }
        drawBill(pen, bill, TABLE_TOP + 18 + (place % billsPerPage) * LINE)
        place += 1
      }
    drawTotal(pen, payment, TABLE_TOP + 18 + (((place - 1) % billsPerPage) + 1) * LINE)
    if (withApproval) drawApproval(pen)
  }
  pen.flush()
}

interface StartedPage {
  readonly batch: VoucherBatch
  readonly payment: VoucherPayment
  readonly title: string
  readonly page: number
  readonly pages: number
}

function startPage(document: Document, pen: Pen, { batch, payment, title, page, pages }: StartedPage): void {
  document.addPage()
  pen.startPage()
  pen.font('Helvetica-Bold', 11)
  pen.write(batch.payer_name, { left: PAGE.left, top: 48, width: 380 })
  pen.font('Helvetica-Bold', 16)
  pen.write(paymentNumber(payment.id), { left: 440, top: 44, width: 122, right: true })
  pen.font('Helvetica-Bold', 11)
  pen.write(title, { left: 362, top: 65, width: 200, right: true })
  pen.font('Helvetica', FONT)
  const facts = [
    ['Vendor batch', `${batch.id} of ${formatDate(batch.batch_date)}`],
    ['Bills due', formatDate(batch.bills_due_date)],
    ['Payment method', payment.payment_methods ?? ''],
    ['Payment date', payment.payment_date === null ? '' : formatDate(payment.payment_date)],
    ['Payment ID', payment.check_number ?? ''],
    ['Amount', formatMoney(payment.amount)],
  ] as const
  for (const [place, [label, value]] of facts.entries()) {
    const top = PAYEE_TOP + place * LINE
    pen.write(label, { left: 340, top, width: 80 })
    pen.write(value, { left: 424, top, width: 138, right: true })
  }
  for (const [place, line] of payment.remit_to.slice(0, 6).entries())
    pen.write(line, { left: PAGE.left, top: PAYEE_TOP + place * LINE, width: 270 })
  pen.font('Helvetica-Bold', FONT)
  for (const { label, ...at } of columns) pen.write(label, { ...at, top: TABLE_TOP })
  pen.rule(PAGE.left, PAGE.right, TABLE_TOP + 13)
  pen.font('Helvetica', FONT)
  const control = `${paymentNumber(payment.id)}: ${payment.bill_count} ${payment.bill_count === 1 ? 'bill' : 'bills'}, ${formatMoney(payment.amount)}`
  pen.write(control, { left: PAGE.left, top: PAGE.foot, width: 340 })
  pen.write(`Page ${page} of ${pages}`, { left: 400, top: PAGE.foot, width: 162, right: true })
}

function drawBill(pen: Pen, bill: VoucherBill, top: number): void {
  const cells = [
    bill.account_number,
    bill.invoice_number ?? '',
    formatDate(bill.date),
    bill.facility_name ?? '',
    formatMoney(bill.amount_due),
    formatMoney(bill.amount_paid),
  ]
  for (const [place, column] of columns.entries()) pen.write(cells[place] ?? '', { ...column, top })
}

function drawTotal(pen: Pen, payment: VoucherPayment, top: number): void {
  pen.rule(PAGE.left, PAGE.right, top)
  pen.font('Helvetica-Bold', FONT)
  pen.write(amountInWords(payment.amount), { left: PAGE.left, top: top + 4, width: 400 })
  pen.write(formatMoney(payment.amount), { left: 460, top: top + 4, width: 102, right: true })
  pen.font('Helvetica', FONT)
}

function drawApproval(pen: Pen): void {
  const top = PAGE.foot - 42
  for (const [place, label] of ['Prepared by', 'Approved by', 'Date'].entries()) {
    const left = PAGE.left + place * 176
    pen.rule(left, left + 160, top)
    pen.write(label, { left, top: top + 4, width: 160 })
  }
}
