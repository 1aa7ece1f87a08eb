/** The errors column of the plan's statement: what is wrong with a row. */
import { fieldWords } from '#contract/kernel/field-words.ts'
import { unknownRecord, typedInFull } from '../problem.ts'
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { draft, has, isFirstRow, partKey, ref, type PlanScope, type Sql } from './import-plan-scope.ts'
import { ownJoined } from './import-plan-own.ts'
import { placeOf } from './import-target.ts'
import { maskPrefix } from '../secret.ts'
import { rightErrors, brokenRules, error, partRights } from './import-right-errors.ts'

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
      then ${error(column.name, typedInFull(column.field.label))} end`,
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

/** Returns the form's message for a field that is left empty. */
function requiredMessage({ field }: ImportColumn): string {
  const outcome = field.schema.safeParse(undefined)
  return (outcome.success ? undefined : outcome.error.issues[0]?.message) ?? fieldWords.required(field.label)
}
