/**
 * The document of a planned bill, drawn as the retrieval sandbox draws its statements: text without pictures, so that it is read at once.
 */
import { sumCents, wireOf } from '#contract/kernel/money.ts'
import { statement, type Commodity, type Statement } from '#contract/bill-retrieval/statement.ts'
import { drawStatement } from '../bill-retrieval/bill-retrieval.ts'
import { currentCharges } from './plan-bills.ts'
import type { PlannedBill, PlannedLine, ServicePlan } from './plan.ts'

const commodities: Readonly<Record<ServicePlan['utility'], Commodity | null>> = {
  electric: 'electric',
  natural_gas: 'natural_gas',
  water: 'water',
  sewer: 'sewer',
  waste: 'sanitation',
  telecom: null,
}

export async function drawBill(bill: PlannedBill): Promise<Buffer> {
  return Buffer.from(await drawStatement(statementOf(bill)))
}

function statementOf(bill: PlannedBill): Statement {
  const { account } = bill
  const { facility } = account
  const [first] = bill.lines
  return statement.parse({
    statement_id: `${account.number} ${bill.date}`,
    file_id: `${account.number} ${bill.date}`,
    kind: 'bill',
    provider_name: account.vendor.name,
    account_number: account.number,
    bill_date: bill.date,
    due_date: bill.due,
    invoice_number: bill.invoice,
    service_address: `${facility.street}, ${facility.city}, ${facility.state} ${facility.zip}`,
    interval_start: first?.from ?? null,
    interval_end: first?.to ?? null,
    balance_forward: wireOf(bill.balance),
    current_charges: wireOf(currentCharges(bill)),
    late_fee: wireOf(bill.lateFee),
    amount_due: wireOf(sumCents([bill.balance, currentCharges(bill), bill.lateFee])),
    meters: bill.lines.flatMap((line) => meterOf(line) ?? []),
    printed_lines: [
      ...bill.lines.flatMap(printedOf),
      ...bill.charges.map(({ name, amount }) => ({ meter_number: null, commodity: null, name, amount: wireOf(amount), supplier: null })),
    ],
  })
}

function meterOf(line: PlannedLine) {
  const { service } = line
  const commodity = commodities[service.utility]
  if (commodity === null) return null
  return {
    meter_number: service.meter,
    commodity,
    previous_read_date: line.from,
    read_date: line.to,
    previous_reading: textOf(line.before),
    meter_reading: textOf(line.after),
    multiplier: textOf(line.multiplier),
    usage: textOf(line.usage),
    unit: service.unit,
    estimated: line.estimated,
    rate_schedule: line.schedule === '' ? null : line.schedule,
  }
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value)
}

function printedOf({ service, values }: PlannedLine) {
  const commodity = commodities[service.utility]
  return values.map(({ name, amount }) => ({ meter_number: service.meter, commodity, name, amount: wireOf(amount), supplier: null }))
}
