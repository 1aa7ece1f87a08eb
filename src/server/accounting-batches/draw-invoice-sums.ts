/** Draws the sums of an invoice and its closing lines. */
import type { Invoice } from '#contract/accounting-batches/invoice.ts'
import { formatAmount, formatMoney, wireOf } from '#contract/kernel/money.ts'
import type { Pen } from '../kernel/files/pdf-pen.ts'
import type { LaidLine } from './invoice-layout.ts'
import type { InvoiceDivision, InvoiceFacility, InvoiceSums } from './invoice-head.ts'

type Line = LaidLine<InvoiceDivision, InvoiceFacility>

/** Page measures in points. */
export const PAGE = { left: 36, right: 756, foot: 580 } as const

/** Font size of the table and the foot. */
export const FONT = 8

/** Characters per line of the payment instructions. */
const REMIT_WIDTH = 150

export const columns = [
  { label: 'Vendor', left: 36, width: 166, right: false },
  { label: 'Account', left: 206, width: 100, right: false },
  { label: 'Service Period', left: 310, width: 102, right: false },
  { label: 'Bill Date', left: 414, width: 48, right: false },
  { label: 'Due Date', left: 466, width: 48, right: false },
  { label: 'Current', left: 518, width: 58, right: true },
  { label: 'Balance Fwd', left: 580, width: 58, right: true },
  { label: 'Late Fee', left: 642, width: 50, right: true },
  { label: 'Amount Due', left: 696, width: 60, right: true },
] as const

export function drawGroup(pen: Pen, line: Exclude<Line, { kind: 'bill' } | { kind: 'closing' }>, top: number): void {
  pen.font('Helvetica-Bold', FONT)
  switch (line.kind) {
    case 'division':
      pen.write(`${line.division.name ?? 'No division'}${line.again ? ' (continued)' : ''}`, { left: PAGE.left, top, width: 470 })
      break
    case 'facility':
      pen.write(`${line.facility.name ?? 'No facility'}${line.again ? ' (continued)' : ''}`, {
        left: PAGE.left + 10,
        top,
        width: 460,
      })
      break
    case 'facility_total':
      pen.rule(518, PAGE.right, top - 2)
      drawSums(pen, {
        label: `${line.facility.name ?? 'No facility'}, ${billsText(line.facility.bill_ids.length)}`,
        sums: line.facility,
        top,
      })
      break
    case 'division_total': {
      const count = line.division.facilities.reduce((sum, { bill_ids }) => sum + bill_ids.length, 0)
      drawSums(pen, { label: `Total ${line.division.name ?? 'of no division'}, ${billsText(count)}`, sums: line.division, top })
    }
  }
  pen.font('Helvetica', FONT)
}

function drawSums(pen: Pen, { label, sums, top }: { label: string; sums: InvoiceSums; top: number }): void {
  pen.write(label, { left: 206, top, width: 306, right: true })
  const amounts = [sums.current_charges, sums.balance_forward, sums.late_fee, sums.amount_due]
  for (const [place, column] of columns.slice(5).entries()) pen.write(formatAmount(wireOf(amounts[place] ?? 0)), { ...column, top })
}

interface ClosingLine {
  readonly text: string
  readonly amount?: string
  readonly bold?: boolean
}

/** Returns the end of the invoice: the bills, the fee, the amount due, and the payment instructions. */
export function closingOf(head: Invoice): readonly ClosingLine[] {
  const withFee = head.service_fee !== '0.00'
  return [
    { text: '' },
    { text: `Total of ${billsText(head.bill_count)}`, amount: head.amount_due, bold: !withFee },
    ...(withFee
      ? [
          { text: head.service_fee_text, amount: head.service_fee },
          { text: 'Total due', amount: head.total_due, bold: true },
        ]
      : []),
    ...(head.remit_instructions === null
      ? []
      : [{ text: '' }, { text: 'How to pay', bold: true }, ...wrapped(head.remit_instructions).map((text) => ({ text }))]),
  ]
}

export function drawClosing(pen: Pen, line: ClosingLine | undefined, top: number): void {
  if (line === undefined || line.text === '') return
  pen.font(line.bold ? 'Helvetica-Bold' : 'Helvetica', FONT)
  if (line.amount === undefined) pen.write(line.text, { left: PAGE.left, top, width: 720 })
  else {
    pen.write(line.text, { left: 300, top, width: 330, right: true })
    pen.write(formatMoney(line.amount), { left: 642, top, width: 114, right: true })
  }
  pen.font('Helvetica', FONT)
}

/** Returns the lines of a text; lines too wide for the page are broken between words. */
function wrapped(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => line.match(new RegExp(`.{1,${REMIT_WIDTH}}(?:\\s+|$)|.{1,${REMIT_WIDTH}}`, 'gu')) ?? [''])
}

export function billsText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'bill' : 'bills'}`
}
