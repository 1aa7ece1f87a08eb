/**
 * Two persons are two: whoever made somebody, let them in again, granted or widened their role, or set their password or address could act as
 * both. For a while neither approves what the other asks for, nor do two people who both hang on a third. Every guard of money asks
 * `tiedAmong`, so that one rule says who counts as a second person.
 */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'

/** Days after which who was made or changed by somebody counts as a person of their own. */
export const coolDownDays = 7
const DAY_MS = 86_400_000

export type TieKind = 'made' | 'enabled' | 'granted' | 'widened' | 'password' | 'email' | 'factor'

/** Writes down that the caller did this to somebody. What people do to themselves ties nobody. */
export async function tieTo({ tx, principal }: Pick<Context, 'tx' | 'principal'>, userId: number, kind: TieKind): Promise<void> {
  if (userId === principal.user_id) return
  await sql`insert into user_ties (user_id, tied_to, kind, created_at) values (${userId}, ${principal.user_id}, ${kind}, ${now()})`.execute(
    tx,
  )
}

/** Whether two users may be one person, as far as the last days tell: one hangs on the other, or both on a third, over however many between. */
export async function areTied(tx: Tx, one: number, other: number): Promise<boolean> {
  return (await tiedAmong(tx, one, [other])).length > 0
}

/** Returns the users among the others who may be one person with this user, and the user. */
export async function tiedAmong(tx: Tx, one: number, others: readonly number[]): Promise<number[]> {
  if (others.length === 0) return []
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const behind = (
    name: string,
    ids: readonly number[],
  ) => sql`${sql.ref(name)}(origin, id) as (select id, id from unnest(${ids}::bigint[]) as start(id)
    union select ${sql.ref(`${name}.origin`)}, tie.tied_to from user_ties tie join ${sql.ref(name)} on tie.user_id = ${sql.ref(`${name}.id`)}
      where tie.created_at > ${since})`
  const { rows } = await sql<{ id: number }>`with recursive ${behind('behind_one', [one])}, ${behind('behind_other', others)}
    select distinct behind_other.origin as id from behind_one join behind_other on behind_one.id = behind_other.id order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether the caller did one of these to somebody lately: they would hold both of what a sign-in needs. */
export async function hasTied(
  { tx, principal }: Pick<Context, 'tx' | 'principal'>,
  userId: number,
  kinds: readonly TieKind[],
): Promise<boolean> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const { rows } = await sql`select from user_ties where user_id = ${userId} and tied_to = ${principal.user_id}
    and kind = any(${kinds}::text[]) and created_at > ${since} limit 1`.execute(tx)
  return rows.length > 0
}

/** Whether somebody else may know the password that is in force: they have set it, and no mailed link has replaced it since. */
export async function isPasswordOfAnother(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql`select from user_ties where user_id = ${userId} and kind = 'password' limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * Notes that the password was replaced by a mailed link: the owner of a mailbox that nobody else has chosen lately is the only one who knows
 * it. The tie still counts for its days, because what was done in the account until now may be the doing of whoever knew the password. A new
 * password from within the account changes nothing: whoever knew the old one may have set it.
 */
export async function passwordRecovered(tx: Tx, userId: number): Promise<void> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  await sql`update user_ties set kind = 'password_recovered' where user_id = ${userId} and kind = 'password'
    and not exists (select from user_ties moved where moved.user_id = ${userId} and moved.kind = 'email' and moved.created_at > ${since})`.execute(
    tx,
  )
}
