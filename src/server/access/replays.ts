/** Notifies the owner of a sign-in that its credentials were copied. */
import { letterBody } from '../kernel/work/mail-letter.ts'
import { Failure } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { ReplayHook } from './credentials.ts'
import { deviceOf } from './devices.ts'
import { replayLetter } from './letters.ts'

/** By mail, because the thief may be using the console; and as a notification for the next sign-in. */
export function tellOwner(machinery: Machinery): ReplayHook {
  return async (tx, owner, request) => {
    const device = deviceOf(request.headers['user-agent'])
    await machinery.live.tell(
      tx,
      { userId: owner.id, connectionId: null },
      {
        type: 'sign_in_alert',
        notification_type: 'warning',
        message: 'A sign-in was ended',
        description: [`Old credentials of it were used from ${device} at ${request.ip}. They may have been copied.`],
        link: '/users/profile',
        mailed: true,
      },
    )
    const letter = replayLetter(device, request.ip, `${machinery.settings.publicUrl}/users/profile`)
    try {
      await machinery.mail.send(tx, { to: owner.email, ...letterBody(letter) })
    } catch (error) {
      // An undeliverable email address must not keep the sign-in alive.
      if (!(error instanceof Failure)) throw error
      machinery.log.warn('owner of a copied sign-in not mailed', { user_id: owner.id, error })
    }
  }
}
