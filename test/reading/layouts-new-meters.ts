/** Layouts whose meters are arranged in other ways: turned tables, rows by day, sums in one line, blocks side by side. */
import { pairs, table } from './parts.ts'
import { paper, printDate, printMoney, type Paper } from './paper.ts'
import { daysOf, type Layout } from './layout.ts'
import { grouped, type SampleBill } from './sample-bill.ts'

const us = (date: string): string => printDate(date, '02/15/2024')
const dollars = (amount: string): string => printMoney(amount, '-$1,234.50')

function head(sheet: Paper, bill: SampleBill, day = us): void {
  sheet.text(40, 36, bill.vendor, { size: 15, bold: true })
  pairs(sheet, { x: 360, y: 40, end: 570 }, [
    ['Account Number', bill.account_number],
    ['Bill Date', day(bill.date)],
    ['Due Date', day(bill.due_date)],
  ])
}

function sums(sheet: Paper, bill: SampleBill, y: number): void {
  pairs(sheet, { x: 330, y, end: 570 }, [
    ['Balance Forward', dollars(bill.balance_forward)],
    ['Late Fee', dollars(bill.late_fee)],
    ['Current Charges', dollars(bill.current_charges)],
    ['Amount Due', dollars(bill.amount_due)],
  ])
}

/** Headings of two lines in an order of its own, the usage first and the meter last. */
const twoLines: Layout = {
  name: 'two lines',
  kind: {
    vendor: 'Kanawha Power',
    commodities: ['electric', 'electric'],
    account: '###-###-###-#-#',
    invoice: '######',
    meter: '#########',
  },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill)
    const columns = [40, 120, 195, 270, 345, 400, 455, 520]
    table(
      sheet,
      { y: 130, columns, step: 10 },
      [
        ['Metered', 'Current', 'Previous', 'Meter', 'Service', 'Service', 'Service', 'Meter'],
        ['kWh', 'Reading', 'Reading', 'Constant', 'From', 'To', 'Days', 'Number'],
      ],
      { size: 8, bold: true },
    )
    table(
      sheet,
      { y: 156, columns, step: 13 },
      bill.meters.map((meter) => [
        grouped(meter.usage),
        grouped(meter.meter_reading),
        grouped(meter.previous_reading),
        meter.multiplier,
        printDate(meter.previous_read_date, '2/15/24'),
        printDate(meter.read_date, '2/15/24'),
        String(daysOf(meter)),
        meter.meter_number,
      ]),
      { size: 8 },
    )
    for (const [place, meter] of bill.meters.entries()) {
      sheet.text(40, 220 + place * 14, `Total for meter ${meter.meter_number}`)
      sheet.text(300, 220 + place * 14, dollars(meter.utility_charges), { align: 'right' })
    }
    sums(sheet, bill, 300)
    return sheet.finish()
  },
}

/** The table lies on its side: a column for each meter, a row for each of its values. */
const transposed: Layout = {
  name: 'transposed',
  kind: {
    vendor: 'Chisholm County Utilities',
    commodities: ['water', 'water', 'water'],
    account: '#####-##',
    invoice: '######',
    meter: '########',
  },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill)
    const columns = [40, 200, 320, 440]
    const row = (label: string, of: (meter: SampleBill['meters'][number]) => string): string[] => [label, ...bill.meters.map(of)]
    table(sheet, { y: 140, columns, step: 15 }, [
      row('Meter number', (meter) => meter.meter_number),
      row('Previous read date', (meter) => us(meter.previous_read_date)),
      row('Current read date', (meter) => us(meter.read_date)),
      row('Current reading', (meter) => grouped(meter.meter_reading)),
      row('Previous reading', (meter) => grouped(meter.previous_reading)),
      row('Consumption (CCF)', (meter) => grouped(meter.usage)),
      row('Charges', (meter) => dollars(meter.utility_charges)),
    ])
    sums(sheet, bill, 300)
    return sheet.finish()
  },
}

/** Two blocks of labels side by side. */
const sideBySide: Layout = {
  name: 'side by side',
  kind: {
    vendor: 'Lake Effect Energy',
    commodities: ['electric', 'natural_gas'],
    account: '## #### ####',
    invoice: '######',
    meter: '#######',
  },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper('Times')
    head(sheet, bill)
    for (const [place, meter] of bill.meters.entries()) {
      const x = 40 + place * 275
      sheet.box(x - 6, 130, 260, 130)
      sheet.text(x, 136, meter.commodity === 'electric' ? 'ELECTRIC SERVICE' : 'GAS SERVICE', { bold: true })
      pairs(sheet, { x, y: 156, end: x + 240, step: 13 }, [
        ['Meter number', meter.meter_number],
        ['Service from', us(meter.previous_read_date)],
        ['Service to', us(meter.read_date)],
        ['Present reading', grouped(meter.meter_reading)],
        ['Previous reading', grouped(meter.previous_reading)],
        [`${meter.unit} used`, grouped(meter.usage)],
        ['Total charges', dollars(meter.utility_charges)],
      ])
    }
    sums(sheet, bill, 300)
    return sheet.finish()
  },
}

