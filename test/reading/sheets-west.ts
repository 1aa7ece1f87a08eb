/** Bills in the manner of combined utilities of the West and the North: a summary on the first page, the meters on the second. */
import { bars, dated, dollars, split, type Chance, type Sheet } from './html-sheet.ts'
import { daysOf } from './layout.ts'
import { grouped, type SampleBill, type SampleMeter } from './sample-bill.ts'

const slashes = (date: string): string => dated(date, 'MM/DD/YYYY')
const shortYear = (date: string): string => dated(date, 'MM/DD/YY')

export const energyStatement: Sheet = {
  name: 'energy statement',
  kind: {
    vendor: 'Cascadia Gas & Electric',
    commodities: ['electric', 'natural_gas'],
    account: '##########-#',
    invoice: '######',
    meter: '10########',
  },
  omits: ['invoice_number', 'multiplier', 'estimated'],
  css: `body{font-size:8.5pt}.bar{background:#0a5c8f;color:#fff;padding:6px 10px;font-size:15pt;display:flex;justify-content:space-between}
    .cols{display:grid;grid-template-columns:1fr 300px;gap:18px;margin-top:12px}.row{display:flex;justify-content:space-between;border-bottom:.5px dotted #888;padding:3px 0}
    .due{background:#e5eef3;font-weight:bold;font-size:11pt}.grey{background:#eee;padding:8px;font-size:7.5pt}h3{color:#0a5c8f;margin:10px 0 2px}
    .stub{border-top:1px dashed #000;margin-top:60px;padding-top:8px;display:flex;justify-content:space-between}`,
  html: (bill, chance) => `
    <div class="bar"><b>${bill.vendor.replace('&', '&amp;')}</b><span>ENERGY STATEMENT</span></div>
    <div style="text-align:right;padding:6px 0"><b>Account No:</b> ${bill.account_number}<br><b>Statement Date:</b> ${slashes(bill.date)}<br><b>Due Date:</b> <b>${slashes(bill.due_date)}</b></div>
    <div class="cols"><div>
      <b>Service For:</b><br>${bill.customer.toUpperCase()}<br>${bill.address.toUpperCase()}<br>${bill.city.toUpperCase()}
      <h3>Questions about your bill?</h3>Monday-Friday 7 a.m.-9 p.m.<br>Phone: 1-800-555-0${chance(100, 199)}<br>www.cascadia-ge.example
      <div class="grey" style="margin-top:14px"><b>Important Messages</b><p>You could save up to $${chance(80, 240)}.00 a year with our Time-of-Use plan. Enroll by ${slashes(bill.due_date)}.</p></div>
    </div><div>
      <h3>Your Account Summary</h3>
      ${line('Amount Due on Previous Statement', dollars(bill.previous_balance))}
      ${line('Payment(s) Received Since Last Statement', dollars(`-${bill.payments}`))}
      ${line('Previous Unpaid Balance', dollars(bill.balance_forward))}
      ${bill.meters.map((meter) => line(`Current ${kindOf(meter)} Charges`, dollars(meter.utility_charges))).join('')}
      ${bill.late_fee === '0.00' ? '' : line('Late Payment Fee', dollars(bill.late_fee))}
      <div class="row due"><span>Total Amount Due by ${slashes(bill.due_date)}</span><span>${dollars(bill.amount_due)}</span></div>
      <div class="grey" style="margin-top:10px"><b>Monthly Billing History</b>${bars(chance, 900)}</div>
    </div></div>
    <div class="stub"><div>Please return this portion with your payment.<br>${bill.customer}</div>
      <div>Account Number:<br>${bill.account_number}</div><div>Due Date:<br>${slashes(bill.due_date)}</div><div>Total Amount Due:<br><b>${dollars(bill.amount_due)}</b></div><div>Amount Enclosed:<br>$_______</div></div>
    <div class="page2"><div class="bar"><b>ENERGY STATEMENT</b><span style="font-size:9pt">Account No: ${bill.account_number} &nbsp; Page 2 of 2</span></div>
    ${line('Total Current Charges', dollars(bill.current_charges))}
    ${bill.meters.map((meter) => energyDetails(meter, chance)).join('')}</div>`,
}

const line = (label: string, value: string): string => `<div class="row"><span>${label}</span><span>${value}</span></div>`
const kindOf = (meter: SampleMeter): string => (meter.commodity === 'electric' ? 'Electric' : meter.commodity === 'water' ? 'Water' : 'Gas')

