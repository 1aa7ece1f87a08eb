/** Where a role requires a second factor and its days of grace are over, it is set up between the password and the sign-in. */
import { secondFactorCalls } from '#contract/access/second-factor.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import type { Sessions } from './credentials.ts'
import { tellMailboxes } from './former-emails.ts'
import { findDevice } from './known-devices.ts'
import { factorSetLetter } from './letters.ts'
import { enter } from './opened-sign-ins.ts'
import { ownTransaction } from './own-transaction.ts'
import { endSignIns } from './password-changes.ts'
import { loadPrincipal } from './principals.ts'
import { challengedUser, endChallenge, readChallenge, takeChallenge } from './second-factor-challenge.ts'
import { isOn, wrongFirstCode } from './second-factor-profile.ts'
import { challengeOver } from './second-factor-steps.ts'
import { beginFactor, confirmFactor, hasSecondFactor, renewRecoveryCodes } from './second-factors.ts'
import { otpauthUri } from './totp.ts'

const kind = 'second_factor_setup'

export function setupAtSignInHandlers(sessions: Sessions): Handler[] {
  return [
    handle(secondFactorCalls.beginAtSignIn, async ({ tx, machinery }, { body }) => {
      const { secretKey } = machinery.settings
      const challenge = await readChallenge(tx, secretKey, kind, body.challenge)
      const user = challenge && (await challengedUser(tx, challenge))
      if (user && (await hasSecondFactor(tx, user.id))) throw challengeOver()
      const secret = user && (await beginFactor(tx, secretKey, user.id))
      if (!user || secret === null) throw challengeOver()
      return { success: true, message: 'Add the key to your app, and enter a code', secret, uri: otpauthUri(secret, user.email) }
    }),
    handle(secondFactorCalls.confirmAtSignIn, async (context, { body, http }) => {
      const { secretKey } = context.machinery.settings
      const challenge = await takeChallenge(context.tx, secretKey, kind, body.challenge)
      if (!challenge) throw challengeOver()
      return ownTransaction(context, async (tx) => {
        const user = await challengedUser(tx, challenge)
        const principal = user && (await loadPrincipal(tx, user.id))
        // A passkey may have been added since: then the password alone sets nothing up.
        if (!user || !principal || (await hasSecondFactor(tx, user.id))) throw challengeOver()
        if (!(await confirmFactor(tx, secretKey, user.id, body.code.replaceAll(' ', '')))) throw wrongFirstCode()
        const work = async (inside: typeof context) => {
          const recovery_codes = await renewRecoveryCodes(tx, user.id)
          await endChallenge(tx, challenge)
          await endSignIns(inside, user.id)
          noteEvent(http.request, 'second_factor_set', user.id)
          await inside.audit.updated('user', user.id, 0, isOn)
          await tellMailboxes(inside, user.id, factorSetLetter(), [user.email])
          const deviceId = await findDevice(tx, http.request, user.email)
          await enter(inside, sessions, user, http, deviceId, { second_factor: { from: null, to: 'set up' } })
          return { success: true, message: 'Signed in', data: user, recovery_codes }
        }
        return { principal, work }
      })
    }),
  ]
}
