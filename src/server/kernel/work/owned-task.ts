/** Work on the files of a record: its `task_id` names the task that counts, and whoever starts another one ends the one before. */
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../postgres/database.ts'
import { startTask } from './task.ts'

export interface TaskOwner {
  /** A table with `client_id`, `id` and `task_id`. */
  readonly table: string
  readonly clientId: number
  readonly id: number
}

/** Starts the record's work in the place of whatever is done on it. */
export async function startOwnedTask(
  context: Context,
  owner: TaskOwner,
  work: { kind: string; input: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { table, clientId, id } = owner
  await stopOwnedTask(context.tx, owner)
  const task = await startTask(context, { ...work, clientId })
  await sql`update ${sql.table(table)} set task_id = ${task.id} where client_id = ${clientId} and id = ${id}`.execute(context.tx)
}

/** Ends what is done on the record: its job sees that the task is over and stops. */
export async function stopOwnedTask(tx: Tx, { table, clientId, id }: TaskOwner): Promise<void> {
  // The record before its task, as whoever finishes the work takes them: the other way round each would wait for the other.
  await sql`select from ${sql.table(table)} where client_id = ${clientId} and id = ${id} for update`.execute(tx)
  await sql`update tasks set state = 'cancelled', finished_at = clock_timestamp(), heartbeat_at = null
    where state in ('waiting', 'running') and id = (select task_id from ${sql.table(table)} where client_id = ${clientId} and id = ${id})`.execute(
    tx,
  )
}

/** The name of a record's file, without its ending: what the record is called, as far as every system takes it, and the New York day. */
export function ownedFileName(name: string, otherwise: string, at: Date): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ').trim()
  return `${plain === '' ? otherwise : plain} ${wallTimeIn(NEW_YORK, at).date}`
}