function energyDetails(meter: SampleMeter, chance: Chance): string {
  const names =
    meter.commodity === 'electric' ? ['Tier 1 Usage', 'Tier 2 Usage', 'City Tax'] : ['Gas Charges', 'Public Purpose', 'County Tax']
  const charges = split(meter.utility_charges, names.length, chance)
  return `<h3>Details of ${kindOf(meter)} Charges</h3>${slashes(meter.previous_read_date)} - ${slashes(meter.read_date)} (${daysOf(meter)} billing days)
    <div class="cols"><div>${names.map((name, place) => line(name, dollars(charges[place] ?? '0.00'))).join('')}
    <div class="row"><b>Total ${kindOf(meter)} Charges</b><b>${dollars(meter.utility_charges)}</b></div></div>
    <div class="grey"><b>Service Information</b>${line('Meter #', meter.meter_number)}${line('Current Meter Reading', grouped(meter.meter_reading))}${line('Prior Meter Reading', grouped(meter.previous_reading))}
    ${line('Total Usage', `${grouped(meter.usage)}.000000 ${meter.unit}`)}${line('Baseline Territory', 'X')}${line('Serial', String.fromCharCode(65 + chance(0, 25)))}</div></div>`
}

export const spanishGlosses: Sheet = {
  name: 'cells above a chart',
  kind: {
    vendor: 'Northern Prairie Energy',
    commodities: ['electric', 'natural_gas'],
    account: '5#-#######-#',
    invoice: '0#########',
    meter: '0000##########',
  },
  omits: ['multiplier'],
  css: `.head{width:100%;border:1px solid #a00}.head th{background:#a00;color:#fff;font-size:7pt;text-align:left;padding:2px 6px}.head td{padding:3px 6px;font-size:10pt}
    h4{background:#555;color:#fff;margin:12px 0 4px;padding:3px 6px;font-size:8pt}.sum{width:100%}.sum td{padding:2px 6px}.sum td:last-child{text-align:right}
    .two{columns:2;font-size:7.5pt;margin-top:20px}.m th{font-size:7pt;border-bottom:1px solid}.m td,.m th{padding:2px 12px 2px 0;text-align:left}`,
  html: (bill, chance) => `
    <div style="display:flex;justify-content:space-between"><b style="font-size:16pt;color:#a00">${bill.vendor}</b><span style="font-size:7pt">Page 1 of 2</span></div>
    <table class="head"><tr><th>SERVICE ADDRESS</th><th>ACCOUNT NUMBER</th><th>DUE DATE</th></tr>
      <tr><td rowspan="3">${bill.customer}<br>${bill.address}<br>${bill.city}</td><td>${bill.account_number}</td><td><b>${shortYear(bill.due_date)}</b></td></tr>
      <tr><th>STATEMENT NUMBER</th><th>STATEMENT DATE</th></tr>
      <tr><td>${bill.invoice_number}</td><td>${shortYear(bill.date)}</td></tr>
      <tr><th>QUESTIONS? 1-800-555-${chance(1000, 9999)}</th><th colspan="2">AMOUNT DUE</th></tr><tr><td></td><td colspan="2"><b>${dollars(bill.amount_due)}</b></td></tr></table>
    <div style="display:grid;grid-template-columns:1fr 1fr;gap:16px"><div><h4>YOUR MONTHLY ELECTRICITY USAGE</h4>${bars(chance, 4_000)}
      <table style="font-size:7pt"><tr><td>DAILY AVERAGES</td><td>Last Year</td><td>This Year</td></tr><tr><td>Temperature</td><td>${chance(5, 60)}&deg; F</td><td>${chance(5, 60)}&deg; F</td></tr><tr><td>Electricity Cost</td><td>$${chance(1, 9)}.${chance(10, 99)}</td><td>$${chance(1, 9)}.${chance(10, 99)}</td></tr></table></div>
    <div><h4>SUMMARY OF CURRENT CHARGES <i>(detailed charges begin on page 2)</i></h4><table class="sum">
      ${bill.meters.map((meter) => `<tr><td>${meter.commodity === 'electric' ? 'Electricity' : 'Natural Gas'} Service</td><td>${shortYear(meter.previous_read_date)} - ${shortYear(meter.read_date)}</td><td>${meter.usage} ${meter.unit.toLowerCase()}</td><td>${dollars(meter.utility_charges)}</td></tr>`).join('')}
      ${bill.late_fee === '0.00' ? '' : `<tr><td colspan="3">Late Payment Assessed</td><td>${dollars(bill.late_fee)}</td></tr>`}
      <tr><td colspan="3"><b>Current Charges</b></td><td><b>${dollars(bill.current_charges)}</b></td></tr></table>
      <h4>ACCOUNT BALANCE <i>(Balance de su cuenta)</i></h4><table class="sum"><tr><td>Previous Balance</td><td>As of ${dated(bill.date, 'MM/DD')}</td><td>${dollars(bill.previous_balance)}</td></tr>
      <tr><td>Payment Received</td><td>Online Pay</td><td>${dollars(`-${bill.payments}`, '# CR')}</td></tr>
      <tr><td colspan="2">Balance Forward</td><td>${dollars(bill.balance_forward)}</td></tr><tr><td colspan="2"><b>Amount Due</b> <i>(Cantidad a pagar)</i></td><td><b>${dollars(bill.amount_due)}</b></td></tr></table></div></div>
    <div class="two"><b>INFORMATION ABOUT YOUR BILL</b><p>Your account is on cycle ${chance(1, 21)}. The average price of fuel was $0.0${chance(200, 900)} per kWh. New rates take effect 05/01/${dated(bill.date, 'YYYY')}.</p></div>
    <div class="page2">${bill.meters.map((meter) => prairieMeter(meter, chance)).join('')}</div>`,
}

