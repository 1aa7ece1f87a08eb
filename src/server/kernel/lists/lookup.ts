/** Lookups that several slices answer in the same way. */
import type { Call, ListReply } from '#contract/kernel/call.ts'
import { dropdownPageSize, type SearchInput } from '#contract/kernel/lookup.ts'
import { handle, type Handler } from '../handler.ts'
import type { Asked, Source } from './list.ts'
import { askedBy, optionsAnswer } from './resource.ts'

/** Finds records by typed text: `q` and `search_term` are the same. `among` narrows them by the path. */
export function searchHandler<Params extends object, Plural extends string, Option extends { id: number }>(
  call: Call<Params, SearchInput, unknown, ListReply<Plural, Option>>,
  of: Source & { readonly entity: { readonly plural: Plural } },
  keys: readonly (keyof Option & string)[],
  among: (params: Params) => Partial<Asked> = () => ({}),
): Handler {
  return handle(call, (context, { params, query: { q, search_term, page, per = dropdownPageSize } }) =>
    optionsAnswer<Plural, Option>(
      context,
      of,
      { search_term: search_term ?? q, page, per },
      { ...askedBy(context, params), ...among(params) },
      keys,
    ),
  )
}
