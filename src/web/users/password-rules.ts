/** The two fields of a new password in forms: required together, and never kept as a draft. */
import { z } from 'zod'
import type { Fields } from '#contract/kernel/entity.ts'
import { passwordMessages, user } from '#contract/users/user.ts'
import type { FormEntity, FormErrors, FormValues } from '../kernel/forms/form-values.ts'

const { password, password_confirmation } = user.fields

/** A form keeps unsaved values in the browser's storage, but not secrets. */
export const passwordFields = {
  password: { ...password, kind: 'secret', use: 'required' },
  password_confirmation: { ...password_confirmation, kind: 'secret', use: 'required' },
} as const satisfies Fields

const needed = z.object({
  password: z.string({ error: 'Password is required' }).min(1, 'Password is required'),
  password_confirmation: z.string({ error: 'Password Confirmation is required' }).min(1, 'Password Confirmation is required'),
})

/** The form entity of a password alone. */
export const passwordEntity: FormEntity = {
  name: user.name,
  plural: user.plural,
  label: user.label,
  fields: passwordFields,
  draft: needed,
  patch: needed,
}

/** Returns the errors: both fields are needed, and must be equal. */
export function passwordErrors({ password: typed, password_confirmation: again }: FormValues): FormErrors {
  const [one, other] = [textOf(typed), textOf(again)]
  if (one === '' && other === '') return {}
  if (one === '') return { password: passwordMessages.both }
  if (other === '') return { password_confirmation: passwordMessages.both }
  return one === other ? {} : { password_confirmation: passwordMessages.match }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
