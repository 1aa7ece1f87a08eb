import type { Entered } from './auth-calls.ts'

/** Where a sign-in stands on the page. */
export type Step = { readonly step: 'password' } | Exclude<Entered, { step: 'in' }> | { readonly step: 'due'; readonly dueAt: string }
