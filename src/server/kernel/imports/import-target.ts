/** What a slice says of its import on the server: where rows go, and what else they fill. */
import type { Fields } from '#contract/kernel/entity.ts'
import type { ImportColumn, ImportKind } from '#contract/kernel/import.ts'
import type { May } from '#contract/kernel/permission.ts'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../context.ts'
import type { Source } from '../lists/list.ts'
import type { Reach } from '../principal.ts'
import type { Ruled } from '../lists/row-rules.ts'

export interface ImportTarget {
  readonly kind: ImportKind
  /** Its rules are those of the form. */
  readonly source: Source & Ruled & { readonly entity: { readonly name: string; readonly fields: Fields } }
  /** `update` is asked for beside `create`, which is the call's: a row that means a record of today changes it. */
  readonly may: { readonly create: May; readonly update: May }
  /** Columns of many values, by the key of their column: the table that keeps them. */
  readonly links?: Readonly<Record<string, ImportLink>> | undefined
  /** Columns that a new record has beside what its file says. */
  readonly initial?: ((context: Context) => Promise<Readonly<Record<string, string | number | boolean | null>>>) | undefined
  /** Why what an import created is never taken back, where that is so. */
  readonly staysBecause?: string | undefined
  /** Where secrets go that a record is not to hold at once. The trail of the record does not speak of them then. */
  readonly secrets?: ImportSecrets | undefined
  /** Columns that are `own`, by their key. */
  readonly own?: Readonly<Record<string, ImportOwn>> | undefined
  /** How else a record is found than by its key as it stands. */
  readonly match?: ImportMatch | undefined
  /** What hangs on the records, one a row. */
  readonly part?: ImportPartTarget | undefined
  /** What hangs on the records that were written or put back, in the same transaction. */
  readonly after?: ((context: Context, done: ImportDone) => Promise<void>) | undefined
}

/** `take` gets a few hundred rows at a time, of each the secrets that its cells set or empty; `giveBack` undoes what is left of it. */
export interface ImportSecrets {
  readonly take: (
    context: Context,
    importId: number,
    rows: readonly { readonly id: number; readonly values: Readonly<Record<string, string | null>> }[],
  ) => Promise<void>
  readonly giveBack: (context: Context, importId: number) => Promise<void>
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

/** A column that the slice resolves, compares and keeps itself. Values are JSON, as the trail shows them. */
export interface ImportOwn {
  /** What the row wants, null for nothing. */
  readonly given: (parts: ImportOwnParts) => RawBuilder<unknown>
  /** The message where the cell cannot be taken, else null. */
  readonly fault?: ((parts: ImportOwnParts) => RawBuilder<unknown>) | undefined
  /** What the record has. */
  readonly now: RawBuilder<unknown>
  /** Where values are ids: a select of `id` and `name`, for the report. */
  readonly names?: RawBuilder<unknown> | undefined
  /** The value as the column of its name takes it. */
  readonly column?: ((value: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined
  /** Keeps it elsewhere: `rows` is a select of item_id and value. What is there of these records is replaced. */
  readonly store?: ((context: Context, clientId: number, rows: RawBuilder<unknown>) => Promise<void>) | undefined
}

/** What such a column may look at: `item` is the record that the row means (null where it is new), `draft` what the row says. */
export interface ImportOwnParts {
  readonly context: Context
  readonly clientId: number | undefined
  readonly reach: Reach
  readonly item: (column: string) => RawBuilder<unknown>
  readonly draft: (key: string) => RawBuilder<unknown>
  /** The cell as JSON. */
  readonly json: (key: string) => RawBuilder<unknown>
  /** The id of what another column names; null where the file has no such column. */
  readonly named: (key: string) => RawBuilder<unknown>
  /** The rows of the file. */
  readonly importId: number
}

/** Numbers that people write in several ways, and other names. */
export interface ImportMatch {
  /** The key's column that holds the number. */
  readonly number: string
  /** The reference among the key's columns that the number is one of. */
  readonly within: string
  /** The ways in which a record may be found, tried one after the other. */
  readonly ways: readonly number[]
  /** A select of `number` (as the row writes it), `how` (one of the ways), and `id`, `name`, and the two columns above of each record that it may mean. */
  readonly found: (search: ImportSearch) => RawBuilder<unknown>
}

export interface ImportSearch {
  readonly clientId: number
  /** An item of a from clause, called `wanted`, with the column `number`. */
  readonly wanted: RawBuilder<unknown>
  /** Which records the file reaches, under the name of their table. */
  readonly inside: RawBuilder<SqlBool>
}

/** Records that hang on those of a target; their rows are the same ones. */
export interface ImportPartTarget {
  readonly target: ImportTarget
  /** The column that names the record they hang on. */
  readonly parent: string
  /** What tells those of one record apart that say the same key: a reference and a text. */
  readonly finer: { readonly reference: string; readonly text: string }
  /** Keys that `complete` fills in for rows of files without their columns. */
  readonly always: readonly string[]
  /** Fills in what new ones get, in `import_plan_part`. */
  readonly complete?: ((context: Context, clientId: number) => Promise<void>) | undefined
}

/** What a commit or its undoing has done. */
export interface ImportDone {
  readonly clientId: number
  /** A select of the ids of the records that were changed in one of these keys, or put back. */
  readonly changed: (...keys: readonly string[]) => RawBuilder<unknown>
  /** A select of the ids of the records that were made or changed; those put back where it is taken back. */
  readonly written: RawBuilder<unknown>
  /** A select of the ids of the records that were made; of none where it is taken back. */
  readonly made: RawBuilder<unknown>
}

/** How the cells of a column are kept. */
export type ImportPlace = 'column' | 'reference' | 'link' | 'secret' | 'own'

export function placeOf(column: ImportColumn): ImportPlace {
  if (column.own) return 'own'
  if (column.many) return 'link'
  if (column.reference) return 'reference'
  return column.field.kind === 'secret' ? 'secret' : 'column'
}
