/** Runs work to see its outcome, and rolls it back. */
import { sql } from 'kysely'
import type { AuditTrail, Context } from '../context.ts'

/** Runs the work inside the caller's transaction, rolls back all its writes, and returns its result. Nothing is audited or announced. */
export async function rehearse<T>(context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const { tx } = context
  await sql`savepoint rehearsal`.execute(tx)
  const answer = await work({
    ...context,
    principal: context.principal,
    audit: silent,
    touch: () => undefined,
    afterCommit: () => undefined,
  })
  await sql`rollback to savepoint rehearsal`.execute(tx)
  await sql`release savepoint rehearsal`.execute(tx)
  return answer
}

const nothing = () => Promise.resolve()
const silent: AuditTrail = { created: nothing, updated: nothing, destroyed: nothing, noted: nothing, many: nothing }
