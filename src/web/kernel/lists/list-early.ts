/** Requests a list's first rows before its page is rendered. */
import { pageSizeDefault } from '#contract/kernel/query.ts'
import { fittedOr } from './fitted-rows.ts'
import { pageQuery, type ListSource } from './list-data.ts'
import { layoutQuery } from './list-layout.ts'
import { readListState, type ListedEntity } from './list-state.ts'
import { queryClient } from '../query.ts'

/** Requests the rows at this address and the list's columns; the page finds both in the cache, or already loading. */
export async function askListEarly<Plural extends string, Row, Params>(
  entity: ListedEntity<Plural>,
  source: Omit<ListSource<Plural, Row, Params>, 'plural'>,
  search: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = pageQuery({ ...source, plural: entity.plural }, readListState(search, entity, [], fittedOr(entity.plural, pageSizeDefault)))
  await Promise.all([queryClient.prefetchQuery(rows), queryClient.prefetchQuery(layoutQuery(entity.plural))])
}
