import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import styles from './data-grid.module.css'
import type { DataGridProps, RowId } from './grid-types.ts'
import { emptySelection, pageState, selectedCount } from './selection.ts'

export type BulkBarProps<Row, Id extends RowId> = Pick<
  DataGridProps<Row, Id>,
  'selection' | 'onSelectionChange' | 'total' | 'canSelectAllMatching'
> & {
  selectableIds: readonly Id[]
  /** Clears the selection and moves the focus back to the rows, because the bar disappears. */
  onClear: () => void
  /** Running total and actions. */
  children: ReactNode
}

/** The actions on the selected rows. The bar takes its space from the rows' window, so that no row moves. */
export function BulkBar<Row, Id extends RowId>(props: BulkBarProps<Row, Id>) {
  const { selection = emptySelection, onSelectionChange, total, canSelectAllMatching, selectableIds, onClear, children } = props
  const count = selectedCount(selection, total)
  if (!onSelectionChange || (!selection.allMatching && selection.ids.size === 0)) return null
  const offersAll =
    canSelectAllMatching &&
    !selection.allMatching &&
    total !== undefined &&
    pageState(selection, selectableIds) === 'all' &&
    total > selection.ids.size
  return (
    <div className={styles.bulk} role="region" aria-label="Selected rows">
      <span className="num">{count === undefined ? 'All selected' : `${count.toLocaleString('en-US')} selected`}</span>
      {offersAll && (
        <Button small kind="quiet" onClick={() => onSelectionChange({ ids: selection.ids, allMatching: true })}>
          Select all {total.toLocaleString('en-US')} matching
        </Button>
      )}
      <Button small kind="quiet" onClick={onClear}>
        Clear selection
      </Button>
      <div className={styles.bulkActions}>{children}</div>
    </div>
  )
}
