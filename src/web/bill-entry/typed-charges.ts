/** The charges of a bill while it is typed, for the sums that form and server share; values that cannot be read yet are missing. */
import { lacksCharges, linesDifference, type BillCharges } from '#contract/bill-figures/bill-totals.ts'
import { parseDecimal } from '#contract/kernel/decimal.ts'
import { parseMoney, wireOf } from '#contract/kernel/money.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { settledKey, type BillValues } from './bill-values.ts'

export function typedCharges(values: BillValues): BillCharges {
  return {
    balance_forward: null,
    late_fee: null,
    current_charges: parseMoney(values.current_charges),
    bill_charges: values.charges.map((charge) => ({ amount: parseMoney(charge.amount) })),
    service_bills: values.lines.map((line) => ({
      service_bill_entry_fields: read(line.service_bill_entry_fields, parseMoney),
      service_bill_additional_entry_fields: read(line.service_bill_additional_entry_fields, (typed) => parseDecimal(typed, 4)),
    })),
  }
}

/** Gives one charge of a line what all others leave of the current charges. Nothing changes while the current charges cannot be read. */
export function withRest(values: BillValues, lineKey: string, name: string): BillValues {
  if (parseMoney(values.current_charges) === null) return values
  const withCharge = (amount: string): BillValues => ({
    ...values,
    lines: values.lines.map((line) =>
      line.key === lineKey ? { ...line, service_bill_entry_fields: { ...line.service_bill_entry_fields, [name]: amount } } : line,
    ),
  })
  return withCharge(wireOf(-linesDifference(typedCharges(withCharge('')))))
}

/** Whether a save must ask if a bill without any charge is right. It does not ask if the bill was stored so or the finding was resolved. */
export function asksForCharges(values: BillValues, base: BillValues | null, entry: BillEntry): boolean {
  if (entry.account.is_group_account && values.lines.length === 0) return false
  if (base !== null && lacksCharges(typedCharges(base))) return false
  return lacksCharges(typedCharges(values)) && !(settledKey('charges_missing', null) in values.settled)
}

function read(values: Readonly<Record<string, string>>, parse: (typed: string) => string | null) {
  return Object.entries(values).map(([name, value]) => ({ name, value: parse(value) }))
}
