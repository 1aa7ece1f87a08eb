/** Lookups that several entities share: search by the typed text, and ids besides the filters. */
import { z } from 'zod'
import { call, listReply, type Call, type ListReply, type Nothing, type PathParams } from './call.ts'
import type { May } from './permission.ts'

/** One id, or several as `division_id[]=1&division_id[]=2`. */
export const idsInput = z.union([z.string().max(20_000), z.array(z.string()).max(1_000)])

/** Rows that a dropdown loads at a time. */
export const dropdownPageSize = 20

export interface SearchInput {
  readonly q?: string | undefined
  readonly search_term?: string | undefined
  readonly page?: string | number | undefined
  readonly per?: string | number | undefined
  /** Sent by the audit log. It finds the same records, since the trail is read in the same reach. */
  readonly audit_log?: string | undefined
}

export const searchInput: z.ZodType<SearchInput> = z.strictObject({
  q: z.string().max(500).optional(),
  search_term: z.string().max(500).optional(),
  page: z.union([z.string(), z.number()]).optional(),
  per: z.union([z.string(), z.number()]).optional(),
  audit_log: z.enum(['true', 'false']).optional(),
})

/** Records for a picker, found by the typed text. */
export function searchCall<Plural extends string, Path extends string, Option extends { id: number }>(
  plural: Plural,
  path: Path,
  may: May,
  option: z.ZodType<Option>,
  name = `${plural}.search`,
): Call<PathParams<Path>, SearchInput, Nothing, ListReply<Plural, Option>> {
  return call({
    name,
    method: 'GET',
    path,
    may,
    summary: `Finds ${plural} by what is typed`,
    query: searchInput,
    reply: listReply(plural, option),
  })
}
