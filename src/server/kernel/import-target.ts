/** What a slice says of its import on the server: where rows go, what else they fill, and the rules that only it has. */
import type { Field, Fields } from '#contract/kernel/entity.ts'
import type { ImportColumn, ImportKind } from '#contract/kernel/import.ts'
import type { May } from '#contract/kernel/permission.ts'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from './context.ts'
import type { Condition, Source } from './list.ts'
import type { Reach } from './principal.ts'

export interface ImportTarget {
  readonly kind: ImportKind
  readonly source: Source & { readonly entity: { readonly name: string; readonly fields: Fields } }
  /** `update` is asked for beside `create`, which is the call's: a row that means a record of today changes it. */
  readonly may: { readonly create: May; readonly update: May }
  /** Columns of many values, by the key of their column: the table that keeps them. */
  readonly links?: Readonly<Record<string, ImportLink>> | undefined
  /** Columns that a new record has beside what its file says. */
  readonly initial?: ((context: Context) => Promise<Readonly<Record<string, string | number | boolean | null>>>) | undefined
  /** Rules over whole rows, as conditions under which a row is refused. */
  readonly checks?: ((parts: ImportCheckParts) => readonly ImportCheck[]) | undefined
  /** Why what an import created is never taken back, where that is so. */
  readonly staysBecause?: string | undefined
  /** What hangs on the records that were written or put back, in the same transaction. */
  readonly after?: ((context: Context, done: ImportDone) => Promise<void>) | undefined
}

export interface ImportLink {
  readonly table: string
  /** The column that names the record. */
  readonly parent: string
  /** The column that holds one of the values. */
  readonly column: string
  /** Keeps the order of the values in the column `position`. */
  readonly ordered?: boolean | undefined
}

/** What a check may look at: `item` is the record that the row means (null where it is new), `draft` what the row says. */
export interface ImportCheckParts {
  readonly context: Context
  readonly clientId: number | undefined
  readonly reach: Reach
  readonly item: (column: string) => RawBuilder<unknown>
  readonly draft: (key: string) => RawBuilder<unknown>
  /** Whether the file has a column that fills this key. */
  readonly has: (key: string) => boolean
}

export interface ImportCheck {
  readonly column: string | null
  readonly message: string
  readonly when: Condition | RawBuilder<SqlBool>
}

/** What a commit or its undoing has done. */
export interface ImportDone {
  readonly clientId: number
  /** A select of the ids of the records that were changed in one of these keys, or put back. */
  readonly changed: (...keys: readonly string[]) => RawBuilder<unknown>
  /** The same with the new records that brought a secret under one of these keys. */
  readonly withSecret: (...keys: readonly string[]) => RawBuilder<unknown>
}

/** How the cells of a column are kept. */
export type ImportPlace = 'column' | 'reference' | 'link' | 'secret'

export function placeOf(column: ImportColumn): ImportPlace {
  if (column.many) return 'link'
  if (column.reference) return 'reference'
  return column.field.kind === 'secret' ? 'secret' : 'column'
}

/** The type that a field's text is cast to before it is stored. */
export function castName(field: Field<unknown>): string {
  switch (field.kind) {
    case 'boolean':
      return 'boolean'
    case 'integer':
      return 'int'
    case 'ref':
      return 'bigint'
    case 'decimal':
    case 'money':
      return 'numeric'
    case 'date':
      return 'date'
    case 'choice':
      return field.choices?.every(({ value }) => typeof value === 'number') ? 'int' : 'text'
    default:
      return 'text'
  }
}
