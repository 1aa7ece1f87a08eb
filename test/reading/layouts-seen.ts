/** Layouts on which the reader was built. */
import { paper, printDate, printMoney } from './paper.ts'
import { ledger, stacked, summary } from './layouts-seen-more.ts'
import type { Layout } from './layout.ts'
import { daily, grouped, type SampleBill } from './sample-bill.ts'

/** One column of labels, one table of meters with a row of headings. */
const classic: Layout = {
  name: 'classic',
  kind: {
    vendor: 'Prairie Valley Electric Cooperative',
    commodities: ['electric'],
    account: '#######-##',
    invoice: '########',
    meter: '########',
  },
  omits: [],
  draw: async (bill) => {
    const sheet = paper('Times')
    const day = (date: string): string => printDate(date, '02/15/2024')
    const money = (amount: string): string => printMoney(amount, '-$1,234.50')
    sheet.text(40, 36, bill.vendor, { size: 18, bold: true, color: '#14532d' })
    sheet.text(40, 58, '1200 Cooperative Way, Granite Falls, MN 56241   Questions? Call 1-800-555-0142')
    sheet.rule(40, 74, 572)
    const head = [
      ['Account Number:', bill.account_number],
      ['Invoice Number:', bill.invoice_number],
      ['Statement Date:', day(bill.date)],
      ['Due Date:', day(bill.due_date)],
    ] as const
    for (const [place, [label, value]] of head.entries()) {
      sheet.text(340, 90 + place * 14, label)
      sheet.text(450, 90 + place * 14, value, { bold: true })
    }
    sheet.text(40, 96, bill.customer)
    sheet.text(40, 108, bill.address)
    sheet.text(40, 120, bill.city)
    drawClassicMeters(sheet, bill, day)
    const totals = [
      ['Previous Balance', bill.previous_balance],
      ['Payments Received - Thank You', `-${bill.payments}`],
      ['Balance Forward', bill.balance_forward],
      ['Current Charges', bill.current_charges],
      ['Late Fee', bill.late_fee],
      ['Total Amount Due', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of totals.entries()) {
      sheet.text(320, 400 + place * 15, label, { bold: place === 5 })
      sheet.text(560, 400 + place * 15, money(value), { bold: place === 5, align: 'right' })
    }
    sheet.text(40, 560, 'Your cooperative returns capital credits to members every spring. Visit us at prairievalley.example.')
    return sheet.finish()
  },
}

function drawClassicMeters(sheet: ReturnType<typeof paper>, bill: SampleBill, day: (date: string) => string): void {
  const columns = [40, 120, 190, 260, 330, 400, 450, 510]
  const titles = ['Meter Number', 'From', 'To', 'Previous', 'Present', 'Mult', 'Usage', 'Type']
  sheet.box(36, 180, 540, 16, '#e2e8f0')
  for (const [place, title] of titles.entries()) sheet.text(columns[place] ?? 0, 184, title, { bold: true })
  for (const [row, meter] of bill.meters.entries()) {
    const y = 202 + row * 15
    const cells = [
      meter.meter_number,
      day(meter.previous_read_date),
      day(meter.read_date),
      grouped(meter.previous_reading),
      grouped(meter.meter_reading),
      meter.multiplier,
      `${grouped(meter.usage)} ${meter.unit}`,
      meter.estimated ? 'Estimated' : 'Actual',
    ]
    for (const [place, cell] of cells.entries()) sheet.text(columns[place] ?? 0, y, cell)
    for (const [place, charge] of meter.charges.entries()) {
      sheet.text(60, 250 + place * 14, charge.name)
      sheet.text(300, 250 + place * 14, printMoney(charge.amount, '-$1,234.50'), { align: 'right' })
    }
    sheet.text(60, 310, 'Total Electric Charges', { bold: true })
    sheet.text(300, 310, printMoney(meter.utility_charges, '-$1,234.50'), { bold: true, align: 'right' })
  }
}

/** Boxes with the label above the value, and meters as blocks of labels. */
const blocks: Layout = {
  name: 'blocks',
  kind: {
    vendor: 'City of Marlow Utilities',
    commodities: ['electric', 'water'],
    account: '##-####-###',
    invoice: 'M######',
    meter: 'E#######',
  },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, 'Feb 15, 2024')
    sheet.disc(62, 58, 22, '#1d4ed8')
    sheet.text(96, 44, bill.vendor.toUpperCase(), { size: 15, bold: true })
    sheet.text(96, 64, 'P.O. Box 1120, Marlow, OK 73055', { color: '#555' })
    const boxes = [
      ['ACCOUNT NUMBER', bill.account_number],
      ['BILL DATE', day(bill.date)],
      ['DUE DATE', day(bill.due_date)],
      ['AMOUNT DUE', `$${grouped(bill.amount_due)}`],
    ] as const
    for (const [place, [label, value]] of boxes.entries()) {
      sheet.box(40 + place * 134, 100, 128, 38)
      sheet.text(46 + place * 134, 105, label, { size: 7, color: '#666' })
      sheet.text(46 + place * 134, 119, value, { size: 11, bold: true })
    }
    sheet.text(40, 160, `Service for ${bill.customer}`)
    sheet.text(40, 172, `${bill.address}, ${bill.city}`)
    for (const [place, meter] of bill.meters.entries()) {
      const y = 200 + place * 150
      sheet.text(40, y, meter.commodity === 'water' ? 'Water Service' : 'Electric Service', { size: 12, bold: true })
      sheet.text(40, y + 20, `Meter No. ${meter.meter_number}`)
      sheet.text(40, y + 36, 'Current Reading')
      sheet.text(140, y + 36, day(meter.read_date))
      sheet.text(260, y + 36, grouped(meter.meter_reading), { align: 'right' })
      sheet.text(40, y + 50, 'Previous Reading')
      sheet.text(140, y + 50, day(meter.previous_read_date))
      sheet.text(260, y + 50, grouped(meter.previous_reading), { align: 'right' })
      sheet.text(40, y + 64, 'Meter Multiplier')
      sheet.text(260, y + 64, meter.multiplier, { align: 'right' })
      sheet.text(40, y + 78, 'Consumption')
      sheet.text(260, y + 78, `${grouped(meter.usage)} ${meter.unit}`, { align: 'right' })
      for (const [row, charge] of meter.charges.entries()) {
        sheet.text(320, y + 20 + row * 13, charge.name)
        sheet.text(560, y + 20 + row * 13, grouped(charge.amount), { align: 'right' })
      }
      sheet.text(320, y + 76, meter.commodity === 'water' ? 'Total Water' : 'Total Electric', { bold: true })
      sheet.text(560, y + 76, grouped(meter.utility_charges), { bold: true, align: 'right' })
    }
    drawBlocksSummary(sheet, bill)
    return sheet.finish()
  },
}

