import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OptionSource } from '../kernel/forms/picker.tsx'

/** Returns the names of records by id, in the order of the ids; undefined where a name is not loaded. */
export function useNames(source: OptionSource, ids: readonly number[]): readonly (string | undefined)[] {
  const asked = useQuery({
    queryKey: [...source.key, 'names', ids],
    queryFn: ({ signal }) => source.byIds(ids, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const found = new Map(asked.data?.map(({ id, label }) => [id, label]))
  return ids.map((id) => found.get(id))
}
