/** Tells somebody that their account was signed in to from a device that it had not been signed in from before. */
import { formatInstant } from '#contract/kernel/zone.ts'
import type { FastifyRequest } from 'fastify'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { Failure } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { deviceOf } from './devices.ts'

/** In the bell and by mail, unless the person has chosen otherwise. */
export async function tellOfNewDevice(machinery: Machinery, tx: Tx, userId: number, request: FastifyRequest): Promise<void> {
  const where = `${deviceOf(request.headers['user-agent'])} at ${request.ip}`
  try {
    await machinery.live.tell(
      tx,
      { userId, connectionId: null },
      {
        type: 'sign_in_alert',
        notification_type: 'warning',
        message: 'New sign-in to your account',
        description: [`${where}, ${formatInstant(now())}.`, 'If it was not you, end it among your sign-ins and set a new password.'],
        link: '/users/profile/sign_ins',
      },
    )
  } catch (error) {
    // An address that no mail can go to must not keep its owner out; the bell has the message.
    if (!(error instanceof Failure)) throw error
    machinery.log.warn('owner of a new sign-in not mailed', { user_id: userId, error })
  }
}
