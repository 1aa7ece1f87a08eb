import styles from './charts.module.css'

const WIDTH = 100
const HEIGHT = 24
const MARGIN = 2

export type SparklineProps = {
  /** One a month; null leaves a gap. For drawing only. */
  values: ReadonlyArray<number | null>
  /** Label for screen readers. */
  label: string
  /** Place of the first value of the current period; those before are drawn quieter. */
  from: number
}

/** The course of a figure between its least and its largest value, as wide as its place: it shows when, never how much. */
export function Sparkline({ values, label, from }: SparklineProps) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const x = (place: number) => (place * WIDTH) / Math.max(1, values.length - 1)
  const y = (value: number) => HEIGHT - MARGIN - ((value - least) / (most - least || 1)) * (HEIGHT - 2 * MARGIN)
  const points = values.map((value, place) => (value === null ? null : `${x(place).toFixed(1)},${y(value).toFixed(1)}`))
  return (
    <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {runsOf(points.slice(0, from + 1)).map((run) => (
        <polyline key={run} points={run} className={styles.sparkBefore} />
      ))}
      {runsOf(points.slice(from)).map((run) => (
        <polyline key={run} points={run} className={styles.sparkNow} />
      ))}
    </svg>
  )
}

/** Runs of neighbouring points, each as the text of a line. */
function runsOf(points: readonly (string | null)[]): string[] {
  const runs: string[][] = [[]]
  for (const point of points) {
    if (point === null) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 1).map((run) => run.join(' '))
}
