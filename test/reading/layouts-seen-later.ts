/** Layouts that were written before the reader and on which it was never tuned: only the last measurement looks at them. */
import { paper, printDate, printMoney, type Paper } from './paper.ts'
import { colons, harbour, landscape } from './layouts-seen-later-more.ts'
import { daysOf, type Layout } from './layout.ts'
import { daily, grouped, type SampleBill } from './sample-bill.ts'

/** A column of labels with the value below on the left, sentences about the meter on the right. */
const sidebar: Layout = {
  name: 'sidebar',
  kind: { vendor: 'River Bend Electric', commodities: ['electric'], account: '#-####-####', invoice: '##########', meter: '########' },
  omits: ['multiplier', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, 'Feb 15, 2024')
    sheet.box(0, 0, 180, 792, '#f1f5f9')
    sheet.text(20, 40, bill.vendor, { size: 14, bold: true, color: '#0f766e' })
    const side = [
      ['Customer account', bill.account_number],
      ['Invoice #', bill.invoice_number],
      ['Billing date', day(bill.date)],
      ['Pay by', day(bill.due_date)],
      ['You owe', `$${grouped(bill.amount_due)}`],
    ] as const
    for (const [place, [label, value]] of side.entries()) {
      sheet.text(20, 90 + place * 40, label, { size: 8, color: '#475569' })
      sheet.text(20, 102 + place * 40, value, { size: 11, bold: true })
    }
    sheet.text(210, 50, `Statement for ${bill.customer}`, { size: 12 })
    sheet.text(210, 66, `${bill.address}, ${bill.city}`)
    const rows = [
      ['Balance from last bill', bill.previous_balance],
      ['Payments since last bill', `-${bill.payments}`],
      ['Unpaid balance', bill.balance_forward],
      ['Late payment fee', bill.late_fee],
      ['New charges', bill.current_charges],
      ['Total balance', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(210, 100 + place * 15, label)
      sheet.text(560, 100 + place * 15, printMoney(value, '-$1,234.50'), { align: 'right' })
    }
    for (const [place, meter] of bill.meters.entries()) {
      const y = 220 + place * 40
      sheet.text(210, y, `Meter ${meter.meter_number}, ${daysOf(meter)} days`, { bold: true })
      sheet.text(210, y + 14, `Read on ${day(meter.read_date)}: ${grouped(meter.meter_reading)}`)
      sheet.text(210, y + 28, `Read on ${day(meter.previous_read_date)}: ${grouped(meter.previous_reading)}`)
      sheet.text(210, y + 42, `You used ${grouped(meter.usage)} ${meter.unit} (${daily(meter.usage, daysOf(meter))} a day)`)
      for (const [row, charge] of meter.charges.entries()) {
        sheet.text(210, y + 70 + row * 13, charge.name)
        sheet.text(560, y + 70 + row * 13, grouped(charge.amount), { align: 'right' })
      }
      sheet.text(210, y + 126, 'Total electricity charges', { bold: true })
      sheet.text(560, y + 126, grouped(meter.utility_charges), { align: 'right', bold: true })
    }
    return sheet.finish()
  },
}

