/** The steps of a sign-in after the password. They stand apart from the calls of a second factor, which the console loads when it needs them. */
import { z } from 'zod'

/** What a right password leads to where the account has a second factor: no session yet. */
export const secondFactorAsked = z.object({ challenge: z.string(), expires_at: z.string() })
