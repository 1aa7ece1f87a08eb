/** What each account's service costs and uses in the part that both windows cover, apart for months with usage and months without. */
import type { ComparedWindows } from '#contract/dashboard/date-range.ts'
import type { CalendarMonth } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { ScopedPart } from './dashboard-scope.ts'
import { accountOf, windowOf, type ChildPlace } from './read-children.ts'
import { comparableSides } from './read-comparable.ts'

/** One side of the comparison. Usage is in millionths; `month` is the first month of its window and stands for all of it. */
export interface AlikeSide extends ChildPlace {
  readonly month: CalendarMonth
  /** True for the meters' months that have usage in both windows. */
  readonly metered: boolean
  readonly cents: number
  readonly usage: bigint | null
  /** The part of the usage that no other meter counts again; null where a delivery meter counts all of it. */
  readonly own_usage: bigint | null
}

type Raw = Omit<AlikeSide, 'usage' | 'own_usage'> & { readonly usage: string | null; readonly own_usage: string | null }

export async function readAlikeSides(tx: Tx, part: ScopedPart, windows: ComparedWindows): Promise<AlikeSide[]> {
  const { rows } = await sql<Raw>`select account, facility_id, service_id, month, metered, (sum(cost) * 100)::bigint as cents,
      (sum(metered_usage) * 1000000)::numeric(30)::text as usage, (sum(counted_usage) * 1000000)::numeric(30)::text as own_usage
    from (select ${accountOf('accounts', 'fact')} as account, fact.facility_id, side.service_id, ${windowOf('side', windows)} as month,
        side.utility_cost + side.supply_cost + side.other_cost as cost, side.metered_usage, side.usage as counted_usage,
        count(side.metered_usage) over (partition by fact.service_id, fact.account_key, side.place) = 2 as metered
      from ${comparableSides({ ...part, supplied: false }, windows)}) side group by 1, 2, 3, 4, 5`.execute(tx)
  return rows.map((row) => ({ ...row, usage: millionths(row.usage), own_usage: millionths(row.own_usage) }))
}

function millionths(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