function prairieMeter(meter: SampleMeter, chance: Chance): string {
  const isElectric = meter.commodity === 'electric'
  const names = isElectric
    ? ['Basic Service Chg', 'Energy Charge Winter', 'Fuel Cost Charge', 'City Fees']
    : ['Basic Service Chg', 'Distribution Adj', 'Cost of Gas']
  const charges = split(meter.utility_charges, names.length, chance)
  const status = meter.estimated ? 'Estimate' : 'Actual'
  return `<h4>${isElectric ? 'ELECTRICITY' : 'NATURAL GAS'} SERVICE DETAILS</h4><b>METER READING INFORMATION</b>
    <table class="m" style="width:100%"><tr><td colspan="2"><b>METER ${meter.meter_number}</b></td><td colspan="2">Read Dates: ${shortYear(meter.previous_read_date)} - ${shortYear(meter.read_date)} (${daysOf(meter)} Days)</td></tr>
    <tr><th>DESCRIPTION</th><th>CURRENT READING</th><th>PREVIOUS READING</th><th>MEASURED USAGE</th></tr>
    <tr><td>Total ${isElectric ? 'Energy' : 'Gas'}</td><td>${meter.meter_reading} ${status}</td><td>${meter.previous_reading} Actual</td><td>${meter.usage} ${meter.unit.toLowerCase()}</td></tr>
    ${isElectric ? `<tr><td>Demand</td><td>Actual</td><td></td><td>${chance(3, 60)}.${chance(10, 99)} kW</td></tr>` : ''}</table>
    <table class="m"><tr><th>DESCRIPTION</th><th>RATE</th><th>CHARGE</th></tr>${names.map((name, place) => `<tr><td>${name}</td><td>$0.${chance(10000, 99999)}</td><td class="r">${dollars(charges[place] ?? '0.00')}</td></tr>`).join('')}
    <tr><td><b>Total</b></td><td></td><td class="r"><b>${dollars(meter.utility_charges)}</b></td></tr></table>`
}

