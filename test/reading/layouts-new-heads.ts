/** Layouts whose heads are built otherwise than those before: values before labels, letters, cards, codes. */
import { pairs, paragraph, table } from './parts.ts'
import { paper, printDate, printMoney } from './paper.ts'
import type { Layout } from './layout.ts'
import { grouped } from './sample-bill.ts'

const us = (date: string): string => printDate(date, '02/15/2024')
const dollars = (amount: string): string => printMoney(amount, '-$1,234.50')

/** Every value is printed before its words. */
const valuesFirst: Layout = {
  name: 'values first',
  kind: { vendor: 'Alder Creek Electric', commodities: ['electric'], account: '####-#####', invoice: '#######', meter: 'K######' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    pairs(sheet, { x: 330, y: 90, valueAt: 420 }, [
      [bill.account_number, 'account number'],
      [us(bill.date), 'statement date'],
      [us(bill.due_date), 'payment due'],
      [dollars(bill.amount_due), 'amount due'],
    ])
    sheet.text(40, 180, 'Where you stand', { bold: true })
    pairs(sheet, { x: 40, y: 198, valueAt: 120 }, [
      [dollars(bill.previous_balance), 'on your last bill'],
      [dollars(`-${bill.payments}`), 'paid since, thank you'],
      [dollars(bill.balance_forward), 'balance forward'],
      [dollars(bill.late_fee), 'late fee'],
      [dollars(bill.current_charges), 'current charges'],
    ])
    sheet.text(40, 300, 'Your meter', { bold: true })
    pairs(sheet, { x: 40, y: 318, valueAt: 120 }, [
      [meter.meter_number, 'meter number'],
      [us(meter.previous_read_date), 'previous read date'],
      [us(meter.read_date), 'current read date'],
      [grouped(meter.previous_reading), 'previous reading'],
      [grouped(meter.meter_reading), 'current reading'],
      [`${grouped(meter.usage)} ${meter.unit}`, 'usage'],
    ])
    return sheet.finish()
  },
}

/** A letter: all values in sentences, which break where the line ends. */
const letter: Layout = {
  name: 'letter',
  kind: { vendor: 'Fern Hollow Gas Works', commodities: ['natural_gas'], account: 'FH-######', invoice: '######', meter: '#######' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper('Times')
    const day = (date: string): string => printDate(date, 'February 15, 2024')
    sheet.text(40, 40, bill.vendor, { size: 16, bold: true })
    sheet.text(40, 80, day(bill.date))
    sheet.text(40, 100, `${bill.customer}, ${bill.address}, ${bill.city}`)
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    let y = paragraph(
      sheet,
      { x: 40, y: 130, letters: 84 },
      `Dear customer, on account number ${bill.account_number} we read meter number ${meter.meter_number} on ${day(meter.read_date)}. The reading was ${grouped(meter.meter_reading)}, where on ${day(meter.previous_read_date)} it had been ${grouped(meter.previous_reading)}, so that you used ${grouped(meter.usage)} ${meter.unit.toLowerCase()} of gas.`,
    )
    y = paragraph(
      sheet,
      { x: 40, y: y + 8, letters: 84 },
      `Your previous balance was ${dollars(bill.previous_balance)} and we received payments of ${dollars(bill.payments)}, which leaves a balance forward of ${dollars(bill.balance_forward)}. To this we add current charges of ${dollars(bill.current_charges)} and a late fee of ${dollars(bill.late_fee)}.`,
    )
    paragraph(
      sheet,
      { x: 40, y: y + 8, letters: 84 },
      `The total amount due is therefore ${dollars(bill.amount_due)}, and it is due by ${day(bill.due_date)}. We thank you for your custom.`,
    )
    return sheet.finish()
  },
}

/** Cards in three columns, the words small above the figures; no two cards of one width. */
const cards: Layout = {
  name: 'cards',
  kind: { vendor: 'Basin & Range Water', commodities: ['water'], account: '## ### ####', invoice: 'B#####', meter: '########' },
  omits: ['estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.box(0, 0, 612, 46, '#0f766e')
    sheet.text(40, 16, bill.vendor, { size: 15, bold: true, color: '#fff' })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const day = (date: string): string => printDate(date, 'Feb 15, 2024')
    const shown = [
      ['Total amount due', dollars(bill.amount_due)],
      ['Due date', day(bill.due_date)],
      ['Account', bill.account_number],
      ['Bill date', day(bill.date)],
      ['Invoice', bill.invoice_number],
      ['Meter', meter.meter_number],
      ['Read from', day(meter.previous_read_date)],
      ['Read to', day(meter.read_date)],
      ['Water used', `${meter.usage} ${meter.unit}`],
      ['Previous reading', meter.previous_reading],
      ['Present reading', meter.meter_reading],
      ['Water charges', dollars(meter.utility_charges)],
      ['Unpaid balance', dollars(bill.balance_forward)],
      ['Late charge', dollars(bill.late_fee)],
      ['New charges', dollars(bill.current_charges)],
    ] as const
    const columns = [40, 210, 400]
    for (const [place, [label, value]] of shown.entries()) {
      const [x, y] = [columns[place % 3] ?? 0, 70 + Math.floor(place / 3) * 62]
      sheet.box(x, y, 150, 50)
      sheet.text(x + 8, y + 8, label.toUpperCase(), { size: 6.5, color: '#555' })
      sheet.text(x + 8, y + 22, value, { size: 13, bold: true })
    }
    return sheet.finish()
  },
}

