/** Paper bills for the tests of the inbox: a page for each, as a PDF with text, or as a camera picture of it. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { getDocumentProxy, renderPageAsImage } from 'unpdf'
import { ownFonts } from '../../src/server/bill-reading/own-fonts.ts'
import type { Person, TestApp } from './app.ts'

export interface PaperBill {
  readonly vendor: string
  readonly account_number: string
  readonly invoice_number: string
  readonly date: string
  readonly due_date: string
  readonly amount_due: string
  readonly meter_number: string
}

export const paperBill: PaperBill = {
  vendor: 'City Power',
  account_number: '4417-002-9',
  invoice_number: 'INV-88213',
  date: '03/05/2026',
  due_date: '03/26/2026',
  amount_due: '128.40',
  meter_number: 'E-77120',
}

/** One page per bill, followed by `further` pages of small print each. */
export async function billPdf(bills: readonly PaperBill[], further = 0): Promise<Buffer> {
  const document = new PdfDocument({ size: 'LETTER', margin: 54, autoFirstPage: false })
  for (const bill of bills) {
    document.addPage()
    drawBill(document, bill, further + 1)
    for (let page = 2; page <= further + 1; page += 1) {
      document.addPage()
      document.fontSize(9).text(`Page ${page} of ${further + 1}`, 54, 40)
      document.text('How to read this statement. A kilowatt hour is the energy that a thousand watts use in one hour.', 54, 80, {
        width: 480,
      })
    }
  }
  document.end()
  return buffer(document)
}

/** The first page as a picture, without any text. */
export async function billPicture(bill: PaperBill): Promise<Buffer> {
  const pdf = await getDocumentProxy(new Uint8Array(await billPdf([bill])), ownFonts)
  return Buffer.from(await renderPageAsImage(pdf, 1, { canvasImport: () => import('@napi-rs/canvas'), scale: 2.2 }))
}

/** A water bill whose sewer is in its own row, without a meter number. */
export async function sewerPdf(accountNumber: string, meterNumber: string): Promise<Buffer> {
  const document = new PdfDocument({ size: 'LETTER', margin: 54 })
  document
    .fontSize(10)
    .text(`Account Number: ${accountNumber}`, 54, 80)
    .text('Bill Date: 04/02/2026', 54, 100)
    .text('Due Date: 04/22/2026', 54, 120)
  document.text('Amount Due: $3,140.51', 54, 140)
  const rows = [
    ['Service', 'Meter Number', 'Previous Reading', 'Current Reading', 'Usage', 'Unit', 'Charges'],
    ['WATER', meterNumber, '1000', '1393', '393', 'CCF', '$1,007.10'],
    ['SEWER', '', '1000', '1393', '393', 'CCF', '$2,133.41'],
  ]
  for (const [row, cells] of rows.entries())
    for (const [at, cell] of cells.entries()) document.fontSize(8).text(cell, 54 + at * 72, 300 + row * 18, { lineBreak: false })
  document.end()
  return buffer(document)
}

/** Small pages that are pictures of a line of text, quick to recognise and without any text. */
export async function scanPdf(lines: readonly string[]): Promise<Buffer> {
  const size: [number, number] = [260, 60]
  const document = new PdfDocument({ size, margin: 0, autoFirstPage: false })
  for (const line of lines) {
    const paper = new PdfDocument({ size, margin: 0 })
    paper.fontSize(14).text(line, 20, 22)
    paper.end()
    const drawn = new Uint8Array(await buffer(paper))
    const picture = await renderPageAsImage(drawn, 1, { canvasImport: () => import('@napi-rs/canvas'), scale: 2 })
    document.addPage().image(Buffer.from(picture), 0, 0, { width: size[0] })
  }
  document.end()
  return buffer(document)
}

/** A page of small print as a picture: about 7,000 letters, which take many times as long to recognise as those of a bill, on any machine. */
async function smallPrintPicture(): Promise<Buffer> {
  const document = new PdfDocument({ size: 'LETTER', margin: 30 })
  document.fontSize(7)
  for (let line = 0; line < 75; line += 1)
    document.text(
      `${line + 1} How to read this statement. A kilowatt hour is the energy that a thousand watts use in one hour.`,
      30,
      30 + line * 9.6,
    )
  document.end()
  const pdf = await getDocumentProxy(new Uint8Array(await buffer(document)), ownFonts)
  return Buffer.from(await renderPageAsImage(pdf, 1, { canvasImport: () => import('@napi-rs/canvas'), scale: 2.2 }))
}

/** A bill with words, a page of small print as a picture, and the bill's last page with words. */
export async function mixedPdf(bill: PaperBill): Promise<Buffer> {
  const document = new PdfDocument({ size: 'LETTER', margin: 54, autoFirstPage: false })
  document.addPage()
  drawBill(document, bill, 3)
  document.addPage().image(await smallPrintPicture(), 0, 0, { width: 612 })
  document.addPage().fontSize(9).text('Page 3 of 3. How to read this statement, with so many words of its own.', 54, 80)
  document.end()
  return buffer(document)
}

function drawBill(document: PDFKit.PDFDocument, bill: PaperBill, pages: number): void {
  document.fontSize(20).text(bill.vendor, 54, 54)
  document.fontSize(10).text(`Page 1 of ${pages}`, 470, 60)
  const facts = [
    ['Account Number', bill.account_number],
    ['Invoice Number', bill.invoice_number],
    ['Statement Date', bill.date],
    ['Due Date', bill.due_date],
    ['Previous Balance', '$0.00'],
    ['Current Charges', `$${bill.amount_due}`],
    ['Amount Due', `$${bill.amount_due}`],
  ]
  for (const [at, [label = '', value = '']] of facts.entries()) {
    document.text(`${label}:`, 54, 120 + at * 22).text(value, 220, 120 + at * 22)
  }
  const columns = [
    'Meter Number',
    'Previous Read Date',
    'Current Read Date',
    'Previous Reading',
    'Current Reading',
    'Multiplier',
    'Usage',
    'Unit',
  ]
  const values = [bill.meter_number, '02/01/2026', '03/01/2026', '1000', '1900', '1', '900', 'kWh']
  for (const [at, column] of columns.entries()) {
    document.fontSize(7).text(column, 54 + at * 64, 320, { lineBreak: false })
    document.fontSize(9).text(values[at] ?? '', 54 + at * 64, 336, { lineBreak: false })
  }
}

/** Uploads a file as the console does. @returns its signed id. */
export async function uploadFile({ app, ask }: TestApp, who: Person, file: { name: string; type: string; bytes: Buffer }): Promise<string> {
  const asked = await ask(who, 'GET', '/direct_upload_url')
  const announced = await app.server.inject({
    method: 'POST',
    url: String(asked.body['direct_upload_url']),
    payload: {
      blob: {
        filename: file.name,
        content_type: file.type,
        byte_size: file.bytes.length,
        checksum: createHash('md5').update(file.bytes).digest('base64'),
      },
    },
  })
  const { signed_id, direct_upload } = announced.json<{
    signed_id: string
    direct_upload: { url: string; headers: Record<string, string> }
  }>()
  const sent = await app.server.inject({ method: 'PUT', url: direct_upload.url, headers: direct_upload.headers, payload: file.bytes })
  if (sent.statusCode !== 204) throw new Error(`the upload was refused: ${sent.body}`)
  return signed_id
}
