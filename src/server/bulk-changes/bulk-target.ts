/** How a list takes changes of many records: the table of the records, and the records that depend on them. */
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
  /** The kind of import that changes the same records: the one is undone after the other. */
  readonly importKind: ImportKindName
  /** The columns that name a record for people. */
  readonly title: string
  readonly detail: string
  /** Fields that are no column: what stands in their place now, compared with what the act gives. `after` does and undoes them. */
  readonly beside?: Readonly<Record<string, (given: RawBuilder<unknown>) => RawBuilder<unknown>>>
  /** What hangs on the records that were changed or put back, in the same transaction. */
  readonly after?: (context: Context, done: BulkDone) => Promise<void>
}

export interface BulkDone {
  readonly clientId: number
  /** The act, and whether it is being undone. */
  readonly act: number
  readonly undone: boolean
  /** What the act gave the field; undefined where it left it alone, and when it is undone. */
  readonly given: (key: string) => BulkValue | undefined
  /** A select of the ids of the records that were changed in one of these fields, or put back. */
  readonly changed: (...keys: readonly string[]) => RawBuilder<unknown>
  /** Whether the act is about one of these fields at all. */
  readonly isAbout: (...keys: readonly string[]) => boolean
}
