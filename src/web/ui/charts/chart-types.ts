/** Places of the chart palette, bound to a service on every screen. */
export const chartColors = { electric: 1, gas: 2, water: 3, sewer: 4, waste: 5, telecom: 6 } as const
export type ChartColor = keyof typeof chartColors

/** How a value looks besides its colour: an outline is what the filled ones are compared with, a hatched one is not all there is. */
export type PointLook = { outlined?: boolean | undefined; hatched?: boolean | undefined }

export type ChartSeries = {
  name: string
  /** One a category; null leaves a gap. For drawing and for the table; sums are the caller's. */
  values: ReadonlyArray<number | null>
  color: ChartColor
  /** Steps away from the colour, for series that share it. */
  shade?: number | undefined
  /** One a category. */
  looks?: readonly PointLook[] | undefined
  /** Bars of one pile stand on each other. */
  pile?: string | undefined
  /** What each value is of, where that is not its category: '10/2025'. */
  pointNames?: readonly string[] | undefined
  /** Two series of one thing share this word. */
  besides?: string | undefined
  /** Told by its look and in one line with the series that it stands beside, so that the legend need not have it. */
  unlisted?: boolean | undefined
}

export type ChartProps = {
  /** Names the chart and its table. */
  title: string
  kind: 'bar' | 'stacked' | 'line' | 'share'
  categories: readonly string[]
  /** What more there is to say of a category, in its tooltip and in the table. */
  categoryNotes?: readonly string[] | undefined
  series: readonly ChartSeries[]
  /** How a value reads in the tooltip and in the table: '$1,234.50'. */
  valueText: (value: number) => string
  /** Stands before the numbers of the scale: '$'. */
  scalePrefix?: string | undefined
  height?: number | undefined
}
