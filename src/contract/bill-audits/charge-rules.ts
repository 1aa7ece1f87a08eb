/** Rules 16 to 19, 32, 34, 35 and 40: whether the amounts add up, and whether they are usual for this account. */
import { hasCharges, headerDifference, lacksCharges, lineTaxes, linesDifference } from '../bill-figures/bill-totals.ts'
import { addMonths } from '../kernel/date.ts'
import { centsOf, centsOrZero, compareMoney, formatMoney, wireOf } from '../kernel/money.ts'
import type { BillAudit } from './line-context.ts'
import type { Verdict } from './input.ts'

const TAX_EXEMPT = /exempt/i
const MONTHS_A_YEAR = 12

/** 16. The amount due is the sum of its parts. */
export function headerMath({ bill }: BillAudit): Verdict[] {
  if (bill.amount_due === null || bill.current_charges === null || bill.balance_forward === null) return []
  const difference = headerDifference({ ...bill, amount_due: bill.amount_due })
  if (difference === 0) return []
  const sum = wireOf(centsOf(bill.amount_due) - difference)
  const parts = `${formatMoney(bill.balance_forward)} + ${formatMoney(bill.current_charges)} + ${formatMoney(bill.late_fee ?? '0.00')}`
  return [
    {
      severity: 'E!',
      field: 'amount_due',
      expected: sum,
      actual: bill.amount_due,
      message: `The amount due ${formatMoney(bill.amount_due)} is not ${parts} = ${formatMoney(sum)}`,
    },
  ]
}

/** 17. The charges of the lines and of the account add up to the current charges, once any is filled. */
export function linesMath({ bill }: BillAudit): Verdict[] {
  if (bill.current_charges === null || !hasCharges(bill)) return []
  const difference = linesDifference(bill)
  if (difference === 0) return []
  const sum = wireOf(centsOf(bill.current_charges) + difference)
  return [
    {
      severity: 'E',
      field: 'current_charges',
      expected: sum,
      actual: bill.current_charges,
      message: `The charges sum to ${formatMoney(sum)}, the current charges are ${formatMoney(bill.current_charges)}: ${formatMoney(wireOf(Math.abs(difference)))} ${difference > 0 ? 'too little' : 'unaccounted for'}`,
    },
  ]
}

/** 40. The head has charges that no line explains: the cost is unknown by service, and so is the price of a unit. */
export function chargesMissing({ bill, input }: BillAudit): Verdict[] {
  // A group's bill is explained by the bills of its subaccounts.
  const isOfGroup = input.account?.is_group_account && bill.service_bills.length === 0
  if (isOfGroup || !lacksCharges(bill)) return []
  return [
    {
      severity: 'W',
      field: 'current_charges',
      expected: bill.current_charges ?? '0.00',
      actual: '0.00',
      message: `Current charges are ${formatMoney(bill.current_charges)}, but no line and no account charge has an amount`,
    },
  ]
}

/** 32. Taxes on an account that is marked exempt. */
export function taxExempt({ bill, input }: BillAudit): Verdict[] {
  const isExempt = input.account?.tax_ids.some((mark) => TAX_EXEMPT.test(mark)) ?? false
  return bill.service_bills.flatMap((line) => {
    const service = input.services.find((one) => one.id === line.service_id)
    const taxes = lineTaxes(line)
    if (taxes <= 0 || !(isExempt || TAX_EXEMPT.test(service?.tax_code ?? ''))) return []
    const verdict: Verdict = {
      severity: 'W',
      field: 'service_bill_entry_fields',
      expected: '0.00',
      actual: wireOf(taxes),
      message: `Taxes of ${formatMoney(wireOf(taxes))} are charged although the account is tax exempt`,
    }
    return [service ? { ...verdict, service_id: service.id } : verdict]
  })
}

/** 34. A bill with a credit, or with nothing due. */
export function creditBill({ bill }: BillAudit): Verdict[] {
  if (bill.current_charges !== null && centsOf(bill.current_charges) < 0) {
    return [
      {
        severity: 'W',
        field: 'current_charges',
        actual: bill.current_charges,
        message: `The current charges ${formatMoney(bill.current_charges)} are a credit`,
      },
    ]
  }
  if (bill.amount_due === null || centsOf(bill.amount_due) > 0) return []
  return [{ severity: 'W', field: 'amount_due', actual: bill.amount_due, message: `Nothing is due: ${formatMoney(bill.amount_due)}` }]
}

/** 35. More than this account's maximum in a year, or than the client's limit: a second user must approve it. */
export function highValue(audit: BillAudit): Verdict[] {
  const { bill, settings } = audit
  const limit = settings.high_value_limit ?? usualLimit(audit)
  if (bill.amount_due === null || limit === null || compareMoney(bill.amount_due, limit) <= 0) return []
  return [
    {
      severity: 'E!',
      field: 'amount_due',
      actual: bill.amount_due,
      limit,
      message: `The amount due ${formatMoney(bill.amount_due)} is above the limit of ${formatMoney(limit)}: it needs a second approver`,
    },
  ]
}

function usualLimit({ bill, earlier, settings }: BillAudit): string | null {
  if (earlier.length < settings.high_value_min_bills) return null
  const since = bill.date === null ? null : addMonths(bill.date, -MONTHS_A_YEAR)
  const largest = Math.max(0, ...earlier.filter((one) => since === null || one.date >= since).map((one) => centsOf(one.amount_due)))
  const multiple = Math.round((largest * settings.high_value_percent) / 100)
  return wireOf(Math.max(multiple, centsOrZero(settings.high_value_floor)))
}
