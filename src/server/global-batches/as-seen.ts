/** An act of the desk is refused if it would do something else than its person was shown. */
import type { SeenExport } from '#contract/global-batches/global-payment.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney, wireOf } from '#contract/kernel/money.ts'
import type { ExportInput } from '#contract/payment-files/payment-file.ts'
import { planFiles } from '#contract/payment-files/payment-files.ts'
import { paymentChanged } from '../kernel/problem.ts'
import { totalOf } from './pay-by-files.ts'

/** The figures of an export as its preview shows them. */
export function figuresOf(input: ExportInput, files = planFiles(input)): SeenExport {
  return {
    payments: input.payments.length,
    total: wireOf(totalOf(input)),
    effective_dates: files.flatMap(({ effective_dates: [first] }) => first ?? []),
  }
}

/** Throws 409 with both figures if the export is not what its person was shown. A caller that was shown nothing states nothing. */
export function mustBeAsSeen(seen: SeenExport | undefined, input: ExportInput): void {
  if (seen === undefined) return
  const [shown, found] = [figuresText(seen), figuresText(figuresOf(input))]
  if (shown !== found) throw paymentChanged(`You were shown ${shown}, and it is ${found} now. Look at it again.`)
}

/** The same for a sum. */
export function mustSumAsSeen(seen: string | undefined, input: ExportInput): void {
  const found = wireOf(totalOf(input))
  if (seen === undefined || seen === found) return
  throw paymentChanged(`You were shown ${formatMoney(seen)}, and it is ${formatMoney(found)} now. Look at it again.`)
}

/** '3 payments, $1,234.00, effective 11/27/2026 and 11/30/2026'. */
function figuresText({ payments, total, effective_dates }: SeenExport): string {
  const days = [...new Set(effective_dates)].toSorted().map((day) => formatDate(day))
  const count = payments === 1 ? '1 payment' : `${payments.toLocaleString('en-US')} payments`
  return [count, formatMoney(total), ...(days.length > 0 ? [`effective ${days.join(' and ')}`] : [])].join(', ')
}
