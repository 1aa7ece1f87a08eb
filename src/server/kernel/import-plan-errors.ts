/** What is wrong with a row, as the errors column of the plan's statement. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { draft, has, isNarrowed, ref, scope, type PlanScope, type Sql } from './import-plan-scope.ts'
import { placeOf } from './import-target.ts'
import { mayIn } from './principal.ts'
import { maskPrefix } from './secret.ts'

const unknownRecord = 'This record cannot be found'

export function errors(plan: PlanScope): Sql {
  const { columns } = plan.parts
  const errors: Sql[] = []
  for (const [at, column] of columns.entries()) errors.push(...namingErrors(column, at))
  for (const column of plan.target.kind.columns) if (column.required) errors.push(lacking(plan, column))
  const [key] = plan.target.kind.key
  errors.push(
    sql`case when twin.line < staged.line then jsonb_build_object('c', ${sql.lit(key ?? '')}, 'm', 'Line ' || twin.line || ' means the same record') end`,
    sql`case when found.found > 1 and meant.id is null then ${error(key ?? null, `Several records have this ${key ?? 'key'}`)} end`,
    ...rightErrors(plan),
    ...checks(plan),
  )
  return sql`nullif(coalesce(staged.faults, '[]') || to_jsonb(array_remove(array[${sql.join(errors)}]::jsonb[], null)), '[]')`
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

/** A new record needs it; so does every row for its key. */
function lacking(plan: PlanScope, column: ImportColumn): Sql {
  const isKey = plan.target.kind.key.includes(column.name)
  const absent = has(plan, column.key) ? sql`not staged.draft ? ${sql.lit(column.key)}` : sql`true`
  return sql`case when ${absent} ${isKey ? sql`` : sql`and item.id is null`} then ${error(column.name, requiredMessage(column))} end`
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
  return isNarrowed(plan) ? [...noUpdate, outside(plan)] : noUpdate
}

/** Where it would lie is known once the records are there that it must name. */
function outside(plan: PlanScope): Sql {
  const needed = plan.target.kind.columns.filter(({ required, reference }) => required && reference)
  const known = needed.map((column) => {
    const at = plan.parts.columns.indexOf(column)
    return at < 0 ? sql`false` : sql`${ref('ref', at, 'id')} is not null`
  })
  const all = sql.join([sql`item.id is null`, sql`lying.inside is null`, ...known], sql` and `)
  return sql`case when ${all} then ${error(null, 'Your role reaches a part of this client only, and this would lie outside of it.')} end`
}

function checks(plan: PlanScope): Sql[] {
  const { context, clientId } = plan.parts
  const checks = plan.target.checks?.({
    context,
    clientId,
    reach: plan.create,
    item: (column) => sql.ref(`item.${column}`),
    draft,
    has: (key) => has(plan, key),
  })
  return (checks ?? []).map(({ column, message, when }) => sql`case when ${when} then ${error(column, message)} end`)
}

/** What the form says where the field is left empty. */
function requiredMessage({ field }: ImportColumn): string {
  const outcome = field.schema.safeParse(undefined)
  return (outcome.success ? undefined : outcome.error.issues[0]?.message) ?? `${field.label} is required`
}

function error(column: string | null, message: string): Sql {
  return sql`jsonb_build_object('c', ${column === null ? sql`null` : sql.lit(column)}, 'm', ${sql.lit(message)})`
}
