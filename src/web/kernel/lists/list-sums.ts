/** The sums of everything that a list shows on all of its pages, as a line below its rows. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowSelection } from '#contract/kernel/query.ts'
import type { GridTotals } from '../../ui/grid/grid-types.ts'
import { useIdle } from '../use-idle.ts'

export interface ListSums {
  /** Name of the call, which is the start of the cached answer's key after the list. */
  readonly name: string
  readonly read: (matching: RowSelection, signal: AbortSignal) => Promise<GridTotals>
}

interface SummedList {
  /** The list's wire name; a change of its records asks for the sums anew. */
  readonly plural: string
  readonly params: unknown
  readonly matching: RowSelection
  readonly total: number | undefined
}

/** The server adds up. The rows do not need the sums, so they are asked for once the page is at rest; one row is its own sum. */
export function useListSums(
  sums: ListSums | undefined,
  { plural, params, matching, total }: SummedList,
): readonly GridTotals[] | undefined {
  const idle = useIdle()
  const enabled = idle && sums !== undefined && total !== undefined && total > 1
  const { data } = useQuery({
    queryKey: [plural, sums?.name, params, matching],
    queryFn: async ({ signal }) => (sums ? sums.read(matching, signal) : null),
    enabled,
    placeholderData: keepPreviousData,
  })
  return enabled && data ? [data] : undefined
}
