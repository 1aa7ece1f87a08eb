/** How the way back from a provider of identities is told to the sign-in page, which loads no schemas. */

/** Why it did not come to a sign-in; the sign-in page has a sentence for each. */
export const oidcProblems = ['cancelled', 'expired', 'unverified', 'unknown', 'unavailable', 'failed'] as const
export type OidcProblem = (typeof oidcProblems)[number]

/** Under which name the sign-in page reads the problem, and, behind the #, the one-time code. */
export const oidcProblemParam = 'sign_in_problem'
export const oidcCodeParam = 'sign_in_code'
