import { useEffect, useRef } from 'react'
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { chartColors, type ChartProps, type ChartSeries } from './chart-types.ts'

use([BarChart, LineChart, PieChart, AriaComponent, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

/** The drawing itself. It is drawn again when the page's theme changes, for it takes the colours of the tokens. */
export function ChartCanvas(props: ChartProps & { height: number }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    emptyWithoutMarkup(element)
    const chart = init(element, null, { renderer: 'svg' })
    const draw = () => chart.setOption(chartOption(props, tokensOf(element)), true)
    draw()
    const size = new ResizeObserver(() => chart.resize())
    size.observe(element)
    const theme = new MutationObserver(draw)
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      size.disconnect()
      theme.disconnect()
      for (const drawing of element.querySelectorAll('svg')) emptyWithoutMarkup(drawing)
      chart.dispose()
    }
  }, [props])
  return <div ref={host} aria-hidden="true" style={{ height: props.height }} />
}

/**
 * The content policy lets no script write markup. The library does so only to empty its drawing and its host as it leaves: here that
 * empties them without markup. Anything else it would write is refused as before.
 */
function emptyWithoutMarkup(element: Element): void {
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    set: (markup: unknown) => {
      if (markup !== '' && markup !== null) throw new TypeError('A chart writes no markup')
      element.replaceChildren()
    },
  })
}

type Tokens = { text: string; quiet: string; line: string; surface: string; series: (one: ChartSeries) => string }

/** The tokens as colours that a drawing library understands: the browser resolves them on an element. */
function tokensOf(element: HTMLElement): Tokens {
  const color = (css: string) => {
    const probe = element.ownerDocument.createElement('span')
    probe.style.color = css
    element.append(probe)
    const resolved = getComputedStyle(probe).color
    probe.remove()
    return resolved
  }
  return {
    text: color('var(--text)'),
    quiet: color('var(--text-2)'),
    line: color('var(--line)'),
    surface: color('var(--surface)'),
    series: (one) => {
      const own = `var(--chart-${chartColors[one.color]})`
      return color(own).replace(/^rgb\((.*)\)$/, one.faint ? 'rgba($1, 0.45)' : 'rgb($1)')
    },
  }
}

function chartOption(props: ChartProps, tokens: Tokens): EChartsCoreOption {
  const base = {
    animation: false,
    textStyle: { fontFamily: 'Inter Variable, system-ui, sans-serif', color: tokens.quiet, fontSize: 12 },
    legend: {
      show: namedSeries(props).length > 1 || props.kind === 'share',
      // On one line, whatever there is: what does not fit is paged. A faint series has the colour of its own one beside it.
      type: 'scroll',
      data: namedSeries(props).map((one) => one.name),
      selectedMode: namedSeries(props).length === props.series.length,
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
      // Drawn, not written as markup, which the content policy refuses.
      renderMode: 'richText',
      backgroundColor: tokens.surface,
      borderColor: tokens.line,
      textStyle: { color: tokens.text, fontSize: 12 },
      confine: true,
      valueFormatter: (value: unknown) => (typeof value === 'number' ? props.valueText(value) : '–'),
    },
  }
  return props.kind === 'share' ? { ...base, series: [shareSeries(props, tokens)] } : { ...base, ...axesAndSeries(props, tokens) }
}

function namedSeries(props: ChartProps): readonly ChartSeries[] {
  return props.series.filter((one) => !one.faint)
}

/** Of each series the first value is its share. */
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

/** A scale has round steps: '$500K', where a figure would read '$500.00K'. */
function axisText(text: string): string {
  return text.replace(/\.0+(?=\D|$)/, '')
}

function axesAndSeries(props: ChartProps, tokens: Tokens) {
  const axisLine = { lineStyle: { color: tokens.line } }
  return {
    grid: { left: 4, right: 8, top: 12, bottom: namedSeries(props).length > 1 ? 30 : 4, containLabel: true },
    xAxis: { type: 'category', data: [...props.categories], axisLine, axisTick: { show: false }, axisLabel: { color: tokens.quiet } },
    yAxis: {
      type: 'value',
      splitLine: axisLine,
      axisLabel: { color: tokens.quiet, formatter: (value: number) => axisText(props.valueText(value)) },
    },
    series: props.series.map((one) => ({
      name: one.name,
      type: one.as ?? (props.kind === 'line' ? 'line' : 'bar'),
      data: [...one.values],
      color: tokens.series(one),
      barMaxWidth: 22,
      symbolSize: 5,
      lineStyle: { width: 2, type: one.faint ? 'dashed' : 'solid' },
      ...(props.kind === 'stacked' && one.as !== 'line' ? { stack: one.faint ? 'before' : 'now' } : {}),
    })),
  }
}