/** The account number has no words but those of the slip to send back. */
const slip: Layout = {
  name: 'slip',
  kind: { vendor: 'Pioneer Valley Light', commodities: ['electric'], account: '######-####', invoice: '######', meter: '#########' },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper('Courier')
    sheet.text(40, 40, bill.vendor.toUpperCase(), { size: 13, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 70, `Billed ${us(bill.date)}   Pay by ${us(bill.due_date)}`)
    table(sheet, { y: 110, columns: [40, 150, 240, 330, 420] }, [
      ['METER', 'READ DATE', 'READING', 'CONSTANT', 'KWH'],
      [meter.meter_number, us(meter.previous_read_date), meter.previous_reading, '', ''],
      ['', us(meter.read_date), meter.meter_reading, meter.multiplier, meter.usage],
    ])
    pairs(sheet, { x: 40, y: 180, end: 480 }, [
      ['Balance forward', dollars(bill.balance_forward)],
      ['Late fee', dollars(bill.late_fee)],
      ['Current charges', dollars(bill.current_charges)],
      ['Total due', dollars(bill.amount_due)],
    ])
    for (let x = 0; x < 612; x += 10) sheet.rule(x, 620, x + 5)
    sheet.text(40, 640, 'Please write this number on your check')
    sheet.text(330, 640, bill.account_number, { bold: true })
    sheet.text(40, 690, `${bill.account_number.replace('-', '')} ${bill.amount_due.replace('.', '').padStart(9, '0')} 7`)
    return sheet.finish()
  },
}

/** One row of words over one row of values, set in the middle of columns that touch. */
const ribbon: Layout = {
  name: 'ribbon',
  kind: { vendor: 'Three Rivers Municipal', commodities: ['water'], account: '###-####-##', invoice: '######', meter: '######' },
  omits: ['estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    const middle = { align: 'center', size: 7.5 } as const
    sheet.text(306, 30, bill.vendor, { size: 14, bold: true, align: 'center' })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const day = (date: string): string => printDate(date, '2/15/24')
    const heads = [
      ['ACCT NO', bill.account_number],
      ['BILL NO', bill.invoice_number],
      ['BILLED', day(bill.date)],
      ['DUE', day(bill.due_date)],
      ['PAY THIS AMOUNT', dollars(bill.amount_due)],
    ] as const
    for (const [place, [label, value]] of heads.entries()) {
      sheet.text(90 + place * 108, 70, label, middle)
      sheet.text(90 + place * 108, 82, value, { ...middle, size: 9 })
    }
    const columns = ['METER', 'PREV DATE', 'CURR DATE', 'PREV', 'CURR', 'USAGE', 'UNIT', 'AMOUNT']
    const values = [
      meter.meter_number,
      day(meter.previous_read_date),
      day(meter.read_date),
      meter.previous_reading,
      meter.meter_reading,
      meter.usage,
      meter.unit,
      meter.utility_charges,
    ]
    for (const [place, label] of columns.entries()) {
      sheet.text(70 + place * 68, 130, label, middle)
      sheet.text(70 + place * 68, 142, values[place] ?? '', { ...middle, size: 9 })
    }
    const sums = ['PAST DUE', 'PENALTY', 'CURRENT CHARGES', 'TOTAL DUE']
    for (const [place, value] of [bill.balance_forward, bill.late_fee, bill.current_charges, bill.amount_due].entries()) {
      sheet.text(110 + place * 128, 190, sums[place] ?? '', middle)
      sheet.text(110 + place * 128, 202, value, { ...middle, size: 9 })
    }
    return sheet.finish()
  },
}

/** Words and values hang together without a space. */
const tight: Layout = {
  name: 'tight',
  kind: { vendor: 'Sagebrush Propane & Gas', commodities: ['natural_gas'], account: '#######', invoice: 'SG#####', meter: '######' },
  omits: ['estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper('Courier')
    sheet.text(40, 40, bill.vendor, { size: 12, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const lines = [
      `Account:${bill.account_number} Invoice:${bill.invoice_number}`,
      `Date:${us(bill.date)} Due:${us(bill.due_date)}`,
      `Meter:${meter.meter_number} From:${us(meter.previous_read_date)} To:${us(meter.read_date)}`,
      `Prev:${meter.previous_reading} Pres:${meter.meter_reading} Used:${meter.usage}${meter.unit}`,
      `Forward:${dollars(bill.balance_forward)} Late:${dollars(bill.late_fee)}`,
      `Charges:${dollars(bill.current_charges)} Total:${dollars(bill.amount_due)}`,
    ]
    for (const [place, line] of lines.entries()) sheet.text(40, 80 + place * 16, line)
    return sheet.finish()
  },
}

export const newHeads: readonly Layout[] = [valuesFirst, letter, cards, slip, ribbon, tight]
