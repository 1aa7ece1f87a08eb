import type { BudgetVariance } from '#contract/budgets/budget-variance.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import styles from './budgets.module.css'
import { VarianceFigure } from './variance-figure.tsx'
import { yearName } from './use-variance.ts'

/** The answer in four figures: what was planned, what it came to, by how much it differs, what the year will cost. */
export function VarianceTiles({ answer: { total, first_month } }: { answer: BudgetVariance }) {
  return (
    <dl className={styles.tiles} aria-label="The year">
      <Tile label={`Budget of ${yearName(first_month)}`} text={total.budget === null ? 'no budget' : formatMoney(total.budget)} />
      <Tile label="Actual so far" text={formatMoney(total.actual)} />
      <div className={styles.tile}>
        <dt>Variance of complete months</dt>
        <dd>
          <VarianceFigure value={total.variance} percent={total.variance_percent} />
        </dd>
      </div>
      <div className={styles.tile}>
        <dt>Forecast to the end of the year</dt>
        <dd className="num">
          {total.forecast === null ? 'no forecast' : formatMoney(total.forecast)}
          {total.forecast_variance !== null && (
            <span className={styles.quiet}>
              {' '}
              <VarianceFigure value={total.forecast_variance} percent={null} /> against the budget
            </span>
          )}
        </dd>
      </div>
    </dl>
  )
}

function Tile({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.tile}>
      <dt>{label}</dt>
      <dd className="num">{text}</dd>
    </div>
  )
}
