/** Import of a slice on the server: where rows are stored, and what else they fill. */
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
  /** Source of the records. Its rules are those of the form. */
  readonly source: Source & Ruled & { readonly entity: { readonly name: string; readonly fields: Fields } }
  /** `update` is checked in addition to `create`, which is the right of the call: a row that means an existing record changes it. */
  readonly may: { readonly create: May; readonly update: May }
  /** Columns of many values: the table that stores them, by the key of their column. */
  readonly links?: Readonly<Record<string, ImportLink>> | undefined
  /** Column values of a new record that do not come from the file. */
  readonly initial?: ((context: Context) => Promise<Readonly<Record<string, string | number | boolean | null>>>) | undefined
  /** Reason why an import of this kind cannot be undone; absent if it can. */
  readonly staysBecause?: string | undefined
  /** Destination of secrets that a record is not to hold at once. The trail of the record omits them then. */
  readonly secrets?: ImportSecrets | undefined
  /** Columns of kind `own`, by their key. */
  readonly own?: Readonly<Record<string, ImportOwn>> | undefined
  /** Further ways to find a record than by its exact key. */
  readonly match?: ImportMatch | undefined
  /** Children of the records, one per row. */
  readonly part?: ImportPartTarget | undefined
  /** Updates what depends on the records that were written or restored, in the same transaction. */
  readonly after?: ((context: Context, done: ImportDone) => Promise<void>) | undefined
}

/** `take` gets a few hundred rows at a time, each with the secrets that its cells set or empty. `giveBack` undoes what is left of it. */
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
  /** Column that names the record. */
  readonly parent: string
  /** Column that holds one of the values. */
  readonly column: string
  /** Keeps the order of the values in the column `position`. */
  readonly ordered?: boolean | undefined
}

/** A column that the slice resolves, compares and stores itself. Values are JSON, as the trail shows them. */
export interface ImportOwn {
  /** Value that the row gives; null for none. */
  readonly given: (parts: ImportOwnParts) => RawBuilder<unknown>
  /** Error message if the cell is invalid, else null. */
  readonly fault?: ((parts: ImportOwnParts) => RawBuilder<unknown>) | undefined
  /** Present value of the record. */
  readonly now: RawBuilder<unknown>
  /** If values are ids: a select of `id` and `name`, for the report. */
  readonly names?: RawBuilder<unknown> | undefined
  /** Converts the value for the column of this name. */
  readonly column?: ((value: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined
  /** Stores the values elsewhere: `rows` is a select of item_id and value. Existing values of these records are replaced. */
  readonly store?: ((context: Context, clientId: number, rows: RawBuilder<unknown>) => Promise<void>) | undefined
}

/** Inputs of such a column: `item` is the record that the row means (null if it is new), `draft` holds the values of the row. */
export interface ImportOwnParts {
  readonly context: Context
  readonly clientId: number | undefined
  readonly reach: Reach
  readonly item: (column: string) => RawBuilder<unknown>
  readonly draft: (key: string) => RawBuilder<unknown>
  /** The cell as JSON. */
  readonly json: (key: string) => RawBuilder<unknown>
  /** Id of the record that another column names; null if the file has no such column. */
  readonly named: (key: string) => RawBuilder<unknown>
  /** Id of the import whose rows these are. */
  readonly importId: number
}

/** Matching of numbers that people write in several ways, and of other names. */
export interface ImportMatch {
  /** Key column that holds the number. */
  readonly number: string
  /** Reference among the key columns within which the number is unique. */
  readonly within: string
  /** Ways in which a record may be found, tried one after the other. */
  readonly ways: readonly number[]
  /**
   * A select of `number` (as the row writes it) and `how` (one of the ways), and of `id`, `name`, and the two columns above of each record
   * that it may mean.
   */
  readonly found: (search: ImportSearch) => RawBuilder<unknown>
}

export interface ImportSearch {
  readonly clientId: number
  /** An item of a from clause, called `wanted`, with the column `number`. */
  readonly wanted: RawBuilder<unknown>
  /** Condition for the records that the file reaches, under the name of their table. */
  readonly inside: RawBuilder<SqlBool>
}

/** Children of a target's records; both come from the same rows. */
export interface ImportPartTarget {
  readonly target: ImportTarget
  /** Column that names the parent record. */
  readonly parent: string
  /** Columns that distinguish children of one record with the same key: a reference and a text. */
  readonly finer: { readonly reference: string; readonly text: string }
  /** Keys that `complete` fills in for rows of files without their columns. */
  readonly always: readonly string[]
  /** Fills in the values of new children in `import_plan_part`. */
  readonly complete?: ((context: Context, clientId: number) => Promise<void>) | undefined
}

/** Result of a commit or an undo. */
export interface ImportDone {
  readonly clientId: number
  /** A select of the ids of the records that were changed in one of these keys, or restored. */
  readonly changed: (...keys: readonly string[]) => RawBuilder<unknown>
  /** A select of the ids of the records that were created or changed; after an undo, of those restored. */
  readonly written: RawBuilder<unknown>
  /** A select of the ids of the records that were created; empty after an undo. */
  readonly made: RawBuilder<unknown>
}

/** How the cells of a column are stored. */
export type ImportPlace = 'column' | 'reference' | 'link' | 'secret' | 'own'

export function placeOf(column: ImportColumn): ImportPlace {
  if (column.own) return 'own'
  if (column.many) return 'link'
  if (column.reference) return 'reference'
  return column.field.kind === 'secret' ? 'secret' : 'column'
}
