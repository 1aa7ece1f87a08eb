import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { PasswordField } from '../ui/fields/password-field.tsx'
import { passwordFields } from './password-rules.ts'

/** Slots of the two fields of a new password, which are hidden while typed. */
export function passwordSlots({ required }: { required: boolean }) {
  return { password: slotOf('password', required), password_confirmation: slotOf('password_confirmation', required) }
}

function slotOf(name: keyof typeof passwordFields, required: boolean) {
  const { label, max } = passwordFields[name]
  return ({ value, onChange, error, disabled }: SlotProps) => (
    <PasswordField
      name={name}
      label={label}
      required={required}
      maxLength={max}
      value={typeof value === 'string' ? value : ''}
      error={error}
      disabled={disabled}
      onChange={onChange}
    />
  )
}
