import type { GridSelection, RowId } from './grid-types.ts'
import { selectedCount } from './selection.ts'

/**
 * Announces the number of selected rows to screen readers. It is in the page before anything is selected; otherwise it would not be announced.
 */
export function SelectionWords<Id extends RowId>({ selection, total }: { selection: GridSelection<Id>; total: number | undefined }) {
  const count = selectedCount(selection, total)
  const words =
    count === undefined
      ? 'All rows selected'
      : count === 0
        ? ''
        : `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'} selected`
  return (
    <span className="sr-only" role="status">
      {words}
    </span>
  )
}
