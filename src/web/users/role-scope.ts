/** The scope of a role row: its levels with their words, what a change of role or of clients does to it, and its names for the sentence. */
import type { RoleName } from '#contract/access/rights.ts'
import { narrowingLevels, roleScopeOf, scopeFaults, type Role, type UserRole } from '#contract/users/user-role.ts'
import { serverErrors, type FormErrors, type FormValues } from '../kernel/forms/form-values.ts'
import type { RoleScopeWords } from './role-words.ts'

export type NarrowingIds = (typeof narrowingLevels)[number]['ids']

/** How a level of the hierarchy is called in a sentence. */
export const levelWords: Readonly<Record<NarrowingIds, { readonly noun: string; readonly nouns: string }>> = {
  division_ids: { noun: 'division', nouns: 'divisions' },
  facility_ids: { noun: 'facility', nouns: 'facilities' },
  billable_account_ids: { noun: 'billable account', nouns: 'billable accounts' },
  supply_account_ids: { noun: 'supply account', nouns: 'supply accounts' },
}

/** What every field of the role form knows beside its own value. */
export interface RoleFieldProps {
  readonly roles: readonly Role[]
  /** The stored row; none in a new one. */
  readonly row: UserRole | undefined
  /** The client that the form was opened in. */
  readonly preset: number | undefined
  /** Of several clients the one that parts are looked up in. */
  readonly lookIn: number | null
  readonly setLookIn: (id: number) => void
}

const nothingNarrowed = { division_ids: [], facility_ids: [], billable_account_ids: [], supply_account_ids: [] }

/** The names of a stored role row. */
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

/** The role that is chosen in a form; undefined until one is. */
export function chosenRole(values: FormValues, roles: readonly Role[]): RoleName | undefined {
  return roles.find(({ id }) => id === values['role_id'])?.name
}

/** Ids of a form's value. */
export function idsOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []
}

/** What choosing another role leaves of the scope: what the new role cannot have goes. */
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

/** Other clients: what lay in one that is gone goes with it. */
export function scopeForClients(ids: readonly number[], values: FormValues): FormValues {
  const keepsAll = idsOf(values['client_ids']).every((id) => ids.includes(id))
  return { client_ids: ids, ...(keepsAll ? {} : nothingNarrowed) }
}

/** Another partner has other clients. */
export function scopeForPartner(id: number | null): FormValues {
  return { channel_partner_id: id, ...nothingNarrowed }
}

/** The rules of the role form beyond its fields, as the server has them. */
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
  // The form has one place for clients, however many the role may have.
  return serverErrors(client_id ? { ...faults, client_ids: client_id } : faults)
}
