import { useState } from 'react'
import { cx } from '../ui/class-names.ts'
import { Missing } from '../ui/status.tsx'
import styles from './dashboard.module.css'
import { changeText, changeWords, fullText, shortText, type MetricKind } from './metric-text.ts'

export interface MetricFigureProps {
  readonly value: string | null
  readonly kind: MetricKind
  readonly unit?: string | null | undefined
}

/** A figure, shortened with K and m. Pointed at or focused it shows all its digits, and a press keeps them in sight, for those who can do neither. */
export function MetricFigure({ value, kind, unit }: MetricFigureProps) {
  const [kept, setKept] = useState(false)
  if (value === null) return <Missing word="no such number" />
  const suffix = unit ? ` ${unit}` : ''
  const short = `${shortText(value, kind)}${suffix}`
  const full = `${fullText(value, kind)}${suffix}`
  if (short === full) return <span className="num">{short}</span>
  return (
    <button type="button" className={cx(styles.short, 'num')} data-full={kept ? undefined : full} onClick={() => setKept(!kept)}>
      {kept ? full : short}
      {!kept && <span className="sr-only">{`, exactly ${full}`}</span>}
    </button>
  )
}

const words = { up: 'up', down: 'down', same: 'unchanged' } as const

/** The change against the window before: an arrow, a word, the percentage and the amount. */
export function MetricChange({
  current,
  previous,
  change,
  kind,
}: {
  current: string | null
  previous: string | null
  change: string | null
  kind: MetricKind
}) {
  const said = changeWords(current, previous, kind)
  if (!said) return <Missing word="nothing to compare with" />
  const { direction, amount } = said
  if (direction === 'same') return <span>{words.same}</span>
  return (
    <span className="num">
      <span className={styles.together}>{`${changeText(change, direction)} ${words[direction]}`}</span>{' '}
      <span className={cx(styles.quiet, styles.together)}>{`by ${amount}`}</span>
    </span>
  )
}
