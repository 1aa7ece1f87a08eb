/** P13: papers of vendor payments, invoices of client batches and reports, a thousand pages, beside the library that draws them. */
import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import PdfDocument from 'pdfkit'
import type { Invoice, InvoiceBill } from '../src/contract/accounting-batches/invoice.ts'
import type { VoucherBill, VoucherPayment } from '../src/contract/payment-batches/voucher.ts'
import { linesPerPage } from '../src/server/accounting-batches/invoice-layout.ts'
import { drawInvoice } from '../src/server/accounting-batches/invoice-pdf.ts'
import { billsPerPage, drawPayments } from '../src/server/payment-batches/payment-paper-pdf.ts'
import { wireOf } from '../src/contract/kernel/money.ts'
import { reportForms } from '../src/contract/reports/report-form.ts'
import { drawReport } from '../src/server/reports/report-pdf.ts'
import { round, shown, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const pages = 1_000
const pagesPerSecond = 100
const growthMib = 64
const rounds = 3
const billsAtOnce = 1_000

const amountPaid = '1234.56'
const payment: VoucherPayment = {
  id: 1,
  vendor_name: 'City Power & Light',
  vendor_short_code: 'CPL',
  remit_to: ['City Power & Light', '20 Grid Avenue', 'Suite 4', 'Columbus, OH 43085'],
  payment_methods: 'Check',
  payment_date: '2026-11-25',
  check_number: '10001',
  amount: '37036800.00',
  bill_count: pages * billsPerPage,
}

function billOf(place: number): VoucherBill {
  return {
    id: place,
    account_number: `55-${place}`,
    account_name: null,
    facility_number: null,
    facility_name: `Facility ${place % 400}`,
    division_name: null,
    invoice_number: `INV-${place}`,
    date: '2026-11-05',
    due_date: '2026-11-28',
    amount_due: amountPaid,
    amount_paid: amountPaid,
    ledger_accounts: null,
  }
}

/** Bills of a page of an invoice, which begins with the names of its division and its facility. */
const billsPerInvoicePage = linesPerPage - 2
const invoiceBills = (pages - 1) * billsPerInvoicePage
const cents = 123_456
const sums = { current_charges: cents * invoiceBills, balance_forward: 0, late_fee: 0, amount_due: cents * invoiceBills }

/** Rows of a page of a report; the first one holds three less, for its choices, and the last one has the sums. */
const rowsPerReportPage = 38
const reportRows = pages * rowsPerReportPage - 4
const reportColumns = reportForms['Accrual Report'].columns

interface Paper {
  readonly name: string
  readonly draw: () => Promise<Readable>
  /** Rows and columns of a page. */
  readonly rows: number
  readonly cells: number
}

const papers: readonly Paper[] = [
  { name: 'paper of a payment', draw: drawnPayment, rows: billsPerPage, cells: 6 },
  { name: 'invoice of a client batch', draw: drawnInvoice, rows: billsPerInvoicePage, cells: 9 },
  { name: 'accrual report', draw: drawnReport, rows: rowsPerReportPage, cells: reportColumns.filter(({ fileOnly }) => !fileOnly).length },
]

export async function measurePapers(): Promise<Line[]> {
  const lines: Line[] = []
  for (const paper of papers) lines.push(...(await linesOf(paper)))
  return lines
}

async function linesOf(paper: Paper): Promise<Line[]> {
  const ours: Drawn[] = []
  const bare: Drawn[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    bare.push(await drained(() => Promise.resolve(barePages(paper))))
    ours.push(await drained(paper.draw))
  }
  if (ours.some((one) => one.pages !== pages)) throw new Error(`the ${paper.name} has ${ours[0]?.pages} pages`)
  const seconds = spreadOf(ours.map(({ ms }) => ms / 1_000))
  const perSecond = pages / seconds.median
  const growth = Math.max(...ours.slice(1).map((one) => one.growthMib))
  return [
    {
      goal: 'P13',
      what: `${paper.name}, ${pages.toLocaleString('en')} pages of ${paper.rows} rows`,
      ours: `${shown(seconds, 's')}, ${round(perSecond)} pages/s`,
      reference: `as many cells by pdfkit alone ${shown(spreadOf(bare.map(({ ms }) => ms / 1_000)), 's')}`,
      ratio: `>= ${pagesPerSecond} pages/s`,
      holds: perSecond >= pagesPerSecond,
    },
    {
      goal: 'P13',
      what: `${paper.name}, growth of the memory while it is drawn, after the first`,
      ours: `${round(growth)} MiB`,
      reference: `pdfkit alone ${round(Math.max(...bare.slice(1).map((one) => one.growthMib)))} MiB`,
      ratio: `<= ${growthMib} MiB`,
      holds: growth <= growthMib,
    },
  ]
}

interface Drawn {
  readonly ms: number
  readonly pages: number
  readonly growthMib: number
}

function drawnPayment(): Promise<Readable> {
  const batch = { id: 1, payer_name: 'Harvest Lane Markets', batch_date: '2026-11-24', bills_due_date: '2026-12-08', notes: null }
  return drawPayments({ batch, payments: [payment], withApproval: false, billsOf, signal: new AbortController().signal })
}

async function* billsOf({ bill_count: count }: VoucherPayment): AsyncGenerator<VoucherBill[]> {
  for (let first = 0; first < count; first += billsAtOnce) {
    await Promise.resolve()
    yield Array.from({ length: Math.min(billsAtOnce, count - first) }, (_, at) => billOf(first + at))
  }
}

const invoiceHead: Invoice = {
  number: 'HL-2026-11',
  date: '2026-11-24',
  terms: 'Net 14',
  client_name: 'Harvest Lane Markets',
  from_name: 'Meterbook',
  is_final: true,
  bill_count: invoiceBills,
  divisions: [],
  current_charges: wireOf(sums.current_charges),
  balance_forward: '0.00',
  late_fee: '0.00',
  amount_due: wireOf(sums.amount_due),
  service_fee: '0.00',
  service_fee_text: 'Service fee',
  total_due: wireOf(sums.amount_due),
  remit_instructions: 'By ACH to the account on file.',
}

function drawnInvoice(): Promise<Readable> {
  const bill_ids = Array.from({ length: invoiceBills }, (_, place) => place)
  const divisions = [{ name: 'West', facilities: [{ name: 'Store', bill_ids, ...sums }], ...sums }]
  return drawInvoice({ head: invoiceHead, divisions, logo: null, bills: billsOfInvoice(), signal: new AbortController().signal })
}

async function* billsOfInvoice(): AsyncGenerator<InvoiceBill[]> {
  for (let first = 0; first < invoiceBills; first += billsAtOnce) {
    await Promise.resolve()
    yield Array.from({ length: Math.min(billsAtOnce, invoiceBills - first) }, (_, at) => invoiceBillOf(first + at))
  }
}

function invoiceBillOf(place: number): InvoiceBill {
  return {
    id: place,
    division_name: 'West',
    facility_name: 'Store',
    vendor_name: 'City Power & Light',
    account_number: `55-${place}`,
    previous_read_date: '2026-10-01',
    read_date: '2026-11-01',
    date: '2026-11-05',
    due_date: '2026-11-28',
    current_charges: wireOf(cents),
    balance_forward: '0.00',
    late_fee: '0.00',
    amount_due: wireOf(cents),
  }
}

function drawnReport(): Promise<Readable> {
  const head = {
    title: 'Accrual Report',
    name: null,
    client: 'Harvest Lane Markets',
    choices: [{ label: 'Date Range', text: '10/01/2026 - 10/31/2026' }],
    maker: 'Ada Byron',
    madeAt: new Date(),
    logo: null,
  }
  const run = {
    signal: new AbortController().signal,
    progress: () => undefined,
    machinery: { files: { read: () => Promise.reject(new Error('this report has no logo')) } },
  }
  const totals = reportColumns.map(({ kind, total }) => (total && kind === 'money' ? wireOf(cents * reportRows) : null))
  return drawReport(run, { head, columns: reportColumns, rows: rowsOfReport(), rowCount: reportRows, totals, control: null, remarks: [] })
}

const reportCells = {
  text: 'City Power & Light',
  date: '2026-10-31',
  month: '2026-10',
  integer: '31',
  decimal: '1234.567',
  money: amountPaid,
  percent: '9.10',
} as const

async function* rowsOfReport(): AsyncGenerator<readonly string[]> {
  const row = reportColumns.map(({ kind }) => reportCells[kind])
  for (let place = 0; place < reportRows; place += 1) {
    if (place % billsAtOnce === 0) await Promise.resolve()
    yield [`55-${place}`, ...row.slice(1)]
  }
}

/** As many pages and cells as the paper has, each at its own place. */
function barePages({ rows, cells }: Paper): Readable {
  const document = new PdfDocument({ size: 'LETTER', margin: 0, autoFirstPage: false })
  void (async () => {
    for (let page = 0; page < pages; page += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      document.addPage().font('Helvetica').fontSize(9)
      for (let row = 0; row < rows; row += 1)
        for (let cell = 0; cell < cells; cell += 1) document.text(amountPaid, 50 + cell * 60, 100 + row * 13, { lineBreak: false })
    }
    document.end()
  })()
  return document
}

/** Reads a PDF to its end and forgets it. Memory is looked at with each part. */
async function drained(make: () => Promise<Readable>): Promise<Drawn> {
  const before = process.memoryUsage.rss()
  const began = performance.now()
  const document = await make()
  let most = before
  let count = 0
  document.on('data', (part: Buffer) => {
    most = Math.max(most, process.memoryUsage.rss())
    count += part.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0
  })
  await finished(document)
  return { ms: performance.now() - began, pages: count, growthMib: (most - before) / 2 ** 20 }
}
