/** Bills in the manner of city and private water departments, and an invoice of a waste hauler, who meters nothing. */
import { bars, dated, dollars, split, type Chance, type Sheet } from './html-sheet.ts'
import { daysOf } from './layout.ts'
import { grouped, type SampleBill, type SampleMeter } from './sample-bill.ts'

const dashes = (date: string): string => dated(date, 'M-D-YYYY')

/** The sewer goes by the water's meter and is a row of its own, so that no charge of a meter is printed alone. */
export const postcard: Sheet = {
  name: 'postcard with service codes',
  kind: {
    vendor: 'City of Fallbrook Springs',
    commodities: ['water', 'water'],
    unit: 'CCF',
    account: '00##-00####-0#',
    invoice: '######',
    meter: '########',
  },
  omits: ['invoice_number', 'multiplier', 'estimated', 'utility_charges'],
  css: `body{font-family:'Liberation Mono';font-size:8.5pt}.card{display:flex;border:1px solid}.main{flex:1.9;padding:8px}.tear{flex:1;border-left:1px dashed;padding:8px}table{width:100%}th{font-size:6.5pt;text-align:right;border-bottom:1px solid}td{text-align:right;padding:2px 0}td:first-child,th:first-child{text-align:left}`,
  html: (
    bill,
    chance,
  ) => `<div class="card"><div class="main"><b>${bill.vendor.toUpperCase()}</b> UTILITY BILLING<br>${chance(100, 999)} CITY HALL PLAZA<br><br>SVC ADDR: ${bill.address.toUpperCase()}<br>ACCT NO: ${bill.account_number} &nbsp; BILL DATE: ${dashes(bill.date)}
    <table><tr><th>SVC</th><th>METER</th><th>PREV DATE</th><th>PRES DATE</th><th>PREVIOUS</th><th>PRESENT</th><th>USAGE CCF</th><th>CHARGE</th></tr>${bill.meters.map((meter) => codes(meter, chance)).join('')}
    </table><table style="width:70%;margin-left:30%"><tr><td>LAST BILL AMOUNT</td><td>${bill.previous_balance}</td></tr><tr><td>PAYMENTS</td><td>${bill.payments}-</td></tr><tr><td>PAST DUE</td><td>${bill.balance_forward}</td></tr>${bill.late_fee === '0.00' ? '' : `<tr><td>PENALTY</td><td>${bill.late_fee}</td></tr>`}<tr><td>CURRENT BILL</td><td>${bill.current_charges}</td></tr><tr><td><b>PAY THIS AMOUNT</b></td><td><b>${bill.amount_due}</b></td></tr></table>
    <p style="font-size:6.5pt">WA=WATER SW=SEWER ST=STORM. 1 CCF = 748 GALLONS. BILLS NOT PAID BY ${dashes(bill.due_date)} ARE SUBJECT TO A 10% PENALTY AND A $35.00 SHUT OFF FEE.</p></div>
    <div class="tear">RETURN THIS STUB<br><br>${bill.account_number}<br><br>${bill.customer.toUpperCase()}<br><br>DUE DATE<br>${dashes(bill.due_date)}<br><br>PAY THIS AMOUNT<br><b>${dollars(bill.amount_due)}</b></div></div>`,
}

function codes(meter: SampleMeter, chance: Chance): string {
  const [water = '', sewer = '', storm = ''] = split(meter.utility_charges, 3, chance)
  const blank = '<td></td><td></td><td></td><td></td><td></td><td></td>'
  return `<tr><td>WA</td><td>${meter.meter_number}</td><td>${dashes(meter.previous_read_date)}</td><td>${dashes(meter.read_date)}</td><td>${meter.previous_reading}</td><td>${meter.meter_reading}</td><td>${meter.usage}</td><td>${water}</td></tr><tr><td>SW</td>${blank}<td>${sewer}</td></tr><tr><td>ST</td>${blank}<td>${storm}</td></tr>`
}

