/** Tells the owner of a scheduled report once of each run that did not reach all of its subscribers. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { letterBody } from '../kernel/work/mail-letter.ts'
import { unreachedLetter } from './schedule-letters.ts'

interface Ended {
  readonly client_id: number
  readonly id: number
  readonly name: string
  readonly due_at: string
  readonly owner: string | null
}

/** @returns false if no run has ended that nobody was told of. */
export async function tellNextOwner({ tx, machinery }: Context): Promise<boolean> {
  const run = await takeEnded(tx)
  if (!run) return false
  const { client_id: clientId, id, name, due_at: dueAt, owner } = run
  const { rows } = await sql<{ subscriber: string; state: string; error: string | null }>`update report_deliveries set told_at = now()
    where client_id = ${clientId} and report_schedule_id = ${id} and due_at = ${dueAt}::timestamptz and told_at is null
    returning subscriber, state, error`.execute(tx)
  const people = rows.filter(({ state }) => state !== 'sent')
  if (people.length > 0 && owner !== null)
    await machinery.mail.send(tx, { to: owner, ...letterBody(unreachedLetter({ name, dueAt, people })) })
  return true
}

/** The schedule's row is held, so that two that look at once tell of different runs. */
async function takeEnded(tx: Tx): Promise<Ended | undefined> {
  const { rows } = await sql<Ended>`select schedule.client_id, schedule.id, schedule.name, ended.due_at,
      (select email from users where users.id = schedule.user_id and users.status = 'active') as owner
    from report_schedules schedule join lateral (
      select delivery.due_at from report_deliveries delivery
      where delivery.client_id = schedule.client_id and delivery.report_schedule_id = schedule.id and delivery.told_at is null
      group by delivery.due_at having bool_and(delivery.state <> 'waiting') order by delivery.due_at limit 1) ended on true
    order by schedule.client_id, schedule.id limit 1 for update of schedule skip locked`.execute(tx)
  return rows[0]
}
