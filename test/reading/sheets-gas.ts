/** Bills in the manner of gas companies and of a rural cooperative: one wide row of figures for each meter. */
import { bars, dated, dollars, split, type Sheet } from './html-sheet.ts'
import { daysOf } from './layout.ts'
import { grouped, type SampleMeter } from './sample-bill.ts'

const short = (date: string): string => dated(date, 'MM/DD/YY')

export const billingFactor: Sheet = {
  name: 'one row with a billing factor',
  kind: { vendor: 'Southland Mission Gas', commodities: ['natural_gas'], account: '0## ### #### #', invoice: '######', meter: '1#######' },
  omits: ['invoice_number', 'estimated'],
  css: `body{font-family:'Liberation Serif';font-size:9.5pt}.h{display:flex;justify-content:space-between;background:#c8102e;color:#fff;padding:8px}.g{display:grid;grid-template-columns:260px 1fr;gap:22px}.k{display:grid;grid-template-columns:1fr auto}
    .k span:nth-child(even){text-align:right}h5{font-size:11pt;margin:12px 0 2px;border-bottom:1px solid #c8102e}.wide{width:100%;margin:8px 0}.wide th{font-size:7.5pt;font-weight:normal;text-align:center;border-bottom:1px solid}.wide td{text-align:center}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const [customer = '', baseline = '', over = '', fees = ''] = split(bill.current_charges, 4, chance)
    return `<div class="h"><b style="font-size:14pt">${bill.vendor}</b><span>socal-mission.example<br>English 1-800-555-${chance(1000, 9999)}</span></div>
      <div class="k" style="width:100%"><span><b>ACCOUNT NUMBER</b> ${bill.account_number}</span><span><b>DATE MAILED</b> ${dated(bill.date, 'MMM D, YYYY')} &nbsp; Page 1 of 2</span><span>SERVICE FOR ${bill.customer.toUpperCase()}, ${bill.address.toUpperCase()}, ${bill.city.toUpperCase()}</span><span><b>DATE DUE</b> ${dated(bill.due_date, 'MMM D, YYYY')} &nbsp; <b>AMOUNT DUE</b> ${dollars(bill.amount_due)}</span></div>
      <div class="g"><div><h5>Gas Usage History (Total Therms)</h5>${bars(chance, 400, 13)}<table style="font-size:8pt"><tr><td></td><td>${dated(meter.read_date, 'MMM YY')}</td><td>&nbsp;Last year</td></tr><tr><td>Total Therms used</td><td class="r">${meter.usage}</td><td class="r">${chance(10, 400)}</td></tr><tr><td>Daily average Therms</td><td class="r">${chance(1, 9)}.${chance(0, 9)}</td><td class="r">${chance(1, 9)}.${chance(0, 9)}</td></tr><tr><td>Days in billing cycle</td><td class="r">${daysOf(meter)}</td><td class="r">30</td></tr></table></div>
      <div><h5>Account Summary</h5><div class="k"><span>Amount of Last Bill</span><span>${dollars(bill.previous_balance)}</span><span>Payment Received ${short(meter.read_date)} THANK YOU</span><span>- ${bill.payments}</span><span>Past Due Amount</span><span>${dollars(bill.balance_forward)}</span><span>Current Charges</span><span>+ ${grouped(bill.current_charges)}</span>${bill.late_fee === '0.00' ? '' : `<span>Late Payment Charge</span><span>+ ${bill.late_fee}</span>`}<b>Total Amount Due</b><span><b>${dollars(bill.amount_due)}</b></span></div>
      <h5>Current Charges</h5><div>Rate: GN-10 (Commercial) &nbsp; Climate Zone: ${chance(1, 3)}</div><div>Meter Number: ${meter.meter_number} &nbsp; (Next scheduled read date ${dated(bill.due_date, 'MMM DD YYYY')})</div><div>Cycle: ${chance(1, 21)}</div></div></div>
      <table class="wide"><tr><th>Billing Period</th><th>Days</th><th>Current<br>Reading</th><th>-</th><th>Previous<br>Reading</th><th>=</th><th>Difference</th><th>x</th><th>Billing<br>Factor</th><th>=</th><th>Total<br>Therms</th></tr>
      <tr><td>${short(meter.previous_read_date)} - ${short(meter.read_date)}</td><td>${daysOf(meter)}</td><td>${meter.meter_reading}</td><td></td><td>${meter.previous_reading}</td><td></td><td>${Number(meter.meter_reading) - Number(meter.previous_reading)}</td><td></td><td>1.000</td><td></td><td>${meter.usage}</td></tr></table>
      <div class="g"><div></div><div class="k"><b>GAS CHARGES</b><b>Amount($)</b><span>Customer Charge ${daysOf(meter)} Days x $.49315</span><span>${customer}</span><span>Baseline ${chance(5, 40)} Therms x $1.${chance(10000, 99999)}</span><span>${baseline}</span><span>Over Baseline ${chance(5, 40)} Therms</span><span>${over}</span><span>TAXES &amp; FEES ON GAS CHARGES</span><span>${fees}</span><b>Total Gas Charges</b><b>${dollars(bill.current_charges)}</b></div></div>
      <div class="page2" style="font-size:8pt"><p>DETACH STUB AND RETURN WITH PAYMENT</p><p>${bill.account_number.replaceAll(' ', '')} &nbsp; ${dated(bill.due_date, 'MMM D, YYYY')} &nbsp; PLEASE PAY THIS AMOUNT ${dollars(bill.amount_due)}</p></div>`
  },
}

export const serialNumbers: Sheet = {
  name: 'serial numbers and factors',
  kind: {
    vendor: 'Plains Prairie Gas Utility',
    commodities: ['natural_gas'],
    account: '30########',
    invoice: 'PG-#######',
    meter: '##A######',
  },
  omits: ['multiplier', 'estimated'],
  css: `body{font-size:8.5pt}.title{display:flex;align-items:center;gap:14px;border-bottom:6px solid #f58220}.blk{display:flex;gap:24px;margin:10px 0}.blk table td{padding:2px 10px 2px 0}.blk table td:last-child{text-align:right}.meter{width:100%;border:1px solid #999}
    .meter th{background:#fde6d0;font-size:7pt;border:1px solid #999;padding:3px}.meter td{border:1px solid #999;text-align:right;padding:3px}.tag{background:#f58220;color:#fff;padding:2px 6px;margin-top:10px}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const rows: readonly (readonly [string, string])[] = [
      ['Prior bill amount', dollars(bill.previous_balance)],
      ['Payments received through bill date', dollars(`-${bill.payments}`, '(#)')],
      ['Carried over balance', dollars(bill.balance_forward)],
      ['Late Charge', dollars(bill.late_fee)],
      ['Current gas charges and taxes', dollars(bill.current_charges)],
      ['<b>Total Amount Due</b>', `<b>${dollars(bill.amount_due)}</b>`],
    ]
    const parts = split(bill.current_charges, 4, chance)
    return `<div class="title"><b style="font-size:17pt;color:#f58220">${bill.vendor}</b><div style="font-size:7pt">P.O. Box ${chance(100_000, 999_999)}<br>${bill.city}</div></div>
      <div class="blk"><table><tr><td>Customer Name</td><td>${bill.customer}</td></tr><tr><td>Service Location</td><td>${bill.address}</td></tr><tr><td>Account Number</td><td>${bill.account_number}</td></tr><tr><td>Invoice No.</td><td>${bill.invoice_number}</td></tr><tr><td>Billing Date</td><td>${short(bill.date)}</td></tr><tr><td>Payment Due Date</td><td>${short(bill.due_date)}</td></tr></table>
      <table>${rows.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join('')}<tr><td>Amount Due After ${short(bill.due_date)}</td><td>${dollars(bill.amount_due)}</td></tr></table></div>
      <div class="tag">METER INFORMATION</div><table class="meter"><tr><th>Serial #</th><th>Service from</th><th>Service to</th><th>Days</th><th>Present reading</th><th>Previous reading</th><th>Actual usage in ${meter.unit}</th><th>BTU factor</th><th>Rate code</th></tr>
      <tr><td>${meter.meter_number}</td><td>${short(meter.previous_read_date)}</td><td>${short(meter.read_date)}</td><td>${daysOf(meter)}</td><td>${grouped(meter.meter_reading)}</td><td>${grouped(meter.previous_reading)}</td><td>${meter.usage}</td><td>1.0${chance(100, 999)}</td><td>${chance(100, 999)}</td></tr></table>
      <div class="tag">CHARGES</div><table style="width:60%">${['Customer charge', 'Consumption charge', 'Rider GCR', 'Franchise fee'].map((name, place) => `<tr><td>${name}</td><td class="r">${grouped(parts[place] ?? '')}</td></tr>`).join('')}<tr><td><b>Total charges this period</b></td><td class="r"><b>${grouped(bill.current_charges)}</b></td></tr></table>
      <div class="tag">USAGE COMPARISON (CCF)</div><div style="width:340px">${bars(chance, 420)}</div><p style="font-size:6.5pt">Smell gas? Leave at once and call 866-555-${chance(1000, 9999)}. A draft returned unpaid costs $25.00.</p>`
  },
}

