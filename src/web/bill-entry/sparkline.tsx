import { approximately, compareDecimals } from '#contract/kernel/decimal.ts'
import type { HistoryLine } from '#contract/bill-audits/history-input.ts'
import styles from './bill-fields.module.css'

/** Number of bills that a sparkline shows. */
const SPARK_BILLS = 12
const WIDTH = 76
const HEIGHT = 16

/** Draws the last values, oldest first, as a line without axes, with the value being typed as a dot at the end. */
export function Sparkline({ values, now, label }: { values: readonly string[]; now: string; label: string }) {
  if (values.length < 2) return null
  const numbers = [...values, ...(now === '' ? [] : [now])].map(approximately)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const spread = high - low || 1
  const points = numbers.map((value, at) => ({
    x: 2 + (at * (WIDTH - 4)) / (numbers.length - 1),
    y: HEIGHT - 2 - ((value - low) * (HEIGHT - 4)) / spread,
  }))
  const past = points.slice(0, values.length)
  const end = now === '' ? undefined : points.at(-1)
  return (
    <svg className={styles.spark} width={WIDTH} height={HEIGHT} role="img" aria-label={`${label}: ${rangeText(values)}`}>
      <title>{`${label}: ${rangeText(values)}`}</title>
      <polyline points={past.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {end && <circle cx={end.x} cy={end.y} r={2.2} />}
    </svg>
  )
}

function rangeText(values: readonly string[]): string {
  const sorted = values.toSorted(compareDecimals)
  return `${values.length} bills, from ${sorted[0] ?? ''} to ${sorted.at(-1) ?? ''}, last ${values.at(-1) ?? ''}`
}

/** Returns one value of each of the last bills, oldest first; `past` is newest first. */
export function recent(past: readonly HistoryLine[], valueOf: (line: HistoryLine) => string | null): string[] {
  return past
    .slice(0, SPARK_BILLS)
    .flatMap((line) => valueOf(line) ?? [])
    .toReversed()
}
