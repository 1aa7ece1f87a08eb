/** Says what still uses a record that everybody shares, before the database would refuse to delete it with less words. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { refused } from './problem.ts'

/** Uses of one kind are counted up to this: of a vendor with a million bills it is enough to know that there are many. */
const countedMax = 1_000

/** Throws refused with how much of what uses the row. What goes with the row is no use of it. */
export async function refuseUsed(tx: Tx, { table, label }: { readonly table: string; readonly label: string }, id: number): Promise<void> {
  const uses = await referencesTo(tx, table)
  if (uses.length === 0) return
  const counts = uses.map(
    ({ from, column, is_link }) => sql`select ${from}::text as name, ${is_link}::boolean as is_link,
      (select count(*)::int from (select from ${sql.table(from)} where ${sql.ref(column)} = ${id} limit ${countedMax}) used) as count`,
  )
  const { rows } = await sql<Use>`${sql.join(counts, sql` union all `)}`.execute(tx)
  const used = rows.filter(({ count }) => count > 0)
  if (used.length > 0) throw refused(`This ${label.toLowerCase()} is still used by ${used.map((use) => inWords(use, table)).join(', ')}.`)
}

interface Use {
  readonly name: string
  readonly count: number
  /** Its rows are links, which have no id. */
  readonly is_link: boolean
}

/** Columns that hold an id of this table and would keep its row from being deleted, as the database knows them. */
async function referencesTo(tx: Tx, table: string): Promise<{ from: string; column: string; is_link: boolean }[]> {
  const { rows } = await sql<{ from: string; column: string; is_link: boolean }>`
    select conrelid::regclass::text as from, attname as column,
      not exists (select from pg_attribute own where own.attrelid = conrelid and own.attname = 'id' and not own.attisdropped) as is_link from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = ${table}::regclass and confdeltype <> 'c' and cardinality(conkey) = 1 order by 1, 2`.execute(tx)
  return rows
}

/** 'usage_units' and 1 is '1 usage unit'. A table of links counts for what is linked: 'vendor_payment_methods' are vendors. */
function inWords({ name, count, is_link }: Use, table: string): string {
  const linked = is_link && name.endsWith(`_${table}`) ? `${name.slice(0, -table.length - 1)}s`.replace(/ys$/, 'ies') : name
  const words = linked.replaceAll('_', ' ')
  if (count === 1) return `1 ${words.replace(/ies$/, 'y').replace(/s$/, '')}`
  return `${count < countedMax ? '' : 'at least '}${count.toLocaleString('en-US')} ${words}`
}
