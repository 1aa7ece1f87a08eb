/** A way to print bills, and what its documents say. The reader knows none of them. */
import type { ReadBillField, ReadMeterField } from '#contract/bill-reading/bill-reading.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import { subtractMoney } from '#contract/kernel/money.ts'
import type { SampleBill, SampleKind, SampleMeter } from './sample-bill.ts'

export interface Layout {
  readonly name: string
  readonly kind: SampleKind
  /** Fields that the paper does not print. */
  readonly omits: readonly (ReadBillField | ReadMeterField)[]
  /** The part of a meter's charges that the paper names as supply, if it prints supply and delivery apart. */
  supplyOf?(meter: SampleMeter): string
  draw(bill: SampleBill): Promise<Uint8Array>
}

export interface Truth {
  readonly values: Readonly<Partial<Record<ReadBillField, string>>>
  readonly meters: readonly Readonly<Partial<Record<ReadMeterField, string>>>[]
}

/** Returns the printed values, in wire text. */
export function truthOf(layout: Layout, bill: SampleBill): Truth {
  const left = new Set<string>(layout.omits)
  const printed = <Field extends string>(values: readonly (readonly [Field, string])[]): Partial<Record<Field, string>> => {
    const kept: Partial<Record<Field, string>> = {}
    for (const [field, value] of values) if (!left.has(field)) kept[field] = value
    return kept
  }
  return {
    values: printed<ReadBillField>([
      ['account_number', bill.account_number],
      ['vendor', bill.vendor],
      ['invoice_number', bill.invoice_number],
      ['date', bill.date],
      ['due_date', bill.due_date],
      ['balance_forward', bill.balance_forward],
      ['current_charges', bill.current_charges],
      ['late_fee', bill.late_fee],
      ['amount_due', bill.amount_due],
    ]),
    meters: bill.meters.map((meter) => printed<ReadMeterField>(meterTruth(meter, layout.supplyOf?.(meter)))),
  }
}

function meterTruth(meter: SampleMeter, supply: string | undefined): (readonly [ReadMeterField, string])[] {
  return [
    ['meter_number', meter.meter_number],
    ['previous_read_date', meter.previous_read_date],
    ['read_date', meter.read_date],
    ['previous_reading', meter.previous_reading],
    ['meter_reading', meter.meter_reading],
    ['multiplier', meter.multiplier],
    ['usage', meter.usage],
    ['unit', meter.unit],
    ['utility_charges', subtractMoney(meter.utility_charges, supply ?? '0.00')],
    ...(supply === undefined ? [] : [['supply_charges', supply] as const]),
    ['estimated', String(meter.estimated)],
  ]
}

export function daysOf(meter: SampleMeter): number {
  return daysBetween(meter.previous_read_date, meter.read_date)
}
