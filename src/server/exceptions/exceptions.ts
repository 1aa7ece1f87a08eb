/** The home of exceptions: one list over bills and accounts, of a client and of all clients in reach. */
import {
  allExceptionCalls,
  exception,
  exceptionCalls,
  exceptionKinds,
  type ExceptionRow,
  type ExceptionSummary,
} from '#contract/exception.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql, type SqlBool } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { conditionsOf } from '../kernel/list-conditions.ts'
import { ordering } from '../kernel/list-rows.ts'
import { and, type Source } from '../kernel/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { checkedQuery } from '../kernel/sources.ts'
import { exceptionTable, type Asker } from './exception-sql.ts'

/** The rows are scoped where they come from: what stands in the table `exception` is reached. */
const source: Source = {
  entity: exception,
  table: 'exception',
  scope: 'shared',
  search: ['account_number', 'account_name', 'vendor_name'],
  filters: {
    // A late bill with errors is found under both.
    kind: ({ predicate, value }) => {
      const asked = sql<SqlBool>`exception.kinds && ${typeof value === 'object' ? value.map(String) : [String(value)]}::text[]`
      return predicate === 'not_eq' ? sql<SqlBool>`not (${asked})` : asked
    },
  },
}

export const exceptionHandlers: readonly Handler[] = [
  handle(exceptionCalls.list, (context, { params, query }) => listExceptions(context, query, params.client_id)),
  handle(exceptionCalls.summary, (context, { params }) => summarize(context, params.client_id)),
  handle(allExceptionCalls.list, (context, { query }) => listExceptions(context, query, undefined)),
  handle(allExceptionCalls.summary, (context) => summarize(context, undefined)),
]

function askerOf({ principal, reach }: Context, clientId: number | undefined): Asker {
  return {
    on: today(),
    clientId,
    bills: reach,
    billable: reachOf(principal, 'billable_account.read'),
    supply: reachOf(principal, 'supply_account.read'),
  }
}

/** All rows are made and ranked for one page of them, since what costs most is not known before. */
async function listExceptions(
  context: Context,
  input: ListInput,
  clientId: number | undefined,
): Promise<{ exceptions: ExceptionRow[]; total?: number }> {
  const query = checkedQuery(source, input)
  const { conditions } = conditionsOf(source, query, { reach: context.reach })
  const { rows } = await sql<ExceptionRow & { total: number }>`${exceptionTable(askerOf(context, clientId))},
    matching as (select * from exception where ${and(conditions)})
    select exception.*, (select count(*) from matching) as total from matching as exception
    order by ${ordering(source, query, false)} limit ${query.withRows ? query.per : 1} offset ${query.withRows ? (query.page - 1) * query.per : 0}`.execute(
    context.tx,
  )
  const exceptions = query.withRows ? rows.map(({ total: _total, ...row }) => row) : []
  // Beyond the end there is no row to say the total.
  const total = rows[0]?.total ?? (query.page === 1 ? 0 : undefined)
  return query.withTotal && total !== undefined ? { exceptions, total } : { exceptions }
}

async function summarize(context: Context, clientId: number | undefined): Promise<ExceptionSummary> {
  const { rows } = await sql<{ kind: string; count: number; amount: string; cost: string }>`${exceptionTable(askerOf(context, clientId))}
    select coalesce(kind.value, 'all') as kind, count(*) as count, coalesce(sum(exception.amount), 0)::numeric(16,2) as amount,
      coalesce(sum(exception.cost), 0)::numeric(16,2) as cost
    from exception cross join lateral unnest(exception.kinds || array['all']) as kind(value) group by 1`.execute(context.tx)
  const found = new Map(rows.map((row) => [row.kind, row]))
  return {
    kinds: exceptionKinds.map(({ value: kind }) => {
      const { count = 0, amount = '0.00', cost = '0.00' } = found.get(kind) ?? {}
      return { kind, count, amount, cost }
    }),
    count: found.get('all')?.count ?? 0,
    cost: found.get('all')?.cost ?? '0.00',
  }
}
