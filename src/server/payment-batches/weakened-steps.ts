/** Whether a user has lately made the approval of a client's vendor batches weaker: for a while, that user neither approves nor pays them. */
import { isWeaker, storedSteps } from '#contract/payment-batches/payment-setting.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { coolDownDays } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

const DAY_MS = 86_400_000
const change = z.object({ from: storedSteps.catch([]), to: storedSteps.catch([]) })

export async function hasWeakenedSteps(tx: Tx, clientId: number, userId: number): Promise<boolean> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const { rows } = await sql<{ steps: unknown }>`select object_changes -> 'approval_steps' as steps from audit_records
    where client_id = ${clientId} and item_type = 'payment_setting' and item_id = ${clientId} and event = 'update' and user_id = ${userId}
      and object_changes ? 'approval_steps' and created_at > ${since} order by id`.execute(tx)
  return rows.some(({ steps }) => {
    const { from, to } = change.parse(steps)
    return isWeaker(to, from)
  })
}
