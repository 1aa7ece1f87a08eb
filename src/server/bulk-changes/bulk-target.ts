/** What a list says of its changes in one act: where its records are, what may stand in the way, and what hangs on them. */
import type { BulkKind, BulkValue } from '#contract/bulk-change.ts'
import type { ImportKindName } from '#contract/import.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Source } from '../kernel/list.ts'

export interface BulkTarget {
  readonly kind: BulkKind
  readonly source: Source
  readonly may: Permission
  /** The kind of import that changes the same records: the one is undone after the other. */
  readonly importKind: ImportKindName
  /** The columns that name a record for people. */
  readonly title: string
  readonly detail: string
  /** Fields that are no column: what stands in their place now, compared with what the act gives. `after` does and undoes them. */
  readonly beside?: Readonly<Record<string, (given: RawBuilder<unknown>) => RawBuilder<unknown>>>
  /** Rules of the form over what an act may change, as conditions under which a record is refused. */
  readonly refusals?: (parts: BulkCheckParts) => readonly BulkCheck[]
  /** What should be known before. */
  readonly warnings?: (parts: BulkCheckParts) => readonly BulkCheck[]
  /** What hangs on the records that were changed or put back, in the same transaction. */
  readonly after?: (context: Context, done: BulkDone) => Promise<void>
}

/** What a check may look at: the record is `item`. */
export interface BulkCheckParts {
  readonly clientId: number
  readonly context: Context
  /** The value that the act gives a field; undefined where it leaves the field alone. */
  readonly given: (key: string) => RawBuilder<unknown> | undefined
  /** A select of the ids of all records that the act is about. */
  readonly selected: RawBuilder<unknown>
}

export interface BulkCheck {
  readonly message: string
  readonly when: RawBuilder<SqlBool>
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
