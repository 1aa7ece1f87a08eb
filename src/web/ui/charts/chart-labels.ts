/** The names of series beside their last values: where there is room for them, and apart from each other. */
import type { EChartsType } from 'echarts/core'
import type { ChartProps, ChartSeries } from './chart-types.ts'

const LABEL_ROOM_MIN = 640
const LABELS_MAX = 10
const LETTER_WIDTH = 7
const LABEL_WIDTH_MAX = 190
/** Pixels between two labels and between a label and what it names. */
const LABEL_HEIGHT = 16
const DISTANCE = 10
/** A label of a line is beside the bars, of which half a bar lies right of the point. */
const DISTANCE_OF_LINE = 24

export function namedSeries(props: ChartProps): readonly ChartSeries[] {
  return props.series.filter((one) => !one.unlisted)
}

export function drawnOf({ series }: ChartProps): readonly ChartSeries[] {
  return series.filter((one) => !one.isHidden)
}

/** The series with names at their last values: all that have one there, where the drawing is wide enough and they are few. */
export function labelledSeries(props: ChartProps, width: number): readonly ChartSeries[] {
  const named = namedSeries(props)
  if (props.namedBeside) return []
  if (props.kind === 'share' || props.kind === 'bar' || width < LABEL_ROOM_MIN || named.length < 2 || named.length > LABELS_MAX) return []
  return named.filter(({ values }) => typeof values.at(-1) === 'number')
}

/** Pixels to the right of the plot for the longest label. */
export function roomFor(labelled: readonly ChartSeries[]): number {
  const longest = Math.max(0, ...labelled.map(({ name }) => name.length))
  return labelled.length === 0 ? 8 : Math.min(LABEL_WIDTH_MAX, 28 + longest * LETTER_WIDTH)
}

/** The name with a mark in the colour of its series; a value shows it by `show`. */
export function endLabel(one: ChartSeries, color: string, mark: string, isOverBars: boolean) {
  return {
    show: false,
    position: 'right',
    distance: isOverBars ? DISTANCE_OF_LINE : DISTANCE,
    color,
    fontSize: 12,
    width: LABEL_WIDTH_MAX - 20,
    overflow: 'truncate',
    formatter: `{mark|${one.isLine ? '—' : '■'}} ${one.name.replaceAll(/[{}|]/g, ' ')}`,
    rich: { mark: { color: mark, fontSize: 12 } },
  }
}

/** Moves the labels of the drawn chart apart. */
export function spreadLabels(chart: EChartsType, props: ChartProps, width: number): void {
  const labelled = labelledSeries(props, width)
  if (labelled.length === 0) return
  const drawn = drawnOf(props)
  const at = (value: number) => chart.convertToPixel({ yAxisIndex: 0 }, value)
  const places = labelled.map((one) => at(centerOf(props, drawn, one)))
  const spread = spreadPlaces(places, LABEL_HEIGHT, at(0))
  const offsetOf = (one: ChartSeries) => {
    const place = labelled.indexOf(one)
    return place < 0 ? 0 : (spread[place] ?? 0) - (places[place] ?? 0)
  }
  chart.setOption({ series: drawn.map((one) => ({ label: { offset: [0, offsetOf(one)] } })) })
}

/** The value at whose height a label is drawn: that of a line, or the middle of a part of the last bar. */
function centerOf({ kind }: ChartProps, drawn: readonly ChartSeries[], one: ChartSeries): number {
  const value = one.values.at(-1) ?? 0
  if (kind !== 'stacked' || one.isLine) return value
  const below = drawn
    .slice(0, drawn.indexOf(one))
    .filter((other) => !other.isLine && (other.pile ?? 'all') === (one.pile ?? 'all'))
    .map(({ values }) => values.at(-1) ?? 0)
    .filter((other) => other < 0 === value < 0)
  return below.reduce((sum, other) => sum + other, 0) + value / 2
}

/** Returns places that lie at least `apart` from each other, in the same order, and none below `lowest` as long as there is room. */
export function spreadPlaces(places: readonly number[], apart: number, lowest: number): number[] {
  const order = places.map((_, index) => index).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
  const spread = [...places]
  for (const [rank, index] of order.entries()) {
    const above = order[rank - 1]
    if (above !== undefined) spread[index] = Math.max(spread[index] ?? 0, (spread[above] ?? 0) + apart)
  }
  for (const [rank, index] of [...order.entries()].toReversed()) {
    const below = order[rank + 1]
    const most = below === undefined ? lowest : (spread[below] ?? 0) - apart
    spread[index] = Math.min(spread[index] ?? 0, most)
  }
  return spread
}
