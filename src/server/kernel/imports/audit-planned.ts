/** Writes the trail of an imported file. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { castName } from '../postgres/column-type.ts'
import { secretMarker } from '../audit.ts'
import { singleReferences, type PlanParts } from './import-plan.ts'
import { placeOf, type ImportTarget } from './import-target.ts'
import type { Sql } from './planned-secrets.ts'

export type Defaults = Readonly<Record<string, string | number | boolean | null>>

export function givenValue(column: ImportColumn, { columns }: PlanParts, { own = {} }: ImportTarget): Sql {
  const ofOwn = own[column.key]?.column
  if (placeOf(column) === 'own') return ofOwn?.(sql`nullif(plan.own -> ${sql.lit(column.key)}, 'null')`) ?? sql`null`
  if (placeOf(column) === 'reference') return sql`plan.refs[${sql.lit(singleReferences(columns).indexOf(column) + 1)}]`
  return sql`(plan.draft ->> ${sql.lit(column.key)})::${sql.raw(castName(column.field))}`
}

/** Leaves the same trail as a form: all values of a new record, the changes of an existing one. */
export async function auditPlanned(target: ImportTarget, parts: PlanParts, initial: Defaults): Promise<void> {
  const { context, clientId } = parts
  const values = new Map<string, Sql>(Object.entries(initial).map(([key, value]) => [key, sql`${sql.lit(JSON.stringify(value))}::text`]))
  for (const column of parts.columns) {
    if (target.secrets && placeOf(column) === 'secret') continue
    const given = auditedValue(column, parts, target)
    const standard = values.get(column.key)
    values.set(column.key, standard ? sql`coalesce(${given}, ${standard})` : given)
  }
  const untold = untoldKeys(target)
  const pieces = [...values].map(([key, value]) => sql`${sql.lit(`${JSON.stringify(key)}:{"from":null,"to":`)} || ${value} || '}'`)
  const created = sql`('{' || concat_ws(',', ${sql.join(pieces)}) || '}')::jsonb`
  await sql`insert into audit_records (client_id, user_id, event, item_type, item_id, object_changes, ip_address)
    select ${clientId === undefined ? ownClient(target, sql`plan.item_id`) : sql`${clientId}::bigint`}, ${context.principal.user_id}::bigint, plan.action, ${target.source.entity.name}, plan.item_id,
      case when plan.action = 'create' then ${created} else plan.changes - ${untold}::text[] end, ${context.ip}::text
    from ${sql.table(parts.plan)} plan where plan.action = 'create' or (plan.action = 'update' and plan.changes - ${untold}::text[] <> '{}') order by plan.line`.execute(
    context.tx,
  )
  context.touch(clientId ?? 0)
}

/** Secrets that are stored elsewhere have their trail there. */
export function untoldKeys({ secrets, kind }: ImportTarget): string[] {
  return secrets ? kind.columns.filter((column) => placeOf(column) === 'secret').map(({ key }) => key) : []
}

/** Shared records have client 0. A record seen by reach that belongs to no client is its own client. */
export function ownClient({ source }: ImportTarget, id: Sql): Sql {
  return source.scope === 'shared' ? sql`0::bigint` : id
}

/** Returns the JSON text of a new record's value in the trail; null if it has none. */
function auditedValue(column: ImportColumn, parts: PlanParts, target: ImportTarget): Sql {
  switch (placeOf(column)) {
    case 'reference':
      return sql`${givenValue(column, parts, target)}::text`
    case 'link':
      return sql`nullif((plan.links -> ${sql.lit(column.key)})::text, '[]')`
    case 'own':
      return target.own?.[column.key] ? sql`nullif(nullif((plan.own -> ${sql.lit(column.key)})::text, 'null'), '[]')` : sql`null`
    case 'secret':
      return sql`case when plan.secrets -> ${sql.lit(column.key)} ? 'sealed' then ${sql.lit(JSON.stringify(secretMarker))}::text end`
    case 'column':
      return sql`nullif((plan.draft -> ${sql.lit(column.key)})::text, 'null')`
  }
}
