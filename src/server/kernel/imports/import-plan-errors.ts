/** The errors column of the plan's statement: what is wrong with a row. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type SqlBool } from 'kysely'
import { typedJson } from '../postgres/column-type.ts'
import { liesInside, outsideMessage } from '../lists/inside-reach.ts'
import { draft, has, isFirstRow, isNarrowed, partKey, ref, scope, type PlanScope, type Sql } from './import-plan-scope.ts'
import { ownJoined } from './import-plan-own.ts'
import { placeOf } from './import-target.ts'
import { mayIn } from '../principal.ts'
import { judge, ruleRow, type RuleRow } from '../lists/row-rules.ts'
import { maskPrefix } from '../secret.ts'

const unknownRecord = 'This record cannot be found'

export function errors(plan: PlanScope): Sql {
  const { columns } = plan.parts
  const errors: Sql[] = []
  for (const [at, column] of columns.entries()) errors.push(...namingErrors(column, at))
  for (const column of plan.target.kind.columns) if (column.required && !column.part) errors.push(lacking(plan, column))
  for (const { column, at } of ownJoined(plan))
    errors.push(
      sql`case when ${ref('own', at, 'fault')} is not null then jsonb_build_object('c', ${sql.lit(column.name)}, 'm', ${ref('own', at, 'fault')}) end`,
    )
  errors.push(...findingErrors(plan), ...rightErrors(plan), ...brokenRules(plan))
  return sql`nullif(coalesce(staged.faults, '[]') || to_jsonb(array_remove(array[${sql.join(errors)}]::jsonb[], null)), '[]')`
}

/** Returns the errors of the part of a row. */
export function partErrors(plan: PlanScope): Sql {
  const { kind } = plan.target
  const [key = ''] = kind.key
  const column = sql.lit(kind.columns.find((one) => one.key === key)?.name ?? key)
  const faults = ownJoined(plan).map(
    ({ column: { name }, at }) =>
      sql`case when ${ref('own', at, 'fault')} is not null then jsonb_build_object('c', ${sql.lit(name)}, 'm', ${ref('own', at, 'fault')}) end`,
  )
  const word = kind.label.toLowerCase()
  const needed = kind.columns.filter(({ required }) => required).map((one) => lackingPart(one))
  const errors = [
    ...plan.parts.columns.flatMap((one, at) => namingErrors(one, at)),
    ...faults,
    ...needed,
    sql`case when staged.first_line < staged.line then jsonb_build_object('c', ${column}, 'm', 'Line ' || staged.first_line || ${` means the same ${word}`}::text) end`,
    sql`case when meant.is_several then ${error(key, `Several ${kind.labels.toLowerCase()} have this ${plan.target.source.entity.fields[key]?.label ?? key}`)} end`,
    ...partRights(plan),
    ...brokenRules(plan),
  ]
  return sql`nullif(to_jsonb(array_remove(array[${sql.join(errors)}]::jsonb[], null)), '[]')`
}

/** The key shows that there is a part, so every row must give it. */
function lackingPart(column: ImportColumn): Sql {
  return sql`case when not staged.draft ? ${sql.lit(column.key)} then ${error(column.name, requiredMessage(column))} end`
}

/**
 * A new part lies where its record lies, which the record's right has already checked: a user who may create the record may create the
 * part.
 */
function partRights(plan: PlanScope): Sql[] {
  const { principal } = plan.parts.context
  const mayMake = mayIn(principal, plan.target.may.create, plan.parts.clientId)
  const inReach = sql`exists (select from ${sql.table(plan.table)} where ${scope(plan, plan.update)} and ${sql.ref(`${plan.table}.id`)} = item.id)`
  return [
    ...(mayMake ? [] : [sql`case when item.id is null then ${error(null, 'You may not make these')} end`]),
    sql`case when item.id is not null and not ${inReach} then ${error(null, 'You may not change existing records')} end`,
  ]
}

