import { isZero } from '#contract/kernel/decimal.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import styles from './budgets.module.css'

/** A difference from the budget: its sign and its word say the direction, its colour repeats it. */
export function VarianceFigure({ value, percent }: { value: string | null; percent: string | null }) {
  if (value === null) return <span className={styles.quiet}>not compared</span>
  const isOver = !value.startsWith('-') && !isZero(value)
  const word = isZero(value) ? 'as planned' : isOver ? 'over' : 'under'
  return (
    <span className={`num ${isOver ? styles.over : ''}`}>
      {`${isOver ? '+' : ''}${formatMoney(value)}`}
      {percent !== null && ` (${isOver ? '+' : ''}${percent}%)`}
      <span className={styles.word}>{` ${word}`}</span>
    </span>
  )
}
