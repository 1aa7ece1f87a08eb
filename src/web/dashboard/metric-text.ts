/** Formats the figures of a dashboard. Figures are shown shortened with K and m; the full text is available beside them. */
import { formatDecimal, isZero, minus } from '#contract/kernel/decimal.ts'
import { formatMetric, formatPercentChange } from '#contract/dashboard/metrics.ts'

/** The kind of a figure: dollars, dollars a unit or a square foot, usage, energy and usage a square foot, tonnes, meters, percent. */
export type MetricKind = 'money' | 'unit_cost' | 'usage' | 'tonnes' | 'count' | 'percent' | 'per_area' | 'ratio' | 'small_ratio'

/** Digits after the point where a figure is not shortened. Usage is a whole number on screens, its full text has three decimals. */
const shortPlaces: Readonly<Record<MetricKind, number>> = {
  money: 2,
  unit_cost: 4,
  per_area: 2,
  ratio: 1,
  small_ratio: 4,
  usage: 0,
  tonnes: 2,
  count: 0,
  percent: 2,
}
const fullPlaces: Readonly<Record<MetricKind, number>> = { ...shortPlaces, usage: 3, per_area: 4, ratio: 4, small_ratio: 6 }

/** Returns '$1.23K' or '0.1817'; '12,000.000' becomes '12.00K'; a dash for a missing value. */
export function shortText(value: string | null, kind: MetricKind): string {
  if (value === null) return '–'
  const short = formatMetric(value)
  return withSign(/[Km]$/.test(short) ? short : formatDecimal(value, shortPlaces[kind]), kind)
}

/** Returns all digits of the value. */
export function fullText(value: string | null, kind: MetricKind): string {
  return value === null ? '–' : withSign(formatDecimal(value, fullPlaces[kind]), kind)
}

/** Prefix of a change between periods that bills do not cover completely. */
export const ABOUT = '≈'

/** Describes a change in words: 'up 12.50%, $120.00 more'. Null if there is nothing to compare with. */
export function changeWords(
  current: string | null,
  previous: string | null,
  kind: MetricKind,
): { direction: 'up' | 'down' | 'same'; amount: string } | null {
  if (current === null || previous === null) return null
  const difference = minus(current, previous)
  // A difference of percentages is in points; as a percentage it would be mistaken for a relative change.
  const amountText = (amount: string) =>
    kind === 'percent' ? `${formatDecimal(amount, shortPlaces.percent)} points` : withSign(formatDecimal(amount, shortPlaces[kind]), kind)
  if (isZero(difference)) return { direction: 'same', amount: amountText('0') }
  return difference.startsWith('-')
    ? { direction: 'down', amount: amountText(difference.slice(1)) }
    : { direction: 'up', amount: amountText(difference) }
}

/** Returns '▲ 12.50%'. If the previous value was zero there is no percentage, only the arrow. */
export function changeText(change: string | null, direction: 'up' | 'down' | 'same'): string {
  if (change !== null) return formatPercentChange(change).replace('-', '−')
  return direction === 'up' ? '▲' : direction === 'down' ? '▼' : ''
}

function withSign(text: string, kind: MetricKind): string {
  const isNegative = text.startsWith('-')
  const size = isNegative ? text.slice(1) : text
  const sign = kind === 'money' || kind === 'unit_cost' || kind === 'per_area' ? '$' : ''
  return `${isNegative ? '−' : ''}${sign}${size}${kind === 'percent' ? '%' : ''}`
}
