/** Option sources of the parts of a client to which a role can be narrowed. */
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { LONG_LOOKUP, optionsOf, type OptionSource } from '../kernel/forms/picker.tsx'
import type { NarrowingIds } from './role-scope.ts'

type Named = readonly { readonly id: number; readonly name: string }[]

interface NarrowingSource {
  readonly label: string
  /** Searches in this client. Stored records keep their names, whichever client they belong to. */
  readonly of: (clientId: number, stored: Named) => OptionSource
}

const sources: Readonly<Record<NarrowingIds, NarrowingSource>> = {
  division_ids: {
    label: 'Divisions',
    of: (client_id, stored) => knowing(stored, optionsOf('divisions', divisionCalls.selectOptions, { client_id }, { per: LONG_LOOKUP })),
  },
  facility_ids: {
    label: 'Facilities',
    of: (client_id, stored) => knowing(stored, optionsOf('facilities', facilityCalls.selectOptions, { client_id }, { per: LONG_LOOKUP })),
  },
  billable_account_ids: {
    label: 'Billable Accounts',
    of: (client_id, stored) =>
      knowing(stored, optionsOf('billable_accounts', billableAccountCalls.selectOptions, { client_id }, { label: numberOf, hint: nameOf })),
  },
  supply_account_ids: {
    label: 'Supply Accounts',
    of: (client_id, stored) =>
      knowing(stored, optionsOf('supply_accounts', supplyAccountCalls.selectOptions, { client_id }, { label: numberOf, hint: nameOf })),
  },
}

export function narrowingSource(ids: NarrowingIds): NarrowingSource {
  return sources[ids]
}

function numberOf({ account_number }: { account_number: string }): string {
  return account_number
}

function nameOf({ name }: { name: string }): string {
  return name
}

/** Takes the names of stored records without a request, and requests the rest. */
function knowing(stored: Named, source: OptionSource): OptionSource {
  return {
    ...source,
    byIds: async (ids, signal) => {
      const known = stored.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, label: name }))
      const others = ids.filter((id) => !known.some((one) => one.id === id))
      return others.length === 0 ? known : [...known, ...(await source.byIds(others, signal))]
    },
  }
}
