/** Limits the number of simultaneous sign-ins of one user. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { forgetWithCommit } from '../kernel/work/live.ts'

/** More than anyone's browsers and phones; a program that signs in for each run must not leave a thousand keys behind. */
const signInsPerUserMax = 20

/** Ends the least recently used sign-ins beyond the limit, on every node with the commit. The newest stays, whatever the clocks say. */
export async function endLongestUnused(tx: Tx, userId: number): Promise<void> {
  const { rows } = await sql`delete from sessions where user_id = ${userId} and id not in (
    select id from sessions where user_id = ${userId} order by id = (select max(id) from sessions where user_id = ${userId}) desc,
      used_at desc, id desc limit ${signInsPerUserMax}) returning id`.execute(tx)
  if (rows.length > 0) await forgetWithCommit(tx, userId)
}
