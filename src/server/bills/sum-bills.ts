/** Adds up the bills that a list's filters find, whatever its page. */
import type { BillSums } from '#contract/bills/bill-list-calls.ts'
import type { ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { matchingIds, type Asked } from '../kernel/lists/list.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { countedCost } from '../month-facts/month-facts.ts'
import { billSource } from './bill-source.ts'
import { countedDays } from './counted-filters.ts'

export async function sumBills({ tx }: Context, input: ListInput, asked: Asked & { clientId?: number | undefined }): Promise<BillSums> {
  const query = checkedQuery(billSource, input)
  const counted = countedCost(asked.clientId ?? 0, countedDays(query.filters), sql`select id from found`)
  const { rows } = await sql<BillSums>`with found as materialized (${matchingIds(billSource, query, asked)})
    select count(*)::int as count, coalesce(sum(bills.current_charges), 0)::numeric(16,2) as current_charges, coalesce(sum(bills.late_fee), 0)::numeric(16,2) as late_fee,
      coalesce(sum(bills.amount_due), 0)::numeric(16,2) as amount_due, ${counted ?? sql`null::numeric`} as counted
    from found join bills on bills.client_id = ${asked.clientId ?? 0} and bills.id = found.id`.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('a sum answered no row')
  return sums
}
