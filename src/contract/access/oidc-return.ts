/** Parameters by which the return from an identity provider informs the sign-in page, which loads no schemas. */

/** Reasons for a failed sign-in; the sign-in page has a sentence for each. */
export const oidcProblems = ['cancelled', 'expired', 'unverified', 'unknown', 'unavailable', 'failed'] as const
export type OidcProblem = (typeof oidcProblems)[number]

/** The parameter of the problem, and, after the #, that of the one-time code. */
export const oidcProblemParam = 'sign_in_problem'
export const oidcCodeParam = 'sign_in_code'
