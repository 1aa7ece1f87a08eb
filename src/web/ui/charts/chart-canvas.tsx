import { useEffect, useRef } from 'react'
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { spreadLabels } from './chart-labels.ts'
import { ChartColumns, openOnPress, placeColumns } from './chart-columns.tsx'
import { chartColors, type ChartProps, type ChartSeries } from './chart-types.ts'
import styles from './charts.module.css'
import { chartOption, type Tokens } from './chart-option.ts'

use([BarChart, LineChart, PieChart, AriaComponent, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

/** Draws the chart. Its colours come from the theme's tokens, so it is redrawn when the theme changes. */
export function ChartCanvas(props: ChartProps & { height: number }) {
  const host = useRef<HTMLDivElement>(null)
  const columns = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    emptyWithoutMarkup(element)
    const chart = init(element, null, { renderer: 'svg' })
    const draw = () => {
      chart.setOption(chartOption(props, tokensOf(element), element.clientWidth), true)
      spreadLabels(chart, props, element.clientWidth)
      placeColumns(chart, columns.current)
    }
    draw()
    openOnPress(chart, columns.current)
    const size = new ResizeObserver(() => {
      chart.resize()
      draw()
    })
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
  return (
    <div className={styles.canvas}>
      <div ref={host} aria-hidden="true" style={{ height: props.height }} />
      {props.links && <ChartColumns {...props} links={props.links} ref={columns} />}
    </div>
  )
}

/**
 * The content policy forbids scripts to write markup. The library does so only to clear its drawing and its host on disposal; this setter clears
 * them without markup. Any other markup is rejected as before.
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

/** Percent of the text colour that one shade step mixes in. It leads away from the surface colour, which an outlined bar mostly has. */
const SHADE_STEP = 12
const PALE_SHARE = 84

/** Reads the tokens as colours that the drawing library understands; the browser resolves them on an element. */
function tokensOf(element: HTMLElement): Tokens {
  const color = (css: string) => {
    const probe = element.ownerDocument.createElement('span')
    probe.style.color = css
    element.append(probe)
    const resolved = getComputedStyle(probe).color
    probe.remove()
    return plainColor(resolved)
  }
  return {
    text: color('var(--text)'),
    quiet: color('var(--text-2)'),
    line: color('var(--line)'),
    surface: color('var(--surface)'),
    series: (one) => color(shaded(one)),
    pale: (one) => color(`color-mix(in srgb, ${shaded(one)}, var(--surface) ${PALE_SHARE}%)`),
  }
}

/**
 * Converts a mixed colour, which browsers return as 'color(srgb 0.5 0.25 1)', to rgb(). The library cannot parse the former when it highlights a
 * bar.
 */
function plainColor(resolved: string): string {
  const [, red, green, blue] = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(resolved) ?? []
  if (red === undefined || green === undefined || blue === undefined) return resolved
  return `rgb(${[red, green, blue].map((part) => Math.round(Number(part) * 255)).join(', ')})`
}

function shaded({ color, shade = 0 }: ChartSeries): string {
  return `color-mix(in srgb, var(--chart-${chartColors[color]}), var(--text) ${shade * SHADE_STEP}%)`
}
