/** Layouts whose charges are laid out otherwise than those before: nested sections, quantities times rates, numbered lines, books. */
import { subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { pairs, table } from './parts.ts'
import { paper, printDate, printMoney, type Paper } from './paper.ts'
import { daysOf, type Layout } from './layout.ts'
import { grouped, type SampleBill } from './sample-bill.ts'

const us = (date: string): string => printDate(date, '02/15/2024')
const dollars = (amount: string): string => printMoney(amount, '-$1,234.50')

/** Charges in sections of sections, each with its sum further to the right. */
const nested: Layout = {
  name: 'nested',
  kind: {
    vendor: 'Bitterroot Power & Gas',
    commodities: ['electric', 'natural_gas'],
    account: '######-#',
    invoice: '######',
    meter: '########',
  },
  omits: ['invoice_number', 'estimated'],
  draw: async (bill) => {
    const sheet = paper('Times')
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    sheet.text(40, 70, `Account ${bill.account_number}`)
    sheet.text(230, 70, `Billed on ${us(bill.date)}`)
    sheet.text(420, 70, `Due on ${us(bill.due_date)}`)
    let y = 110
    for (const meter of bill.meters) {
      sheet.text(40, y, meter.commodity === 'electric' ? 'ELECTRIC' : 'NATURAL GAS', { bold: true })
      sheet.text(60, y + 13, `Meter ${meter.meter_number}   ${us(meter.previous_read_date)} - ${us(meter.read_date)}`)
      sheet.text(
        60,
        y + 26,
        `Reading ${grouped(meter.meter_reading)} less ${grouped(meter.previous_reading)}, multiplier ${meter.multiplier}, usage ${grouped(meter.usage)} ${meter.unit}`,
      )
      y += 40
      for (const half of [meter.charges.slice(0, 2), meter.charges.slice(2)]) {
        for (const charge of half) {
          pairs(sheet, { x: 90, y, end: 380 }, [[charge.name, dollars(charge.amount)]])
          y += 12
        }
        sheet.text(470, y - 12, dollars(sumMoney(half.map((charge) => charge.amount))), { align: 'right' })
      }
      pairs(sheet, { x: 60, y, end: 560 }, [
        [`Total ${meter.commodity === 'electric' ? 'electric' : 'gas'}`, dollars(meter.utility_charges)],
      ])
      y += 24
    }
    pairs(sheet, { x: 40, y, end: 560 }, [
      ['Current charges', dollars(bill.current_charges)],
      ['Unpaid balance', dollars(bill.balance_forward)],
      ['Late fee', dollars(bill.late_fee)],
      ['Amount due', dollars(bill.amount_due)],
    ])
    return sheet.finish()
  },
}

/** A supplier's invoice: quantity, rate and amount in a row for each charge. */
const quantities: Layout = {
  name: 'quantities',
  kind: { vendor: 'Lone Star Retail Energy', commodities: ['electric'], account: '#######', invoice: '############', meter: '##########' },
  omits: ['estimated', 'multiplier', 'previous_reading', 'meter_reading'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    sheet.text(570, 40, 'INVOICE', { size: 15, align: 'right' })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    pairs(sheet, { x: 350, y: 70, end: 570 }, [
      ['Customer account', bill.account_number],
      ['Invoice no.', bill.invoice_number],
      ['Invoice date', us(bill.date)],
      ['Pay by', us(bill.due_date)],
    ])
    const [fixed, energy, ...others] = meter.charges
    sheet.text(
      40,
      160,
      `Meter ${meter.meter_number}, service period ${us(meter.previous_read_date)} to ${us(meter.read_date)} (${daysOf(meter)} days)`,
    )
    table(sheet, { y: 184, columns: [40, 260, 340, 420, 510] }, [
      ['Description', 'Quantity', 'Unit', 'Rate', 'Amount'],
      [energy?.name ?? '', grouped(meter.usage), 'kWh', '0.0713', energy?.amount ?? ''],
      [fixed?.name ?? '', '1', 'month', fixed?.amount ?? '', fixed?.amount ?? ''],
      ...others.map((charge) => [charge.name, '', '', '', charge.amount]),
    ])
    pairs(sheet, { x: 350, y: 270, end: 560 }, [
      ['Current charges', bill.current_charges],
      ['Past due', bill.balance_forward],
      ['Late fee', bill.late_fee],
      ['Please pay', dollars(bill.amount_due)],
    ])
    return sheet.finish()
  },
}

/** Lines with numbers, as on a form of the tax office, and leaders of dots. */
const numbered: Layout = {
  name: 'numbered',
  kind: { vendor: 'Delta County Sewer & Water', commodities: ['water'], account: '###-##-####', invoice: '######', meter: '#########' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper('Courier')
    sheet.text(40, 40, bill.vendor, { size: 12, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const rows = [
      ['Account number', bill.account_number],
      ['Date of statement', us(bill.date)],
      ['Meter number', meter.meter_number],
      ['Date of previous reading', us(meter.previous_read_date)],
      ['Date of present reading', us(meter.read_date)],
      ['Previous reading', meter.previous_reading],
      ['Present reading', meter.meter_reading],
      ['Consumption in CCF (line 7 less line 6)', meter.usage],
      ['Previous balance', bill.previous_balance],
      ['Payments', bill.payments],
      ['Balance forward (line 9 less line 10)', bill.balance_forward],
      ['Penalty', bill.late_fee],
      ['Current charges', bill.current_charges],
      ['Amount due (lines 11 to 13)', bill.amount_due],
      ['Due date', us(bill.due_date)],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      const start = `${String(place + 1).padStart(2)}. ${label} `
      sheet.text(40, 80 + place * 15, `${start}${'.'.repeat(Math.max(3, 60 - start.length))} ${value}`)
    }
    return sheet.finish()
  },
}

/** A book of entries with debit, credit and balance. */
const book: Layout = {
  name: 'book',
  kind: { vendor: 'Saltmarsh Village Power', commodities: ['electric'], account: 'SV####', invoice: '######', meter: '######' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    bookHead(sheet, bill)
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const charged = sumMoney([bill.balance_forward, bill.current_charges])
    table(sheet, { y: 130, columns: [40, 120, 330, 410, 490] }, [
      ['Date', 'Entry', 'Debit', 'Credit', 'Balance'],
      ['', 'Previous balance', '', '', grouped(bill.previous_balance)],
      [us(meter.read_date), 'Payments', '', grouped(bill.payments), grouped(bill.balance_forward)],
      [us(bill.date), 'Current charges', grouped(bill.current_charges), '', grouped(charged)],
      [us(bill.date), 'Late fee', grouped(subtractMoney(bill.amount_due, charged)), '', grouped(bill.amount_due)],
      [us(bill.due_date), 'Amount due', '', '', grouped(bill.amount_due)],
    ])
    sheet.text(40, 230, `Meter ${meter.meter_number} read ${us(meter.previous_read_date)}: ${meter.previous_reading}`)
    sheet.text(40, 244, `Meter ${meter.meter_number} read ${us(meter.read_date)}: ${meter.meter_reading}`)
    sheet.text(40, 258, `Use: ${meter.usage} kWh`)
    return sheet.finish()
  },
}

function bookHead(sheet: Paper, bill: SampleBill): void {
  sheet.text(40, 36, bill.vendor, { size: 15, bold: true })
  sheet.text(40, 60, `Account of ${bill.customer}, number ${bill.account_number}`)
  sheet.text(40, 76, `Made out ${us(bill.date)}, due date ${us(bill.due_date)}`)
}

/** A bill without a meter: rent of containers. */
const containers: Layout = {
  name: 'containers',
  kind: { vendor: 'Clean Sweep Disposal', commodities: [], account: '#-#####-#####', invoice: '#######-####-#', meter: '####' },
  omits: [],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(40, 40, bill.vendor, { size: 18, bold: true, color: '#166534' })
    table(sheet, { y: 90, columns: [40, 190, 330, 460] }, [
      ['Customer ID', 'Invoice number', 'Invoice date', 'Due date'],
      [bill.account_number, bill.invoice_number, us(bill.date), us(bill.due_date)],
    ])
    table(sheet, { y: 140, columns: [40, 190, 330, 460], step: 16 }, [
      ['Previous balance', 'Payments', 'Adjustments', ''],
      [dollars(bill.previous_balance), dollars(`-${bill.payments}`), '$0.00', ''],
      ['Balance forward', 'Late fee', 'Current charges', 'Total due'],
      [dollars(bill.balance_forward), dollars(bill.late_fee), dollars(bill.current_charges), dollars(bill.amount_due)],
    ])
    sheet.text(40, 230, `8 yard container, 3 lifts a week, 13 lifts at 4.20 tons`)
    return sheet.finish()
  },
}

/** Words in a column on the right, values in a column on the left of them that ends where they begin. */
const rightWords: Layout = {
  name: 'right words',
  kind: { vendor: 'Gulf Breeze Utilities', commodities: ['water'], account: '########-###', invoice: '######', meter: '########' },
  omits: ['invoice_number', 'estimated', 'multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    sheet.text(40, 40, bill.vendor, { size: 15, bold: true })
    const [meter] = bill.meters
    if (meter === undefined) return sheet.finish()
    const rows = [
      [bill.account_number, 'Account number'],
      [printDate(bill.date, 'Feb 15, 2024'), 'Bill date'],
      [printDate(bill.due_date, 'Feb 15, 2024'), 'Due date'],
      [meter.meter_number, 'Meter number'],
      [printDate(meter.previous_read_date, 'Feb 15, 2024'), 'Service from'],
      [printDate(meter.read_date, 'Feb 15, 2024'), 'Service to'],
      [meter.previous_reading, 'Previous reading'],
      [meter.meter_reading, 'Present reading'],
      [meter.usage, 'Usage in CCF'],
      [dollars(bill.balance_forward), 'Balance forward'],
      [dollars(bill.late_fee), 'Late fee'],
      [dollars(bill.current_charges), 'Current charges'],
      [dollars(bill.amount_due), 'Total amount due'],
    ] as const
    for (const [place, [value, label]] of rows.entries()) {
      sheet.text(300, 90 + place * 16, value, { align: 'right', bold: true })
      sheet.text(312, 90 + place * 16, label)
    }
    return sheet.finish()
  },
}

export const newCharges: readonly Layout[] = [nested, quantities, numbered, book, containers, rightWords]
