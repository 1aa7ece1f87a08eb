import type { GridSelection, RowId } from './grid-types.ts'

export const emptySelection: GridSelection<never> = { ids: new Set(), allMatching: false }

export function isSelected<Id extends RowId>(selection: GridSelection<Id>, id: Id): boolean {
  return selection.allMatching || selection.ids.has(id)
}

/** Ticks or unticks one row. Unticking one of "all matching" keeps the page's other rows. */
export function toggleRow<Id extends RowId>(selection: GridSelection<Id>, id: Id, pageIds: readonly Id[]): GridSelection<Id> {
  const ids = new Set(selection.allMatching ? pageIds : selection.ids)
  if (isSelected(selection, id)) ids.delete(id)
  else ids.add(id)
  return { ids, allMatching: false }
}

/** Gives every selectable row between the two the state that the clicked one gets. */
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
  const ids = new Set(selection.allMatching ? selectableIds : selection.ids)
  for (const id of selectableIds) {
    if (!inRange.has(id)) continue
    if (on) ids.add(id)
    else ids.delete(id)
  }
  return { ids, allMatching: false }
}

/** The box in the header: all selectable rows of the page, or none of them when all are. Other pages' rows stay as they are. */
export function togglePage<Id extends RowId>(selection: GridSelection<Id>, pageIds: readonly Id[]): GridSelection<Id> {
  const ids = new Set(selection.ids)
  const on = pageState(selection, pageIds) !== 'all'
  for (const id of pageIds) {
    if (on) ids.add(id)
    else ids.delete(id)
  }
  return { ids, allMatching: false }
}

/** Whether all, some or none of the page's selectable rows are selected. */
export function pageState<Id extends RowId>(selection: GridSelection<Id>, pageIds: readonly Id[]): 'all' | 'some' | 'none' {
  if (pageIds.length === 0) return 'none'
  if (selection.allMatching) return 'all'
  const count = pageIds.filter((id) => selection.ids.has(id)).length
  if (count === 0) return 'none'
  return count === pageIds.length ? 'all' : 'some'
}
