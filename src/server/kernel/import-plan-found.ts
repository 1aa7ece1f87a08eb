/**
 * Which record a row means where its number may be written otherwise: as it stands, then without spaces and dashes, then among other names.
 * The first of these that finds any decides; more than one found is none.
 */
import { sql } from 'kysely'
import { draft, ref, scope, type PlanScope, type Sql } from './import-plan-scope.ts'
import type { ImportMatch } from './import-target.ts'
import { foldedText } from './folded-text.ts'

/** Answers `found` and `meant` (id, found, names). */
export function foundByMatch(plan: PlanScope, match: ImportMatch): Sql {
  const tiers = writings(plan, match).flatMap((writing) => withins(plan, match).map((within) => ({ writing, within })))
  const joins = tiers.map((tier, at) => tierJoin(plan, match, tier, `tier_${at}`))
  const cases = (what: (name: string, at: number) => Sql): Sql =>
    sql`case ${sql.join(
      tiers.map((_, at) => sql`when ${sql.ref(`tier_${at}.found`)} is not null then ${what(`tier_${at}`, at)}`),
      sql` `,
    )} end`
  // Of several that differ in case alone the one that is written exactly so counts.
  const id = cases(
    (
      name,
    ) => sql`case when ${sql.ref(`${name}.found`)} = 1 then ${sql.ref(`${name}.id`)} when ${sql.ref(`${name}.exact`)} ->> ${draft(match.number)} is not null
    then (${sql.ref(`${name}.exact`)} ->> ${draft(match.number)})::bigint end`,
  )
  return sql`${sql.join(joins, sql` `)}
    left join lateral (select ${cases((name) => sql.ref(`${name}.found`))} as found, ${cases((name) => sql.ref(`${name}.names`))} as names, ${id} as id) meant on true`
}

interface Writing {
  /** The number as the table has it, and as the row has it. */
  readonly stored: Sql
  readonly sent: Sql
  readonly from: Sql
}

function writings(plan: PlanScope, { number, aliases }: ImportMatch): Writing[] {
  const own = sql.ref(`${plan.table}.${number}`)
  const other = sql.ref(`other.${aliases.column}`)
  const tenant = plan.parts.clientId === undefined ? sql`` : sql`other.client_id = ${sql.ref(`${plan.table}.client_id`)} and`
  const named = sql`join ${sql.table(aliases.table)} other on ${tenant} ${sql.ref(`other.${aliases.parent}`)} = ${sql.ref(`${plan.table}.id`)}`
  return [
    { stored: foldedText(own), sent: foldedText(draft(number)), from: sql`` },
    { stored: stripped(own), sent: stripped(draft(number)), from: sql`` },
    { stored: stripped(other), sent: stripped(draft(number)), from: named },
  ]
}

function stripped(text: Sql): Sql {
  return sql`nullif(${foldedText(sql`translate(${text}, ' -', '')`)}, '')`
}

interface Within {
  /** What the groups of the table are told apart by beside the number. */
  readonly stored: Sql
  readonly sent: Sql
  readonly where: Sql
}

/** A number is looked for where the row says that it belongs; where it says nothing or the record is nowhere yet, anywhere. */
function withins(plan: PlanScope, { within }: ImportMatch): Within[] {
  const at = plan.parts.columns.findIndex((column) => column.key === within)
  const own = sql.ref(`${plan.table}.${within}`)
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

function tierJoin(plan: PlanScope, match: ImportMatch, { writing, within }: { writing: Writing; within: Within }, name: string): Sql {
  const id = sql.ref(`${plan.table}.id`)
  const number = sql.ref(`${plan.table}.${match.number}`)
  return sql`left join (select ${writing.stored} as number, ${within.stored} as place, count(distinct ${id})::int as found, min(${id}) as id,
      string_agg(distinct ${number} || ' (' || ${sql.ref(`${plan.table}.name`)} || ')', ', ') as names,
      case when count(distinct ${id}) > 1 and count(distinct ${number}) = count(distinct ${id}) then jsonb_object_agg(${number}, ${id}) end as exact
    from ${sql.table(plan.table)} ${writing.from} where ${scope(plan, plan.create)} ${within.where} group by 1, 2) ${sql.ref(name)}
    on ${sql.ref(`${name}.number`)} = ${writing.sent} and ${sql.ref(`${name}.place`)} = ${within.sent}`
}
