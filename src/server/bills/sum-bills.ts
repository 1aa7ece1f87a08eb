/** Adds up chosen bills: by id, or all that a list's filters find, whatever its page. */
import type { BillSums, BillSumsInput } from '#contract/bills/bill-list-calls.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { billCountsColumn } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { matchingIds, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { noSuch } from '../kernel/problem.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { countedCost } from '../month-facts/month-facts.ts'
import { billSource } from './bill-source.ts'
import { countedDays } from './counted-filters.ts'

interface Sums extends Omit<BillSums, 'left_out'> {
  readonly void: number
  readonly group_child: number
}

/** Throws if one of the ids is not in reach. */
export async function sumBills({ tx, reach }: Context, clientId: number, { add_up, ...selection }: BillSumsInput): Promise<BillSums> {
  const { found, counted } = foundBills(selection, { reach, clientId })
  const isAdded = add_up === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`counts = 'owed'`
  const sum = (column: string) => sql`coalesce(sum(${sql.ref(column)}) filter (where ${isAdded}), 0)::numeric(16,2) as ${sql.ref(column)}`
  const leftOut = (why: string) => sql`(count(*) filter (where counts = ${why} and not ${isAdded}))::int as ${sql.ref(why)}`
  const { rows } = await sql<Sums>`with found as materialized (${found}),
    chosen as (select bills.current_charges, bills.late_fee, bills.amount_due, ${billCountsColumn} as counts,
        bills.superseded_by_id is not null or bills.group_bill_id in (select id from found) as is_carried
      from found join bills on bills.client_id = ${clientId} and bills.id = found.id)
    select count(*)::int as count, ${sum('current_charges')}, ${sum('late_fee')}, ${sum('amount_due')}, ${leftOut('void')}, ${leftOut('group_child')},
      coalesce(sum(amount_due) filter (where is_carried and ${isAdded}), 0)::numeric(16,2) as counted_twice, ${counted} as counted
    from chosen`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a sum answered no row')
  const { void: voids, group_child, ...sums } = row
  if (selection.ids && sums.count < new Set(selection.ids).size) throw noSuch('Bill')
  return { ...sums, left_out: { void: voids, group_child } }
}

interface Found {
  /** A select of the ids. */
  readonly found: RawBuilder<unknown>
  /** The part of them that a figure counts; null if the filters name none. */
  readonly counted: RawBuilder<unknown>
}

function foundBills({ ids, filter, except = [] }: Omit<BillSumsInput, 'add_up'>, asked: Asked & { clientId: number }): Found {
  const none = sql`null::numeric`
  if (ids)
    return {
      found: sql`select bills.id from bills where ${scopeCondition(billSource, asked)} and bills.id = any(${ids}::bigint[])`,
      counted: none,
    }
  const query = checkedQuery(billSource, { ...filter })
  return {
    found: sql`select id from (${matchingIds(billSource, query, asked)}) matching where id <> all(${except}::bigint[])`,
    counted: countedCost(asked.clientId, countedDays(query.filters), sql`select id from found`) ?? none,
  }
}
