/** The options of a chart in the words of its library. */
import type { EChartsCoreOption } from 'echarts/core'
import { drawnOf, endLabel, labelledSeries, namedSeries, roomFor } from './chart-labels.ts'
import { scaleText } from './chart-scale.ts'
import type { ChartProps, ChartSeries, PointLook } from './chart-types.ts'

const FONT = 'Inter Variable, system-ui, sans-serif'

export type Tokens = {
  text: string
  quiet: string
  line: string
  surface: string
  series: (one: ChartSeries) => string
  pale: (one: ChartSeries) => string
}

export function chartOption(props: ChartProps, tokens: Tokens, width: number): EChartsCoreOption {
  const labelled = labelledSeries(props, width)
  const listed = namedSeries(props).filter((one) => !labelled.includes(one))
  const base = {
    animation: false,
    textStyle: { fontFamily: FONT, color: tokens.quiet, fontSize: 12 },
    legend: {
      show: isLegendShown(props, listed),
      // Keeps the legend on one line; entries that do not fit are paged.
      type: 'scroll',
      data: listed.map((one) => one.name),
      selectedMode: listed.length === props.series.length,
      pageIconColor: tokens.quiet,
      pageIconInactiveColor: tokens.line,
      pageTextStyle: { color: tokens.quiet },
      bottom: 0,
      icon: 'roundRect',
      itemWidth: 10,
      itemHeight: 10,
      textStyle: { color: tokens.quiet },
    },
    tooltip: {
      trigger: props.kind === 'share' ? 'item' : 'axis',
      // Drawn as rich text, because the content policy forbids markup.
      renderMode: 'richText',
      backgroundColor: tokens.surface,
      borderColor: tokens.line,
      textStyle: { color: tokens.text, fontFamily: FONT, fontSize: 12 },
      confine: true,
      ...(props.kind === 'share'
        ? { valueFormatter: (value: unknown) => (typeof value === 'number' ? props.valueText(value) : '–') }
        : { formatter: (points: unknown) => tooltipText(props, points) }),
    },
  }
  return props.kind === 'share'
    ? { ...base, series: [shareSeries(props, tokens)] }
    : { ...base, ...axesAndSeries(props, tokens, labelled, isLegendShown(props, listed)) }
}

/** A legend is needed for what no label names; one series alone needs none. */
function isLegendShown(props: ChartProps, listed: readonly ChartSeries[]): boolean {
  if (props.namedBeside) return false
  return props.kind === 'share' || (listed.length > 0 && namedSeries(props).length > 1)
}

/** One line per series. A value of another month than the heading's is shown after it with its own month. */
function tooltipText(props: ChartProps, points: unknown): string {
  const shown = (Array.isArray(points) ? points : []).filter(isPoint)
  const index = shown[0]?.dataIndex ?? 0
  const lines = shown.flatMap(({ seriesIndex, marker }) => {
    const series = drawnOf(props)[seriesIndex]
    if (!series || series.unlisted) return []
    const other = series.besides === undefined ? undefined : props.series.find((one) => one.unlisted && one.besides === series.besides)
    const texts = [valueOf(props, series, index), other && valueOf(props, other, index)].filter((text) => text !== undefined)
    return texts.length === 0 ? [] : [`${marker} ${series.name}: ${texts.join(', ')}`]
  })
  return [props.categories[index], props.categoryNotes?.[index], ...lines].filter((line) => line !== undefined && line !== '').join('\n')
}

/** Formats a value: '$1,234.50', or '05/2025 $1,200.00' if it belongs to another month than its place. */
function valueOf(props: ChartProps, series: ChartSeries, index: number): string | undefined {
  const value = series.values[index]
  if (value === null || value === undefined) return undefined
  const name = series.pointNames?.[index]
  return name === undefined || name === props.categories[index] ? props.valueText(value) : `${name} ${props.valueText(value)}`
}

type Point = { seriesIndex: number; dataIndex: number; marker: string }

function isPoint(value: unknown): value is Point {
  return typeof value === 'object' && value !== null && 'seriesIndex' in value && 'dataIndex' in value && 'marker' in value
}

