/** The options of the search's pickers. Long lists are searched by the typed text, one list at a time. */
import { associationsMax, type Associations, type AssociationsInput } from '#contract/advanced-search/advanced-search.ts'
import { pageSizeMax } from '#contract/kernel/query.ts'
import { divisions } from '../divisions/divisions.ts'
import { facilities } from '../facilities/facilities.ts'
import type { Context } from '../kernel/context.ts'
import { readPage, type Source } from '../kernel/lists/list.ts'
import { invalid } from '../kernel/problem.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { utilityServices } from '../utility-services/utility-services.ts'
import { vendors } from '../vendors/vendors.ts'
import { searchingReach } from './search-sources.ts'

type ListName = NonNullable<AssociationsInput['only']>

/** Throws 422 if `values` is given without `only`, the list that the ids belong to. */
export async function searchAssociations(context: Context, clientId: number | undefined, input: AssociationsInput): Promise<Associations> {
  if (input.values !== undefined && input.only === undefined) throw invalid({ values: ['values needs only, the list whose ids they are'] })
  const place = clientId ?? (input.client_id === undefined ? undefined : Number(input.client_id))
  const options: Options = { context, input, clientId: place }
  const [services, vendorOptions, divisionOptions, facilityOptions] = await Promise.all([
    read<Associations['services'][number]>(options, 'services', utilityServices, ['id', 'name']),
    read<Associations['vendors'][number]>(options, 'vendors', vendors, ['id', 'display_name']),
    read<Associations['divisions'][number]>(options, 'divisions', divisions, ['id', 'name', 'client_id', 'client']),
    read<Associations['facilities'][number]>(options, 'facilities', facilities, ['id', 'name', 'number', 'client_id', 'client']),
  ])
  const totals = {
    services: services.total,
    vendors: vendorOptions.total,
    divisions: divisionOptions.total,
    facilities: facilityOptions.total,
  }
  return {
    services: services.rows,
    vendors: vendorOptions.rows,
    divisions: divisionOptions.rows,
    facilities: facilityOptions.rows,
    ...(input.only === undefined ? {} : { total: totals[input.only] }),
  }
}

interface Options {
  readonly context: Context
  readonly input: AssociationsInput
  readonly clientId: number | undefined
}

const rights = {
  services: 'utility_service.read',
  vendors: 'vendor.read',
  divisions: 'division.read',
  facilities: 'facility.read',
} as const

/** Reads one list under its own right; without `only` it returns one page. */
async function read<Option extends object>(
  { context, input, clientId }: Options,
  name: ListName,
  source: Source,
  keys: readonly (keyof Option & string)[],
): Promise<{ rows: Option[]; total: number | undefined }> {
  if (input.only !== undefined && input.only !== name) return { rows: [], total: undefined }
  const reach = searchingReach(context.principal, rights[name])
  if (reach.length === 0) return { rows: [], total: 0 }
  const { search_term, values, page, per = Math.min(associationsMax, pageSizeMax) } = input
  const query = checkedQuery(source, { search_term, values, page, per, with_total: input.only !== undefined })
  return readPage<Option>(context.tx, source, query, { reach, clientId }, keys)
}
