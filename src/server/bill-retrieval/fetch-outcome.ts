/** The outcome of a fetch in words. */
import type { FetchResult, StatementCounts } from '#contract/bill-retrieval/bill-retrieval.ts'
import { retrievedStatement } from '#contract/bill-retrieval/retrieved-statement.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { TaskOutcome } from '../kernel/work/task.ts'
import type { BillRetrievalProvider } from './provider.ts'

export const kind = 'retrieval_fetch'

/** Failures that the report names; all are counted. */
const NAMED_MAX = 100

export interface Failed {
  readonly statement_id: string
  readonly account_number: string
  readonly message: string
}

export interface Tally {
  listed: number
  fetched: number
  failures: Failed[]
}

/** A list that failed is started again next time: its cursor may be the cause of the failure. */
export async function noteFailure(tx: Tx, clientId: number, provider: BillRetrievalProvider, message: string): Promise<void> {
  await sql`insert into retrieval_cursors (client_id, provider, failed_at, error) values (${clientId}, ${provider.id}, now(), ${message})
    on conflict (client_id, provider) do update set cursor = null, failed_at = excluded.failed_at, error = excluded.error`.execute(tx)
}

export function outcomeOf({ listed, fetched, failures }: Tally, counts: StatementCounts): TaskOutcome {
  const result: FetchResult = { listed, fetched, failed: failures.length, failures: failures.slice(0, NAMED_MAX), counts }
  const said = failures.slice(0, 3).map((failure) => `${failure.account_number}: ${failure.message}`)
  return {
    result,
    rowsDone: listed,
    message: {
      type: kind,
      notification_type: failures.length > 0 ? 'warning' : 'success',
      message:
        fetched === 1
          ? '1 new statement fetched'
          : `${fetched.toLocaleString('en-US')} new ${retrievedStatement.labels.toLowerCase()} fetched`,
      description:
        failures.length > 0
          ? [`${failures.length} could not be fetched`, ...said]
          : [`${listed.toLocaleString('en-US')} listed until ${today()}`],
      payload: { listed, fetched, failed: failures.length },
    },
  }
}
