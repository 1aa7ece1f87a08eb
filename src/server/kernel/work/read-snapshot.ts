/** One state of the database for work that reads with several statements: what others commit meanwhile is not seen. */
import { sql } from 'kysely'
import type { Machinery } from '../machinery.ts'
import type { Tx } from '../postgres/database.ts'

/** The database would end a transaction that waits for the disk while rows are written. */
const transactionIdleMs = 600_000

/** Runs the work in a transaction that reads the state at its first statement. It cannot write. */
export function readSnapshot<T>(machinery: Pick<Machinery, 'jobsDatabase'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return machinery.jobsDatabase.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('idle_in_transaction_session_timeout', ${String(transactionIdleMs)}, true)`.execute(tx)
      return work(tx)
    })
}
