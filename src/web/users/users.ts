/** The part of users that the profile uses. */
export { passwordErrors, passwordFields } from './password-rules.ts'
export { passwordSlots } from './password-slots.tsx'
