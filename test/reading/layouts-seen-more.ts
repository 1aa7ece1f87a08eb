/** More layouts on which the reader was built: stacked headings, two pages, tables of single rows. */
import { paper, printDate, printMoney } from './paper.ts'
import { daysOf, type Layout } from './layout.ts'
import { grouped, type SampleBill } from './sample-bill.ts'

/** Two pages, headings of two lines, up to three meters, and a stub to tear off. */
export const stacked: Layout = {
  name: 'stacked',
  kind: {
    vendor: 'Redwood County Water District',
    commodities: ['water', 'water', 'water'],
    account: '###.####.#',
    invoice: 'RC-######',
    meter: '#########',
  },
  omits: ['multiplier'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, '02-15-2024')
    const money = (amount: string): string => printMoney(amount, '-$1,234.50')
    const due = bill.amount_due
    sheet.text(306, 30, bill.vendor, { size: 16, bold: true, align: 'center' })
    sheet.text(306, 50, 'Serving our community since 1911', { align: 'center', color: '#666' })
    sheet.text(40, 80, `Account: ${bill.account_number}`)
    sheet.text(220, 80, `Billing Date: ${day(bill.date)}`)
    sheet.text(400, 80, `Bill No: ${bill.invoice_number}`)
    const columns = [100, 190, 270, 340, 410, 480, 570]
    const titles = [
      ['Meter', 'Number'],
      ['Previous', 'Read Date'],
      ['Current', 'Read Date'],
      ['Previous', 'Reading'],
      ['Current', 'Reading'],
      ['Usage', '(CCF)'],
      ['Water', 'Charges'],
    ]
    for (const [place, [upper, lower]] of titles.entries()) {
      sheet.text(columns[place] ?? 0, 110, upper ?? '', { bold: true, align: 'right' })
      sheet.text(columns[place] ?? 0, 121, lower ?? '', { bold: true, align: 'right' })
    }
    sheet.rule(40, 133, 572)
    for (const [row, meter] of bill.meters.entries()) {
      const reading = meter.estimated ? `${meter.meter_reading} EST` : meter.meter_reading
      const cells = [
        meter.meter_number,
        day(meter.previous_read_date),
        day(meter.read_date),
        meter.previous_reading,
        reading,
        meter.usage,
        money(meter.utility_charges),
      ]
      for (const [place, cell] of cells.entries()) sheet.text(columns[place] ?? 0, 140 + row * 14, cell, { align: 'right' })
    }
    sheet.text(40, 220, 'Total New Charges')
    sheet.text(570, 220, money(bill.current_charges), { align: 'right' })
    sheet.text(40, 236, 'Balance Forward')
    sheet.text(570, 236, money(bill.balance_forward), { align: 'right' })
    sheet.text(300, 236, `Late Fees ${money(bill.late_fee)}`)
    sheet.text(40, 256, 'Total Amount Due', { bold: true })
    sheet.text(570, 256, money(due), { align: 'right', bold: true })
    for (let x = 0; x < 612; x += 10) sheet.rule(x, 620, x + 5)
    sheet.text(40, 640, 'Please return this portion with your payment')
    sheet.text(40, 660, bill.customer)
    sheet.text(40, 672, bill.address)
    const stub = [
      ['Account Number', bill.account_number],
      ['Due Date', day(bill.due_date)],
      ['Amount Due', money(due)],
      ['Amount Enclosed', '$'],
    ] as const
    for (const [place, [label, value]] of stub.entries()) {
      sheet.text(380, 640 + place * 14, label)
      sheet.text(570, 640 + place * 14, value, { align: 'right' })
    }
    sheet.nextPage()
    sheet.text(40, 40, 'How to read your bill', { size: 14, bold: true })
    sheet.text(40, 64, 'One CCF is 748 gallons. Read dates are shown for each meter. Bills are due 20 days after the billing date.')
    return sheet.finish()
  },
}

