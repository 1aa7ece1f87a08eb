/** More layouts that are built otherwise: the stub first, a row of figures without headings, words below values, sums before parts. */
import { pairs, table } from './parts.ts'
import { paper, printDate, printMoney } from './paper.ts'
import { daysOf, type Layout } from './layout.ts'
import { grouped } from './sample-bill.ts'

const us = (date: string): string => printDate(date, '02/15/2024')
const dollars = (amount: string): string => printMoney(amount, '-$1,234.50')

/** The slip to send back is torn off at the head, with amounts due before and after the day. */
const stubAbove: Layout = {
  name: 'stub above',
  kind: { vendor: 'Copper Basin Electric', commodities: ['electric'], account: '#### ######', invoice: '######', meter: '########' },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    pairs(sheet, { x: 360, y: 30, end: 570 }, [
      ['Account number', bill.account_number],
      ['Pay by', us(bill.due_date)],
      ['Amount due', dollars(bill.amount_due)],
      ['Amount due after due date', dollars(`${Math.round(Number(bill.amount_due) * 105) / 100}`.replace(/^(\d+)$/, '$1.00'))],
    ])
    sheet.text(40, 30, bill.customer)
    sheet.text(40, 42, bill.address)
    for (let x = 0; x < 612; x += 10) sheet.rule(x, 100, x + 5)
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 120, bill.vendor, { size: 15, bold: true })
    sheet.text(400, 124, `Statement date ${us(bill.date)}`)
    table(sheet, { y: 160, columns: [40, 120, 190, 270, 350, 420, 490] }, [
      ['Meter', 'Days', 'Date', 'Reading', 'Date', 'Reading', 'Usage'],
      ['', '', 'present', 'present', 'previous', 'previous', `x ${meter.multiplier}`],
      [
        meter.meter_number,
        String(daysOf(meter)),
        us(meter.read_date),
        meter.meter_reading,
        us(meter.previous_read_date),
        meter.previous_reading,
        `${meter.usage} kWh`,
      ],
    ])
    pairs(sheet, { x: 40, y: 220, end: 320 }, [
      ['Balance forward', dollars(bill.balance_forward)],
      ['Late fee', dollars(bill.late_fee)],
      ['New charges', dollars(bill.current_charges)],
      ['Amount due', dollars(bill.amount_due)],
    ])
    return sheet.finish()
  },
}

/** Rows of figures without headings: only what adds up says what is what. */
const noHeadings: Layout = {
  name: 'no headings',
  kind: { vendor: 'Juniper Flats Water', commodities: ['water', 'water'], account: '####-##', invoice: '######', meter: '########' },
  omits: ['invoice_number', 'estimated', 'multiplier', 'utility_charges'],
  draw: async (bill) => {
    const sheet = paper('Courier')
    sheet.text(40, 40, bill.vendor, { size: 12, bold: true })
    pairs(sheet, { x: 40, y: 70, valueAt: 170 }, [
      ['Account', bill.account_number],
      ['Bill date', us(bill.date)],
      ['Due date', us(bill.due_date)],
    ])
    table(
      sheet,
      { y: 130, columns: [40, 130, 220, 310, 380, 450] },
      bill.meters.map((meter) => [
        meter.meter_number,
        us(meter.previous_read_date),
        us(meter.read_date),
        grouped(meter.previous_reading),
        grouped(meter.meter_reading),
        `${meter.usage} CCF`,
      ]),
    )
    pairs(sheet, { x: 40, y: 200, end: 320 }, [
      ['Balance forward', dollars(bill.balance_forward)],
      ['Late fee', dollars(bill.late_fee)],
      ['Current charges', dollars(bill.current_charges)],
      ['Amount due', dollars(bill.amount_due)],
    ])
    return sheet.finish()
  },
}

/** Large values in boxes with their words below. */
const boxesBelow: Layout = {
  name: 'boxes below',
  kind: { vendor: 'Sandhills Natural Gas', commodities: ['natural_gas'], account: '###-######', invoice: '######', meter: '#######' },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(40, 30, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const day = (date: string): string => printDate(date, 'Feb 15, 2024')
    const shown = [
      [bill.account_number, 'Account number'],
      [day(bill.date), 'Bill date'],
      [day(bill.due_date), 'Due date'],
      [dollars(bill.amount_due), 'Amount due'],
      [dollars(bill.balance_forward), 'Balance forward'],
      [dollars(bill.current_charges), 'Current charges'],
      [meter.meter_number, 'Meter number'],
      [grouped(meter.previous_reading), 'Previous reading'],
      [grouped(meter.meter_reading), 'Current reading'],
      [meter.multiplier, 'Multiplier'],
      [`${grouped(meter.usage)} therms`, 'Gas used'],
      [dollars(bill.late_fee), 'Late fee'],
      [day(meter.previous_read_date), 'Previous read date'],
      [day(meter.read_date), 'Current read date'],
    ] as const
    for (const [place, [value, label]] of shown.entries()) {
      const [x, y] = [40 + (place % 3) * 185, 70 + Math.floor(place / 3) * 60]
      sheet.box(x, y, 170, 48)
      sheet.text(x + 85, y + 8, value, { size: 12, bold: true, align: 'center' })
      sheet.text(x + 85, y + 30, label, { size: 8, align: 'center' })
    }
    return sheet.finish()
  },
}

/** The amount due comes first and its parts follow; the usage comes before its readings. */
const usageFirst: Layout = {
  name: 'usage first',
  kind: { vendor: 'Black Hawk Energy', commodities: ['electric'], account: '##########', invoice: 'BH######', meter: '##-######' },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper('Times')
    sheet.text(40, 30, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 60, `Invoice ${bill.invoice_number}, ${us(bill.date)}, for account ${bill.account_number}`)
    sheet.text(40, 90, `${dollars(bill.amount_due)} is due ${us(bill.due_date)}`, { size: 13, bold: true })
    pairs(sheet, { x: 60, y: 116, end: 300 }, [
      ['of which current charges', dollars(bill.current_charges)],
      ['of which late fee', dollars(bill.late_fee)],
      ['of which balance forward', dollars(bill.balance_forward)],
    ])
    sheet.text(40, 190, `You used ${grouped(meter.usage)} kWh in ${daysOf(meter)} days`, { size: 13, bold: true })
    sheet.text(60, 214, `Meter ${meter.meter_number} stood at ${grouped(meter.meter_reading)} on ${us(meter.read_date)}`)
    sheet.text(
      60,
      228,
      `and at ${grouped(meter.previous_reading)} on ${us(meter.previous_read_date)}; each unit counts ${meter.multiplier}`,
    )
    return sheet.finish()
  },
}

export const newMore: readonly Layout[] = [stubAbove, noHeadings, boxesBelow, usageFirst]