/** Capitals only, from and to, the sort of read in a column of its own. */
const capitals: Layout = {
  name: 'capitals',
  kind: {
    vendor: 'METRO WATER AND SEWER AUTHORITY',
    commodities: ['water', 'water'],
    unit: 'HCF',
    account: '##-######-##',
    invoice: 'INV#######',
    meter: 'B########',
  },
  omits: ['multiplier'],
  draw: async (bill) => {
    const sheet = paper('Times')
    const day = (date: string): string => printDate(date, '02-15-2024')
    sheet.text(40, 40, bill.vendor, { size: 13, bold: true })
    sheet.text(572, 40, 'UTILITY STATEMENT', { size: 13, align: 'right' })
    sheet.text(40, 80, bill.customer.toUpperCase())
    sheet.text(40, 92, bill.address.toUpperCase())
    const head = [
      ['ACCOUNT #', bill.account_number],
      ['INVOICE', bill.invoice_number],
      ['STATEMENT DATE', day(bill.date)],
      ['PAYMENT DUE', day(bill.due_date)],
    ] as const
    for (const [place, [label, value]] of head.entries()) {
      sheet.text(400, 80 + place * 13, label)
      sheet.text(572, 80 + place * 13, value, { align: 'right' })
    }
    const columns = [40, 130, 200, 270, 340, 410, 490]
    for (const [place, title] of ['SERIAL NO.', 'FROM', 'TO', 'PRIOR', 'PRESENT', 'CONSUMPTION', 'READ TYPE'].entries())
      sheet.text(columns[place] ?? 0, 160, title, { bold: true, size: 8 })
    for (const [row, meter] of bill.meters.entries()) {
      const cells = [
        meter.meter_number,
        day(meter.previous_read_date),
        day(meter.read_date),
        meter.previous_reading,
        meter.meter_reading,
        `${meter.usage} ${meter.unit}`,
        meter.estimated ? 'ESTIMATE' : 'ACTUAL',
      ]
      for (const [place, cell] of cells.entries()) sheet.text(columns[place] ?? 0, 176 + row * 13, cell)
      sheet.text(40, 230 + row * 13, `WATER CHARGES METER ${meter.meter_number}`)
      sheet.text(400, 230 + row * 13, grouped(meter.utility_charges), { align: 'right' })
    }
    const rows = [
      ['PREVIOUS BALANCE', bill.previous_balance],
      ['PAYMENT', `-${bill.payments}`],
      ['BALANCE FORWARD', bill.balance_forward],
      ['LATE CHARGES', bill.late_fee],
      ['CURRENT BILLING', bill.current_charges],
      ['PAY THIS AMOUNT', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(220, 300 + place * 14, label)
      sheet.text(400, 300 + place * 14, printMoney(value, '1,234.50-'), { align: 'right' })
    }
    return sheet.finish()
  },
}

/** The arithmetic of the usage from top to bottom. */
const arithmetic: Layout = {
  name: 'arithmetic',
  kind: { vendor: 'Valley Gas Company', commodities: ['natural_gas'], account: '###-###-####', invoice: '#######', meter: '#######' },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, '02/15/2024')
    sheet.disc(60, 50, 16, '#b91c1c')
    sheet.text(84, 40, bill.vendor, { size: 18, bold: true })
    sheet.text(400, 40, `Statement No.  ${bill.invoice_number}`)
    sheet.text(400, 54, `Account No.  ${bill.account_number}`)
    sheet.text(400, 68, `Date mailed  ${day(bill.date)}`)
    sheet.text(400, 82, `Due on or before  ${day(bill.due_date)}`)
    for (const meter of bill.meters) drawArithmetic(sheet, meter, day)
    const rows = [
      ['Prior balance', bill.previous_balance],
      ['Less payments', `-${bill.payments}`],
      ['Balance carried forward', bill.balance_forward],
      ...(bill.late_fee === '0.00' ? [] : [['Late fee', bill.late_fee] as const]),
      ['Total charges this period', bill.current_charges],
      ['Balance due', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(330, 120 + place * 16, label, { bold: label === 'Balance due' })
      sheet.text(572, 120 + place * 16, printMoney(value, '-$1,234.50'), { align: 'right' })
    }
    return sheet.finish()
  },
}

function drawArithmetic(sheet: Paper, meter: SampleBill['meters'][number], day: (date: string) => string): void {
  const rows = [
    ['Meter ID', meter.meter_number],
    ['Service dates', `${day(meter.previous_read_date)} - ${day(meter.read_date)}`],
    ['Present meter reading', grouped(meter.meter_reading)],
    ['Last meter reading', `-${grouped(meter.previous_reading)}`],
    ['Difference', grouped(String(Number(meter.meter_reading) - Number(meter.previous_reading)))],
    ['Pressure factor', meter.multiplier],
    ['Billed therms', grouped(meter.usage)],
  ] as const
  for (const [place, [label, value]] of rows.entries()) {
    sheet.text(40, 120 + place * 15, label)
    sheet.text(290, 120 + place * 15, value, { align: 'right' })
  }
  for (const [place, charge] of meter.charges.entries()) {
    sheet.text(40, 250 + place * 14, charge.name)
    sheet.text(290, 250 + place * 14, `$${grouped(charge.amount)}`, { align: 'right' })
  }
  sheet.text(40, 312, 'Total gas charges', { bold: true })
  sheet.text(290, 312, `$${grouped(meter.utility_charges)}`, { align: 'right' })
}

export const laterSeenLayouts: readonly Layout[] = [sidebar, capitals, arithmetic, harbour, landscape, colons]
