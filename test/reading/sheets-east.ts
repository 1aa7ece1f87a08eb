/** Bills in the manner of electric companies of the East: supply beside delivery, values above their labels, sideways print. */
import { subtractMoney, wireOf, centsOf } from '#contract/kernel/money.ts'
import { bars, dated, dollars, split, type Chance, type Sheet } from './html-sheet.ts'
import { daysOf, type Layout } from './layout.ts'
import { grouped, type SampleBill, type SampleMeter } from './sample-bill.ts'

/** Two fifths, more or less: enough that supply and delivery are never equal. */
const supplyOf: NonNullable<Layout['supplyOf']> = (meter) => wireOf(Math.floor((centsOf(meter.utility_charges) * 39) / 100))
const delivered = (meter: SampleMeter): string => subtractMoney(meter.utility_charges, supplyOf(meter))

export const supplyAndDelivery: Sheet = {
  name: 'supply and delivery in columns of text',
  kind: {
    vendor: 'Hudson Borough Edison',
    commodities: ['electric'],
    account: '41-####-####-####-#',
    invoice: '######',
    meter: '00#######',
  },
  omits: ['invoice_number'],
  supplyOf,
  css: `body{font-family:'DejaVu Sans';font-size:7.5pt}.l{display:flex;justify-content:space-between;padding:2px 0}.l.t{border-top:1px solid;font-weight:bold}
    h2{font-size:10pt;color:#0066b2;margin:12px 0 3px}.left{width:220px;background:#d9ecf7;padding:10px}.flow{display:flex;gap:20px}.big{font-size:13pt;font-weight:bold}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const long = (date: string): string => dated(date, 'MMM DD, YYYY')
    return `<div class="flow"><div class="left"><b style="font-size:12pt;color:#0066b2">${bill.vendor}</b><p>Account number:<br><b>${bill.account_number}</b></p><p>Name: ${bill.customer}<br>Service delivered to:<br>${bill.address}<br>${bill.city}</p>
      <p>Your bill breakdown</p><p>Supply ${chance(30, 60)}%<br>Delivery ${chance(30, 60)}%<br>Taxes &amp; fees ${chance(3, 9)}%</p><p>Did you know: ${chance(10, 99)} cents of each dollar pay for taxes.</p><h2>Electricity use</h2>${bars(chance, 140)}<p style="font-size:6pt">Average daily use in kWh</p></div>
      <div style="flex:1"><div class="l"><span>Billing date: ${long(bill.date)}</span><span>Page 1 of 2</span></div><div class="l big"><span>Amount to pay</span><span>${dollars(bill.amount_due)}</span></div><div class="l"><span>Payment is due on</span><b>${long(bill.due_date)}</b></div>
      <h2>Your billing summary as of ${long(bill.date)}</h2><b>Your previous charges and payments</b>
      ${item('Total charges from your last bill', dollars(bill.previous_balance))}${item(`Payments through ${dated(meter.read_date, 'MMM D')}, thank you`, dollars(`-${bill.payments}`))}${item('Remaining balance', dollars(bill.balance_forward), true)}
      <b>Your new charges - details start on page 2</b>${item(`Electricity charges - for ${daysOf(meter)} days`, dollars(bill.current_charges))}${bill.late_fee === '0.00' ? '' : item('Late payment charge', dollars(bill.late_fee))}
      ${item('Total amount due', dollars(bill.amount_due), true)}<p style="margin-top:30px">A late payment charge of 1.5% a month will be added after ${long(bill.due_date)}. To pay by phone dial 1-888-555-0${chance(100, 199)}.</p></div></div>
      <div class="page2"><h2>Your electricity charges</h2><p>Service period ${long(meter.previous_read_date)} to ${long(meter.read_date)} &nbsp; Rate: EL${chance(1, 9)}</p><div style="width:420px"><b>Your supply charges</b>${lines(['Supply', 'Merchant function charge', 'GRT & other tax surcharges'], supplyOf(meter), chance)}${item('Total electricity supply charges', dollars(supplyOf(meter)), true)}
      <b>Your delivery charges</b>${lines(['Basic service charge', 'Delivery', 'System benefit charge', 'Sales tax'], delivered(meter), chance)}${item('Total electricity delivery charges', dollars(delivered(meter)), true)}${item('Your total electricity charges', dollars(meter.utility_charges), true)}</div>
      <h2>Your electricity use</h2><div style="width:300px">${item('Meter number', meter.meter_number)}${item(`New meter reading (${meter.estimated ? 'Estimated' : 'Actual'}) ${long(meter.read_date)}`, grouped(meter.meter_reading))}${item(`Prior reading (Actual) ${long(meter.previous_read_date)}`, `-${grouped(meter.previous_reading)}`)}${item('Meter multiplier', `x ${meter.multiplier}`)}${item('Your electricity use', `${grouped(meter.usage)} ${meter.unit}`, true)}</div></div>`
  },
}

const item = (label: string, value: string, total = false): string =>
  `<div class="l${total ? ' t' : ''}"><span>${label}</span><span>${value}</span></div>`

function lines(names: readonly string[], total: string, chance: Chance): string {
  const amounts = split(total, names.length, chance)
  return names.map((name, place) => item(name.replace('&', '&amp;'), dollars(amounts[place] ?? '0.00'))).join('')
}

export const measuredUsage: Sheet = {
  name: 'sideways print and credits without a space',
  kind: { vendor: 'Tidewater Dominion Light', commodities: ['electric'], account: '##########', invoice: '######', meter: '01########' },
  omits: ['invoice_number', 'multiplier', 'estimated'],
  css: `body{padding-left:26px}.side{position:absolute;left:-120px;top:380px;transform:rotate(-90deg);font-size:6.5pt;color:#666;width:260px}td{padding:2px 8px 2px 0}
    .top{background:#004b8d;color:#fff;display:grid;grid-template-columns:repeat(4,1fr);padding:8px}.top b{display:block;font-size:11pt}h4{border-bottom:2px solid #004b8d;margin:14px 0 4px}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const span = `${dated(meter.previous_read_date, 'MM/DD')}-${dated(meter.read_date, 'MM/DD')}`
    const credit = (amount: string): string => dollars(`-${amount}`, '#CR', '')
    const names = ['Distribution Service', 'Generation', 'Transmission', 'Fuel', 'State/Local Consumption Tax', 'Utility Tax']
    const amounts = split(bill.current_charges, names.length, chance)
    return `<div class="side">Form ${chance(1000, 9999)}-${chance(10, 99)} &nbsp; Route ${chance(100, 999)} &nbsp; Printed on recycled paper</div>
      <b style="font-size:14pt;color:#004b8d">${bill.vendor}</b><div class="top"><div>Billing Date<b>${dated(bill.date, 'MMM D, YYYY')}</b></div><div>Account #<b>${bill.account_number}</b></div><div>Due Date<b>${dated(bill.due_date, 'MMM D, YYYY')}</b></div><div>Amount Due<b>${dollars(bill.amount_due)}</b></div></div>
      <div style="columns:2;column-gap:30px"><h4>Customer Bill</h4>${bill.customer}<br>${bill.address}<br>${bill.city}
      <h4>Meter and Usage</h4><b>Current Billing Days: ${daysOf(meter)}</b><table><tr><td>Billable Usage</td></tr><tr><td>Schedule ${chance(1, 6)}</td><td>${span}</td></tr><tr><td>Total kWh</td><td class="r">${meter.usage}</td></tr></table>
      <table><tr><td>Measured Usage</td></tr><tr><td>Meter: ${meter.meter_number}</td><td>${span}</td></tr><tr><td>Current Reading</td><td class="r">${meter.meter_reading}</td></tr><tr><td>Previous Reading</td><td class="r">${meter.previous_reading}</td></tr><tr><td>Total kWh</td><td class="r">${meter.usage}</td></tr><tr><td>Current Demand</td><td class="r">${chance(2, 40)}.${chance(10, 99)}</td></tr></table>
      <h4>Usage History</h4><table style="font-size:7pt"><tr><td>Mo</td><td>Yr</td><td>kWh</td></tr>${Array.from({ length: 8 }, (_, place) => `<tr><td>${dated(`2020-0${place + 1}-01`, 'MMM')}</td><td>${dated(bill.date, 'YY')}</td><td class="r">${chance(200, 4_000)}</td></tr>`).join('')}</table>
      <h4 style="break-before:column">Explanation of Bill Detail</h4><table style="width:100%"><tr><td>Previous Balance</td><td class="r">${bill.previous_balance}</td></tr><tr><td>Payment Received</td><td class="r">${credit(bill.payments)}</td></tr><tr><td><b>Balance Forward</b></td><td class="r"><b>${bill.balance_forward}</b></td></tr>
      ${names.map((name, place) => `<tr><td>${name}</td><td class="r">${amounts[place]}</td></tr>`).join('')}<tr><td><b>Total Current Charges</b></td><td class="r"><b>${grouped(bill.current_charges)}</b></td></tr>${bill.late_fee === '0.00' ? '' : `<tr><td>Late Payment Charge</td><td class="r">${bill.late_fee}</td></tr>`}<tr><td><b>Total Account Balance</b></td><td class="r"><b>${grouped(bill.amount_due)}</b></td></tr></table>
      <p>Please pay ${dollars(bill.amount_due)} by ${dated(bill.due_date, 'MM/DD/YYYY')} to avoid a Late Payment Charge of 1.5%.</p></div>`
  },
}

export const valuesAbove: Sheet = {
  name: 'large values above their labels',
  kind: { vendor: 'Gulfstream Coast Power', commodities: ['electric'], account: '#####-#####', invoice: '######', meter: 'ACD####' },
  omits: ['invoice_number', 'multiplier', 'estimated'],
  css: `.hero{display:flex;gap:60px;background:#f3f7fa;padding:18px}.hero div{font-size:7.5pt}.hero b{display:block;font-size:19pt;color:#006bb6}.pair{display:flex;gap:40px}.sumline{display:flex;justify-content:space-between;width:330px;padding:2px 0}
    .chart{width:330px;margin:10px 0}table.meter td,table.meter th{padding:2px 14px 2px 0;font-weight:normal;text-align:left}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const full = (date: string): string => dated(date, 'MMM D, YYYY')
    const [base = '', fuel = '', storm = '', tax = ''] = split(bill.current_charges, 4, chance)
    return `<div style="display:flex;justify-content:space-between;font-size:8pt"><b style="font-size:14pt;color:#006bb6">${bill.vendor}</b><div>Electric Bill Statement<br>For: ${full(meter.previous_read_date)} to ${full(meter.read_date)} (${daysOf(meter)} days)<br>Statement Date: ${full(bill.date)}<br>Account Number: ${bill.account_number}<br>Service Address: ${bill.address}, ${bill.city}</div></div>
      <p>Hello ${bill.customer},<br>Here's what you owe for this billing period.</p>
      <div class="hero"><div><b>${dollars(bill.amount_due)}</b>TOTAL AMOUNT YOU OWE</div><div><b>${full(bill.due_date)}</b>NEW CHARGES DUE BY</div></div>
      <div class="pair"><div><h4>BILL SUMMARY</h4>${owe('Amount of your last bill', bill.previous_balance)}${owe('Payments received', dollars(`-${bill.payments}`, '-#', ''))}${owe('Balance before new charges', bill.balance_forward)}${owe('Total new charges', grouped(bill.current_charges))}${bill.late_fee === '0.00' ? '' : owe('Late payment charge', bill.late_fee)}${owe('<b>Total amount you owe</b>', `<b>${dollars(bill.amount_due)}</b>`)}
      <p style="font-size:7pt">Payments received after ${full(bill.due_date)} are considered late; a late payment charge of $5.00 may apply.</p></div>
      <div class="chart"><h4>ENERGY USAGE HISTORY</h4>${bars(chance, 2_600, 13)}</div></div>
      <div class="pair"><div><h4>METER SUMMARY</h4>Meter reading - Meter ${meter.meter_number}. Next meter reading ${full(bill.due_date)}.<table class="meter"><tr><th>Usage Type</th><th>Current</th><th>-</th><th>Previous</th><th>=</th><th>Usage</th></tr><tr><td>kWh used</td><td>${meter.meter_reading}</td><td></td><td>${meter.previous_reading}</td><td></td><td>${meter.usage}</td></tr></table>
      <h4>ENERGY USAGE COMPARISON</h4><table class="meter"><tr><td></td><td>This Month</td><td>Last Month</td><td>Last Year</td></tr><tr><td>Service to</td><td>${full(meter.read_date)}</td><td>${full(meter.previous_read_date)}</td><td>${dated(meter.read_date, 'MMM D')}</td></tr><tr><td>kWh Used</td><td>${meter.usage}</td><td>${chance(300, 4_000)}</td><td>${chance(300, 4_000)}</td></tr><tr><td>Service days</td><td>${daysOf(meter)}</td><td>30</td><td>29</td></tr></table></div>
      <div><h4>BILL DETAILS</h4>${owe(`Rate: GS-${chance(1, 4)} GENERAL SERVICE`, '')}${owe('Base charge:', `$${base}`)}${owe('Fuel:', `$${fuel}`)}${owe('Storm protection:', `$${storm}`)}${owe('Franchise &amp; taxes:', `$${tax}`)}${owe('Electric service amount', grouped(bill.current_charges))}</div></div>
      <div style="border-top:1px dashed;margin-top:70px;padding-top:10px;display:flex;gap:50px"><div>${bill.account_number}<br><small>ACCOUNT NUMBER</small></div><div>${dollars(bill.amount_due)}<br><small>TOTAL AMOUNT YOU OWE</small></div><div>${full(bill.due_date)}<br><small>NEW CHARGES DUE BY</small></div><div>$ ________<br><small>AMOUNT ENCLOSED</small></div></div>`
  },
}

const owe = (label: string, value: string): string => `<div class="sumline"><span>${label}</span><span>${value}</span></div>`

export const deliveryServices: Sheet = {
  name: 'arithmetic in headings',
  kind: { vendor: 'Bay Commonwealth Grid', commodities: ['electric'], account: '0####-####0', invoice: '######', meter: '1#######' },
  omits: ['invoice_number'],
  supplyOf,
  css: `.frame{border:1px solid #00148c;display:grid;grid-template-columns:2fr 1.3fr 1fr}.frame>div{padding:6px;border-right:1px solid #00148c}small{font-size:6pt;color:#00148c;display:block;letter-spacing:.5px}
    h3{color:#00148c;margin:14px 0 3px;font-size:11pt}.w{width:400px}.w td:last-child{text-align:right}.w td{padding:2px 0}.t td{border-top:1px solid;font-weight:bold}.mm th{font-size:6.5pt;text-align:center;padding:2px 10px;vertical-align:bottom;font-weight:normal}.mm td{text-align:center;padding:2px 10px}`,
  html: (bill, chance) => {
    const [meter] = bill.meters
    if (meter === undefined) return ''
    const date = (of: string): string => dated(of, 'MMM D, YYYY')
    const status = meter.estimated ? 'Estimated' : 'Actual'
    return `${deliveryHead(bill, meter)}
      <h3>DETAIL OF CURRENT CHARGES</h3><b>Delivery Services</b><table class="w"><tr><td>Service Period</td><td>No. of days</td><td>Current Reading</td></tr></table>
      <table class="mm"><tr><th>Type of<br>Service</th><th>Current<br>Reading</th><th>-</th><th>Previous<br>Reading</th><th>=</th><th>Measured<br>Difference</th><th>x</th><th>Meter<br>Multiplier</th><th>=</th><th>Total<br>Usage</th></tr>
      <tr><td>Energy</td><td>${meter.meter_reading} ${status}</td><td></td><td>${meter.previous_reading} Actual</td><td></td><td>${Number(meter.meter_reading) - Number(meter.previous_reading)}</td><td></td><td>${meter.multiplier}</td><td></td><td>${meter.usage} ${meter.unit}</td></tr></table>
      <div style="display:flex;gap:30px;margin:6px 0"><div><small>METER NUMBER</small>${meter.meter_number}</div><div><small>SERVICE PERIOD</small>${date(meter.previous_read_date)} - ${date(meter.read_date)}</div><div><small>NUMBER OF DAYS IN PERIOD</small>${daysOf(meter)}</div><div><small>RATE</small>G-${chance(1, 3)}</div><div><small>VOLTAGE DELIVERY LEVEL</small>0 - 2.2 kv</div></div>
      <table class="w">${cells(['Customer Charge', 'Distribution Charge', 'Transition Charge', 'Renewable Energy Chg'], delivered(meter), chance)}<tr class="t"><td>Total Delivery Services</td><td>${dollars(delivered(meter))}</td></tr></table>
      <b>Supply Services</b><p style="margin:2px 0">SUPPLIER Minuteman Retail &nbsp; PO BOX ${chance(1000, 9999)}</p><table class="w">${cells(['Electricity Supply', 'Renewable Portfolio'], supplyOf(meter), chance)}<tr class="t"><td>Total Supply Services</td><td>${dollars(supplyOf(meter))}</td></tr></table>
      <div class="page2"><b>KEEP THIS PORTION FOR YOUR RECORDS.</b><h3>Electric Usage History</h3>${bars(chance, 4_000)}</div>`
  },
}

function deliveryHead(bill: SampleBill, meter: SampleMeter): string {
  const date = (of: string): string => dated(of, 'MMM D, YYYY')
  return `<b style="font-size:15pt;color:#00148c">${bill.vendor}</b><div class="frame"><div><small>SERVICE FOR</small>${bill.customer}<br>${bill.address}<br>${bill.city}</div><div><small>BILLING PERIOD</small>${date(meter.previous_read_date)} to ${date(meter.read_date)}<small>ACCOUNT NUMBER</small>${bill.account_number}<small>DATE BILL ISSUED</small>${date(bill.date)}</div><div><small>PLEASE PAY BY</small>${date(bill.due_date)}<small>AMOUNT DUE</small><b>${dollars(bill.amount_due, '-#', '$ ')}</b></div></div>
    <h3>ACCOUNT BALANCE</h3><table class="w"><tr><td>Previous Balance</td><td>${bill.previous_balance}</td></tr><tr><td>Payment Received on ${dated(meter.read_date, 'MMM D')} (Check) THANK YOU</td><td>- ${bill.payments}</td></tr><tr><td>Balance Forward</td><td>${bill.balance_forward}</td></tr><tr><td>Current Charges</td><td>+ ${grouped(bill.current_charges)}</td></tr>${bill.late_fee === '0.00' ? '' : `<tr><td>Late Payment Charge</td><td>+ ${bill.late_fee}</td></tr>`}<tr class="t"><td>Amount Due &#9658;</td><td>${dollars(bill.amount_due, '-#', '$ ')}</td></tr></table>`
}

function cells(names: readonly string[], total: string, chance: Chance): string {
  const amounts = split(total, names.length, chance)
  return names.map((name, place) => `<tr><td>${name}</td><td>${grouped(amounts[place] ?? '0.00')}</td></tr>`).join('')
}