/** Returns the errors of finding the record that a row means. */
function findingErrors(plan: PlanScope): Sql[] {
  const [key = ''] = plan.target.kind.key
  const column = sql.lit(key)
  const several = plan.target.match
    ? sql`jsonb_build_object('c', ${column}, 'm', 'Several records match: ' || meant.names)`
    : error(key, `Several records have this ${key}`)
  const twins = plan.target.part
    ? sql`case when twin.line < staged.line and ${saysOtherwise(plan)} then jsonb_build_object('c', ${column}, 'm', 'Line ' || twin.line || ' says something else about the same record') end`
    : sql`case when twin.line < staged.line then jsonb_build_object('c', ${column}, 'm', 'Line ' || twin.line || ' means the same record') end`
  return [
    twins,
    sql`case when meant.found > 1 and meant.id is null then ${several} end`,
    ...(plan.target.match ? [unknownNumber(plan, column)] : []),
  ]
}

/** A row without the values that a new record needs means an existing record. */
function unknownNumber(plan: PlanScope, column: Sql): Sql {
  const { kind, match } = plan.target
  const needed = kind.columns.filter(({ name, required, part }) => required && !part && !kind.key.includes(name)).map(({ key }) => key)
  return sql`case when meant.found is null and ${draft(match?.number ?? '')} is not null and ${isFirstRow} and not staged.draft ?| ${needed}::text[]
    then jsonb_build_object('c', ${column}, 'm', 'No record has this number', 'n', ${draft(match?.number ?? '')}) end`
}

/** A further row of a record may leave the record's columns empty. If it gives a value, it must equal that of the first row. */
function saysOtherwise(plan: PlanScope): Sql {
  const keys = plan.parts.columns.filter(({ name }) => plan.target.kind.key.includes(name)).map(({ key }) => key)
  return sql`exists (select from jsonb_each(staged.draft - ${[...keys, partKey]}::text[]) said
    where (select first.draft -> said.key from import_rows first where first.import_id = staged.import_id and first.line = twin.line) is distinct from said.value)`
}

function namingErrors(column: ImportColumn, at: number): Sql[] {
  const place = placeOf(column)
  if (place === 'reference') {
    const several = `Several records have this ${column.reference?.by.replaceAll('_', ' ') ?? 'name'}`
    return [
      sql`case when ${draft(column.key)} is not null and ${ref('ref', at, 'id')} is null then jsonb_build_object('c', ${sql.lit(column.name)}, 'm',
        case when ${ref('named', at, 'found')} > 1 then ${sql.lit(several)} else ${sql.lit(unknownRecord)} end, 'n', ${draft(column.key)}) end`,
    ]
  }
  if (place === 'link' && column.reference)
    return [
      sql`case when ${ref('many', at, 'unknown')} is not null then jsonb_build_object('c', ${sql.lit(column.name)}, 'm', ${sql.lit(unknownRecord)}, 'n', ${ref('many', at, 'unknown')}) end`,
    ]
  if (place !== 'secret') return []
  const sent = sql`staged.secrets -> ${sql.lit(column.key)} ->> 'masked'`
  return [
    sql`case when ${sent} is distinct from ${maskPrefix}::text || ${sql.ref(`item.${column.key}_last4`)} and ${sent} is not null
      then ${error(column.name, `${column.field.label} must be typed in full`)} end`,
  ]
}

/** A new record needs the value; every row needs it for its key. */
function lacking(plan: PlanScope, column: ImportColumn): Sql {
  const isKey = plan.target.kind.key.includes(column.name)
  const absent = has(plan, column.key) ? sql`not staged.draft ? ${sql.lit(column.key)}` : sql`true`
  // A further row of a new record need not repeat the values of the first row.
  const isFirst = plan.target.part ? sql`and ${isFirstRow}` : sql``
  return sql`case when ${absent} ${isKey ? sql`` : sql`and item.id is null and coalesce(meant.found, 0) < 2 ${isFirst}`} then ${error(column.name, requiredMessage(column))} end`
}

function rightErrors(plan: PlanScope): Sql[] {
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
function brokenRules(plan: PlanScope): Sql[] {
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

/** Returns the form's message for a field that is left empty. */
function requiredMessage({ field }: ImportColumn): string {
  const outcome = field.schema.safeParse(undefined)
  return (outcome.success ? undefined : outcome.error.issues[0]?.message) ?? `${field.label} is required`
}

function error(column: string | null, message: string): Sql {
  return sql`jsonb_build_object('c', ${column === null ? sql`null` : sql.lit(column)}, 'm', ${sql.lit(message)})`
}
