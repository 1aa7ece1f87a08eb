/** Places of the chart palette, bound to a service on every screen; `faint` is for last year. */
export const chartColors = { electric: 1, gas: 2, water: 3, sewer: 4, waste: 5, telecom: 6 } as const
export type ChartColor = keyof typeof chartColors

export type ChartSeries = {
  name: string
  /** One a category; null leaves a gap. For drawing and for the table; sums are the caller's. */
  values: ReadonlyArray<number | null>
  color: ChartColor
  /** Paler, for the year before. */
  faint?: boolean | undefined
  /** Another shape than the chart's. */
  as?: 'bar' | 'line' | undefined
}

export type ChartProps = {
  /** Names the chart and its table. */
  title: string
  kind: 'bar' | 'stacked' | 'line' | 'share'
  categories: readonly string[]
  series: readonly ChartSeries[]
  /** How a value reads: '$1,234.50', '12.3 K kWh'. */
  valueText: (value: number) => string
  height?: number | undefined
}
