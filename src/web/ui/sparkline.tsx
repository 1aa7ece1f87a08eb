import styles from './kit.module.css'

export type SparklineProps = {
  /** Oldest first; null leaves a gap. For drawing only. */
  values: ReadonlyArray<number | null>
  /** What it shows, for those who cannot see it: 'Usage of the last 12 bills, 310 to 480 kWh'. */
  label: string
  width?: number | undefined
  height?: number | undefined
}

/** A line of the last values with a point on the latest. */
export function Sparkline({ values, label, width = 72, height = 18 }: SparklineProps) {
  const points = sparkPoints(values, width, height)
  const last = points.findLast((point) => point !== null)
  return (
    <svg className={styles.sparkline} width={width} height={height} role="img" aria-label={label}>
      <path className={styles.sparkLine} d={pathOf(points)} />
      {last && <circle className={styles.sparkLast} cx={last[0]} cy={last[1]} r={2} />}
    </svg>
  )
}

type Point = readonly [x: number, y: number]

/** Where each value lies inside the frame, with 2 px kept free around; equal values lie in the middle. */
export function sparkPoints(values: ReadonlyArray<number | null>, width: number, height: number): ReadonlyArray<Point | null> {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const span = Math.max(...known) - low
  const step = values.length > 1 ? (width - 4) / (values.length - 1) : 0
  return values.map((value, index) => {
    if (value === null) return null
    const share = span === 0 ? 0.5 : (value - low) / span
    return [round(2 + index * step), round(height - 2 - share * (height - 4))]
  })
}

function pathOf(points: ReadonlyArray<Point | null>): string {
  return points.map((point, index) => (point ? `${points[index - 1] ? 'L' : 'M'}${point[0]} ${point[1]}` : '')).join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
