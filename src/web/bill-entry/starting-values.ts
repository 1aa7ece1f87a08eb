/** The initial values of the bill form: an empty bill with a line for each service, or the stored bill. */
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { ServiceBill } from '#contract/bills/service-bill.ts'
import { formFields, lineFields } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { amountDue, derivedUsage } from '#contract/bill-figures/bill-totals.ts'
import { compareDecimals } from '#contract/kernel/decimal.ts'
import { emptyOf, typedOf } from '#contract/kernel/record.ts'
import { startingBalance } from './carried.ts'
import type { BillValues, EntryService, LineValues } from './bill-values.ts'

/** A new bill: dates and amounts empty, but for a balance of zero where nothing stood open, a line for each active service, with the last bill's reads as the previous ones (BILL-RULE-008). */
export function newValues(entry: BillEntry): BillValues {
  return {
    ...emptyBill,
    balance_forward: startingBalance(entry),
    bill_id: entry.last_bill?.id ?? null,
    lines: entry.services.filter((service) => service.active).map((service) => newLine(`n${service.id}`, service, entry)),
  }
}

/** Returns a line for a service, with the values carried over from the account's last bill that has such a line. */
export function newLine(key: string, service: EntryService, entry: BillEntry): LineValues {
  const last = lastReads(service.id, entry, null)
  return {
    ...emptyLine(key),
    service_id: service.id,
    previous_read_date: last?.read_date ?? '',
    previous_reading: service.metered ? (last?.meter_reading ?? '') : '',
    multiplier: service.meter_multiplier ?? '1',
    unit_id: service.usage_unit_id ?? service.usage_units[0]?.unit_id ?? null,
    rate_schedule: service.rate_schedule ?? '',
    service_bill_entry_fields: blanks(service.entry_fields),
    service_bill_usage_factors: Object.fromEntries(
      service.usage_factors.filter((factor) => factor.asked).map((factor) => [factor.name, factor.default_value ?? '']),
    ),
    service_bill_additional_entry_fields: blanks(service.additional_entry_fields.map((field) => field.name)),
  }
}

/** Returns the reads of this service on the named bill, else on the latest bill that has a line of it. */
export function lastReads(
  serviceId: number,
  entry: BillEntry,
  billId: number | null,
): { read_date: string | null; meter_reading: string | null } | undefined {
  const bills = billId === null ? entry.history : entry.history.filter((bill) => bill.id === billId)
  return bills.flatMap((bill) => bill.lines).find((line) => line.service_id === serviceId && line.read_date !== null)
}

export function emptyLine(key: string): LineValues {
  return {
    key,
    id: null,
    ...emptyOf(lineFields),
    service_bill_entry_fields: {},
    service_bill_usage_factors: {},
    service_bill_additional_entry_fields: {},
  }
}

/** Returns the form's values for a stored bill. */
export function storedValues(bill: BillDetail, entry: BillEntry): BillValues {
  const parts = { balance_forward: bill.balance_forward, current_charges: bill.current_charges, late_fee: bill.late_fee }
  return {
    ...typedOf(formFields, bill),
    amount_due: bill.amount_due === amountDue(parts) ? '' : bill.amount_due,
    files: bill.files.map(({ signed_id, filename, content_type }) => ({ signed_id, filename, content_type })),
    charges: bill.bill_charges.map(({ id, name, amount }) => ({ key: `s${id}`, id, name, amount })),
    lines: bill.service_bills.map((line) => storedLine(line, entry)),
    linked: bill.linked_service_bill_ids.map((id) => ({
      service_bill_id: id,
      supply_bill_id: bill.linked_service_bills.find((line) => line.id === id)?.bill_id ?? null,
    })),
    settled: {},
  }
}

function storedLine(line: ServiceBill, entry: BillEntry): LineValues {
  const service = entry.services.find((one) => one.id === line.service_id)
  const derived = derivedUsage(line)
  const known = (fields: readonly { readonly name: string; readonly value: string | null }[]) =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value ?? '']))
  return {
    key: `s${line.id}`,
    id: line.id,
    ...typedOf(lineFields, line),
    usage: line.usage === null || (derived !== null && compareDecimals(derived, line.usage) === 0) ? '' : line.usage,
    service_bill_entry_fields: { ...blanks(service?.entry_fields ?? []), ...known(line.service_bill_entry_fields) },
    service_bill_usage_factors: {
      ...blanks((service?.usage_factors ?? []).filter((factor) => factor.asked).map((factor) => factor.name)),
      ...known(line.service_bill_usage_factors),
    },
    service_bill_additional_entry_fields: {
      ...blanks((service?.additional_entry_fields ?? []).map((field) => field.name)),
      ...known(line.service_bill_additional_entry_fields),
    },
  }
}

export const emptyBill: BillValues = {
  ...emptyOf(formFields),
  files: [],
  charges: [],
  lines: [],
  linked: [],
  settled: {},
}

function blanks(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']))
}
