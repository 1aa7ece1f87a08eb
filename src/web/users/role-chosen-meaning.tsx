import { narrowingLevels, roleScopeOf } from '#contract/users/user-role.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { useNames } from './names.ts'
import { narrowingSource } from './narrowing-source.ts'
import { RoleMeaning } from './role-meaning.tsx'
import { clientSource, partnerSource } from './role-scope-fields.tsx'
import { chosenRole, idsOf, levelWords, type NarrowingIds, type RoleFieldProps } from './role-scope.ts'
import styles from './users.module.css'

/** The meaning of the role as currently chosen in the form. */
export function ChosenMeaning({ values, roles, row, lookIn }: SlotProps & RoleFieldProps) {
  const role = chosenRole(values, roles)
  const clientIds = idsOf(values['client_ids'])
  const clients = useNames(clientSource, clientIds)
  const partnerId = values['channel_partner_id']
  const partner = useNames(partnerSource, typeof partnerId === 'number' ? [partnerId] : [])[0]
  const within = lookIn ?? clientIds[0]
  const narrowedTo = [
    useLevel('division_ids', values, within, row),
    useLevel('facility_ids', values, within, row),
    useLevel('billable_account_ids', values, within, row),
    useLevel('supply_account_ids', values, within, row),
  ]
  if (role === undefined)
    return (
      <p className={styles.note} data-tall>
        Choose a role to read what it allows.
      </p>
    )
  const scope = {
    clients: clients.map((name, at) => name ?? `#${clientIds[at]}`),
    partner: partner ?? null,
    narrowedTo: roleScopeOf(role).narrowable ? narrowedTo : [],
  }
  return (
    <div aria-live="polite" data-tall>
      <RoleMeaning role={role} scope={scope} />
    </div>
  )
}

function useLevel(ids: NarrowingIds, values: SlotProps['values'], clientId: number | undefined, row: RoleFieldProps['row']) {
  const chosen = idsOf(values[ids])
  const level = narrowingLevels.find((one) => one.ids === ids)
  const stored = level ? (row?.[level.table] ?? []) : []
  const names = useNames(narrowingSource(ids).of(clientId ?? 0, stored), chosen)
  return { ...levelWords[ids], names: chosen.map((id, at) => names[at] ?? `#${id}`) }
}
