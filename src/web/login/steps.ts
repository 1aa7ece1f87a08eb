import type { Entered } from './auth-calls.ts'

/** The current step of a sign-in on the page. */
export type Step = { readonly step: 'password' } | Exclude<Entered, { step: 'in' }> | { readonly step: 'due'; readonly dueAt: string }