function drawBlocksSummary(sheet: ReturnType<typeof paper>, bill: SampleBill): void {
  const rows = [
    ['Last Bill', bill.previous_balance],
    ['Payments', `-${bill.payments}`],
    ['Past Due Balance', bill.balance_forward],
    ['Total Current Charges', bill.current_charges],
    ['Penalty', bill.late_fee],
    ['TOTAL DUE', bill.amount_due],
  ] as const
  sheet.text(40, 520, 'Account Summary', { size: 12, bold: true })
  for (const [place, [label, value]] of rows.entries()) {
    sheet.text(40, 540 + place * 14, label)
    sheet.text(260, 540 + place * 14, printMoney(value, '-1,234.50'), { align: 'right' })
  }
}

/** White letters on a coloured band, dots between label and amount, short dates. */
const band: Layout = {
  name: 'band',
  kind: { vendor: 'Tri-Lakes Natural Gas', commodities: ['natural_gas'], account: '##########', invoice: '#########', meter: 'G######' },
  omits: [],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, '2/15/24')
    sheet.box(0, 0, 612, 60, '#7c2d12')
    sheet.text(40, 20, bill.vendor, { size: 20, bold: true, color: '#ffffff' })
    sheet.text(572, 18, 'Account No.', { color: '#ffedd5', align: 'right', size: 8 })
    sheet.text(572, 30, bill.account_number, { color: '#ffffff', align: 'right', bold: true, size: 12 })
    sheet.text(40, 84, `Bill issued ${day(bill.date)}`)
    sheet.text(40, 98, `Bill number ${bill.invoice_number}`)
    sheet.text(40, 112, `Payment due by ${day(bill.due_date)}`)
    const rows = [
      ['Previous balance', bill.previous_balance],
      ['Payment received', `-${bill.payments}`],
      ['Balance brought forward', bill.balance_forward],
      ['Current gas charges', bill.current_charges],
      ...(bill.late_fee === '0.00' ? [] : [['Late charge', bill.late_fee] as const]),
      ['Please pay', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      const amount = printMoney(value, '$1,234.50 CR')
      sheet.text(330, 84 + place * 16, label + ' ' + '.'.repeat(Math.max(3, 62 - label.length - amount.length * 2)), {
        bold: label === 'Please pay',
      })
      sheet.text(572, 84 + place * 16, amount, { align: 'right', bold: label === 'Please pay' })
    }
    const columns = [40, 115, 220, 300, 375, 450, 520]
    const titles = ['Meter #', 'Service Period', 'Last Read', 'This Read', 'Difference', 'Factor', 'Therms']
    sheet.rule(40, 196, 572)
    for (const [place, title] of titles.entries()) sheet.text(columns[place] ?? 0, 200, title, { bold: true })
    for (const [row, meter] of bill.meters.entries()) {
      const difference = String(Number(meter.meter_reading) - Number(meter.previous_reading))
      const period = `${day(meter.previous_read_date)} - ${day(meter.read_date)}`
      const reading = meter.estimated ? `${meter.meter_reading} E` : meter.meter_reading
      const cells = [meter.meter_number, period, meter.previous_reading, reading, difference, meter.multiplier, meter.usage]
      for (const [place, cell] of cells.entries()) sheet.text(columns[place] ?? 0, 216 + row * 15, cell)
      for (const [place, charge] of meter.charges.entries()) {
        sheet.text(40, 270 + place * 14, charge.name)
        sheet.text(300, 270 + place * 14, printMoney(charge.amount, '$1,234.50 CR'), { align: 'right' })
      }
    }
    sheet.text(
      40,
      340,
      `Average daily use this month ${daily(bill.meters[0]?.usage ?? '0', 30)} therms. A late charge of 1.5% applies after the due date.`,
    )
    return sheet.finish()
  },
}

export const seenLayouts: readonly Layout[] = [classic, blocks, band, stacked, summary, ledger]

/** One of them, for tests. */
export function layoutNamed(name: string): Layout {
  const layout = seenLayouts.find((one) => one.name === name)
  if (layout === undefined) throw new Error(`no layout is called ${name}`)
  return layout
}
