/**
 * The steps of a sign-in after the password. They are separate from the calls of a second factor, which the console loads when it needs
 * them.
 */
import { z } from 'zod'

/** The answer to a right password if the account has a second factor. It opens no session. */
export const secondFactorAsked = z.object({ challenge: z.string(), expires_at: z.string() })
