/** Fetched statements that wait for a person, by client and state, for the home page: they are imported together. */
import type { HomeInboxItem } from '#contract/home/home.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { and, scopeCondition } from '../kernel/lists/list.ts'
import { statementSource } from './statement-source.ts'

/** Returns at most `most`, the client whose statements have waited longest first. The condition is worded like the index. */
export async function statementsToImport({ tx, reach }: Context, clientId: number | undefined, most: number): Promise<HomeInboxItem[]> {
  const waiting = [
    sql<boolean>`retrieval_statements.state in ('matched', 'needs_account', 'needs_meter')`,
    scopeCondition(statementSource, { reach, clientId }),
  ]
  const { rows } =
    await sql<HomeInboxItem>`select 'statements' as kind, 0 as id, waiting.client_id, client.name as client_name, null::text as name, waiting.state, waiting.count, 1 as bills_inside,
      null::text as vendor_name, null::text as account_number, waiting.due_date, waiting.amount_due, waiting.since
    from (select retrieval_statements.client_id, retrieval_statements.state, count(*)::int as count, min(retrieval_statements.due_date) as due_date,
        sum(retrieval_statements.amount)::numeric(16,2) as amount_due, min(retrieval_statements.fetched_at) as since
      from retrieval_statements where ${and(waiting)} group by 1, 2) waiting
    join clients client on client.id = waiting.client_id
    order by waiting.due_date nulls last, waiting.since, waiting.client_id, waiting.state limit ${most}`.execute(tx)
  return rows
}