export const servicesTo: Sheet = {
  name: 'prior billing of a water company',
  kind: {
    vendor: 'Keystone Allegheny Water',
    commodities: ['water'],
    unit: 'Gallons',
    account: '1024-2100########',
    invoice: '######',
    meter: 'N0########',
  },
  omits: ['invoice_number', 'multiplier'],
  css: `body{font-size:9pt}.blue{background:#005fb2;color:#fff;padding:10px;display:flex;justify-content:space-between}.d{display:flex;border-bottom:1px dotted #999;padding:2px 0}.d span:first-child{flex:1}aside{float:right;width:250px;background:#eef5fb;padding:10px;margin-left:16px}h3{color:#005fb2;margin:12px 0 4px}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const full = (date: string): string => dated(date, 'MMMM D, YYYY')
    const [service = '', volume = '', dsic = ''] = split(bill.current_charges, 3, chance)
    return `<div class="blue"><b style="font-size:14pt">${bill.vendor}</b><div>For Service To: ${bill.address}, ${bill.city}<br>Account No. ${bill.account_number}</div></div>
      <aside><b>Account Summary - See page 2 for Account Detail</b>${dot('Prior Balance', dollars(bill.previous_balance))}${dot('Payments - Thank You!', dollars(`-${bill.payments}`))}${dot('Balance Forward', dollars(bill.balance_forward))}${bill.late_fee === '0.00' ? '' : dot('Late Payment Charge', dollars(bill.late_fee))}${dot('Current Charges', dollars(bill.current_charges))}<p style="text-align:center;font-size:14pt;margin:8px 0">Total Amount Due:<br><b>${dollars(bill.amount_due)}</b></p><p style="text-align:center">Payment Due By: <b>${full(bill.due_date)}</b></p></aside>
      <p>${bill.customer}</p><p>Billing Date: <b>${full(bill.date)}</b><br>Service Period: ${dated(meter.previous_read_date, 'MMM D')} to ${dated(meter.read_date, 'MMM D')} (${daysOf(meter)} Days)</p><p>Your usage this month equals ${chance(20, 300)} gallons a day. Customers like you used ${grouped(String(chance(2_000, 6_000)))} gallons.</p><h3>Billed Usage History</h3><div style="width:300px">${bars(chance, 420)}</div>
      <div class="page2"><h3>Meter Reading and Usage Summary</h3><table style="width:100%" cellpadding="4"><tr><th>Meter No.</th><th>Measure</th><th>Size</th><th>From Date</th><th>To Date</th><th>Previous Read</th><th>Current Read</th><th>Meter Units</th><th>Billing Units</th></tr><tr align="center"><td>${meter.meter_number}</td><td>Gal</td><td>5/8"</td><td>${dated(meter.previous_read_date, 'MM/DD/YYYY')}</td><td>${dated(meter.read_date, 'MM/DD/YYYY')}</td><td>${meter.previous_reading}<br>(A)</td><td>${meter.meter_reading}<br>(${meter.estimated ? 'E' : 'A'})</td><td>${meter.usage}</td><td>${meter.usage}</td></tr></table><p style="font-size:7pt">A = Actual &nbsp; E = Estimate</p>
      <h3>Account Detail</h3>${dot('Water Service Charge', dollars(service))}${dot(`Water Usage Charge (${grouped(meter.usage)} gallons x $0.0${chance(10000, 19999)})`, dollars(volume))}${dot('System Improvement Charge', dollars(dsic))}${dot('<b>Total Water Charges</b>', `<b>${dollars(bill.current_charges)}</b>`)}</div>`
  },
}

const dot = (label: string, value: string): string => `<div class="d"><span>${label}</span><span>${value}</span></div>`

export const hauler: Sheet = {
  name: 'invoice of a waste hauler',
  kind: { vendor: 'GreenHaul Waste Services', commodities: [], account: '1#-#####-#3005', invoice: '0######-####-#', meter: '####' },
  omits: [],
  css: `body{font-family:'Liberation Sans Narrow';font-size:10pt}.inv{text-align:right}.inv b{font-size:20pt;color:#1b6b3a}.box{display:grid;grid-template-columns:repeat(3,1fr);text-align:center;border:1px solid #1b6b3a;margin:14px 0}.box div{padding:6px;border-right:1px solid #1b6b3a}.box b{display:block;font-size:12pt}
    table{width:100%}th{background:#1b6b3a;color:#fff;text-align:left;padding:3px}td{padding:3px}.tot{width:46%;margin-left:54%}`,
  html: (bill, chance) => {
    const names = [
      'Disposal/recycling 8 yard dumpster',
      'Fuel surcharge',
      'Environmental charge',
      'Regulatory cost recovery',
      'Administrative charge',
    ]
    const amounts = split(bill.current_charges, names.length, chance)
    return `<div class="inv"><b>INVOICE</b></div><div style="display:flex;justify-content:space-between"><div><b>${bill.vendor}</b><br>PO BOX ${chance(1_000, 99_999)}<br>(866) 555-${chance(1000, 9999)}</div>
      <div class="inv">Customer ID: <span>${bill.account_number}</span><br>Customer Name: ${bill.customer}<br>Service Period: ${dated(bill.date, 'MMMM YYYY')}<br>Invoice Date: ${dated(bill.date, 'MM/DD/YYYY')}<br>Invoice Number: ${bill.invoice_number}</div></div>
      <div class="box"><div>Your Payment Is Due<b>${dated(bill.due_date, 'MM/DD/YYYY')}</b></div><div>Your Total Due<b>${dollars(bill.amount_due)}</b></div><div style="border:0">If full payment is not received in 30 days you may be charged a monthly late charge of 2.5%</div></div>
      <table class="tot"><tr><td>Previous Balance</td><td class="r">${grouped(bill.previous_balance)}</td></tr><tr><td>Payments</td><td class="r">(${grouped(bill.payments)})</td></tr><tr><td>Unpaid Balance</td><td class="r">${grouped(bill.balance_forward)}</td></tr><tr><td>Late Charges</td><td class="r">${bill.late_fee}</td></tr><tr><td>Current Invoice Charges</td><td class="r">${grouped(bill.current_charges)}</td></tr><tr><td><b>Total Account Balance Due</b></td><td class="r"><b>${grouped(bill.amount_due)}</b></td></tr></table>
      ${site(bill)}<table><tr><th>Description</th><th>Date</th><th>Ticket</th><th>Quantity</th><th class="r">Amount</th></tr>${names.map((name, place) => `<tr><td>${name}</td><td>${dated(bill.date, 'MM/DD/YY')}</td><td>${chance(100_000, 999_999)}</td><td>${chance(1, 4)}.00</td><td class="r">${grouped(amounts[place] ?? '')}</td></tr>`).join('')}<tr><td colspan="4"><b>Total Current Charges</b></td><td class="r"><b>${grouped(bill.current_charges)}</b></td></tr></table>
      <div style="border-top:1px dashed;margin-top:40px;display:flex;justify-content:space-between;padding-top:8px"><div>Invoice Date<br>${dated(bill.date, 'MM/DD/YYYY')}</div><div>Invoice Number<br>${bill.invoice_number}</div><div>Customer ID<br>${bill.account_number}</div><div>Payment Terms<br>Total Due by ${dated(bill.due_date, 'MM/DD/YYYY')}</div><div>Your Total Due<br>${dollars(bill.amount_due)}</div></div>`
  },
}

const site = (bill: SampleBill): string => `<p><b>Details for Service Location:</b> ${bill.customer}, ${bill.address}, ${bill.city}</p>`
