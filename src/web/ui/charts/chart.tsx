import { lazy, Suspense, useId, useRef, useState, type RefObject } from 'react'
import { Button } from '../button.tsx'
import { cx } from '../class-names.ts'
import { UiLink } from '../link.tsx'
import { Missing } from '../status.tsx'
import { Skeleton } from '../states.tsx'
import type { ChartProps, ChartSaving } from './chart-types.ts'
import styles from './charts.module.css'
import { TableFrame } from './table-frame.tsx'

const ChartCanvas = lazy(() => import('./chart-canvas.tsx').then((module) => ({ default: module.ChartCanvas })))

/** A chart that can be switched to the table of its values. The drawing code loads when the chart is shown. */
export function Chart(props: ChartProps) {
  const { title, height = 260 } = props
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const figure = useRef<HTMLElement>(null)
  const hasValues = props.series.some((series) => series.values.some((value) => value !== null))
  return (
    <figure ref={figure} className={styles.chart} aria-labelledby={id}>
      <div className={styles.head}>
        <figcaption id={id} className={styles.title}>
          {title}
        </figcaption>
        <div className={styles.acts}>
          {hasValues && props.saving && <SaveButtons title={title} saving={props.saving} figure={figure} isDrawn={!asTable} />}
          <Button small kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show chart' : 'Show table'}
          </Button>
        </div>
      </div>
      {!hasValues && <p className={styles.none}>No data for these choices.</p>}
      {hasValues && !asTable && (
        <Suspense fallback={<Skeleton height={height} />}>
          <ChartCanvas {...props} height={height} />
        </Suspense>
      )}
      {hasValues && <ChartTable {...props} hidden={!asTable} />}
    </figure>
  )
}

interface SaveButtonsProps {
  readonly title: string
  readonly saving: ChartSaving
  readonly figure: RefObject<HTMLElement | null>
  readonly isDrawn: boolean
}

function SaveButtons({ title, saving, figure, isDrawn }: SaveButtonsProps) {
  const save = async () => {
    const drawing = figure.current?.querySelector('svg')
    if (!drawing) return
    const { pictureOf } = await import('./chart-picture.ts')
    saving.onPicture(pictureOf(drawing, [title, ...saving.lines]))
  }
  return (
    <>
      <Button small kind="quiet" disabledReason={isDrawn ? undefined : 'The table is shown'} onClick={() => void save()}>
        Save picture
      </Button>
      <Button small kind="quiet" onClick={saving.onValues}>
        Save CSV
      </Button>
    </>
  )
}

/** The same values as a table; while the drawing is visible, the table is there for screen readers. */
function ChartTable(props: ChartProps & { hidden: boolean }) {
  const { title, categories, categoryNotes, series, valueText, hidden } = props
  return (
    <TableFrame title={title} hidden={hidden}>
      <thead>
        <tr>
          <td />
          {series.map((one) => (
            <th key={one.name} scope="col">
              {one.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories.map((category, index) => (
          <tr key={category}>
            <th scope="row">
              <CategoryName {...props} index={index} />
              {categoryNotes?.[index] && <span className={styles.categoryNote}>{categoryNotes[index]}</span>}
            </th>
            {series.map((one) => {
              const value = one.values[index]
              return (
                <td key={one.name} className={cx(styles.value, 'num')}>
                  {value === null || value === undefined ? <Missing /> : valueText(value)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** The name of a category, which leads where its column leads. The hidden table has no links, because nobody would see the focus. */
function CategoryName({ categories, links, linkLabel = '', hidden, index }: ChartProps & { hidden: boolean; index: number }) {
  const href = links?.[index]
  const name = categories[index] ?? ''
  if (hidden || href === undefined) return name
  return (
    <UiLink href={href} aria-label={`${linkLabel} ${name}`.trim()}>
      {name}
    </UiLink>
  )
}
