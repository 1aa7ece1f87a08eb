/** Who has lately loosened when exports wait for a second person: a super_admin could else loosen a rule, export alone and tighten it again. */
import { sql } from 'kysely'
import { coolDownDays } from '../access/access.ts'
import { now } from '../kernel/clock.ts'
import type { Tx } from '../kernel/postgres/database.ts'

const DAY_MS = 86_400_000
const limits = ['release_vendor_limit', 'release_export_limit', 'release_day_limit'] as const

/** A rule is loosened where it is taken away or its limit raised, also with its whole profile. */
const loosened = sql.join(
  [
    ...(['release_always', 'release_apart'] as const).map(
      (key) =>
        sql`(record.object_changes -> ${sql.lit(key)} ->> 'from' = 'true' and record.object_changes -> ${sql.lit(key)} ->> 'to' is distinct from 'true')`,
    ),
    ...limits.map((key) => {
      const [from, to] = (['from', 'to'] as const).map(
        (side) => sql`(record.object_changes -> ${sql.lit(key)} ->> ${sql.lit(side)})::numeric`,
      )
      return sql`(${from} is not null and (${to} is null or ${to} > ${from}))`
    }),
  ],
  sql` or `,
)

/** Another profile pays instead of one with rules: a new one, or one that was switched on or made the default. */
const evades = sql`((record.event = 'create' or record.object_changes ?| array['active', 'is_default']) and exists (
  select from originating_profiles ruled where ruled.client_id = any(array[0, record.client_id]) and ruled.id <> record.item_id
    and (ruled.release_always or ruled.release_vendor_limit is not null or ruled.release_export_limit is not null or ruled.release_day_limit is not null)))`

/** Returns the users who loosened the rules of bank profiles of these clients or of the provider within the cool-down. */
export async function loosenersOf(tx: Tx, clientIds: readonly number[]): Promise<number[]> {
  const since = new Date(now().getTime() - coolDownDays * DAY_MS)
  const { rows } = await sql<{ id: number }>`select distinct record.user_id as id from audit_records record
    where record.client_id = any(${[...new Set([0, ...clientIds])]}::bigint[]) and record.item_type = 'originating_profile'
      and record.event in ('create', 'update', 'destroy') and record.user_id is not null and record.created_at > ${since}
      and (${loosened} or ${evades}) order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}
