/** A statement of the sandbox as its provider would send it. */
import { isZero, minus, roundTo, times } from '#contract/kernel/decimal.ts'
import { addMoney, subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { statement as statementSchema, type Meter, type PrintedLine, type Statement } from '#contract/bill-retrieval/statement.ts'
import { digitsOf } from '../kernel/seeded-random.ts'
import type { MeterPlan, StatementPlan } from './sandbox-defects.ts'

export interface SandboxAccount {
  readonly account_number: string
  readonly vendor_name: string
  readonly service_address?: string | null
  readonly payment_terms_days: number
  readonly services: readonly SandboxService[]
}

export interface SandboxService {
  readonly meter_number: string
  /** Name of the utility service; services without meter readings (Telecom, …) are left out. */
  readonly utility_service: string
  readonly unit: string | null
  readonly multiplier: string | null
  readonly last_read_date: string
  readonly last_reading: string | null
  /** In `unit`, as a decimal. */
  readonly usage_per_day: string
  /** Dollars per `unit`, all charges together. */
  readonly rate: string
}

const CUSTOMER_CHARGE_SHARE = '0.08'

export function written(plan: StatementPlan, account: SandboxAccount, id: string): Statement {
  const lines = plan.meters.flatMap(chargeLines)
  const metered = sumMoney(lines.map((line) => line.amount))
  const credit = subtractMoney('0.00', shareOf(metered, plan.creditShare))
  const charges = isZero(credit) ? [] : [{ name: 'Billing correction credit', amount: credit }]
  const currentCharges = addMoney(metered, credit)
  const balanceForward = shareOf(currentCharges, plan.balanceForwardShare)
  const lateFee = shareOf(balanceForward, plan.lateFeeShare)
  return statementSchema.parse({
    statement_id: id,
    file_id: id,
    kind: plan.isAdjustment ? 'adjustment' : 'bill',
    provider_name: account.vendor_name,
    account_number: plan.accountNumber,
    service_address: account.service_address ?? null,
    invoice_number: digitsOf(`invoice ${plan.accountNumber} ${plan.billDate} ${plan.isAdjustment}`, 9),
    bill_date: plan.billDate,
    due_date: plan.dueDate,
    interval_start: plan.previousReadDate,
    interval_end: plan.readDate,
    balance_forward: balanceForward,
    current_charges: currentCharges,
    late_fee: lateFee,
    amount_due: addMoney(balanceForward, currentCharges, lateFee),
    rebill_adjustment: plan.isAdjustment,
    estimated_any: plan.meters.some((meter) => meter.estimated),
    account_charges: charges,
    meters: plan.meters.map((meter) => meterOf(meter, plan)),
    printed_lines: [...lines, ...charges],
  })
}

function meterOf(meter: MeterPlan, plan: StatementPlan): Partial<Meter> & Pick<Meter, 'meter_number' | 'commodity'> {
  return {
    meter_number: meter.meterNumber,
    commodity: meter.commodity,
    previous_read_date: plan.previousReadDate,
    read_date: plan.readDate,
    previous_reading: meter.previousReading,
    meter_reading: meter.meterReading,
    multiplier: meter.multiplier,
    usage: meter.usage,
    unit: meter.unit,
    estimated: meter.estimated,
    utility_charges: sumMoney(chargeLines(meter).map((line) => line.amount)),
  }
}

/** Returns a base charge and the rest by usage; together they are usage times rate, rounded to the cent once. */
function chargeLines(meter: MeterPlan): PrintedLine[] {
  const total = roundTo(times(meter.usage, meter.rate), 2)
  const base = shareOf(total, CUSTOMER_CHARGE_SHARE)
  const place = { meter_number: meter.meterNumber, commodity: meter.commodity, supplier: null }
  return [
    { ...place, name: 'Customer charge', amount: base },
    { ...place, name: `Usage charge ${meter.usage} ${meter.unit ?? ''}`.trim(), amount: roundTo(minus(total, base), 2) },
  ]
}

/** Returns a share of an amount, rounded half away from zero to the cent. */
function shareOf(amount: string, share: string): string {
  return roundTo(times(amount, share), 2)
}
