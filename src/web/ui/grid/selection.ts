import type { GridSelection, RowId } from './grid-types.ts'

export const emptySelection: GridSelection<never> = { ids: new Set(), allMatching: false }

export function isSelected<Id extends RowId>(selection: GridSelection<Id>, id: Id): boolean {
  return selection.allMatching ? selection.except?.has(id) !== true : selection.ids.has(id)
}

/** Returns the number of selected rows out of `total`; undefined if all are selected and the total is unknown. */
export function selectedCount<Id extends RowId>(selection: GridSelection<Id>, total: number | undefined): number | undefined {
  if (!selection.allMatching) return selection.ids.size
  return total === undefined ? undefined : Math.max(0, total - (selection.except?.size ?? 0))
}

/**
 * Selects or deselects one row. With "all matching", deselecting excludes the row; if exclusions are not supported, the page's other rows stay
 * selected.
 */
export function toggleRow<Id extends RowId>(selection: GridSelection<Id>, id: Id, pageIds: readonly Id[]): GridSelection<Id> {
  if (selection.allMatching && selection.except) return withRows(selection, [id], !isSelected(selection, id))
  const ids = new Set(selection.allMatching ? pageIds : selection.ids)
  if (isSelected(selection, id)) ids.delete(id)
  else ids.add(id)
  return { ids, allMatching: false }
}

/** Gives every selectable row between the two the new state of the clicked one. */
export function toggleRange<Id extends RowId>(
  selection: GridSelection<Id>,
  from: Id,
  to: Id,
  allIds: readonly Id[],
  selectableIds: readonly Id[],
): GridSelection<Id> {
  const start = allIds.indexOf(from)
  const end = allIds.indexOf(to)
  if (start < 0 || end < 0) return toggleRow(selection, to, selectableIds)
  const inRange = new Set(allIds.slice(Math.min(start, end), Math.max(start, end) + 1))
  const on = !isSelected(selection, to)
  if (selection.allMatching && selection.except)
    return withRows(
      selection,
      selectableIds.filter((id) => inRange.has(id)),
      on,
    )
  const ids = new Set(selection.allMatching ? selectableIds : selection.ids)
  for (const id of selectableIds) {
    if (!inRange.has(id)) continue
    if (on) ids.add(id)
    else ids.delete(id)
  }
  return { ids, allMatching: false }
}

/**
 * The header's checkbox: selects all selectable rows of the page, or deselects them if all are selected. Rows of other pages keep their state.
 */
export function togglePage<Id extends RowId>(selection: GridSelection<Id>, pageIds: readonly Id[]): GridSelection<Id> {
  const on = pageState(selection, pageIds) !== 'all'
  if (selection.allMatching && selection.except) return withRows(selection, pageIds, on)
  const ids = new Set(selection.ids)
  for (const id of pageIds) {
    if (on) ids.add(id)
    else ids.delete(id)
  }
  return { ids, allMatching: false }
}

/** Whether all, some or none of the page's selectable rows are selected. */
export function pageState<Id extends RowId>(selection: GridSelection<Id>, pageIds: readonly Id[]): 'all' | 'some' | 'none' {
  if (pageIds.length === 0) return 'none'
  const count = pageIds.filter((id) => isSelected(selection, id)).length
  if (count === 0) return 'none'
  return count === pageIds.length ? 'all' : 'some'
}

/** Includes these rows in everything that matches, or excludes them. */
function withRows<Id extends RowId>(selection: GridSelection<Id>, rows: readonly Id[], on: boolean): GridSelection<Id> {
  const except = new Set(selection.except)
  for (const id of rows) {
    if (on) except.delete(id)
    else except.add(id)
  }
  return { ...selection, except }
}
