import { useId, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { cx } from '../class-names.ts'
import styles from './charts.module.css'
import { scatterScale, ticksOf, type ScatterScale } from './scatter-scale.ts'
import { TableFrame } from './table-frame.tsx'

export interface ScatterPoint {
  readonly x: number
  readonly y: number
  /** Shown when the point is pointed at. */
  readonly name: string
  /** Outlined points are the ones to compare with. */
  readonly outlined: boolean
}

export interface ScatterProps {
  /** Names the chart and its table. */
  readonly title: string
  readonly points: readonly ScatterPoint[]
  /** Height of the fitted line; null draws none. */
  readonly line: ((x: number) => number) | null
  /** Places where the line bends. */
  readonly bends: readonly number[]
  readonly xText: (value: number) => string
  readonly yText: (value: number) => string
  /** Below the two ends of the horizontal scale. */
  readonly ends: readonly [string, string]
  readonly legend: { readonly filled: string; readonly outlined: string; readonly line: string }
  /** The same points as a table: heads, and a line a point. */
  readonly table: readonly (readonly string[])[]
  readonly onPicture: (svg: string) => void
}

const HEIGHT = 280

/** Points and the line that is fitted to them. It can be switched to the table of its values. */
export function ScatterChart(props: ScatterProps) {
  const { title, points, ends, legend, line } = props
  const [asTable, setAsTable] = useState(false)
  const drawing = useRef<SVGSVGElement>(null)
  const id = useId()
  const save = async () => {
    if (!drawing.current) return
    const { pictureOf } = await import('./chart-picture.ts')
    props.onPicture(pictureOf(withColours(drawing.current), [title, `${ends[0]} – ${ends[1]}`]))
  }
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <div className={styles.head}>
        <figcaption id={id} className={styles.title}>
          {title}
        </figcaption>
        <div className={styles.acts}>
          <Button small kind="quiet" disabledReason={asTable ? 'The table is shown' : undefined} onClick={() => void save()}>
            Save picture
          </Button>
          <Button small kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show chart' : 'Show table'}
          </Button>
        </div>
      </div>
      {!asTable && (
        <>
          <svg ref={drawing} className={styles.scatter} width="100%" height={HEIGHT} aria-hidden="true">
            <Drawing {...props} scale={scatterScale(points, line)} />
          </svg>
          <div className={styles.scatterEnds}>
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
          <ul className={styles.scatterLegend}>
            <li>{`● ${legend.filled}`}</li>
            {points.some(({ outlined }) => outlined) && <li>{`○ ${legend.outlined}`}</li>}
            {line && <li>{`— ${legend.line}`}</li>}
          </ul>
        </>
      )}
      <PointTable {...props} hidden={!asTable} />
    </figure>
  )
}

/** A saved picture has no styles, so each part takes the colours that the page gives it. */
function withColours(drawing: SVGSVGElement): SVGSVGElement {
  for (const part of drawing.querySelectorAll('*')) {
    const { fill, stroke } = getComputedStyle(part)
    part.setAttribute('fill', fill)
    part.setAttribute('stroke', stroke)
  }
  return drawing
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

function Drawing({ points, line, bends, xText, yText, scale }: ScatterProps & { scale: ScatterScale }) {
  const [x, y] = [(value: number) => percent(scale.x(value)), (value: number) => percent(scale.y(value))]
  const stops = [scale.left, ...bends.filter((bend) => bend > scale.left && bend < scale.right), scale.right]
  return (
    <>
      {ticksOf(scale.bottom, scale.top).map((value) => (
        <g key={value}>
          <line className={styles.scatterGrid} x1={x(scale.left)} x2={x(scale.right)} y1={y(value)} y2={y(value)} />
          <text className={styles.scatterText} x={percent(scale.axis)} dx={-6} y={y(value)} dy={4} textAnchor="end">
            {yText(value)}
          </text>
        </g>
      ))}
      {ticksOf(scale.left, scale.right).map((value) => (
        <text key={value} className={styles.scatterText} x={x(value)} y={HEIGHT - 4} textAnchor="middle">
          {xText(value)}
        </text>
      ))}
      {line &&
        stops.slice(1).map((stop, place) => {
          const from = stops[place] ?? stop
          return <line key={stop} className={styles.scatterLine} x1={x(from)} y1={y(line(from))} x2={x(stop)} y2={y(line(stop))} />
        })}
      {points.map((point) => (
        <circle
          key={`${point.name} ${point.outlined}`}
          className={cx(styles.scatterPoint, point.outlined && styles.scatterOutlined)}
          cx={x(point.x)}
          cy={y(point.y)}
          r={5}
        >
          <title>{point.name}</title>
        </circle>
      ))}
    </>
  )
}

/** While the drawing is visible, the table is there for screen readers. */
function PointTable({ title, table: [head = [], ...rows], hidden }: ScatterProps & { hidden: boolean }) {
  return (
    <TableFrame title={title} hidden={hidden}>
      <thead>
        <tr>
          {head.map((cell) => (
            <th key={cell} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, place) => (
              <td key={head[place + 1]} className={cx(styles.value, 'num')}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
