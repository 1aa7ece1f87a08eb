/** Counts since the start of a window, in the database, so that every process counts alike. */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

export interface WindowRule {
  readonly max: number
  readonly seconds: number
}

/** Takes one from the window of this key, in one statement. @returns 0, or the seconds until the window ends if it is empty. */
export async function takeFromWindow(tx: Tx, key: string, { max, seconds }: WindowRule): Promise<number> {
  const over = sql`sign_in_windows.opened_at <= ${openedBefore(seconds)}`
  const { rows } = await sql`insert into sign_in_windows (key, taken, opened_at) values (${key}, 1, ${now()})
    on conflict (key) do update set taken = case when ${over} then 1 else sign_in_windows.taken + 1 end,
      opened_at = case when ${over} then excluded.opened_at else sign_in_windows.opened_at end
    where ${over} or sign_in_windows.taken < ${max} returning key`.execute(tx)
  return rows.length > 0 ? 0 : await secondsToWait(tx, key, { max, seconds })
}

/** Returns the seconds until this window ends if nothing is left in it, else 0. Takes nothing. */
export async function secondsToWait(tx: Tx, key: string, { max, seconds }: WindowRule): Promise<number> {
  const { rows } = await sql<{ opened_at: string }>`select opened_at from sign_in_windows
    where key = ${key} and taken >= ${max} and opened_at > ${openedBefore(seconds)}`.execute(tx)
  const opened = rows[0]?.opened_at
  return opened === undefined ? 0 : Math.max(1, Math.ceil((Date.parse(opened) + seconds * 1_000 - now().getTime()) / 1_000))
}

/** Returns one that was taken in vain. */
export async function giveBack(tx: Tx, key: string): Promise<void> {
  await sql`update sign_in_windows set taken = taken - 1 where key = ${key} and taken > 0`.execute(tx)
}

function openedBefore(seconds: number): Date {
  return new Date(now().getTime() - seconds * 1_000)
}
