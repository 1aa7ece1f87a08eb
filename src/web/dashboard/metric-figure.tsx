import { useState } from 'react'
import type { Comparison } from '#contract/dashboard/dashboard.ts'
import { cx } from '../ui/class-names.ts'
import { Missing } from '../ui/status.tsx'
import styles from './dashboard.module.css'
import { ABOUT, changeText, changeWords, fullText, shortText, type MetricKind } from './metric-text.ts'

export interface MetricFigureProps {
  readonly value: string | null
  readonly kind: MetricKind
  readonly unit?: string | null | undefined
}

/** A figure shortened with K and m. Hover or focus shows all digits; a press keeps them visible, for users who can do neither. */
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

export interface MetricChangeProps {
  readonly change: string | null
  /** The compared values: those of the meters and days that both windows cover. */
  readonly like: { readonly current: string | null; readonly previous: string | null }
  readonly kind: MetricKind
  readonly state: Comparison['state']
}

/** The change from the previous window: an arrow, a word, the percentage and the amount; marked if bills are missing. */
export function MetricChange({ change, like, kind, state }: MetricChangeProps) {
  if (state === 'withheld') return <Missing word="too little to compare" />
  const said = changeWords(like.current, like.previous, kind)
  if (!said) return <Missing word="nothing to compare with" />
  const { direction, amount } = said
  const mark = state === 'partial' && (
    <>
      <span aria-hidden="true">{`${ABOUT} `}</span>
      <span className="sr-only">of what both periods cover, </span>
    </>
  )
  if (direction === 'same')
    return (
      <span>
        {mark}
        {words.same}
      </span>
    )
  const percentage = kind === 'percent' ? null : change
  return (
    <span className="num">
      <span className={styles.together}>
        {mark}
        {`${changeText(percentage, direction)} ${words[direction]}`}
      </span>{' '}
      <span className={cx(styles.quiet, styles.together)}>{`by ${amount}`}</span>
    </span>
  )
}
