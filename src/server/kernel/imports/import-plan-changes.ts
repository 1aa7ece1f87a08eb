/** Columns of the plan's statement: the changes that a row would make. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { draft, ref, type PlanScope, type Sql } from './import-plan-scope.ts'
import { ownJoined, ownOf } from './import-plan-own.ts'
import { placeOf } from './import-target.ts'

export function refs(plan: PlanScope): Sql {
  const ids = plan.parts.columns.flatMap((column, at) => (placeOf(column) === 'reference' ? [ref('ref', at, 'id')] : []))
  return ids.length === 0 ? sql`null::bigint[]` : sql`array[${sql.join(ids)}]`
}

export function links(plan: PlanScope): Sql {
  const pairs = plan.parts.columns.flatMap((column, at) =>
    placeOf(column) === 'link' ? [sql`${sql.lit(column.key)}::text, ${linkValue(column, at)}`] : [],
  )
  return pairs.length === 0 ? sql`null::jsonb` : sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)}))`
}

/** Returns the values for the slice's own columns, by key. */
export function owns(plan: PlanScope): Sql {
  const pairs = ownJoined(plan).map(
    ({ key, at }) =>
      sql`case when staged.draft ? ${sql.lit(key)} then jsonb_build_object(${sql.lit(key)}::text, ${ref('own', at, 'value')}) else '{}' end`,
  )
  return pairs.length === 0 ? sql`null::jsonb` : sql`(${sql.join(pairs, sql` || `)})`
}

export function changes(plan: PlanScope): Sql {
  const changes = plan.parts.columns.flatMap((column, at) => {
    if (!plan.changing.includes(column) || (placeOf(column) === 'own' && !ownJoined(plan).some((own) => own.at === at))) return []
    const { given, now, isNew } = change(plan, column, at)
    return [
      sql`case when ${isNew} then jsonb_build_object(${sql.lit(column.key)}::text, jsonb_build_object('from', ${now}, 'to', ${given})) else '{}' end`,
    ]
  })
  if (changes.length === 0) return sql`null::jsonb`
  return sql`case when item.id is not null then nullif(${sql.join(changes, sql` || `)}, '{}') end`
}

function change(plan: PlanScope, column: ImportColumn, at: number): { given: Sql; now: Sql; isNew: RawBuilder<SqlBool> } {
  const { key } = column
  const sent = sql`staged.draft ? ${sql.lit(key)}`
  const own = sql.ref(`item.${key}`)
  switch (placeOf(column)) {
    case 'reference':
      return {
        given: sql`to_jsonb(${ref('ref', at, 'id')})`,
        now: sql`to_jsonb(${own})`,
        isNew: sql`${sent} and ${ref('ref', at, 'id')} is distinct from ${own}`,
      }
    case 'link': {
      const now = linksNow(plan, key)
      return { given: linkValue(column, at), now, isNew: sql`${sent} and ${linkValue(column, at)} is distinct from ${now}` }
    }
    case 'secret':
      return secretChange(key)
    case 'own': {
      const now = sql`coalesce(${ownOf(plan, key).now}, 'null'::jsonb)`
      const given = sql`coalesce(${ref('own', at, 'value')}, 'null'::jsonb)`
      return { given, now, isNew: sql`${sent} and ${given} is distinct from ${now}` }
    }
    case 'column': {
      const isText = ['boolean', 'integer'].includes(column.field.kind) || typeof column.field.choices?.[0]?.value === 'number'
      const now = isText ? sql`to_jsonb(${own})` : sql`to_jsonb(${own}::text)`
      return { given: sql`staged.draft -> ${sql.lit(key)}`, now, isNew: sql`${sent} and ${draft(key)} is distinct from ${own}::text` }
    }
  }
}

function linksNow(plan: PlanScope, key: string): Sql {
  const link = plan.target.links?.[key]
  if (!link) throw new Error(`${plan.target.kind.name}: ${key} has no table`)
  const tenant = plan.parts.clientId === undefined ? sql`` : sql`kept.client_id = item.client_id and`
  return sql`(select coalesce(jsonb_agg(${sql.ref(`kept.${link.column}`)} order by ${sql.ref(`kept.${link.ordered ? 'position' : link.column}`)}), '[]') from ${sql.table(link.table)} kept
    where ${tenant} ${sql.ref(`kept.${link.parent}`)} = item.id)`
}

/** Returns the bytes that would be replaced. An undo restores them. */
export function secretsBefore(plan: PlanScope): Sql {
  const secrets = plan.parts.columns.filter((column) => placeOf(column) === 'secret')
  if (secrets.length === 0) return sql`null::jsonb`
  const pairs = secrets.map(({ key }) => {
    const stored = sql`jsonb_build_object('encrypted', encode(${sql.ref(`item.${key}_encrypted`)}, 'base64'), 'last4', ${sql.ref(`item.${key}_last4`)}, 'fingerprint', encode(${sql.ref(`item.${key}_fingerprint`)}, 'base64'))`
    return sql`${sql.lit(key)}::text, case when staged.secrets ? ${sql.lit(key)} then ${stored} end`
  })
  return sql`case when item.id is not null and staged.secrets is not null then jsonb_build_object(${sql.join(pairs)}) end`
}

function secretChange(key: string): { given: Sql; now: Sql; isNew: RawBuilder<SqlBool> } {
  const sent = sql`staged.secrets -> ${sql.lit(key)}`
  const stored = sql.ref(`item.${key}_fingerprint`)
  return {
    given: sql`case when ${sent} ? 'sealed' then to_jsonb('[secret]'::text) end`,
    now: sql`case when ${stored} is not null then to_jsonb('[secret]'::text) end`,
    isNew: sql`staged.secrets ? ${sql.lit(key)} and not ${sent} ? 'masked' and (${sent} ->> 'fingerprint') is distinct from encode(${stored}, 'hex')`,
  }
}

function linkValue(column: ImportColumn, at: number): Sql {
  const sorted = sql`(select coalesce(jsonb_agg(word order by word), '[]') from jsonb_array_elements_text(staged.draft -> ${sql.lit(column.key)}) word)`
  return column.reference ? ref('many', at, 'ids') : sql`case when staged.draft ? ${sql.lit(column.key)} then ${sorted} end`
}
