/** Selected rows in the body of a call: by id, or all that match a filter, with exceptions. */
import { z } from 'zod'
import { filterLengthMax, filterValuesMax } from './query.ts'

/** Records that a request may name by id where it may name a filter instead; more are selected by the filter. */
export const selectedIdsMax = 10_000

const scalar = z.union([z.string().max(filterLengthMax), z.number(), z.boolean()])
const id = z.int({ error: 'must be whole numbers' }).positive('must be positive')
const rowFilter = z.strictObject({
  q: z.record(z.string().max(100), z.union([scalar, z.array(z.union([z.string(), z.number()])).max(filterValuesMax)])).optional(),
  search_term: z.string().max(filterLengthMax).optional(),
})
const idsOf = (max: number) => z.array(id, { error: 'must be a list of ids' }).max(max, `At most ${max} ids can be named`)

/** Ids of the rows called `name`, at least one and at most `max`. */
export const namedIds = (name: string, max: number) => idsOf(max).min(1, `Name at least one ${name}`)

/** The keys of a selection. The body that has them is refined by `namesOne` and `exceptsOfFilter`. */
export const selectionShape = (name: string, max: number) => ({
  ids: namedIds(name, max).optional(),
  filter: rowFilter.optional(),
  /** Rows that match the filter but are left out. */
  except: idsOf(max).optional(),
})

interface Selected {
  readonly ids?: unknown
  readonly filter?: unknown
  readonly except?: unknown
}
type Refinement = readonly [holds: (selected: Selected) => boolean, fault: { error: string; path: string[] }]

export const namesOne: Refinement = [
  ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
  { error: 'Name either ids or a filter', path: ['ids'] },
]
export const exceptsOfFilter: Refinement = [
  ({ except, filter }) => except === undefined || filter !== undefined,
  { error: 'It belongs to a filter', path: ['except'] },
]
