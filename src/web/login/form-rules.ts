import { signInMessages as text } from './messages.ts'

/** What is wrong with a typed email; undefined when nothing is. */
export function emailError(email: string): string | undefined {
  if (email.trim() === '') return text.emailRequired
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email.trim()) ? undefined : text.emailFormat
}

/** What is wrong with a typed password; its strength is the server's matter. */
export function requiredError(value: string, message: string): string | undefined {
  return value === '' ? message : undefined
}
