import type { GridSelection, RowId } from './grid-types.ts'
import { selectedCount } from './selection.ts'

/** How many rows are chosen, said to screen readers with every tick: it stands in the page before anything is chosen, or it would not be heard. */
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
