/** Palette index by service, the same on every screen. */
export const chartColors = { electric: 1, gas: 2, water: 3, sewer: 4, waste: 5, telecom: 6 } as const
export type ChartColor = keyof typeof chartColors

/** Look of a value besides its colour: outlined values are the ones to compare with, hatched values are incomplete. */
export type PointLook = { outlined?: boolean | undefined; hatched?: boolean | undefined }

export type ChartSeries = {
  name: string
  /** One value per category; null leaves a gap. Used for drawing and for the table; the caller computes sums. */
  values: ReadonlyArray<number | null>
  color: ChartColor
  /** Shade steps away from the colour, for series that share it. */
  shade?: number | undefined
  /** One look per category. */
  looks?: readonly PointLook[] | undefined
  /** Bars of one pile are stacked. */
  pile?: string | undefined
  /** The month of each value, where it differs from the category: '10/2025'. */
  pointNames?: readonly string[] | undefined
  /** Key that a series shares with the unlisted series that its tooltip line includes. */
  besides?: string | undefined
  /** Left out of the legend, because its look identifies it and its values share a tooltip line with the series of the same `besides`. */
  unlisted?: boolean | undefined
  /** Drawn as a line over the bars, in the quiet colour of text. */
  isLine?: boolean | undefined
  /** Not drawn: its values are in the table and in the tooltip line of its `besides`. */
  isHidden?: boolean | undefined
}

export type ChartProps = {
  /** Names the chart and its table. */
  title: string
  kind: 'bar' | 'stacked' | 'line' | 'share'
  categories: readonly string[]
  /** Notes on each category, shown in its tooltip and in the table. */
  categoryNotes?: readonly string[] | undefined
  series: readonly ChartSeries[]
  /** The page names the series itself, by their looks: a legend would give series of one colour the same mark. */
  namedBeside?: boolean | undefined
  /** Label of a value in the tooltip and in the table, e.g. '$1,234.50'. */
  valueText: (value: number) => string
  /** Prefix of the numbers of the scale: '$'. */
  scalePrefix?: string | undefined
  height?: number | undefined
  /** The target of each category: a press on its column, and Enter on its link, open it. Undefined if it has none. */
  links?: readonly (string | undefined)[] | undefined
  /** Offers the chart as a file. */
  saving?: ChartSaving | undefined
  /** Begins the name of a category's link: 'Bills of'. */
  linkLabel?: string | undefined
}

export type ChartSaving = {
  /** Below the title of the picture: what it is of, which months, which unit. */
  lines: readonly string[]
  onPicture: (svg: string) => void
  onValues: () => void
}
