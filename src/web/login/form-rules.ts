import { signInMessages as text } from './messages.ts'

/** Returns the error of a typed email; undefined if it is valid. */
export function emailError(email: string): string | undefined {
  if (email.trim() === '') return text.emailRequired
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email.trim()) ? undefined : text.emailFormat
}

/** Returns the error of an empty password; the server checks its strength. */
export function requiredError(value: string, message: string): string | undefined {
  return value === '' ? message : undefined
}