/** Dates of the readings without a year, as this kind of bill prints them. */
export const daysAndMonths: Sheet = {
  name: 'readings in sentences without a year',
  kind: { vendor: 'Foothills Power Progress', commodities: ['electric'], account: '91## #### ####', invoice: '######', meter: '3########' },
  omits: ['invoice_number', 'multiplier', 'estimated'],
  css: `body{font-family:'Liberation Sans Narrow';font-size:10pt;color:#222}.top{display:flex;justify-content:space-between;border-bottom:3px solid #00853f;padding-bottom:6px}
    .tile{background:#00853f;color:#fff;padding:12px;width:230px}.tile b{font-size:18pt;display:block}dl{display:grid;grid-template-columns:1fr auto;margin:4px 0}dt,dd{margin:0;padding:2px 0;border-bottom:1px solid #ccc}dd{text-align:right}
    h2{font-size:12pt;color:#00853f;margin:14px 0 2px}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    const [basic = '', energy = '', rider = ''] = split(bill.current_charges, 3, chance)
    if (meter === undefined) return ''
    return `<div class="top"><div><b style="font-size:15pt">${bill.vendor}</b><br>Your Energy Bill<br><span style="font-size:8pt">foothills-power.example &nbsp; 800.555.${chance(1000, 9999)}</span></div>
      <div>${service(bill)}</div><div>Bill date &nbsp; <b>${dated(bill.date, 'MMM D, YYYY')}</b><br>For service &nbsp; <b>${dated(meter.previous_read_date, 'MMM D')} - ${dated(meter.read_date, 'MMM D')}</b><br>${daysOf(meter)} days<br>Account number &nbsp; <b>${bill.account_number}</b></div></div>
      <div style="display:flex;gap:24px"><div style="flex:1"><h2>Billing summary</h2><dl><dt>Previous Amount Due</dt><dd>${dollars(bill.previous_balance)}</dd><dt>Payment Received ${dated(meter.read_date, 'MMM DD')}</dt><dd>${dollars(`-${bill.payments}`, '-#', '')}</dd>
      <dt>Past Due Balance</dt><dd>${dollars(bill.balance_forward, '-#', '')}</dd><dt>Current Electric Charges</dt><dd>${dollars(bill.current_charges, '-#', '')}</dd><dt>Late Payment Charges</dt><dd>${dollars(bill.late_fee, '-#', '')}</dd><dt><b>Total Amount Due ${dated(bill.due_date, 'MMM DD')}</b></dt><dd><b>${dollars(bill.amount_due)}</b></dd></dl></div>
      <div class="tile">Thank you for your payment.<b>${dollars(bill.amount_due)}</b>is due by ${dated(bill.due_date, 'MMM D, YYYY')}. After that date, a 1.0% late charge of ${dollars('1.00')} or more may apply.</div></div>
      <h2>Your usage snapshot</h2><div style="width:420px">${bars(chance, 3_500, 13)}</div>
      <table style="margin-top:6px;font-size:8pt"><tr><td>&nbsp;</td><td>Current Month</td><td>&nbsp; ${dated(bill.date, 'MMM')} last year</td><td>&nbsp; 12-Month Usage</td><td>&nbsp; Avg Monthly Usage</td></tr><tr><td>Electric (kWh)</td><td class="r">${grouped(meter.usage)}</td><td class="r">${grouped(String(chance(400, 4_000)))}</td><td class="r">${grouped(String(chance(9_000, 40_000)))}</td><td class="r">${grouped(String(chance(400, 4_000)))}</td></tr></table>
      <div class="page2"><h2>Current electric usage for meter number ${meter.meter_number}</h2><dl style="width:360px"><dt>Actual reading on ${dated(meter.read_date, 'MMM D')}</dt><dd>${meter.meter_reading}</dd><dt>Previous reading on ${dated(meter.previous_read_date, 'MMM D')}</dt><dd>- ${meter.previous_reading}</dd><dt>${meter.multiplier === '1' ? 'Energy Used' : `Energy Used (x ${meter.multiplier})`}</dt><dd>${grouped(meter.usage)} kWh</dd></dl>
      <h2>Billing details - Electric</h2><dl style="width:360px"><dt>Billing Period - ${dated(meter.previous_read_date, 'MMM DD')} to ${dated(meter.read_date, 'MMM DD')}</dt><dd></dd><dt>Basic Customer Charge</dt><dd>$${basic}</dd><dt>Energy Charge</dt><dd></dd><dt>&nbsp; ${grouped(meter.usage)} kWh @ $0.${chance(10000, 19999)}</dt><dd>${grouped(energy)}</dd><dt>Storm Recovery Rider</dt><dd>${grouped(rider)}</dd><dt><b>Total Current Charges</b></dt><dd><b>${dollars(bill.current_charges)}</b></dd></dl></div>`
  },
}

const service = (bill: SampleBill): string =>
  `<b>Service address</b><br>${bill.customer.toUpperCase()}<br>${bill.address.toUpperCase()}<br>${bill.city.toUpperCase()}`
