/** The search's calls, within a client or over all clients, and the option sources of its filters. */
import type { Associations, AssociationsInput, SearchExportInput, SearchInput } from '#contract/advanced-search/advanced-search.ts'
import { advancedSearchCalls, clientSearchCalls } from '#contract/advanced-search/search-calls.ts'
import { clientCalls } from '#contract/clients/client.ts'
import { callApi } from '../kernel/api.ts'
import { optionsOf, WITHIN_CLIENT, type OptionSource } from '../kernel/forms/picker.tsx'
import type { PickerOption } from '../ui/combobox/option-types.ts'

/** Runs the search; a client id of `undefined` means all clients. */
export function askSearch(clientId: number | undefined, query: SearchInput, signal: AbortSignal) {
  if (clientId === undefined) return callApi(advancedSearchCalls.search, { query, signal })
  return callApi(clientSearchCalls.search, { params: { client_id: clientId }, query, signal })
}

export function startSearchExport(clientId: number | undefined, query: SearchExportInput) {
  if (clientId === undefined) return callApi(advancedSearchCalls.exportCsv, { query })
  return callApi(clientSearchCalls.exportCsv, { params: { client_id: clientId }, query })
}

export function askAssociations(clientId: number | undefined, query: AssociationsInput, signal: AbortSignal) {
  if (clientId === undefined) return callApi(advancedSearchCalls.associations, { query, signal })
  return callApi(clientSearchCalls.associations, { params: { client_id: clientId }, query, signal })
}

/** Returns the option sources. Over several clients, the client's name distinguishes divisions and facilities. */
export function searchOptions(clientId: number | undefined) {
  const ofClient = (client: string) => (clientId === undefined ? client : undefined)
  return {
    clients: optionsOf('clients', clientCalls.selectOptions, {}),
    vendors: source(clientId, 'vendors', ({ vendors }) => vendors.map(({ id, display_name }) => ({ id, label: display_name }))),
    divisions: source(clientId, 'divisions', ({ divisions }) =>
      divisions.map(({ id, name, client }) => ({ id, label: name, hint: ofClient(client) })),
    ),
    facilities: source(clientId, 'facilities', ({ facilities }) =>
      facilities.map(({ id, name, number, client }) => ({ id, label: name, hint: [number, ofClient(client)].filter(Boolean).join(' · ') })),
    ),
  }
}

function source(
  clientId: number | undefined,
  only: NonNullable<AssociationsInput['only']>,
  optionsIn: (reply: Associations) => PickerOption[],
): OptionSource {
  const ask = async (query: AssociationsInput, signal: AbortSignal) => {
    const reply = await askAssociations(clientId, { ...query, only }, signal)
    const options = optionsIn(reply)
    return { options, total: reply.total ?? options.length }
  }
  return {
    key: ['advanced_search', 'options', { clientId, only }],
    search: ({ term, page, per }, signal) => ask({ ...(term ? { search_term: term } : {}), page, per }, signal),
    byIds: async (ids, signal) => (await ask({ values: JSON.stringify(ids), per: ids.length }, signal)).options,
    within: clientId === undefined || only === 'vendors' ? undefined : WITHIN_CLIENT,
  }
}
