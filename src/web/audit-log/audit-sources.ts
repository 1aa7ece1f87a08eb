/** Option sources of the audit log's filters: the searches that the specification names for it, with `audit_log=true`. */
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { clientCalls } from '#contract/clients/client.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { userCalls } from '#contract/users/user.ts'
import type { Call, ListReply, Nothing } from '#contract/kernel/call.ts'
import type { SearchInput } from '#contract/kernel/lookup.ts'
import { callApi, callWith } from '../kernel/api.ts'
import { optionsOf, type OptionSource } from '../kernel/forms/picker.tsx'
import { keyOf } from '../kernel/query.ts'

const users: OptionSource = {
  key: keyOf(userCalls.search, { audit_log: true }),
  search: async ({ term, page, per }, signal) => {
    const reply = await callApi(userCalls.search, { query: { q: term, audit_log: 'true', page, per }, signal })
    return {
      options: reply.users.map(({ id, email, name }) => ({ id, label: email, hint: name })),
      total: reply.total ?? reply.users.length,
    }
  },
  byIds: async (ids, signal) => {
    const reply = await callApi(userCalls.list, { query: { q: { id_in: ids }, per: ids.length }, signal })
    return reply.users.map(({ id, email }) => ({ id, label: email }))
  },
}

export const auditSources = { users, clients: optionsOf('clients', clientCalls.selectOptions, {}) }

/** The sources of the four filters within one client. */
export function placeSources(clientId: number) {
  const params = { client_id: clientId }
  return [
    { name: 'division_id', label: 'Division', source: optionsOf('divisions', divisionCalls.selectOptions, params) },
    { name: 'facility_id', label: 'Facility', source: optionsOf('facilities', facilityCalls.selectOptions, params) },
    {
      name: 'billable_account_id',
      label: 'Billable Account',
      source: byNumber(
        billableAccountCalls.numberSearch,
        params,
        optionsOf('billable_accounts', billableAccountCalls.selectOptions, params),
        (reply) => reply.billable_accounts,
      ),
    },
    {
      name: 'supply_account_id',
      label: 'Supply Account',
      source: byNumber(
        supplyAccountCalls.numberSearch,
        params,
        optionsOf('supply_accounts', supplyAccountCalls.selectOptions, params),
        (reply) => reply.supply_accounts,
      ),
    },
  ] as const
}

interface AccountOption {
  readonly id: number
  readonly account_number: string
}

/** Searches by number; chosen accounts get their names from the account's own options. */
function byNumber<Params, Plural extends string, Option extends AccountOption>(
  call: Call<Params, SearchInput, Nothing, ListReply<Plural, Option>>,
  params: Params,
  { byIds }: OptionSource,
  rowsOf: (reply: ListReply<Plural, Option>) => readonly AccountOption[],
): OptionSource {
  return {
    key: keyOf(call, { params, audit_log: true }),
    search: async ({ term, page, per }, signal) => {
      const reply = await callWith(call, { params, query: { search_term: term, audit_log: 'true', page, per }, signal })
      const rows = rowsOf(reply)
      return { options: rows.map(({ id, account_number }) => ({ id, label: account_number })), total: reply.total ?? rows.length }
    },
    byIds,
  }
}
