/** The changed values in readable words. */
import type { BulkKind } from '#contract/bulk-changes/bulk-change.ts'
import type { Field } from '#contract/kernel/entity.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { sourceOf } from '../kernel/lists/sources.ts'

export type StoredChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
type Worded = Record<string, { from: string | null; to: string | null }>

/** Record names by field, then by id. */
export type Names = ReadonlyMap<string, ReadonlyMap<number, string>>

/** Looks up the names of the records that these values refer to, each list once. */
export async function namesOf(
  { tx }: Pick<Context, 'tx'>,
  kind: BulkKind,
  clientId: number,
  values: (key: string) => readonly unknown[],
): Promise<Names> {
  const names = new Map<string, ReadonlyMap<number, string>>()
  for (const [key, field] of Object.entries(kind.fields)) {
    const source = sourceOf(field.refers ?? '')
    const ids = [...new Set(values(key).filter((value) => typeof value === 'number'))]
    if (!source || ids.length === 0) continue
    const { rows } = await sql<{ id: number; name: string }>`select id, name from ${sql.table(source.table)}
      where ${source.scope === 'shared' ? sql`true` : sql`client_id = ${clientId}`} and id = any(${ids}::bigint[])`.execute(tx)
    names.set(key, new Map(rows.map(({ id, name }) => [id, name])))
  }
  return names
}

export function wordedChanges(kind: BulkKind, changes: StoredChanges | null, names: Names): Worded {
  return Object.fromEntries(
    Object.entries(kind.fields).flatMap(([key, field]) => {
      const change = changes?.[key]
      return change ? [[key, { from: worded(field, key, change.from, names), to: worded(field, key, change.to, names) }] as const] : []
    }),
  )
}

export function worded(field: Field<unknown>, key: string, value: unknown, names: Names): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field.refers !== undefined && typeof value === 'number') return names.get(key)?.get(value) ?? `#${value}`
  const chosen = field.choices?.find((choice) => choice.value === value)
  return chosen?.label ?? (typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value))
}