export const cooperative: Sheet = {
  name: 'three meters of a cooperative',
  kind: {
    vendor: 'Rural Valley Electric Cooperative',
    commodities: ['electric', 'electric', 'electric'],
    account: '####-0##',
    invoice: '######',
    meter: '#####',
  },
  omits: ['invoice_number', 'estimated'],
  css: `@page{size:Letter landscape}body{font-family:'DejaVu Sans Mono';font-size:8pt}table{width:100%}th{border-top:2px solid;border-bottom:1px solid;text-align:right;padding:3px 6px;font-size:7pt}td{text-align:right;padding:3px 6px}td:first-child,th:first-child{text-align:left}
    .s td{border-top:1px solid}.msg{float:right;width:240px;border:1px dashed;padding:8px;font-size:7pt}`,
  html: (
    bill,
    chance,
  ) => `<div class="msg">ANNUAL MEETING of the members ${dated(bill.due_date, 'MMMM D, YYYY')} at 6:30 PM. Capital credits of $${chance(10, 99)},${chance(100, 999)} were retired.</div>
    <b>${bill.vendor.toUpperCase()}</b><br>Member: ${bill.customer}<br>${bill.address}, ${bill.city}<br><br>ACCT ${bill.account_number} &nbsp;&nbsp; BILLED ${short(bill.date)} &nbsp;&nbsp; LOCATION ${chance(1000, 9999)}-${chance(10, 99)}
    <table style="margin-top:60px"><tr><th>METER</th><th>FROM</th><th>TO</th><th>DAYS</th><th>PRES READ</th><th>PREV READ</th><th>MULT</th><th>KWH USED</th><th>KW DEMAND</th><th>AMOUNT</th></tr>${bill.meters.map((meter) => memberMeter(meter, chance(3, 90))).join('')}
    <tr class="s"><td colspan="9">TOTAL THIS MONTH</td><td>${bill.current_charges}</td></tr></table>
    <table style="width:50%;margin-top:20px"><tr><td>BALANCE LAST STATEMENT</td><td>${bill.previous_balance}</td></tr><tr><td>PAYMENT - THANK YOU</td><td>(${bill.payments})</td></tr><tr><td>BALANCE FORWARD</td><td>${bill.balance_forward}</td></tr>${bill.late_fee === '0.00' ? '' : `<tr><td>PENALTY</td><td>${bill.late_fee}</td></tr>`}<tr><td>CURRENT BILL</td><td>${bill.current_charges}</td></tr><tr class="s"><td>NET AMOUNT DUE BY ${short(bill.due_date)}</td><td>$${bill.amount_due}</td></tr></table>`,
}

const memberMeter = (meter: SampleMeter, demand: number): string =>
  `<tr><td>${meter.meter_number}</td><td>${short(meter.previous_read_date)}</td><td>${short(meter.read_date)}</td><td>${daysOf(meter)}</td><td>${meter.meter_reading}</td><td>${meter.previous_reading}</td><td>${meter.multiplier}</td><td>${meter.usage}</td><td>${demand}.0</td><td>${meter.utility_charges}</td></tr>`
