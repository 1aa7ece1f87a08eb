import type { BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { nameOfMonth } from '#contract/kernel/date.ts'
import { isZero } from '#contract/kernel/decimal.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { counted } from '../kernel/counted.ts'
import styles from './budgets.module.css'

/** What the figures leave out, and the rule of the forecast. */
export function VarianceNotes({ answer }: { answer: BudgetVariance }) {
  return (
    <ul className={styles.notes} aria-label="How the figures are made">
      {notesOf(answer).map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

function notesOf({ total, last_complete_month, hidden_groups: hidden }: BudgetVariance): string[] {
  return [
    `Compared are months that are over and billed on all days, up to ${nameOfMonth(last_complete_month)}, of accounts that have a budget. Costs are spread over the days of bills; supply accounts have no budgets and are not in these figures.`,
    ...(isZero(total.open_actual)
      ? []
      : [`${formatMoney(total.open_actual)} is billed of months that are not complete. It is compared when they are.`]),
    ...(isZero(total.unbudgeted_actual) ? [] : [`${formatMoney(total.unbudgeted_actual)} of complete months has no budget.`]),
    'Forecast: the actual of complete months. For the others the same month of last year, scaled by this year over last year where three months or more are complete in both; without a complete last year the budget; and never less than what is billed already.',
    ...(total.without_forecast === 0
      ? []
      : [`Not in the forecast: ${counted(total.without_forecast, 'month')} of accounts that have neither last year nor a budget.`]),
    ...(hidden === 0 ? [] : [`Left out: budgets of ${counted(hidden, 'group account')}, because you do not see all of the subaccounts.`]),
  ]
}
