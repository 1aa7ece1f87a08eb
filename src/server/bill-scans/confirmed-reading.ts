/** The values that a saved bill confirms for the document from which it was entered. */
import { headFields, printedHeads } from '#contract/bills/bill-fields.ts'
import { ownOf, someOf } from '#contract/kernel/record.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import type { ConfirmedReading } from '#contract/bill-reading/bill-reading.ts'

const printedFields = someOf(headFields, printedHeads)

export function confirmedReading(bill: BillDetail): ConfirmedReading {
  return {
    vendor_id: bill.vendor_id,
    values: { account_number: bill.account_number, vendor: bill.vendor_name, ...ownOf(printedFields, bill) },
    meters: bill.service_bills.map(meterOf),
  }
}

function meterOf(line: ServiceBill): ConfirmedReading['meters'][number] {
  const charge = (name: string) => line.service_bill_entry_fields.find((field) => field.name === name)?.value ?? null
  return {
    meter_number: line.service_meter_number,
    previous_read_date: line.previous_read_date,
    read_date: line.read_date,
    previous_reading: line.previous_reading,
    meter_reading: line.meter_reading,
    multiplier: line.multiplier,
    usage: line.usage,
    unit: line.unit_symbol,
    utility_charges: charge('Utility Charges'),
    supply_charges: charge('Supply Charges'),
    estimated: String(line.estimated),
  }
}
