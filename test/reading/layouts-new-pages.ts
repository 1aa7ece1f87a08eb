/** Layouts whose pages are divided otherwise than those before: summaries behind, columns of a newspaper, days in words, credits. */
import { pairs, paragraph, table } from './parts.ts'
import { paper, printDate, printMoney } from './paper.ts'
import type { Layout } from './layout.ts'
import { grouped } from './sample-bill.ts'

const us = (date: string): string => printDate(date, '02/15/2024')
const dollars = (amount: string): string => printMoney(amount, '-$1,234.50')
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const monthOf = (date: string): string => months[Number(date.slice(5, 7)) - 1] ?? ''
const ordinal = (day: number): string =>
  `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'}`

/** Meters on the first page, all that is owed on the second. */
const summaryBehind: Layout = {
  name: 'summary behind',
  kind: { vendor: 'Shenandoah Natural Gas', commodities: ['natural_gas'], account: '####-####-##', invoice: 'N######', meter: '#######' },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper('Times')
    sheet.text(40, 40, bill.vendor, { size: 16, bold: true })
    sheet.text(400, 40, 'Meter detail, sheet 1')
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    table(sheet, { y: 90, columns: [40, 120, 200, 280, 350, 420, 500] }, [
      ['Meter No.', 'From', 'To', 'Prior', 'Present', 'Factor', 'Therms'],
      [
        meter.meter_number,
        us(meter.previous_read_date),
        us(meter.read_date),
        meter.previous_reading,
        meter.meter_reading,
        meter.multiplier,
        meter.usage,
      ],
    ])
    sheet.nextPage()
    sheet.text(40, 40, `${bill.vendor}, statement of account, sheet 2`)
    pairs(sheet, { x: 40, y: 80, end: 320 }, [
      ['Account Number', bill.account_number],
      ['Invoice Number', bill.invoice_number],
      ['Invoice Date', us(bill.date)],
      ['Balance Forward', dollars(bill.balance_forward)],
      ['Late Payment Charge', dollars(bill.late_fee)],
      ['Current Charges', dollars(bill.current_charges)],
      ['Total Due', dollars(bill.amount_due)],
      ['Due Date', us(bill.due_date)],
    ])
    return sheet.finish()
  },
}

/** Two columns like a newspaper's, whose lines have nothing to do with each other. */
const newspaper: Layout = {
  name: 'newspaper',
  kind: { vendor: 'Ozark Border Electric', commodities: ['electric'], account: '########', invoice: '######', meter: '#########' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(306, 30, bill.vendor, { size: 16, bold: true, align: 'center' })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    pairs(sheet, { x: 40, y: 80, end: 285, step: 12 }, [
      ['Member account', bill.account_number],
      ['Billing date', us(bill.date)],
      ['Meter number', meter.meter_number],
      ['Reading on ' + us(meter.read_date), grouped(meter.meter_reading)],
      ['Reading on ' + us(meter.previous_read_date), grouped(meter.previous_reading)],
      ['kWh used', grouped(meter.usage)],
      ...meter.charges.map((charge) => [charge.name, dollars(charge.amount)] as const),
    ])
    pairs(sheet, { x: 310, y: 80, end: 572, step: 12 }, [
      ['Amount of last statement', dollars(bill.previous_balance)],
      ['Payments received', dollars(`-${bill.payments}`)],
      ['Balance forward', dollars(bill.balance_forward)],
      ['Late charge', dollars(bill.late_fee)],
      ['Total current charges', dollars(bill.current_charges)],
      ['Pay this amount', dollars(bill.amount_due)],
      ['Pay by', us(bill.due_date)],
      ['Office hours', '8 to 5'],
    ])
    paragraph(
      sheet,
      { x: 40, y: 300, letters: 60 },
      'Members elect 3 of 9 directors on June 11, 2026, at 7 in the evening; 1,250 came last year.',
    )
    return sheet.finish()
  },
}

