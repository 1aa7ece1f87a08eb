/** Shows the wrong value with the earlier ones, between the limits within which the rule finds nothing. */
import type { FindingSeries } from '#contract/bill-findings/bill-finding.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { figureText } from '../ui/status.tsx'
import styles from './bill-findings.module.css'

const width = 320
const height = 72
const edge = 6

export function FindingChart({ series }: { series: FindingSeries }) {
  const { label, points, low, high } = series
  const last = points.at(-1)
  if (!last || points.length < 2) return <p className={styles.quiet}>There is nothing earlier to compare it with.</p>
  const place = placesOf(series)
  const band = low === null || high === null ? null : { low: Number(low), high: Number(high) }
  const path = points.map(({ value }, at) => `${at === 0 ? 'M' : 'L'}${place.x(at)} ${place.y(Number(value))}`).join(' ')
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.quiet}>
        {label}, {points.length} bills
        {band && `, usual ${figureText(low ?? '')} to ${figureText(high ?? '')}`}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={wordsOf(series)}>
        {band && (
          <rect
            className={styles.band}
            x={0}
            width={width}
            y={place.y(band.high)}
            height={Math.max(1, place.y(band.low) - place.y(band.high))}
          />
        )}
        <path className={styles.line} d={path} />
        {points.map(({ bill_id, date, value }, at) => (
          <circle
            key={`${bill_id}${date}`}
            className={at === points.length - 1 ? styles.found : styles.point}
            cx={place.x(at)}
            cy={place.y(Number(value))}
            r={at === points.length - 1 ? 4 : 2}
          >
            <title>{`${formatDate(date)}: ${figureText(value)}`}</title>
          </circle>
        ))}
      </svg>
      <p className={`${styles.ends} num`}>
        <span>{formatDate(points[0]?.date)}</span>
        <span>
          {formatDate(last.date)}: <strong>{figureText(last.value)}</strong>
        </span>
      </p>
    </figure>
  )
}

/** Zero and the limits are always visible, so that heights can be compared. */
function placesOf({ points, low, high }: FindingSeries) {
  const values = [...points.map(({ value }) => Number(value)), ...[low, high].flatMap((limit) => (limit === null ? [] : [Number(limit)]))]
  const [bottom, top] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = top - bottom || 1
  return {
    x: (at: number) => round(edge + (at / Math.max(1, points.length - 1)) * (width - 2 * edge)),
    y: (value: number) => round(height - edge - ((value - bottom) / span) * (height - 2 * edge)),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function wordsOf({ label, points, low, high }: FindingSeries): string {
  const said = points.map(({ date, value }) => `${formatDate(date)} ${figureText(value)}`).join(', ')
  return low === null || high === null ? `${label}: ${said}` : `${label}, usual from ${figureText(low)} to ${figureText(high)}: ${said}`
}