/** Readings as a history, the latest first; the meter's number heads it. */
const byDay: Layout = {
  name: 'by day',
  kind: { vendor: 'Mesa Verde Electric Association', commodities: ['electric'], account: '########', invoice: '######', meter: '########' },
  omits: ['invoice_number', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill)
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 130, `Meter # ${meter.meter_number}`, { bold: true })
    table(sheet, { y: 148, columns: [40, 160, 260, 360] }, [
      ['Read date', 'Type', 'Reading', 'kWh'],
      [us(meter.read_date), meter.estimated ? 'Estimated' : 'Actual', grouped(meter.meter_reading), grouped(meter.usage)],
      [us(meter.previous_read_date), 'Actual', grouped(meter.previous_reading), ''],
    ])
    sums(sheet, bill, 260)
    return sheet.finish()
  },
}

/** The whole meter as a sum in one line. */
const equation: Layout = {
  name: 'equation',
  kind: { vendor: 'Tri-Forks Rural Electric', commodities: ['electric'], account: '####.####', invoice: '######', meter: '#######' },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill)
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    sheet.text(40, 130, `Meter ${meter.meter_number}: ${us(meter.previous_read_date)} to ${us(meter.read_date)}`)
    sheet.text(
      40,
      148,
      `${grouped(meter.meter_reading)} - ${grouped(meter.previous_reading)} = ${grouped(String(Number(meter.meter_reading) - Number(meter.previous_reading)))} x ${meter.multiplier} = ${grouped(meter.usage)} kWh`,
    )
    sums(sheet, bill, 200)
    return sheet.finish()
  },
}

/** The meter heads a group of rows, and its register is read in a row without its number; headings that say little. */
const groups: Layout = {
  name: 'groups',
  kind: {
    vendor: 'Oxbow Utilities Commission',
    commodities: ['electric', 'electric'],
    account: '##-####-##',
    invoice: '######',
    meter: 'OX#####',
  },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill)
    const columns = [60, 140, 230, 310, 380, 440, 520]
    table(sheet, { y: 130, columns }, [['Begin', 'End', 'Old', 'New', 'Diff', 'x', 'Total kWh']], { bold: true })
    for (const [place, meter] of bill.meters.entries()) {
      const y = 148 + place * 34
      sheet.text(40, y, `Service ${meter.meter_number}, rate GS-${place + 1}`, { bold: true })
      table(sheet, { y: y + 14, columns }, [
        [
          us(meter.previous_read_date),
          us(meter.read_date),
          meter.previous_reading,
          meter.meter_reading,
          String(Number(meter.meter_reading) - Number(meter.previous_reading)),
          meter.multiplier,
          meter.usage,
        ],
      ])
    }
    for (const [place, meter] of bill.meters.entries())
      pairs(sheet, { x: 40, y: 250 + place * 14, end: 290 }, [[`Charges for ${meter.meter_number}`, dollars(meter.utility_charges)]])
    sums(sheet, bill, 320)
    return sheet.finish()
  },
}

/** Units are in the headings; a column of demand beside that of the use. */
const unitsInHeads: Layout = {
  name: 'units in heads',
  kind: {
    vendor: 'Cumberland Public Power',
    commodities: ['electric', 'electric'],
    account: '#-######-#',
    invoice: '######',
    meter: '######',
  },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper()
    head(sheet, bill, (date) => printDate(date, '15-Feb-2024'))
    const columns = [40, 100, 165, 230, 295, 350, 400, 455, 520]
    table(
      sheet,
      { y: 140, columns },
      [['Meter', 'Start', 'Finish', 'Opening', 'Closing', 'Factor', 'Peak (kW)', 'Use (kWh)', 'Cost ($)']],
      { size: 8, bold: true },
    )
    table(
      sheet,
      { y: 154, columns },
      bill.meters.map((meter, place) => [
        meter.meter_number,
        printDate(meter.previous_read_date, '15-Feb-2024'),
        printDate(meter.read_date, '15-Feb-2024'),
        meter.previous_reading,
        meter.meter_reading,
        meter.multiplier,
        `${17 + place * 9}.4`,
        grouped(meter.usage),
        grouped(meter.utility_charges),
      ]),
      { size: 8 },
    )
    sums(sheet, bill, 260)
    return sheet.finish()
  },
}

export const newMeters: readonly Layout[] = [twoLines, transposed, sideBySide, byDay, equation, groups, unitsInHeads]
