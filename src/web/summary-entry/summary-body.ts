/** The body of the save of a summary bill. */
import { wireOf } from '#contract/kernel/money.ts'
import type { SummaryBillBody, SummaryEntry, SummaryRow } from '#contract/bills/summary-bill.ts'
import { evaluate } from '../ui/fields/arithmetic.ts'
import {
  type SummaryValues,
  type SummaryColumn,
  sumsOf,
  childrenOf,
  readCell,
  cellOf,
  chargesOfRows,
  accountCharge,
} from './summary-values.ts'

/** Reasons to save duplicate bills anyway, by account; null is the group's. */
export type OverrideReasons = ReadonlyMap<number | null, string>

/**
 * Returns the body of the save. The children get the dates and the invoice number of the group's bill; their amount due is the sum of their
 * charges.
 */
export function bodyOf(
  values: SummaryValues,
  entry: SummaryEntry,
  columns: readonly SummaryColumn[],
  reasons: OverrideReasons,
): SummaryBillBody {
  const { head } = values
  const override = (accountId: number | null) => {
    const reason = reasons.get(accountId)
    return reason === undefined ? {} : { override_reason: reason }
  }
  const money = (text: string): string => evaluate(text.trim() === '' ? '0' : text, 2) ?? text
  const invoice_number = head.invoice_number.trim() === '' ? null : head.invoice_number.trim()
  const dates = { date: head.date, due_date: head.due_date, invoice_number }
  const bill = {
    ...dates,
    balance_forward: money(head.balance_forward),
    current_charges: money(head.current_charges),
    late_fee: money(head.late_fee),
    amount_due: wireOf(sumsOf(values, entry, columns).due),
    ...override(null),
  }
  const children = childrenOf(values, entry, columns).map((rows) => {
    const cell = (row: SummaryRow, key: string): string => {
      const column = columns.find((one) => one.key === key)
      return column ? (readCell(cellOf(values, row, column), column, entry.today) ?? '') : ''
    }
    const amount = wireOf(chargesOfRows(values, rows, columns, entry.today))
    const account_id = rows[0]?.account_id ?? 0
    return {
      ...dates,
      account_id,
      ...override(account_id),
      balance_forward: '0.00',
      current_charges: amount,
      amount_due: amount,
      service_bills_attributes: rows.flatMap((row) =>
        row.service_id === null
          ? []
          : [
              {
                service_id: row.service_id,
                previous_read_date: cell(row, 'from') || null,
                read_date: cell(row, 'to') || null,
                usage: cell(row, 'usage') || null,
                service_bill_entry_fields: row.entry_fields.map((name) => ({ name, value: cell(row, `field ${name}`) || '0.00' })),
              },
            ],
      ),
      bill_charges_attributes: rows.flatMap((row) => {
        const charge = cell(row, 'account')
        return charge === '' ? [] : [{ name: accountCharge, amount: charge }]
      }),
    }
  })
  return { bill, children }
}
