/** What the profile uses of users. */
export { passwordErrors, passwordFields } from './password-rules.ts'
export { passwordSlots } from './password-slots.tsx'
