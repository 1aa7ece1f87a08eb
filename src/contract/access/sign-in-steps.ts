/**
 * The steps of a sign-in after the password. They are separate from the calls of a second factor, which the console loads when it needs
 * them.
 */
import { z } from 'zod'

const challengeRequired = 'Challenge is required'

/** The challenge of the first step, as the second sends it back. */
export const challengeField = z.string({ error: challengeRequired }).min(1, challengeRequired).max(1_000, 'Challenge is too long')

/** The options of `navigator.credentials.get`, as JSON. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })),
  userVerification: z.literal('required'),
  timeout: z.int(),
})
export type PasskeyRequest = z.infer<typeof passkeyRequest>

/** The answer to a right password where a second factor must be set up. It opens no session. */
export const factorSetupAsked = z.object({ challenge: z.string(), expires_at: z.string() })

/** The answer to a right password if the account has a second factor: whether an app makes codes, and the options for its passkeys. */
export const secondFactorAsked = factorSetupAsked.extend({ app: z.boolean(), passkey: passkeyRequest.nullable() })
