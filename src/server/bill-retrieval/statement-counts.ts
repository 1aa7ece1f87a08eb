/** Counts of a client's statements by state, for the head of the page and its filters. */
import type { StatementCounts } from '#contract/bill-retrieval/bill-retrieval.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { statementSource } from './statement-source.ts'

export async function countStatements(tx: Tx, asked: Asked): Promise<StatementCounts> {
  const { rows } = await sql<{
    provider_name: string
    state: string
    count: number
  }>`select provider_name, state, count(*) as count from retrieval_statements
    where ${scopeCondition(statementSource, asked)} group by provider_name, state order by provider_name, state`.execute(tx)
  const ofAll = new Map<string, number>()
  for (const { state, count } of rows) ofAll.set(state, (ofAll.get(state) ?? 0) + count)
  return {
    by_state: Object.fromEntries(ofAll),
    by_utility: [...Map.groupBy(rows, (row) => row.provider_name)].map(([provider_name, states]) => ({
      provider_name,
      total: states.reduce((sum, { count }) => sum + count, 0),
      by_state: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    })),
  }
}
