import { sql } from 'kysely'
import type { Tx } from '../../src/server/kernel/postgres/database.ts'

/**
 * Brings the next tries of failed tasks forward, which otherwise wait for many seconds, and wakes the workers. How many tries there are, and
 * what each does, stays the program's.
 */
export async function hurryTries(db: Tx): Promise<void> {
  await sql`with due as (update pgboss.job set start_after = now() where name = 'task' and state < 'active' and start_after > now() returning name)
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) from due`.execute(db)
}
