import { cx } from '../class-names.ts'
import styles from './data-grid.module.css'
import type { GridTotals, RowId } from './grid-types.ts'
import type { Grid } from './use-grid.ts'

export type GridTotalsRowsProps<Row, Id extends RowId> = { totals: readonly GridTotals[]; grid: Grid<Row, Id>; firstIndex: number }

/** Sticky lines of sums below the rows; the label is in the first column that has no sum. */
export function GridTotalsRows<Row, Id extends RowId>({ totals, grid, firstIndex }: GridTotalsRowsProps<Row, Id>) {
  const { columns, hasSelect, hasActions } = grid
  const lead = hasSelect ? 1 : 0
  return (
    <div role="rowgroup" className={styles.totals}>
      {totals.map((line, index) => {
        const labelled = columns.shown.find(({ column }) => line.values[column.key] === undefined)?.column.key
        return (
          <div key={line.label} role="row" aria-rowindex={firstIndex + index} data-part="total" className={cx(styles.row, styles.total)}>
            {hasSelect && <div role="gridcell" aria-colindex={1} className={cx(styles.cell, styles.select)} />}
            {columns.shown.map(({ column, pinned, lastPinned }, place) => (
              <div
                key={column.key}
                role="gridcell"
                aria-colindex={place + lead + 1}
                data-label={column.key === labelled ? undefined : column.label}
                className={cx(
                  styles.cell,
                  (column.kind === 'number' || column.kind === 'money') && styles.number,
                  pinned && styles.pinned,
                  lastPinned && styles.lastPinned,
                  column.key === labelled && styles.totalLabel,
                )}
                style={pinned ? { insetInlineStart: `var(--pin-${place})` } : undefined}
              >
                {column.key === labelled ? line.label : line.values[column.key]}
              </div>
            ))}
            {hasActions && (
              <div role="gridcell" aria-colindex={columns.shown.length + lead + 1} className={cx(styles.cell, styles.actions)} />
            )}
          </div>
        )
      })}
    </div>
  )
}
