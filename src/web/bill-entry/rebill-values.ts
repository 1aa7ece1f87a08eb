/** The initial values of a correction, and both bills in comparable form. */
import type { ComparableBill } from '#contract/bills/bill-compare.ts'
import { replaceHeld } from '#contract/bills/bill-compare.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { parseMoney, sumMoney } from '#contract/kernel/money.ts'
import { dueOfBill, usageOfLine, type BillValues, type LineValues } from './bill-values.ts'
import { storedValues } from './starting-values.ts'

export type RebillMode = 'replace' | 'add'

/** A replacement starts as a copy of the bill that it replaces. An addition copies the dates and meters and leaves the amounts empty. */
export function rebillValues(original: BillDetail, entry: BillEntry, mode = startMode(original)): BillValues {
  const stored = storedValues(original, entry)
  const isAddition = mode === 'add'
  const lines = stored.lines.map((line): LineValues => {
    const fresh = { ...line, id: null, key: `r${line.key}` }
    return isAddition
      ? { ...fresh, previous_reading: '', meter_reading: '', usage: '', service_bill_entry_fields: blanked(line.service_bill_entry_fields) }
      : fresh
  })
  const amounts = isAddition ? { balance_forward: '0.00', current_charges: '', late_fee: '', amount_due: '' } : {}
  return {
    ...stored,
    ...amounts,
    lines,
    charges: isAddition ? [] : stored.charges.map((charge) => ({ ...charge, id: null, key: `r${charge.key}` })),
    invoice_number: '',
    files: [],
    linked: isAddition ? [] : stored.linked,
    qc: false,
    parked: false,
    rebill_adjustment: true,
    rebill_of_id: original.id,
    rebill_mode: mode,
  }
}

/** Returns the initial mode. The correction starts with the original's dates, so it replaces the original where that is possible. */
export function startMode(original: BillDetail): RebillMode {
  return replaceHeld(original) === null ? 'replace' : 'add'
}

/** Returns the form's values in the form in which a stored bill is compared; amounts that cannot be read yet are left out. */
export function comparableValues(values: BillValues, original: BillDetail, entry: BillEntry): ComparableBill {
  const { account_number, vendor_name } = original
  const lines = values.lines.flatMap((line) => {
    const service = entry.services.find((one) => one.id === line.service_id)
    if (!service || line.service_id === null) return []
    const money = Object.entries(line.service_bill_entry_fields).map(([name, value]) => ({ name, value: readMoney(value) }))
    const more = Object.values(line.service_bill_additional_entry_fields).map(readMoney)
    return [
      {
        service_id: line.service_id,
        service_utility_service_name: service.utility_service_name,
        service_meter_number: service.meter_number,
        previous_read_date: line.previous_read_date || null,
        read_date: line.read_date || null,
        previous_reading: line.previous_reading || null,
        meter_reading: line.meter_reading || null,
        multiplier: line.multiplier || null,
        usage: usageOfLine(line, service) || null,
        unit_symbol: service.unit_options.find((unit) => unit.id === line.unit_id)?.symbol ?? null,
        service_bill_entry_fields: money,
        charge: sumMoney([...money.map((one) => one.value), ...more].filter((value) => value !== null)),
      },
    ]
  })
  const starts = lines.flatMap((line) => line.previous_read_date ?? []).toSorted()
  const ends = lines.flatMap((line) => line.read_date ?? []).toSorted()
  return {
    account_number,
    vendor_name,
    invoice_number: values.invoice_number || null,
    date: values.date,
    due_date: values.due_date,
    previous_read_date: starts[0] ?? null,
    read_date: ends.at(-1) ?? null,
    fiscal_month: values.fiscal_month || null,
    balance_forward: readMoney(values.balance_forward) ?? '0.00',
    current_charges: readMoney(values.current_charges) ?? '0.00',
    late_fee: readMoney(values.late_fee) ?? '0.00',
    amount_due: readMoney(dueOfBill(values)) ?? '0.00',
    amount_paid: original.amount_paid,
    service_bills: lines,
    bill_charges: values.charges.flatMap(({ name, amount }) => {
      const read = readMoney(amount)
      return read === null ? [] : [{ name, amount: read }]
    }),
  }
}

function readMoney(text: string): string | null {
  return text === '' ? null : parseMoney(text)
}

function blanked(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, '']))
}
