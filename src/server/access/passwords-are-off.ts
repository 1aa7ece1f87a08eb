import { forbidden, type Failure } from '../kernel/problem.ts'

/** The answer of what needs a password where everybody signs in by the provider of identities. */
export const passwordsAreOff = (): Failure => forbidden('Passwords are switched off here. Please sign in by your provider.')
