/** Who has lately made the approval of a client's vendor batches weaker: for a while, they neither approve nor pay them. */
import { isWeaker, storedSteps } from '#contract/payment-batches/payment-setting.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { coolDownDays } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

const DAY_MS = 86_400_000
const change = z.object({ from: storedSteps.catch([]), to: storedSteps.catch([]) })

/** Returns the users who weakened the approval within the cool-down. */
export async function weakenersOf(tx: Tx, clientId: number): Promise<readonly number[]> {
  return (await weakenersOfAll(tx, [clientId])).get(clientId) ?? []
}

/** Returns the same by client. */
export async function weakenersOfAll(tx: Tx, clientIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const { rows } = await sql<{
    client_id: number
    user_id: number
    steps: unknown
  }>`select client_id, user_id, object_changes -> 'approval_steps' as steps from audit_records
    where client_id = any(${clientIds}::bigint[]) and item_type = 'payment_setting' and item_id = client_id and event = 'update' and user_id is not null
      and object_changes ? 'approval_steps' and created_at > ${since} order by id`.execute(tx)
  const weakened = rows.filter(({ steps }) => {
    const { from, to } = change.parse(steps)
    return isWeaker(to, from)
  })
  return new Map(
    [...Map.groupBy(weakened, ({ client_id }) => client_id)].map(([id, own]) => [id, [...new Set(own.map(({ user_id }) => user_id))]]),
  )
}
