/**
 * Acts on many records at once are undone backwards. An undo gives each record a new version, so the act before it, an import or a change
 * in bulk, is told that what it left stands there again under that version: it can be undone next.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'

export interface UndoneAct {
  readonly context: Context
  /** 0 for what belongs to no client. */
  readonly clientId: number
  /** The records' name in the trail. */
  readonly itemType: string
  /** The kind of import that changes such records, and where its outcomes stand. */
  readonly importKind: string
  readonly outcomes: 'import_outcomes' | 'import_part_outcomes'
  /** A select of item_id, version_before and lock_version, the record's before the act and after it. */
  readonly items: RawBuilder<unknown>
}

/** Call it once the records are as they were, each a version further than the act had left them. */
export async function passVersionsOn({ context: { tx }, clientId, itemType, importKind, outcomes, items }: UndoneAct): Promise<void> {
  // A version is written once: whoever left the one that the act began with was the act before it.
  await sql`update ${sql.table(outcomes)} earlier set lock_version = done.lock_version + 1 from (${items}) done, imports
    where imports.kind = ${importKind} and imports.client_id = ${clientId} and imports.state in ('committed', 'undoing')
      and earlier.import_id = imports.id and earlier.item_id = done.item_id and earlier.lock_version = done.version_before`.execute(tx)
  await sql`update bulk_change_items earlier set lock_version = done.lock_version + 1 from (${items}) done, bulk_changes act
    where act.client_id = ${clientId} and act.kind = ${itemType} and act.undone_at is null and earlier.client_id = act.client_id
      and earlier.bulk_change_id = act.id and earlier.item_id = done.item_id and earlier.lock_version = done.version_before`.execute(tx)
}
