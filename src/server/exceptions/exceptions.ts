/** The exceptions: one list over bills and accounts, of a client and of all clients in reach. */
import {
  exception,
  exceptionKinds,
  lateFeePercentDefault,
  rateSources,
  type ExceptionRow,
  type ExceptionSummary,
} from '#contract/exceptions/exception.ts'
import { allExceptionCalls, exceptionCalls } from '#contract/exceptions/exception-calls.ts'
import { accountTypes } from '#contract/bills/bill.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import { billScope } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineRows, reachSchema, startExport } from '../kernel/lists/export.ts'
import { presentReach } from '../kernel/lists/export-reach.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { rowsOf, selectedKeys } from '../kernel/lists/list-source.ts'
import { and, expression, readPage, type Asked, type Source } from '../kernel/lists/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { registered } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { exceptionRows } from './exception-sql.ts'

export const exceptionSource: Source = {
  entity: exception,
  table: 'exception',
  // The rows are already limited to the reach when they are built.
  scope: {
    client: sql.ref('exception.client_id'),
    levels: Object.fromEntries(Object.keys(billScope.levels).map((level) => [level, () => sql<SqlBool>`true`])),
  },
  joins: {
    client: sql`join clients client on client.id = exception.client_id`,
    vendor: sql`left join vendors vendor on vendor.id = exception.vendor_id`,
    facility: sql`left join facilities facility on facility.client_id = exception.client_id and facility.id = exception.facility_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = exception.client_id and billable.id = exception.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = exception.client_id and supply.id = exception.supply_account_id`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    kinds: {
      sql: sql`case when exception.kind <> 'flagged' and exception.open_errors > 0 then array[exception.kind, 'flagged'] else array[exception.kind] end`,
    },
    account_type: { sql: sql`case when exception.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end` },
    account_id: { sql: sql`coalesce(exception.billable_account_id, exception.supply_account_id)` },
    rate_percent: {
      sql: sql`coalesce(exception.account_rate, exception.vendor_rate, ${sql.lit(lateFeePercentDefault)}::numeric)::numeric(6,2)`,
    },
    rate_source: {
      sql: sql`case when exception.account_rate is not null then 'account' when exception.vendor_rate is not null then 'vendor' else 'assumed' end`,
    },
    client_name: { sql: sql`client.name`, joins: ['client'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['vendor'] },
    facility_name: { sql: sql`facility.name`, joins: ['facility'] },
    account_name: { sql: sql`coalesce(billable.name, supply.name)`, joins: ['billable', 'supply'] },
  },
  cells: {
    kind: () => labelOf(sql.ref('exception.kind'), exceptionKinds),
    kinds:
      () => sql`${labelOf(sql.ref('exception.kind'), exceptionKinds)} || case when exception.kind <> 'flagged' and exception.open_errors > 0
      then '; ' || ${labelOf(sql`'flagged'`, exceptionKinds)} else '' end`,
    account_type: (asked) => labelOf(expression(exceptionSource, 'account_type', asked), accountTypes),
    rate_source: (asked) => labelOf(expression(exceptionSource, 'rate_source', asked), rateSources),
  },
  // A row's id is meaningless to others: it is identified by its bill or its account.
  exported: [
    'client_name',
    'kind',
    'kinds',
    'account_type',
    'account_number',
    'account_name',
    'vendor_name',
    'facility_name',
    'bill_id',
    'due_date',
    'expected_on',
    'days',
    'amount',
    'carried_forward',
    'rate_percent',
    'rate_source',
    'cost',
    'open_errors',
  ],
  search: ['account_number', 'account_name', 'vendor_name'],
}
registered.set(exception.plural, exceptionSource)

function labelOf(value: RawBuilder<unknown>, choices: readonly { readonly value: string; readonly label: string }[]): RawBuilder<unknown> {
  return sql`case ${value} ${sql.join(
    choices.map((one) => sql`when ${one.value} then ${one.label}`),
    sql` `,
  )} end`
}

/** An export keeps the day of the list and the accounts that were in reach then. */
const looked = z.object({ on: z.iso.date(), billable: reachSchema, supply: reachSchema })
const madeRows = defineRows('exceptions', looked, (principal, { reach, clientId }, { on, billable, supply }) =>
  exceptionRows({
    on,
    clientId,
    bills: reach,
    billable: presentReach(billable, principal, 'billable_account.read'),
    supply: presentReach(supply, principal, 'supply_account.read'),
  }),
)

export const exceptionHandlers: readonly Handler[] = [
  handle(exceptionCalls.list, (context, { params, query }) => listExceptions(context, query, exceptionsOf(context, params.client_id))),
  handle(exceptionCalls.summary, (context, { params }) => summarizeExceptions(context, exceptionsOf(context, params.client_id))),
  handle(exceptionCalls.exportCsv, (context, { params, query }) =>
    startExport(context, exceptionSource, query, exceptionsOf(context, params.client_id)),
  ),
  handle(allExceptionCalls.list, (context, { query }) => listExceptions(context, query, exceptionsOf(context, undefined))),
  handle(allExceptionCalls.summary, (context) => summarizeExceptions(context, exceptionsOf(context, undefined))),
  handle(allExceptionCalls.exportCsv, (context, { query }) =>
    startExport(context, exceptionSource, query, exceptionsOf(context, undefined)),
  ),
]

/** The exceptions of a client, or of all clients in reach, as rows of a list. */
export function exceptionsOf({ principal, reach }: Context, clientId: number | undefined): Asked {
  const [billable, supply] = [reachOf(principal, 'billable_account.read'), reachOf(principal, 'supply_account.read')]
  return { reach, clientId, ...madeRows(principal, { reach, clientId }, { on: today(), billable, supply }) }
}

interface Listed {
  readonly exceptions: ExceptionRow[]
  readonly total?: number
}

/** `asked` are the rows of `exceptionsOf`, or a part of them. */
export async function listExceptions(context: Context, input: ListInput, asked: Asked): Promise<Listed> {
  const { rows: exceptions, total } = await readPage<ExceptionRow>(context.tx, exceptionSource, checkedQuery(exceptionSource, input), asked)
  return total === undefined ? { exceptions } : { exceptions, total }
}

interface UrgentExceptions extends Pick<ExceptionSummary, 'count' | 'cost'> {
  readonly rows: ExceptionRow[]
}

/** Returns the most urgent rows, with the number and the cost of all: finding all of them is nearly all of the work, and is done once for both. */
export async function urgentExceptions(context: Context, asked: Asked, most: number): Promise<UrgentExceptions> {
  const made = sql`select exception.*, count(*) over () as all_count, (sum(exception.cost) over ())::numeric(16,2) as all_cost
    from ${rowsOf(exceptionSource, asked)} where ${and(asked.where ?? [])}`
  const query = checkedQuery(exceptionSource, { per: most, with_total: false })
  const keys = [...selectedKeys(exceptionSource), 'all_count', 'all_cost']
  const { rows } = await readPage<ExceptionRow & { readonly all_count: number; readonly all_cost: string }>(
    context.tx,
    exceptionSource,
    query,
    { ...asked, made },
    keys,
  )
  return {
    rows: rows.map(({ all_count: _count, all_cost: _cost, ...row }) => row),
    count: rows[0]?.all_count ?? 0,
    cost: rows[0]?.all_cost ?? '0.00',
  }
}

interface Sum {
  readonly kind: string
  readonly has_errors: boolean
  readonly count: number
  readonly amount: string
  readonly cost: string
}

/** Counts each row under its own kind, so that the kinds add up to the total. */
export async function summarizeExceptions(context: Context, asked: Asked): Promise<ExceptionSummary> {
  const { rows } =
    await sql<Sum>`select kind, open_errors > 0 as has_errors, count(*) as count, coalesce(sum(amount), 0)::numeric(16,2) as amount,
      sum(cost)::numeric(16,2) as cost
    from ${rowsOf(exceptionSource, asked)} where ${and(asked.where ?? [])} group by kind, has_errors`.execute(context.tx)
  const kinds = exceptionKinds.map(({ value: kind }) => ({
    kind,
    ...added(rows.filter((row) => row.kind === kind)),
  }))
  const elsewhere = added(rows.filter((row) => row.has_errors && row.kind !== 'flagged'))
  return { kinds, ...added(rows), flagged_elsewhere: elsewhere.count }
}

function added(rows: readonly Sum[]): { count: number; amount: string; cost: string } {
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    amount: sumMoney(rows.map((row) => row.amount)),
    cost: sumMoney(rows.map((row) => row.cost)),
  }
}
