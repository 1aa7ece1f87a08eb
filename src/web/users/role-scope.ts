/** The scope of a role row: its levels with their nouns, the effect of changing role or clients on it, and its names for the sentence. */
import type { RoleName } from '#contract/access/rights.ts'
import { narrowingLevels, roleScopeOf, scopeFaults, type Role, type UserRole } from '#contract/users/user-role.ts'
import { serverErrors, type FormErrors, type FormValues } from '../kernel/forms/form-values.ts'
import type { RoleScopeWords } from './role-words.ts'

export type NarrowingIds = (typeof narrowingLevels)[number]['ids']

/** The nouns of each level of the hierarchy within a sentence. */
export const levelWords: Readonly<Record<NarrowingIds, { readonly noun: string; readonly nouns: string }>> = {
  division_ids: { noun: 'division', nouns: 'divisions' },
  facility_ids: { noun: 'facility', nouns: 'facilities' },
  billable_account_ids: { noun: 'billable account', nouns: 'billable accounts' },
  supply_account_ids: { noun: 'supply account', nouns: 'supply accounts' },
}

/** Props of every field of the role form besides its own value. */
export interface RoleFieldProps {
  readonly roles: readonly Role[]
  /** The stored row; undefined for a new one. */
  readonly row: UserRole | undefined
  /** The client in which the form was opened. */
  readonly preset: number | undefined
  /** The client in which parts are searched, if there are several. */
  readonly lookIn: number | null
  readonly setLookIn: (id: number) => void
}

const nothingNarrowed = { division_ids: [], facility_ids: [], billable_account_ids: [], supply_account_ids: [] }

/** Returns the names of a stored role row. */
export function roleScopeWords(row: UserRole): RoleScopeWords {
  return {
    clients: namesOf(row.clients),
    partner: row.channel_partner_name,
    narrowedTo: narrowingLevels.map(({ ids, table }) => ({ ...levelWords[ids], names: namesOf(row[table]) })),
  }
}

function namesOf(list: readonly { readonly name: string }[] | null): string[] {
  return (list ?? []).map(({ name }) => name)
}

/** Returns the role chosen in a form; undefined until one is. */
export function chosenRole(values: FormValues, roles: readonly Role[]): RoleName | undefined {
  return roles.find(({ id }) => id === values['role_id'])?.name
}

/** Returns the ids in a form's value. */
export function idsOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []
}

/** Returns the scope after another role was chosen, without what the new role cannot have. */
export function scopeForRole(role: RoleName, values: FormValues, presetClient: number | undefined): FormValues {
  const { clients, channel_partner, narrowable } = roleScopeOf(role)
  const chosen = idsOf(values['client_ids'])
  const before = chosen.length === 0 && presetClient !== undefined ? [presetClient] : chosen
  const kept = clients === 'none' ? [] : clients === 'one' ? before.slice(0, 1) : before
  const sameClients = kept.length === chosen.length
  return {
    client_ids: kept,
    channel_partner_id: channel_partner ? values['channel_partner_id'] : null,
    ...(narrowable && sameClients ? {} : nothingNarrowed),
  }
}

/** Returns the scope after the clients changed; if one was removed, the parts are cleared. */
export function scopeForClients(ids: readonly number[], values: FormValues): FormValues {
  const keepsAll = idsOf(values['client_ids']).every((id) => ids.includes(id))
  return { client_ids: ids, ...(keepsAll ? {} : nothingNarrowed) }
}

/** Returns the scope after the partner changed; another partner has other clients. */
export function scopeForPartner(id: number | null): FormValues {
  return { channel_partner_id: id, ...nothingNarrowed }
}

/** Validates the role form beyond its fields, by the server's rules. */
export function roleErrors(values: FormValues, roles: readonly Role[]): FormErrors {
  const role = chosenRole(values, roles)
  if (role === undefined) return {}
  const partnerId = values['channel_partner_id']
  const { client_id, ...faults } = scopeFaults(role, {
    client_ids: idsOf(values['client_ids']),
    channel_partner_id: typeof partnerId === 'number' ? partnerId : null,
    division_ids: idsOf(values['division_ids']),
    facility_ids: idsOf(values['facility_ids']),
    billable_account_ids: idsOf(values['billable_account_ids']),
    supply_account_ids: idsOf(values['supply_account_ids']),
  })
  // The form has one field for clients, however many the role may have.
  return serverErrors(client_id ? { ...faults, client_ids: client_id } : faults)
}