/** Days in words with ordinals. */
const ordinals: Layout = {
  name: 'ordinals',
  kind: { vendor: 'Borough of Penfield Water', commodities: ['water'], account: '####/##', invoice: '######', meter: '#######' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper('Times')
    const day = (date: string): string => `${ordinal(Number(date.slice(8)))} of ${monthOf(date)} ${date.slice(0, 4)}`
    const other = (date: string): string => `${monthOf(date)} ${ordinal(Number(date.slice(8)))}, ${date.slice(0, 4)}`
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    pairs(sheet, { x: 40, y: 90, valueAt: 220, step: 16 }, [
      ['Account number', bill.account_number],
      ['Date of bill', other(bill.date)],
      ['Payment due by', day(bill.due_date)],
      ['Meter number', meter.meter_number],
      ['Previous reading', `${meter.previous_reading} on the ${day(meter.previous_read_date)}`],
      ['Present reading', `${meter.meter_reading} on the ${day(meter.read_date)}`],
      ['Consumption', `${meter.usage} ${meter.unit}`],
      ['Arrears', dollars(bill.balance_forward)],
      ['Penalty', dollars(bill.late_fee)],
      ['Current charges', dollars(bill.current_charges)],
      ['Total due', dollars(bill.amount_due)],
    ])
    return sheet.finish()
  },
}

/** Days as '10MAR24', of the period without a year. */
const military: Layout = {
  name: 'day month',
  kind: { vendor: 'Fort Sumner Power Authority', commodities: ['electric'], account: '#########', invoice: 'FS-#####', meter: '########' },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper('Courier')
    const short = (date: string): string => `${date.slice(8)}-${monthOf(date).slice(0, 3).toUpperCase()}`
    const day = (date: string): string => `${short(date)}-${date.slice(2, 4)}`
    sheet.text(40, 40, bill.vendor, { size: 12, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    pairs(sheet, { x: 40, y: 70, valueAt: 180 }, [
      ['ACCT NO', bill.account_number],
      ['INVOICE NO', bill.invoice_number],
      ['BILL DATE', day(bill.date)],
      ['DUE DATE', day(bill.due_date)],
    ])
    table(sheet, { y: 150, columns: [40, 130, 200, 270, 350, 430, 500] }, [
      ['METER NO', 'FROM', 'TO', 'PRESENT', 'PREVIOUS', 'MULT', 'KWH'],
      [
        meter.meter_number,
        short(meter.previous_read_date),
        short(meter.read_date),
        meter.meter_reading,
        meter.previous_reading,
        meter.multiplier,
        meter.usage,
      ],
    ])
    pairs(sheet, { x: 40, y: 200, end: 300 }, [
      ['BALANCE FORWARD', bill.balance_forward],
      ['LATE FEE', bill.late_fee],
      ['CURRENT CHARGES', bill.current_charges],
      ['AMOUNT DUE', bill.amount_due],
    ])
    return sheet.finish()
  },
}

/** The customer has paid too much: a credit is carried. */
const credit: Layout = {
  name: 'credit',
  kind: {
    vendor: 'Willamette Heat & Light',
    commodities: ['natural_gas'],
    account: '#######-#',
    invoice: '#########',
    meter: '########',
    isOverpaid: true,
  },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const money = (amount: string): string => printMoney(amount, '$1,234.50 CR')
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 70, `Statement ${bill.invoice_number} of ${us(bill.date)} for account ${bill.account_number}`)
    table(sheet, { y: 110, columns: [40, 220, 330, 450] }, [
      ['', 'Date', 'Amount', 'Account balance'],
      ['Last statement', '', money(bill.previous_balance), money(bill.previous_balance)],
      ['Payments', us(meter.read_date), money(`-${bill.payments}`), money(bill.balance_forward)],
      ['Current charges', us(bill.date), money(bill.current_charges), money(bill.amount_due)],
    ])
    sheet.text(40, 180, `Pay ${money(bill.amount_due)} by ${us(bill.due_date)}`, { size: 12, bold: true })
    table(sheet, { y: 220, columns: [40, 150, 230, 310, 390, 470, 530] }, [
      ['Meter number', 'Start date', 'End date', 'Start read', 'End read', 'Factor', 'Therms'],
      [
        meter.meter_number,
        us(meter.previous_read_date),
        us(meter.read_date),
        meter.previous_reading,
        meter.meter_reading,
        meter.multiplier,
        meter.usage,
      ],
    ])
    return sheet.finish()
  },
}

export const newPages: readonly Layout[] = [summaryBehind, newspaper, ordinals, military, credit]
