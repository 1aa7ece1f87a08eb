import type { ReactNode } from 'react'
import { formatDate } from '#contract/kernel/date.ts'
import { cx } from './class-names.ts'
import styles from './kit.module.css'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'grey' | 'violet'
export type StatusShape = 'dot' | 'ring' | 'triangle' | 'lock'

export type StatusDotProps = {
  tone: Tone
  /** The text; a colour never appears without it. */
  children: ReactNode
  shape?: StatusShape | undefined
  struck?: boolean | undefined
}

/** A status: a small mark and its text. CSS only, so that it can be used in a grid's cell. */
export function StatusDot({ tone, children, shape = 'dot', struck }: StatusDotProps) {
  return (
    <span className={cx(styles.status, styles[tone], struck && styles.struck)}>
      <span className={cx(styles.dot, shape !== 'dot' && styles[shape])} aria-hidden="true" />
      <span className={styles.statusWord}>{children}</span>
    </span>
  )
}

/** A short framed text, such as 'Past due'. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>
}

/** Placeholder for a missing value. */
export function Missing({ word = 'not given' }: { word?: string | undefined }) {
  return (
    <span className={styles.missing} data-missing="">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{word}</span>
    </span>
  )
}

export type FigureProps = {
  /** A decimal string in wire format, or null if missing. */
  value: string | null | undefined
  /** Minimum number of decimals, padded with zeros; by default those of the value. Nothing is rounded. */
  places?: number | undefined
  /** Omits trailing zeros of a fraction: 40, not 40.0000. For factors and sizes, never for money. */
  bare?: boolean | undefined
  /** Adds a dollar sign (for totals and headings). */
  currency?: boolean | undefined
  /** Shows negative values in the bad colour. */
  badIfNegative?: boolean | undefined
}

/** A number in print style: tabular figures, grouped thousands, a true minus. */
export function Figure({ value, places, bare, currency, badIfNegative }: FigureProps) {
  if (value === null || value === undefined || value === '') return <Missing />
  const text = figureText(bare ? withoutIdleZeros(value) : value, places, currency)
  return <span className={cx('num', badIfNegative && text.startsWith('−') && styles.negative)}>{text}</span>
}

/** Removes trailing zeros: '40.0000' becomes '40', '0.9220' becomes '0.922'. */
export function withoutIdleZeros(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value
}

/** Formats a decimal string: '-1234.5' with 2 places and currency becomes '−$1,234.50'. It works on the text, so no digit is lost. */
export function figureText(value: string, places?: number, currency?: boolean): string {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(value.trim())
  if (!match) return value
  const [, minus, whole = '', fraction = ''] = match
  const digits = places === undefined ? fraction : fraction.padEnd(places, '0')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const isZero = !/[1-9]/.test(whole + fraction)
  return `${minus && !isZero ? '−' : ''}${currency ? '$' : ''}${grouped}${digits ? `.${digits}` : ''}`
}

/** Formats a value of a finding for people: a day, a number, or a number after a few words ('at least 39833.00'). */
export function wireText(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value)
  const [, words = '', number = value] = /^(at (?:least|most) )(-?\d+(?:\.\d+)?)$/.exec(value) ?? []
  return words + figureText(number)
}
