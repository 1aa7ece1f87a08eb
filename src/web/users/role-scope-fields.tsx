import { useQuery } from '@tanstack/react-query'
import { channelPartnerCalls } from '#contract/clients/channel-partner.ts'
import { clientCalls } from '#contract/clients/client.ts'
import type { RoleName } from '#contract/access/rights.ts'
import { narrowingLevels, roleLabels, roleScopeOf } from '#contract/users/user-role.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { EntityMultiPicker, EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { apiQuery } from '../kernel/query.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { useNames } from './names.ts'
import { narrowingSource } from './narrowing-source.ts'
import { chosenRole, idsOf, scopeForClients, scopeForPartner, type NarrowingIds, type RoleFieldProps } from './role-scope.ts'
import styles from './users.module.css'

export const clientSource = optionsOf('clients', clientCalls.selectOptions, {}, { hint: ({ short_code }) => short_code })
export const partnerSource = optionsOf('channel_partners', channelPartnerCalls.selectOptions, {})

type FieldProps = SlotProps & RoleFieldProps

/** The clients of the role: one, several or, for the provider's staff, none, which means all. */
export function ClientsField({ value, error, errors, disabled, values, setValues, roles, preset }: FieldProps) {
  const role = chosenRole(values, roles)
  const chosen = idsOf(value)
  const presetName = useNames(clientSource, preset === undefined ? [] : [preset])[0]
  const clients = role === undefined ? 'none' : roleScopeOf(role).clients
  if (clients === 'none') return null
  const field = {
    name: 'client_ids',
    error: error ?? errors['client_id'],
    disabled: disabled || preset !== undefined,
    source: clientSource,
  }
  const hint = preset === undefined ? undefined : `The role is one of ${presetName ?? 'this client'}.`
  const set = (ids: readonly number[]) => setValues(scopeForClients(ids, values))
  if (clients === 'one')
    return (
      <EntityPicker
        {...field}
        label="Client"
        required
        hint={hint}
        value={chosen[0] ?? null}
        onChange={(id) => set(id === null ? [] : [id])}
      />
    )
  return (
    <EntityMultiPicker
      {...field}
      label="Clients"
      required={clients === 'some'}
      hint={hint ?? (clients === 'optional' ? 'Without any the role reaches every client.' : undefined)}
      value={chosen}
      onChange={set}
    />
  )
}

/** The channel partner whose clients are in the role's reach. */
export function PartnerField({ value, error, disabled, values, setValues, roles }: FieldProps) {
  const role = chosenRole(values, roles)
  if (role === undefined || !roleScopeOf(role).channel_partner) return null
  return (
    <EntityPicker
      name="channel_partner_id"
      label="Channel Partner"
      required
      hint="The role reaches all clients of this partner, also those that it gets later."
      source={partnerSource}
      value={typeof value === 'number' ? value : null}
      error={error}
      disabled={disabled}
      onChange={(id) => setValues(scopeForPartner(id))}
    />
  )
}

/** Chooses the client in which the fields below search; a sentence if there is nothing to choose. */
export function LookInField({ values, roles, lookIn, setLookIn }: FieldProps) {
  const role = chosenRole(values, roles)
  const clients = useNarrowable(values)
  const sentence = narrowingSentence(role, clients)
  if (sentence)
    return (
      <p className={styles.note} data-wide>
        {sentence}
      </p>
    )
  return (
    <div className={styles.lookIn} data-wide>
      <SelectField
        label="Look in"
        hint="Leave the fields below empty for all clients as a whole."
        value={String(lookedIn(clients, lookIn)?.id ?? '')}
        options={clients.map(({ id, label }) => ({ value: String(id), label }))}
        onChange={(id) => setLookIn(Number(id))}
      />
    </div>
  )
}

/** Returns the sentence that replaces the choice of a client; undefined if there is a choice. */
function narrowingSentence(role: RoleName | undefined, clients: readonly NamedClient[]): string | undefined {
  if (role === undefined) return 'Choose the role first.'
  const { narrowable, channel_partner } = roleScopeOf(role)
  if (!narrowable) return `A ${roleLabels[role]} reaches its clients as a whole.`
  if (clients.length > 1) return undefined
  const only = clients[0]
  if (only) return `Leave these empty for the whole of ${only.label}.`
  return channel_partner ? 'Choose a channel partner with clients first.' : 'Choose a client first: a role is narrowed inside its clients.'
}

/** One level within the client to which the role is narrowed. */
export function NarrowingField({ value, error, disabled, onChange, values, roles, row, lookIn, ids }: FieldProps & { ids: NarrowingIds }) {
  const role = chosenRole(values, roles)
  const client = lookedIn(useNarrowable(values), lookIn)
  if (role === undefined || !roleScopeOf(role).narrowable || client === undefined) return null
  const level = narrowingLevels.find((one) => one.ids === ids)
  const stored = level ? (row?.[level.table] ?? []) : []
  return (
    <EntityMultiPicker
      name={ids}
      label={narrowingSource(ids).label}
      source={narrowingSource(ids).of(client.id, stored)}
      value={idsOf(value)}
      error={error}
      disabled={disabled}
      onChange={onChange}
    />
  )
}

interface NamedClient {
  readonly id: number
  readonly label: string
}

/** Returns the clients in which the role can be narrowed: those that it names, or those of its partner. */
function useNarrowable(values: FieldProps['values']): readonly NamedClient[] {
  const chosen = idsOf(values['client_ids'])
  const names = useNames(clientSource, chosen)
  const partnerId = values['channel_partner_id']
  const asked = useQuery({
    ...apiQuery(channelPartnerCalls.get, { params: { id: typeof partnerId === 'number' ? partnerId : 0 } }),
    enabled: typeof partnerId === 'number',
  })
  const partner = typeof partnerId === 'number' ? asked.data?.channel_partner : undefined
  if (partner) return partner.client_ids.map((id, at) => ({ id, label: partner.client_names?.[at] ?? `#${id}` }))
  return chosen.map((id, at) => ({ id, label: names[at] ?? `#${id}` }))
}

function lookedIn(clients: readonly NamedClient[], lookIn: number | null): NamedClient | undefined {
  return clients.find(({ id }) => id === lookIn) ?? clients[0]
}
