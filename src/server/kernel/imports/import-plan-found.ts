/**
 * Finds the record that a row means if its number may be written in several ways. The slice returns all records that a number may mean,
 * with the way of each match. The best way that finds any record decides; more than one record found that way counts as none.
 */
import { sql } from 'kysely'
import { draft, ref, scope, type PlanScope, type Sql } from './import-plan-scope.ts'
import type { ImportMatch } from './import-target.ts'

/** Computes the possible matches of the file's numbers once for all rows: the head of the plan's select. */
export function foundRecords(plan: PlanScope, { number, found }: ImportMatch): Sql {
  const { importId, clientId = 0 } = plan.parts
  const wanted = sql`(select distinct rows.draft ->> ${sql.lit(number)} as number from import_rows rows where rows.import_id = ${importId}) wanted`
  return sql`with hit as materialized (${found({ clientId, wanted, inside: scope(plan, plan.create) })})`
}

/** Returns `meant` (id, found, names). */
export function foundByMatch(plan: PlanScope, match: ImportMatch): Sql {
  const tiers = match.ways.flatMap((how) => withins(plan, match).map((within) => ({ how, within })))
  const joins = tiers.map((tier, at) => tierJoin(match, tier, `tier_${at}`))
  const cases = (what: (name: string) => Sql): Sql =>
    sql`case ${sql.join(
      tiers.map((_, at) => sql`when ${sql.ref(`tier_${at}.found`)} is not null then ${what(`tier_${at}`)}`),
      sql` `,
    )} end`
  // Where several names differ only in case, the exact match counts.
  const id = cases(
    (
      name,
    ) => sql`case when ${sql.ref(`${name}.found`)} = 1 then ${sql.ref(`${name}.id`)} when ${sql.ref(`${name}.exact`)} ->> ${draft(match.number)} is not null
    then (${sql.ref(`${name}.exact`)} ->> ${draft(match.number)})::bigint end`,
  )
  return sql`${sql.join(joins, sql` `)}
    left join lateral (select ${cases((name) => sql.ref(`${name}.found`))} as found, ${cases((name) => sql.ref(`${name}.names`))} as names, ${id} as id) meant on true`
}

interface Within {
  /** Columns that distinguish the records beside the number. */
  readonly stored: Sql
  readonly sent: Sql
  readonly where: Sql
}

/**
 * A number is looked for within the record that the row names. If the row names none, or that record does not exist yet, it is looked for
 * everywhere.
 */
function withins(plan: PlanScope, { within }: ImportMatch): Within[] {
  const at = plan.parts.columns.findIndex((column) => column.key === within)
  const own = sql.ref(`hit.${within}`)
  const named = at < 0 ? sql`null::bigint` : ref('ref', at, 'id')
  const same = { stored: sql`coalesce(${own}, 0)`, sent: sql`coalesce(${named}, 0)`, where: sql`` }
  if (plan.target.kind.columns.some(({ key, required }) => key === within && required)) return [same]
  const isGiven = at < 0 ? sql`false` : sql`${draft(within)} is not null`
  return [
    same,
    { stored: sql`0`, sent: sql`case when not ${isGiven} then 0 end`, where: sql`` },
    { stored: sql`0`, sent: sql`case when ${named} is not null then 0 end`, where: sql`and ${own} is null` },
  ]
}

interface Tier {
  readonly how: number
  readonly within: Within
}

function tierJoin({ number }: ImportMatch, { how, within }: Tier, name: string): Sql {
  const stored = sql.ref(`hit.${number}`)
  return sql`left join (select hit.number, ${within.stored} as place, count(distinct hit.id)::int as found, min(hit.id) as id,
      string_agg(distinct ${stored} || ' (' || hit.name || ')', ', ') as names,
      case when count(distinct hit.id) > 1 and count(distinct ${stored}) = count(distinct hit.id) then jsonb_object_agg(${stored}, hit.id) end as exact
    from hit where hit.how = ${sql.lit(how)} ${within.where} group by 1, 2) ${sql.ref(name)}
    on ${sql.ref(`${name}.number`)} = ${draft(number)} and ${sql.ref(`${name}.place`)} = ${within.sent}`
}
