/** More layouts on which the reader was never tuned: headings over two columns, a page on its side, labels that end at a colon. */
import { paper, printDate, printMoney } from './paper.ts'
import type { Layout } from './layout.ts'
import { grouped } from './sample-bill.ts'

/** Three services in one table with headings over two columns, and the amount at the end of each row. */
export const harbour: Layout = {
  name: 'harbour',
  kind: {
    vendor: 'Harbor Point Municipal Utilities',
    commodities: ['electric', 'natural_gas', 'water'],
    account: '########-###',
    invoice: '######-##',
    meter: '#####',
  },
  omits: ['unit', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, '2/15/24')
    sheet.box(0, 0, 612, 20, '#0c4a6e')
    sheet.text(40, 34, bill.vendor, { size: 16, bold: true, color: '#0c4a6e' })
    sheet.text(40, 54, '1 Wharf Road, Harbor Point, ME 04999')
    const titles = ['Account Number', 'Invoice Number', 'Bill Date', 'Due Date', 'Amount Due']
    const values = [bill.account_number, bill.invoice_number, day(bill.date), day(bill.due_date), `$${grouped(bill.amount_due)}`]
    sheet.box(40, 80, 532, 30)
    for (const [place, title] of titles.entries()) {
      sheet.text(46 + place * 106, 84, title, { bold: true, size: 8 })
      sheet.text(46 + place * 106, 96, values[place] ?? '')
    }
    sheet.text(255, 140, 'Read Dates', { align: 'center', bold: true, size: 8 })
    sheet.text(385, 140, 'Meter Readings', { align: 'center', bold: true, size: 8 })
    const columns = [40, 110, 210, 260, 345, 395, 440, 485]
    for (const [place, title] of ['Service', 'Meter', 'Previous', 'Current', 'Previous', 'Current', 'Mult', 'Usage'].entries())
      sheet.text(columns[place] ?? 0, 151, title, { bold: true, size: 8 })
    sheet.text(572, 151, 'Amount', { bold: true, size: 8, align: 'right' })
    for (const [row, meter] of bill.meters.entries()) {
      const cells = [
        meter.commodity.replace('natural_', ''),
        meter.meter_number,
        day(meter.previous_read_date),
        day(meter.read_date),
        meter.previous_reading,
        meter.meter_reading,
        meter.multiplier,
        meter.usage,
      ]
      for (const [place, cell] of cells.entries()) sheet.text(columns[place] ?? 0, 165 + row * 14, cell)
      sheet.text(572, 165 + row * 14, grouped(meter.utility_charges), { align: 'right' })
    }
    const rows = [
      ['Past due amount', bill.balance_forward],
      ['Interest and penalties', bill.late_fee],
      ['Total current bill', bill.current_charges],
      ['Amount due', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(400, 240 + place * 14, label)
      sheet.text(572, 240 + place * 14, printMoney(value, '(1,234.50)'), { align: 'right' })
    }
    return sheet.finish()
  },
}

/** On its side, the stub first. */
export const landscape: Layout = {
  name: 'landscape',
  kind: {
    vendor: 'Plains & Foothills Power',
    commodities: ['electric', 'electric'],
    account: '######.##',
    invoice: 'PF########',
    meter: '##-######',
  },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper('Helvetica', 'landscape')
    const day = (date: string): string => printDate(date, '15-Feb-2024')
    sheet.text(40, 30, 'REMITTANCE STUB', { size: 8 })
    const stub = [
      ['Account', bill.account_number],
      ['Due', day(bill.due_date)],
      ['Pay', `$${grouped(bill.amount_due)}`],
    ] as const
    for (const [place, [label, value]] of stub.entries()) sheet.text(560, 30 + place * 14, `${label}: ${value}`)
    sheet.rule(0, 90, 792)
    sheet.text(40, 104, bill.vendor, { size: 16, bold: true })
    sheet.text(40, 130, `Invoice ${bill.invoice_number} dated ${day(bill.date)}`)
    const titles = ['Meter No', 'Start Date', 'Start Read', 'End Date', 'End Read', 'Constant', 'kWh Billed', 'Charges']
    for (const [place, title] of titles.entries()) sheet.text(120 + place * 85, 160, title, { bold: true, align: 'right' })
    for (const [row, meter] of bill.meters.entries()) {
      const cells = [
        meter.meter_number,
        day(meter.previous_read_date),
        grouped(meter.previous_reading),
        day(meter.read_date),
        grouped(meter.meter_reading),
        meter.multiplier,
        grouped(meter.usage),
        grouped(meter.utility_charges),
      ]
      for (const [place, cell] of cells.entries()) sheet.text(120 + place * 85, 176 + row * 14, cell, { align: 'right' })
    }
    const rows = [
      ['Opening balance', bill.previous_balance],
      ['Receipts', `-${bill.payments}`],
      ['Balance b/f', bill.balance_forward],
      ['Penalty charge', bill.late_fee],
      ['Total new charges', bill.current_charges],
      ['Amount payable', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(500, 240 + place * 15, label)
      sheet.text(715, 240 + place * 15, printMoney(value, '$1,234.50 CR'), { align: 'right' })
    }
    return sheet.finish()
  },
}

/** Labels that end at a colon, dates by the standard, amounts without thousands. */
export const colons: Layout = {
  name: 'colons',
  kind: { vendor: 'Isle Royale Light Department', commodities: ['electric'], account: 'IR######', invoice: '####-##', meter: '######' },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper('Times')
    sheet.text(306, 40, bill.vendor, { size: 15, bold: true, align: 'center' })
    const meter = bill.meters[0]
    const left = [
      ['Acct', bill.account_number],
      ['Inv. No', bill.invoice_number],
      ['Bill Dt', bill.date],
      ['Pay before', bill.due_date],
      ['Meter', meter?.meter_number ?? ''],
      ['Period start', meter?.previous_read_date ?? ''],
      ['Period end', meter?.read_date ?? ''],
    ] as const
    const right = [
      ['Prev read', meter?.previous_reading ?? ''],
      ['Curr read', meter?.meter_reading ?? ''],
      ['Mult', meter?.multiplier ?? ''],
      ['Usage (kWh)', meter?.usage ?? ''],
      ['Electric', meter?.utility_charges ?? ''],
      ['Bal fwd', bill.balance_forward],
      ['Late fee', bill.late_fee],
      ['Current', bill.current_charges],
      ['Total', bill.amount_due],
    ] as const
    for (const [place, [label, value]] of left.entries()) {
      sheet.text(130, 90 + place * 15, `${label}:`, { align: 'right' })
      sheet.text(136, 90 + place * 15, value)
    }
    for (const [place, [label, value]] of right.entries()) {
      sheet.text(400, 90 + place * 15, `${label}:`, { align: 'right' })
      sheet.text(406, 90 + place * 15, value)
    }
    sheet.text(60, 300, `${bill.customer}, ${bill.address}, ${bill.city}`)
    sheet.text(60, 330, 'Office hours 9 to 4. After hours call (906) 555-0199 to report an outage.')
    return sheet.finish()
  },
}
