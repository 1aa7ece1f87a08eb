import { forecastLabels } from '#contract/budgets/budget-figures.ts'
import type { BudgetMonth, BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { formatCoverage } from '#contract/dashboard/metrics.ts'
import { nameOfMonth } from '#contract/kernel/date.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { useCan } from '../kernel/permissions.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import plain from '../ui/plain-table.module.css'
import styles from './budgets.module.css'
import { billsOf } from './use-variance.ts'
import { VarianceFigure } from './variance-figure.tsx'

interface MonthsProps {
  readonly clientId: number
  readonly answer: BudgetVariance
  readonly back: string
}

/** The months of the year: an actual that is not complete says what is billed of it, and is not compared. */
export function VarianceMonths({ clientId, answer, back }: MonthsProps) {
  const { scope, total } = answer
  const mayOpen = useCan('bill.read')
  const isGroup = scope.type === 'billable_account' && answer.rows.some((row) => row.id === scope.id && row.is_group)
  const hrefOf = ({ month, actual }: BudgetMonth) =>
    mayOpen ? billsOf(clientId, { type: scope.type, id: scope.id, isGroup, name: scope.name, actual, from: month, to: month }, back) : null
  return (
    <section aria-label="By month">
      <h2>By month</h2>
      <div className={plain.scroll}>
        <table className={plain.table}>
          <caption className="sr-only">{`Budget against actual of ${scope.name} by month`}</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {['Budget', 'Actual', 'Billed', 'Variance', 'Forecast'].map((label) => (
                <th key={label} scope="col" className={plain.figure}>
                  {label}
                </th>
              ))}
              <th scope="col">Forecast by</th>
            </tr>
          </thead>
          <tbody>
            {total.months.map((month) => (
              <MonthRow key={month.month} month={month} href={hrefOf(month)} />
            ))}
          </tbody>
          <tfoot>
            <tr className={styles.total}>
              <th scope="row">Year</th>
              <Amount value={total.budget} />
              <Amount value={total.actual} />
              <td />
              <td className={plain.figure}>
                <VarianceFigure value={total.variance} percent={total.variance_percent} />
              </td>
              <Amount value={total.forecast} />
              <td />
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  )
}

function MonthRow({ month, href }: { month: BudgetMonth; href: string | null }) {
  const { actual, budget, coverage, complete, forecast, forecast_basis: basis, variance, variance_percent } = month
  const name = nameOfMonth(month.month)
  return (
    <tr data-month={month.month}>
      <th scope="row">{name}</th>
      <Amount value={budget} />
      <td className={cx(plain.figure, 'num')}>
        {href === null ? (
          formatAmount(actual)
        ) : (
          <UiLink href={href} className={styles.figureLink} aria-label={`${formatAmount(actual)}: the bills of ${name}`}>
            {formatAmount(actual)}
          </UiLink>
        )}
      </td>
      <td className={cx(plain.figure, 'num', !complete && styles.quiet)}>
        {coverage === null ? (complete ? 'complete' : 'not complete') : `${formatCoverage(coverage)}${complete ? '' : ', not complete'}`}
      </td>
      <td className={plain.figure}>
        <VarianceFigure value={variance} percent={variance_percent} />
      </td>
      <Amount value={forecast} />
      <td className={styles.quiet}>{basis === null ? 'no forecast' : forecastLabels[basis]}</td>
    </tr>
  )
}

function Amount({ value }: { value: string | null }) {
  return <td className={cx(plain.figure, 'num')}>{value === null ? <span className={styles.quiet}>none</span> : formatAmount(value)}</td>
}
