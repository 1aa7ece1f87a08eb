/** P13: the papers of vendor payments, a thousand pages, beside the library that draws them. */
import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import PdfDocument from 'pdfkit'
import type { VoucherBill, VoucherPayment } from '../src/contract/payment-batches/voucher.ts'
import { billsPerPage, drawPayments } from '../src/server/payment-batches/payment-paper-pdf.ts'
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

export async function measurePapers(): Promise<Line[]> {
  const ours: Drawn[] = []
  const bare: Drawn[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    bare.push(await drained(() => Promise.resolve(barePages())))
    ours.push(await drained(drawn))
  }
  const seconds = spreadOf(ours.map(({ ms }) => ms / 1_000))
  const perSecond = pages / seconds.median
  const growth = Math.max(...ours.slice(1).map((one) => one.growthMib))
  return [
    {
      goal: 'P13',
      what: `paper of a payment, ${pages.toLocaleString('en')} pages of ${billsPerPage} bills`,
      ours: `${shown(seconds, 's')}, ${round(perSecond)} pages/s`,
      reference: `as many cells by pdfkit alone ${shown(spreadOf(bare.map(({ ms }) => ms / 1_000)), 's')}`,
      ratio: `>= ${pagesPerSecond} pages/s`,
      holds: perSecond >= pagesPerSecond,
    },
    {
      goal: 'P13',
      what: 'growth of the memory while it is drawn, after the first',
      ours: `${round(growth)} MiB`,
      reference: `pdfkit alone ${round(Math.max(...bare.slice(1).map((one) => one.growthMib)))} MiB`,
      ratio: `<= ${growthMib} MiB`,
      holds: growth <= growthMib,
    },
  ]
}

interface Drawn {
  readonly ms: number
  readonly growthMib: number
}

function drawn(): Promise<Readable> {
  const batch = { id: 1, payer_name: 'Harvest Lane Markets', batch_date: '2026-11-24', bills_due_date: '2026-12-08', notes: null }
  return drawPayments({ batch, payments: [payment], withApproval: false, billsOf, signal: new AbortController().signal })
}

async function* billsOf({ bill_count: count }: VoucherPayment): AsyncGenerator<VoucherBill[]> {
  for (let first = 0; first < count; first += billsAtOnce) {
    await Promise.resolve()
    yield Array.from({ length: Math.min(billsAtOnce, count - first) }, (_, at) => billOf(first + at))
  }
}

/** As many pages and cells as the paper has, each at its own place. */
function barePages(): Readable {
  const document = new PdfDocument({ size: 'LETTER', margin: 0, autoFirstPage: false })
  void (async () => {
    for (let page = 0; page < pages; page += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      document.addPage().font('Helvetica').fontSize(9)
      for (let row = 0; row < billsPerPage; row += 1)
        for (let cell = 0; cell < 6; cell += 1) document.text(amountPaid, 50 + cell * 80, 100 + row * 13, { lineBreak: false })
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
  document.on('data', () => (most = Math.max(most, process.memoryUsage.rss())))
  await finished(document)
  return { ms: performance.now() - began, growthMib: (most - before) / 2 ** 20 }
}
