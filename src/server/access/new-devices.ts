/** Notifies users of a sign-in to their account from a new device. */
import { formatInstant } from '#contract/kernel/zone.ts'
import type { FastifyRequest } from 'fastify'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { Failure } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { deviceOf } from './devices.ts'

/** In the bell and by mail, unless the user has chosen otherwise. */
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
    // An undeliverable email address must not lock out its owner; the bell has the message.
    if (!(error instanceof Failure)) throw error
    machinery.log.warn('owner of a new sign-in not mailed', { user_id: userId, error })
  }
}
