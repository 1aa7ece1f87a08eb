/** Links over the columns of a chart: the keyboard reaches each, and a press on a column follows its link. */
import type { Ref } from 'react'
import type { EChartsType } from 'echarts/core'
import { UiLink } from '../link.tsx'
import type { ChartProps } from './chart-types.ts'
import styles from './charts.module.css'

interface ChartColumnsProps extends Pick<ChartProps, 'categories' | 'linkLabel'> {
  readonly links: readonly (string | undefined)[]
  readonly ref: Ref<HTMLDivElement>
}

const AT = 'data-column'

/** The pointer goes through the links to the drawing, which shows the values and passes a press on. */
export function ChartColumns({ categories, links, linkLabel = '', ref }: ChartColumnsProps) {
  return (
    <div ref={ref} className={styles.columns}>
      {categories.map((category, index) => {
        const href = links[index]
        if (href === undefined) return null
        const name = `${linkLabel} ${category}`.trim()
        return <UiLink key={category} href={href} aria-label={name} className={styles.column} {...{ [AT]: index }} />
      })}
    </div>
  )
}

/** Lays each link over its column of the drawing. */
export function placeColumns(chart: EChartsType, columns: HTMLElement | null): void {
  if (!columns) return
  const at = (index: number) => chart.convertToPixel({ xAxisIndex: 0 }, index)
  const width = Math.abs(at(1) - at(0))
  for (const link of linksIn(columns)) {
    link.style.insetInlineStart = `${at(Number(link.getAttribute(AT))) - width / 2}px`
    link.style.width = `${width}px`
  }
}

/** A press inside the plot follows the link of its column; the pointer says which columns lead on. */
export function openOnPress(chart: EChartsType, columns: HTMLElement | null): void {
  if (!columns) return
  const linkAt = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
    if (!chart.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) return undefined
    const index = chart.convertFromPixel({ xAxisIndex: 0 }, offsetX)
    return linksIn(columns).find((link) => link.getAttribute(AT) === String(index))
  }
  chart.getZr().on('click', (event) => linkAt(event)?.click())
  chart.getZr().on('mousemove', (event) => chart.getZr().setCursorStyle(linkAt(event) ? 'pointer' : 'default'))
}

function linksIn(columns: HTMLElement): HTMLAnchorElement[] {
  return [...columns.querySelectorAll('a')]
}
