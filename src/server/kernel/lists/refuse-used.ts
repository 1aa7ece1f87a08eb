/** Names the uses of a record, before the database would refuse the delete with a less helpful message, or allow it without one. */
import { sql } from 'kysely'
import type { Tx } from '../postgres/database.ts'
import { namesRecord, referencesTo } from './goes-along.ts'
import { refused } from '../problem.ts'

/** Uses of one kind are counted up to this number: for a vendor with a million bills it is enough to know that there are many. */
const countedMax = 1_000

interface Used {
  readonly table: string
  readonly label: string
  /** 0 if the record belongs to no client. */
  readonly clientId: number
}

/** Throws refused with the number of uses of the row. Rows that are deleted with it do not count as uses. */
export async function refuseUsed(tx: Tx, { table, label, clientId }: Used, id: number): Promise<void> {
  const uses = (await referencesTo(tx, table)).filter((one) => !one.goes_along)
  if (uses.length === 0) return
  const counts = uses.map(
    (one) => sql`select ${one.from}::text as name, ${one.is_link}::boolean as is_link,
      (select count(*)::int from (select 1 as one from ${sql.table(one.from)} where ${namesRecord(one, [id], clientId)} limit ${countedMax}) used) as count`,
  )
  const { rows } = await sql<Use>`${sql.join(counts, sql` union all `)}`.execute(tx)
  const used = rows.filter(({ count }) => count > 0)
  if (used.length > 0) throw refused(`This ${label.toLowerCase()} is still used by ${used.map((use) => inWords(use, table)).join(', ')}.`)
}

interface Use {
  readonly name: string
  readonly count: number
  /** True if the rows are links, which have no id. */
  readonly is_link: boolean
}

/**
 * Turns 'usage_units' and 1 into '1 usage unit'. A table of links is named after the linked records: 'vendor_payment_methods' are vendors.
 */
function inWords({ name, count, is_link }: Use, table: string): string {
  const linked = is_link && name.endsWith(`_${table}`) ? `${name.slice(0, -table.length - 1)}s`.replace(/ys$/, 'ies') : name
  const words = linked.replaceAll('_', ' ')
  if (count === 1) return `1 ${words.replace(/ies$/, 'y').replace(/s$/, '')}`
  return `${count < countedMax ? '' : 'at least '}${count.toLocaleString('en-US')} ${words}`
}
