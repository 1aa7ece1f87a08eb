/** Rows of a file that its sender may not write, and rows that break a rule. */
import { sql, type SqlBool } from 'kysely'
import { typedJson } from '../postgres/column-type.ts'
import { liesInside, outsideMessage } from '../lists/inside-reach.ts'
import { draft, has, isFirstRow, isNarrowed, ref, scope, type PlanScope, type Sql } from './import-plan-scope.ts'
import { placeOf } from './import-target.ts'
import { mayIn } from '../principal.ts'
import { judge, ruleRow, type RuleRow } from '../lists/row-rules.ts'

/**
 * A new part lies where its record lies, which the record's right has already checked: a user who may create the record may create the
 * part.
 */
export function partRights(plan: PlanScope): Sql[] {
  const { principal } = plan.parts.context
  const mayMake = mayIn(principal, plan.target.may.create, plan.parts.clientId)
  const inReach = sql`exists (select from ${sql.table(plan.table)} where ${scope(plan, plan.update)} and ${sql.ref(`${plan.table}.id`)} = item.id)`
  return [
    ...(mayMake ? [] : [sql`case when item.id is null then ${error(null, 'You may not make these')} end`]),
    sql`case when item.id is not null and not ${inReach} then ${error(null, 'You may not change existing records')} end`,
  ]
}

export function rightErrors(plan: PlanScope): Sql[] {
  const { principal } = plan.parts.context
  const refused = error(null, 'You may not change existing records')
  const { source, may } = plan.target
  const noUpdate =
    source.scope === 'shared'
      ? mayIn(principal, may.update)
        ? []
        : [sql`case when item.id is not null then ${refused} end`]
      : JSON.stringify(plan.update) === JSON.stringify(plan.create)
        ? []
        : [
            sql`case when item.id is not null and not exists (select from ${sql.table(plan.table)} where ${scope(plan, plan.update)}
            and ${sql.ref(`${plan.table}.id`)} = item.id) then ${refused} end`,
          ]
  return isNarrowed(plan) ? [...noUpdate, outside(plan), ...movedOut(plan)] : noUpdate
}

/** The place of a new record is known only once the records that it must name exist. */
function outside(plan: PlanScope): Sql {
  const isFirst = plan.target.part ? [isFirstRow] : []
  const needed = plan.target.kind.columns.filter(({ required, reference }) => required && reference)
  const known = needed.map((column) => {
    const at = plan.parts.columns.indexOf(column)
    return at < 0 ? sql`false` : sql`${ref('ref', at, 'id')} is not null`
  })
  const all = sql.join([sql`item.id is null`, sql`lying.inside is null`, ...isFirst, ...known], sql` and `)
  return sql`case when ${all} then ${error(null, outsideMessage)} end`
}

/** An existing record stays within the sender's reach, as with the form. The records that it names are known by then. */
function movedOut(plan: PlanScope): Sql[] {
  const { target, parts, changing, update } = plan
  return changing.flatMap((column) => {
    if (placeOf(column) !== 'reference') return []
    const id = ref('ref', parts.columns.indexOf(column), 'id')
    const said = sql`staged.draft ? ${sql.lit(column.key)} and (${draft(column.key)} is null or ${id} is not null)`
    const values = sql`jsonb_build_object(${sql.lit(column.key)}::text, ${id})`
    const inside = liesInside(target.source, update, parts.clientId, values)
    return [sql`case when item.id is not null and ${said} and not ${inside} then ${error(column.name, outsideMessage)} end`]
  })
}

/** The rules of the form. A refusal is shown at the column of its field, which the file may lack. */
export function brokenRules(plan: PlanScope): Sql[] {
  return judge(plan.target.source, fileRow(plan), 'refuse').map(({ field, fault }) => {
    const column = plan.target.kind.columns.find(({ key }) => key === field)
    return sql`jsonb_set(${JSON.stringify({ c: column?.name ?? null, m: null })}::jsonb, '{m}', to_jsonb(${fault}))`
  })
}

function fileRow(plan: PlanScope): RuleRow {
  const { context, clientId = 0, columns } = plan.parts
  const { fields } = plan.target.source.entity
  return ruleRow({
    context,
    clientId,
    has: (key) => has(plan, key),
    gives: (key) => sql<SqlBool>`staged.draft ? ${sql.lit(key)}`,
    given: (key) => {
      const at = columns.findIndex((column) => column.key === key)
      const column = columns[at]
      if (column && placeOf(column) === 'reference') return ref('ref', at, 'id')
      const json = column && placeOf(column) === 'own' ? ref('own', at, 'value') : sql`(staged.draft -> ${sql.lit(key)})`
      return typedJson(json, fields[key])
    },
  })
}

export function error(column: string | null, message: string): Sql {
  return sql`jsonb_build_object('c', ${column === null ? sql`null` : sql.lit(column)}, 'm', ${sql.lit(message)})`
}
