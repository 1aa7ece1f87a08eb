import type { Role } from '#contract/users/user-role.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { scopeForRole, type RoleFieldProps } from './role-scope.ts'

/** The roles that can be granted: the four main ones first, the others under their own heading (G-ROLE-CHOICES). */
export function RoleChoice({ value, error, disabled, values, setValues, roles, row, preset }: SlotProps & RoleFieldProps) {
  const shown = roles.filter((role) => role.grantable || role.id === row?.role_id)
  const choose = (id: string) => {
    const chosen = roles.find((role) => String(role.id) === id)
    setValues(chosen ? { role_id: chosen.id, ...scopeForRole(chosen.name, values, preset) } : { role_id: null })
  }
  return (
    <SelectField
      name="role_id"
      label="Role"
      required
      autoFocus
      emptyLabel="Choose a role"
      value={typeof value === 'number' ? String(value) : ''}
      options={shown.map(optionOf)}
      error={error}
      disabled={disabled}
      onChange={choose}
    />
  )
}

function optionOf({ id, label, group }: Role) {
  return { value: String(id), label, ...(group === 'more' ? { group: 'More roles' } : {}) }
}
