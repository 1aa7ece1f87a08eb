/** Joins of the plan's statement: the records that a row names and the record that it means. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { foundByMatch } from './import-plan-found.ts'
import { ownJoin, ownJoined } from './import-plan-own.ts'
import { alias, draft, isNarrowed, ref, scope, singleSource, type NamedSource, type PlanScope, type Sql } from './import-plan-scope.ts'
import { placeOf } from './import-target.ts'
import { foldedText } from '../lists/folded-text.ts'

export function joins(plan: PlanScope): Sql {
  const joins: Sql[] = [namingJoins(plan)]
  joins.push(twins(plan), plan.target.match ? foundByMatch(plan, plan.target.match) : found(plan), item(plan), lying(plan))
  for (const own of ownJoined(plan)) joins.push(ownJoin(plan, own))
  return sql.join(joins, sql` `)
}

/** Joins the records that the cells of a row name. */
export function namingJoins(plan: PlanScope): Sql {
  const joins: Sql[] = []
  for (const [at, column] of plan.parts.columns.entries()) {
    if (placeOf(column) === 'reference') joins.push(referenceJoin(plan, column, at))
    else if (placeOf(column) === 'link' && column.reference) joins.push(linkJoin(plan, column, at))
  }
  return sql.join(joins, sql` `)
}

/** Case is ignored if only one record matches; of several, the exact match counts. */
function referenceJoin(plan: PlanScope, column: ImportColumn, at: number): Sql {
  const { table, by, where } = named(plan, column)
  return sql`left join (select ${foldedText(by)} as folded, count(*)::int as found, min(${sql.ref(`${table}.id`)}) as id from ${sql.table(table)}
      where ${where} group by 1) ${alias('named', at)} on ${ref('named', at, 'folded')} = ${foldedText(draft(column.key))}
    left join lateral (select case when ${ref('named', at, 'found')} = 1 then ${ref('named', at, 'id')}
      else (select case when count(*) = 1 then min(${sql.ref(`${table}.id`)}) end from ${sql.table(table)}
        where ${where} and ${by} = ${draft(column.key)}) end as id) ${alias('ref', at)} on ${ref('named', at, 'found')} is not null`
}

function linkJoin(plan: PlanScope, column: ImportColumn, at: number): Sql {
  const { table, by, where } = named(plan, column)
  const id = sql.ref(`${table}.id`)
  const order = plan.target.links?.[column.key]?.ordered ? sql`place` : sql`id`
  return sql`left join lateral (select coalesce(jsonb_agg(id order by ${order}) filter (where id is not null), '[]') as ids,
      string_agg(name, ${'; '} order by place) filter (where id is null) as unknown
    from (select given.name, given.place, (select min(${id}) from ${sql.table(table)} where ${where} and ${foldedText(by)} = ${foldedText(sql.ref('given.name'))}) as id
      from jsonb_array_elements_text(staged.draft -> ${sql.lit(column.key)}) with ordinality given(name, place)) looked) ${alias('many', at)} on staged.draft ? ${sql.lit(column.key)}`
}

function named(plan: PlanScope, column: ImportColumn): NamedSource {
  return singleSource(column, plan.parts.clientId, plan.create)
}

function keyColumns(plan: PlanScope): { column: ImportColumn; at: number }[] {
  const { kind } = plan.target
  return plan.parts.columns.flatMap((column, at) => (kind.key.includes(column.name) ? [{ column, at }] : []))
}

/** Rows of the file with the same key: the first is kept, the others are refused. */
function twins(plan: PlanScope): Sql {
  const keys = keyColumns(plan)
  const folded = keys.map(
    ({ column }, place) => sql`coalesce(${foldedText(sql`draft ->> ${sql.lit(column.key)}`)}, '') as ${sql.ref(`k${place}`)}`,
  )
  const equal = keys.map(({ column }, place) => sql`${sql.ref(`twin.k${place}`)} = coalesce(${foldedText(draft(column.key))}, '')`)
  return sql`left join (select ${sql.join(folded)}, min(line) as line from import_rows where import_id = ${plan.parts.importId}
    group by ${sql.join(keys.map((_, place) => sql.lit(place + 1)))} having count(*) > 1) twin on ${sql.join(equal, sql` and `)}`
}

/** A text key ignores case, as names do. */
function found(plan: PlanScope): Sql {
  const keys = keyColumns(plan)
  const own = (column: ImportColumn): Sql => sql.ref(`${plan.table}.${column.key}`)
  const folded = keys.map(({ column }, place) =>
    column.reference ? sql`${own(column)} as ${sql.ref(`k${place}`)}` : sql`${foldedText(own(column))} as ${sql.ref(`k${place}`)}`,
  )
  const meant = ({ column, at }: { column: ImportColumn; at: number }): Sql =>
    column.reference ? ref('ref', at, 'id') : foldedText(draft(column.key))
  const equal = keys.map((key, place) => sql`${sql.ref(`found.k${place}`)} = ${meant(key)}`)
  const exact = keys.map(({ column, at }) => sql`${own(column)} = ${column.reference ? ref('ref', at, 'id') : draft(column.key)}`)
  const id = sql.ref(`${plan.table}.id`)
  return sql`left join (select ${sql.join(folded)}, count(*)::int as found, min(${id}) as id from ${sql.table(plan.table)}
      where ${scope(plan, plan.create)} group by ${sql.join(keys.map((_, place) => sql.lit(place + 1)))}) found on ${sql.join(equal, sql` and `)}
    left join lateral (select found.found, null::text as names, case when found.found = 1 then found.id else (select case when count(*) = 1 then min(${id}) end from ${sql.table(plan.table)}
      where ${scope(plan, plan.create)} and ${sql.join(exact, sql` and `)}) end as id) meant on found.found is not null`
}

function item(plan: PlanScope): Sql {
  const { clientId } = plan.parts
  const tenant = clientId === undefined ? sql`` : sql`and item.client_id = ${clientId}`
  return sql`left join ${sql.table(plan.table)} item on item.id = meant.id ${tenant}`
}

/** Builds a new record as a row under its table's name, so that the list's own scope can judge it. */
function lying(plan: PlanScope): Sql {
  if (!isNarrowed(plan)) return sql``
  const { columns, clientId } = plan.parts
  const fields = Object.entries(plan.target.source.entity.fields).filter(([key, field]) => field.kind === 'ref' && key !== 'client_id')
  const values = fields.map(([key]) => {
    const at = columns.findIndex((column) => column.key === key && placeOf(column) === 'reference')
    return sql`${at < 0 ? sql`null::bigint` : ref('ref', at, 'id')} as ${sql.ref(key)}`
  })
  return sql`left join lateral (select true as inside from (select ${clientId}::bigint as client_id, null::bigint as id ${values.length > 0 ? sql`, ${sql.join(values)}` : sql``})
    ${sql.ref(plan.table)} where ${scope(plan, plan.create)}) lying on true`
}