/** A summary with a sentence, and the meters on the second page beside bars of the last months. */
export const summary: Layout = {
  name: 'summary',
  kind: {
    vendor: 'Great Plains Power & Light',
    commodities: ['electric'],
    account: '#### #### ##',
    invoice: '####-#######',
    meter: 'KZ######',
  },
  omits: ['estimated'],
  draw: async (bill) => {
    const sheet = paper()
    const day = (date: string): string => printDate(date, 'February 15, 2024')
    sheet.box(40, 30, 46, 30, '#f59e0b')
    sheet.text(96, 38, bill.vendor, { size: 14, bold: true })
    sheet.text(572, 34, 'Your energy statement', { align: 'right', size: 12 })
    sheet.text(572, 50, 'Page 1 of 2', { align: 'right', size: 8 })
    sheet.text(40, 90, `Hello ${bill.customer}, here is what you owe.`, { size: 12 })
    sheet.text(40, 110, `Amount due by ${day(bill.due_date)}`, { size: 10 })
    sheet.text(40, 124, `$${grouped(bill.amount_due)}`, { size: 24, bold: true })
    sheet.text(330, 90, `Account number: ${bill.account_number}`)
    sheet.text(330, 104, `Invoice number: ${bill.invoice_number}`)
    sheet.text(330, 118, `Date of bill: ${day(bill.date)}`)
    const rows = [
      ['Amount of last statement', bill.previous_balance],
      ['Payments through this date', `-${bill.payments}`],
      ['Remaining balance', bill.balance_forward],
      ['Late payment charge', bill.late_fee],
      ['Current charges', bill.current_charges],
    ] as const
    for (const [place, [label, value]] of rows.entries()) {
      sheet.text(40, 180 + place * 16, label)
      sheet.text(280, 180 + place * 16, printMoney(value, '(1,234.50)'), { align: 'right' })
    }
    sheet.text(330, 180, 'Message center', { bold: true })
    sheet.text(330, 194, 'Rates change on January 1, 2026. The average')
    sheet.text(330, 206, 'residential customer will pay $4.12 more.')
    sheet.nextPage()
    sheet.text(572, 34, 'Page 2 of 2', { align: 'right', size: 8 })
    sheet.text(40, 60, 'Electricity usage', { size: 12, bold: true })
    for (const [place, meter] of bill.meters.entries()) drawSummaryMeter(sheet, meter, 80 + place * 160)
    return sheet.finish()
  },
}

function drawSummaryMeter(sheet: ReturnType<typeof paper>, meter: SampleBill['meters'][number], y: number): void {
  const day = (date: string): string => printDate(date, 'Feb 15, 2024')
  const rows = [
    ['Meter number', meter.meter_number],
    ['Billing period', `${day(meter.previous_read_date)} to ${day(meter.read_date)}`],
    ['Number of days', String(daysOf(meter))],
    ['Ending read', grouped(meter.meter_reading)],
    ['Beginning read', grouped(meter.previous_reading)],
    ['Meter constant', `x ${meter.multiplier}`],
    ['Energy used', `${grouped(meter.usage)} kWh`],
  ] as const
  for (const [place, [label, value]] of rows.entries()) {
    sheet.text(40, y + place * 14, label)
    sheet.text(200, y + place * 14, value)
  }
  for (const [place, charge] of meter.charges.entries()) {
    sheet.text(340, y + place * 14, charge.name)
    sheet.text(570, y + place * 14, grouped(charge.amount), { align: 'right' })
  }
  sheet.text(340, y + 60, 'Total electric service', { bold: true })
  sheet.text(570, y + 60, grouped(meter.utility_charges), { align: 'right', bold: true })
  for (let month = 0; month < 12; month += 1)
    sheet.box(40 + month * 20, y + 190 - ((month * 17) % 50), 12, (month * 17) % 50 || 8, '#94a3b8')
}

/** A typewriter's tables: a row of headings over one row of values, twice. */
export const ledger: Layout = {
  name: 'ledger',
  kind: {
    vendor: 'Town of Fairhaven Water Dept',
    commodities: ['water', 'water'],
    unit: 'gal',
    account: '######',
    invoice: '#####',
    meter: '#######',
  },
  omits: ['multiplier', 'estimated', 'utility_charges'],
  draw: async (bill) => {
    const sheet = paper('Helvetica')
    const day = (date: string): string => printDate(date, '02/15/2024')
    sheet.text(40, 40, bill.vendor, { size: 12, bold: true })
    sheet.text(40, 56, 'WATER BILL', { bold: true })
    row(sheet, 90, ['ACCT NO', 'BILL NO', 'BILL DATE', 'DUE DATE', 'TOTAL DUE'])
    row(sheet, 104, [bill.account_number, bill.invoice_number, day(bill.date), day(bill.due_date), grouped(bill.amount_due)])
    sheet.text(40, 130, `${bill.customer}  ${bill.address}`)
    row(sheet, 160, ['METER', 'PRIOR DATE', 'READ DATE', 'PRIOR', 'PRESENT', 'USED GAL'])
    for (const [place, meter] of bill.meters.entries())
      row(sheet, 174 + place * 13, [
        meter.meter_number,
        day(meter.previous_read_date),
        day(meter.read_date),
        meter.previous_reading,
        meter.meter_reading,
        meter.usage,
      ])
    row(sheet, 240, ['PREV BAL', 'PAYMENTS', 'ARREARS', 'PENALTY', 'CURRENT'])
    row(
      sheet,
      254,
      [bill.previous_balance, `${bill.payments}-`, bill.balance_forward, bill.late_fee, bill.current_charges].map((amount) =>
        grouped(amount),
      ),
    )
    sheet.text(40, 300, 'PAY AT TOWN HALL MON-FRI 8-4. 10% PENALTY AFTER DUE DATE.')
    return sheet.finish()
  },
}

function row(sheet: ReturnType<typeof paper>, y: number, cells: readonly string[]): void {
  for (const [place, cell] of cells.entries()) sheet.text(40 + place * 92, y, cell)
}