/** Builds the pie; the first value of each series is its share. */
function shareSeries(props: ChartProps, tokens: Tokens) {
  return {
    type: 'pie',
    radius: ['52%', '76%'],
    center: ['50%', '44%'],
    label: { show: false },
    itemStyle: { borderColor: tokens.surface, borderWidth: 2 },
    data: props.series.map((one) => ({ name: one.name, value: one.values[0] ?? 0, itemStyle: { color: tokens.series(one) } })),
  }
}

function colorOf(one: ChartSeries, tokens: Tokens): string {
  return one.isLine ? tokens.quiet : tokens.series(one)
}

function axesAndSeries(props: ChartProps, tokens: Tokens, labelled: readonly ChartSeries[], hasLegend: boolean) {
  const axisLine = { lineStyle: { color: tokens.line } }
  const text = scaleText(largestOf(props), props.scalePrefix)
  return {
    grid: { left: 4, right: roomFor(labelled), top: 12, bottom: hasLegend ? 30 : 4, containLabel: true },
    xAxis: {
      type: 'category',
      data: [...props.categories],
      axisLine,
      axisTick: { show: false },
      // Every bar is labelled; many labels are slanted.
      axisLabel: { color: tokens.quiet, interval: 0, rotate: slantOf(props.categories.length) },
    },
    yAxis: { type: 'value', splitLine: axisLine, axisLabel: { color: tokens.quiet, formatter: text } },
    series: drawnOf(props).map((one) => ({
      name: one.name,
      type: isDrawnAsLine(props, one) ? 'line' : 'bar',
      data: one.values.map((value, index) => {
        if (value === null) return null
        const isLabelled = index === one.values.length - 1 && labelled.includes(one)
        return { value, ...drawnPoint(props, one, one.looks?.[index] ?? {}, tokens), ...(isLabelled ? { label: { show: true } } : {}) }
      }),
      color: colorOf(one, tokens),
      barMaxWidth: 34,
      symbolSize: 6,
      showAllSymbol: true,
      label: endLabel(one, tokens.text, colorOf(one, tokens), isDrawnAsLine(props, one) && props.kind === 'stacked'),
      lineStyle: { width: 2, type: one.unlisted ? 'dashed' : 'solid' },
      ...(one.isLine ? { z: 3 } : {}),
      ...(props.kind === 'stacked' && !one.isLine ? { stack: one.pile ?? 'all' } : {}),
    })),
  }
}

function isDrawnAsLine(props: ChartProps, one: ChartSeries): boolean {
  return props.kind === 'line' || one.isLine === true
}

const LEVEL_NAMES_MAX = 7
const SLANTED_NAMES_MAX = 13

/** Returns the angle in degrees of the labels for this number of categories. */
function slantOf(categories: number): number {
  if (categories <= LEVEL_NAMES_MAX) return 0
  return categories <= SLANTED_NAMES_MAX ? 45 : 75
}

/** Lines differ by their marks, bars by filling and outline, never by colour alone. */
function drawnPoint(props: ChartProps, one: ChartSeries, { outlined, hatched }: PointLook, tokens: Tokens) {
  if (isDrawnAsLine(props, one)) return { symbol: hatched ? 'diamond' : outlined ? 'emptyCircle' : 'circle', symbolSize: hatched ? 9 : 6 }
  const own = tokens.series(one)
  return {
    itemStyle: {
      color: outlined ? tokens.pale(one) : own,
      // The border of a filled bar is a gap between it and the bar below.
      borderColor: outlined ? own : tokens.surface,
      borderWidth: outlined ? 1.5 : 0.5,
      ...(hatched ? { decal: hatching(outlined ? own : tokens.surface) } : {}),
    },
  }
}

function hatching(color: string) {
  return { symbol: 'rect', color, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 }
}

/** Returns the height of the highest stack, or the largest value if bars are not stacked. */
function largestOf(props: ChartProps): number {
  const { kind, categories } = props
  const series = drawnOf(props)
  const heights = categories.flatMap((_, index) => {
    const values = series.map((one) => ({ pile: one.pile ?? 'all', value: Math.abs(one.values[index] ?? 0) }))
    if (kind !== 'stacked') return values.map(({ value }) => value)
    return [...Map.groupBy(values, ({ pile }) => pile).values()].map((pile) => pile.reduce((sum, { value }) => sum + value, 0))
  })
  return Math.max(0, ...heights)
}
