/** Restores the values that an import has changed. */
import type { ImportColumn } from '#contract/kernel/import.ts'
import { sql, type RawBuilder } from 'kysely'
import { castName } from '../postgres/column-type.ts'
import type { Context } from '../context.ts'
import { insertLinks, isStored } from './import-apply.ts'
import { placeOf, type ImportTarget } from './import-target.ts'

export type Sql = RawBuilder<unknown>

export interface UndoParts {
  readonly importId: number
  readonly clientId: number | undefined
  readonly context: Context
}

/** Inputs for undoing either the records themselves or their parts. */
export interface OneParts extends UndoParts {
  readonly outcomes: 'import_outcomes' | 'import_part_outcomes'
}

export async function restoreChanged(target: ImportTarget, parts: OneParts): Promise<number> {
  const { context, clientId, importId } = parts
  const { table } = target.source
  const own = target.kind.columns.filter((column) => !column.part && isStored(column, target))
  const sets = own.map((column) => {
    const before = beforeOf(column, target)
    return sql`${sql.ref(column.key)} = case when undone.changes ? ${sql.lit(column.key)} then ${before} else ${sql.ref(`${table}.${column.key}`)} end`
  })
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join([...sets, sql`lock_version = ${sql.ref(`${table}.lock_version`)} + 1`, sql`updated_at = now()`])}
    from ${sql.table(parts.outcomes)} undone where undone.import_id = ${importId} and undone.action = 'update' and ${tenantOf(table, clientId)}
      and ${sql.ref(`${table}.id`)} = undone.item_id`.execute(context.tx)
  await restoreOwn(target, parts)
  for (const column of target.kind.columns.filter(({ part }) => !part)) {
    if (placeOf(column) === 'link') await restoreLinks(target, column, parts)
    if (placeOf(column) === 'secret' && !target.secrets) await restoreSecret(target, column.key, parts)
  }
  return Number(numAffectedRows ?? 0)
}

/** Returns the former value of the column, in the type of its table. */
function beforeOf(column: ImportColumn, { own = {} }: ImportTarget): Sql {
  const from = sql`undone.changes -> ${sql.lit(column.key)} -> 'from'`
  if (placeOf(column) === 'own') return own[column.key]?.column?.(sql`nullif(${from}, 'null')`) ?? sql`null`
  return sql`(undone.changes -> ${sql.lit(column.key)} ->> 'from')::${sql.raw(placeOf(column) === 'reference' ? 'bigint' : castName(column.field))}`
}

async function restoreOwn({ own = {} }: ImportTarget, { context, clientId, importId, outcomes }: OneParts): Promise<void> {
  for (const [key, { store }] of Object.entries(own)) {
    const before = sql`nullif(undone.changes -> ${sql.lit(key)} -> 'from', 'null')`
    await store?.(
      context,
      clientId ?? 0,
      sql`select undone.item_id, ${before} as value from ${sql.table(outcomes)} undone
        where undone.import_id = ${importId} and undone.action = 'update' and undone.changes ? ${sql.lit(key)}`,
    )
  }
}

async function restoreLinks(
  target: ImportTarget,
  { key }: ImportColumn,
  { context, clientId, importId, outcomes }: OneParts,
): Promise<void> {
  const link = target.links?.[key]
  if (!link) return
  const undone = sql`plan.import_id = ${importId} and plan.action = 'update' and plan.changes ? ${sql.lit(key)}`
  await sql`delete from ${sql.table(link.table)} using ${sql.table(outcomes)} plan where ${undone} and ${tenantOf(link.table, clientId)}
    and ${sql.ref(`${link.table}.${link.parent}`)} = plan.item_id`.execute(context.tx)
  await insertLinks(link, sql`plan.changes -> ${sql.lit(key)} -> 'from'`, sql`${sql.table(outcomes)} plan where ${undone}`, {
    context,
    clientId,
  })
}

async function restoreSecret({ source }: ImportTarget, key: string, { context, importId }: UndoParts): Promise<void> {
  const from = sql`(select item_id as id, secrets_before -> ${sql.lit(key)} as kept from import_outcomes
    where import_id = ${importId} and action = 'update' and changes ? ${sql.lit(key)}) before, lateral jsonb_to_record(before.kept)`
  await sql`update ${sql.table(source.table)} set ${sql.ref(`${key}_encrypted`)} = given.encrypted, ${sql.ref(`${key}_last4`)} = given.last4, ${sql.ref(`${key}_fingerprint`)} = given.fingerprint
    from (select before.id, decode(kept.encrypted, 'base64') as encrypted, kept.last4, decode(kept.fingerprint, 'base64') as fingerprint
      from ${from} as kept(encrypted text, last4 text, fingerprint text)) given where ${sql.ref(`${source.table}.id`)} = given.id`.execute(
    context.tx,
  )
}

export function tenantOf(table: string, clientId: number | undefined): Sql {
  return clientId === undefined ? sql`true` : sql`${sql.ref(`${table}.client_id`)} = ${clientId}`
}
