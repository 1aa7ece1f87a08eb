/** The selected rows of a list: kept over its pages, and cleared when another filter makes it another list. */
import { useState } from 'react'
import type { RowSelection } from '#contract/kernel/query.ts'
import type { GridFilters, GridSelection } from '../../ui/grid/grid-types.ts'
import { emptySelection, selectedCount } from '../../ui/grid/selection.ts'
import type { FixedQuery } from './list-data.ts'
import { wireFilters } from './wire-filters.ts'

export interface Chosen {
  /** Undefined while everything that matches is selected and not counted yet. */
  readonly count: number | undefined
  /** The selected rows as sent to the server: ids, or the filter that all of them match. */
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
  // The server accepts exclusions from everything that matches.
  const select = (next: GridSelection<number>) => keep({ key, selection: next.allMatching ? { except: new Set(), ...next } : next })
  const chosen: Chosen = {
    count: selectedCount(selection, total),
    which: selection.allMatching
      ? { ...matchingRows({ entity, filters, query }), except: [...(selection.except ?? [])] }
      : { ids: [...selection.ids] },
    clear: () => keep({ key, selection: emptySelection }),
  }
  return { selection, select, chosen }
}

/** Everything that the list shows on all of its pages, as it is sent to the server. */
export function matchingRows({ entity, filters, query }: Pick<ListShown, 'entity' | 'filters' | 'query'>): RowSelection {
  return { filter: { q: { ...wireFilters(filters), ...plainFilters(entity, query) } } }
}

/** Parameters that hold for the whole page are filters too: `facility_id=5` means the filter `facility_id_in`. */
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
