/**
 * Acts on many records at once are undone in reverse order. An undo gives each record a new version, so the preceding act, an import or a
 * bulk change, is updated: its result exists again under that version and can be undone next.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'

export interface UndoneAct {
  readonly context: Context
  /** 0 for records that belong to no client. */
  readonly clientId: number
  /** Name of the records in the trail. */
  readonly itemType: string
  /** Kind of import that changes such records, and the table of its outcomes. */
  readonly importKind: string
  readonly outcomes: 'import_outcomes' | 'import_part_outcomes'
  /** A select of item_id, version_before and lock_version: the record's version before the act and after it. */
  readonly items: RawBuilder<unknown>
}

/** Must be called after the records are restored, when each is one version further than the act had left it. */
export async function passVersionsOn({ context: { tx }, clientId, itemType, importKind, outcomes, items }: UndoneAct): Promise<void> {
  // A version is written once: the act that wrote the version at which this act began is the preceding one.
  await sql`update ${sql.table(outcomes)} earlier set lock_version = done.lock_version + 1 from (${items}) done, imports
    where imports.kind = ${importKind} and imports.client_id = ${clientId} and imports.state in ('committed', 'undoing')
      and earlier.import_id = imports.id and earlier.item_id = done.item_id and earlier.lock_version = done.version_before`.execute(tx)
  await sql`update bulk_change_items earlier set lock_version = done.lock_version + 1 from (${items}) done, bulk_changes act
    where act.client_id = ${clientId} and act.kind = ${itemType} and act.undone_at is null and earlier.client_id = act.client_id
      and earlier.bulk_change_id = act.id and earlier.item_id = done.item_id and earlier.lock_version = done.version_before`.execute(tx)
}
