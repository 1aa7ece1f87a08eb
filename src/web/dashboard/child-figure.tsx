import type { Compared, Comparison } from '#contract/dashboard/dashboard.ts'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { hasBills } from './bills-behind.ts'
import styles from './dashboard.module.css'
import { ABOUT, changeText, changeWords, fullText, shortText, type MetricKind } from './metric-text.ts'

export interface ChildFigureProps {
  readonly values: Compared
  readonly kind: MetricKind
  /** Why the figure is missing, or that it is of a part only. */
  readonly note: string | null
  readonly unit?: string | null
  /** The bills that make it. */
  readonly href?: string | null | undefined
}

/** A figure, or in a word why there is none; pointed at it shows all its digits. */
export function ChildFigure({ values, kind, note, unit, href }: ChildFigureProps) {
  const { current } = values
  if (current === null) return <span className={styles.quiet}>{note ?? 'none'}</span>
  const suffix = unit ? ` ${unit}` : ''
  const text = `${shortText(current, kind)}${suffix}`
  return (
    <span className="num" title={`${fullText(current, kind)}${suffix}`}>
      {href && hasBills(current) ? (
        <UiLink href={href} className={styles.figureLink} aria-label={`${text}: its bills`}>
          {text}
        </UiLink>
      ) : (
        text
      )}
      {note !== null && <span className={styles.quiet}>{` ${note}`}</span>}
    </span>
  )
}

export interface ChildChangeProps {
  readonly values: Compared
  readonly kind: MetricKind
  readonly state: Comparison['state']
  /** Shows the amount of the change before its percentage. */
  readonly withAmount?: boolean
}

/** The change like for like, on one short line; in words where there is none. */
export function ChildChange({ values, kind, state, withAmount }: ChildChangeProps) {
  if (values.current === null) return null
  const { like_for_like: like, change } = values
  if (state === 'withheld') return <span className={styles.delta}>too little in both</span>
  const said = changeWords(like.current, like.previous, kind)
  if (!said) return <span className={styles.delta}>new</span>
  const { direction, amount } = said
  const text = direction === 'same' ? 'unchanged' : changeText(change, direction)
  return (
    <span className={cx(styles.delta, 'num')} title={`${direction} by ${amount}, like for like`}>
      {state === 'partial' && `${ABOUT} `}
      {withAmount && direction !== 'same' && `${direction === 'up' ? '+' : '−'}${amount} · `}
      {text}
    </span>
  )
}
