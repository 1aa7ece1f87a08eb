/** A list that allows bulk changes: the table of its records, and the records that depend on them. */
import type { BulkKind, BulkValue } from '#contract/bulk-changes/bulk-change.ts'
import type { ImportKindName } from '#contract/imports/import.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Source } from '../kernel/lists/list.ts'
import type { Ruled } from '../kernel/lists/row-rules.ts'

export interface BulkTarget {
  readonly kind: BulkKind
  /** Its rules are those of the form. */
  readonly source: Source & Ruled
  readonly may: Permission
  /** The kind of import that changes the same records: imports and bulk changes are undone in reverse order. */
  readonly importKind: ImportKindName
  /** Columns that name a record for people. */
  readonly title: string
  readonly detail: string
  /** Fields that are not columns: their current value, compared with the given one. `after` applies and undoes them. */
  readonly beside?: Readonly<Record<string, (given: RawBuilder<unknown>) => RawBuilder<unknown>>>
  /** Updates whatever depends on the changed or restored records, in the same transaction. */
  readonly after?: (context: Context, done: BulkDone) => Promise<void>
}

export interface BulkDone {
  readonly clientId: number
  /** Id of the bulk change, and whether it is being undone. */
  readonly act: number
  readonly undone: boolean
  /** Returns the new value of the field; undefined if the change leaves it alone, and when undoing. */
  readonly given: (key: string) => BulkValue | undefined
  /** Returns a select of the ids of records that were changed in one of these fields, or restored. */
  readonly changed: (...keys: readonly string[]) => RawBuilder<unknown>
  /** Whether the bulk change affects one of these fields at all. */
  readonly isAbout: (...keys: readonly string[]) => boolean
}
