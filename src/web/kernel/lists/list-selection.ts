/** Rows of a list that are chosen to do something with: kept over its pages, and ended when another filter makes it another list. */
import { useState } from 'react'
import type { RowSelection } from '#contract/kernel/query.ts'
import type { GridFilters, GridSelection } from '../../ui/grid/grid-types.ts'
import { emptySelection, selectedCount } from '../../ui/grid/selection.ts'
import type { FixedQuery } from './list-data.ts'
import { wireFilters } from './wire-filters.ts'

export interface Chosen {
  /** Undefined while everything that matches is chosen and not counted yet. */
  readonly count: number | undefined
  /** Which rows, as the server is told: ids, or the filter that all of them match. */
  readonly which: RowSelection
  readonly clear: () => void
}

interface ListShown {
  readonly entity: { readonly name: string }
  readonly filters: GridFilters
  readonly query: FixedQuery | undefined
  readonly params: unknown
  readonly total: number | undefined
}

export function useListSelection({ entity, filters, query, params, total }: ListShown) {
  const key = JSON.stringify([params, query, filters])
  const [kept, keep] = useState<{ key: string; selection: GridSelection<number> }>({ key, selection: emptySelection })
  const selection = kept.key === key ? kept.selection : emptySelection
  // Everything that matches may leave some out: the server takes that.
  const select = (next: GridSelection<number>) => keep({ key, selection: next.allMatching ? { except: new Set(), ...next } : next })
  const chosen: Chosen = {
    count: selectedCount(selection, total),
    which: selection.allMatching
      ? { filter: { q: { ...wireFilters(filters), ...plainFilters(entity, query) } }, except: [...(selection.except ?? [])] }
      : { ids: [...selection.ids] },
    clear: () => keep({ key, selection: emptySelection }),
  }
  return { selection, select, chosen }
}

/** Parameters that hold for the whole page are filters as well: `facility_id=5` is what the filter `facility_id_in` says. */
function plainFilters(
  entity: { readonly name: string },
  query: FixedQuery = {},
): Record<string, string | number | boolean | readonly (string | number)[]> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key === 'ids' || key === `${entity.name}_id` ? 'id_in' : `${key}_in`, value] as const],
    ),
  )
}
