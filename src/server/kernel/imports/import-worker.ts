/**
 * A kind of import whose rows no single statement can judge: its slice reads the loaded rows, reports the outcome of each, and stores it.
 * The file, report, commit and undo are those of every import.
 */
import type { ImportKind } from '#contract/kernel/import.ts'
import type { May } from '#contract/kernel/permission.ts'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tx } from '../postgres/database.ts'
import type { Reach } from '../principal.ts'

export interface ImportWorker {
  readonly kind: ImportKind
  /** `create` is the right of the call; `undo` is checked before created records are deleted. */
  readonly may: { readonly create: May; readonly undo: May }
  /** Tables that a commit fills. */
  readonly fills: readonly string[]
  /** Writes the outcome of every row with `writeOutcomes`, in the transaction of the context. */
  readonly work: (context: Context, parts: ImportWork) => Promise<ImportWorked>
  /**
   * Deletes the records that the import created, or throws a refusal that says what prevents it. @returns the number of deleted records.
   */
  readonly undo: (context: Context, parts: Pick<ImportWork, 'importId' | 'clientId' | 'reach'>) => Promise<number>
}

export interface ImportWork {
  readonly importId: number
  readonly clientId: number
  readonly taskId: number
  /** Reach of the right to create these records. */
  readonly reach: Reach
  /** If false, everything is judged as if it were stored, and nothing is stored. */
  readonly isStoring: boolean
  /** Restricts the work to rows that the report has shown as new. */
  readonly onlySeen: boolean
  readonly signal: AbortSignal
  readonly progress: (rows: number) => void
}

export interface ImportWorked {
  /** Closest matches for unknown names, by column and name. */
  readonly suggestions: Readonly<Record<string, Readonly<Record<string, string[]>>>>
}

/** An error in a column, or null for the row as a whole. `n` is the unknown name, `b` the stored record that the row repeats. */
export interface RowError {
  readonly c: string | null
  readonly m: string
  readonly n?: string | undefined
  readonly b?: number | undefined
}

export interface WorkedRow {
  readonly line: number
  readonly action: 'create' | 'unchanged' | 'refused'
  /** Action of the whole record: further rows of a new record are `create` here and `unchanged` themselves. */
  readonly row_action: 'create' | 'refused'
  readonly item_id: number | null
  readonly errors: readonly RowError[] | null
  readonly notes: readonly { readonly c: string; readonly m: string }[] | null
}

/** Stores the outcomes, replacing earlier ones. */
export async function writeOutcomes(tx: Tx, importId: number, rows: readonly WorkedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into import_outcomes (import_id, line, action, row_action, item_id, version_before, lock_version, errors, notes)
    select ${importId}::bigint, line, action, row_action, item_id, null, case when action = 'create' and item_id is not null then 0 end, errors, notes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(line int, action text, row_action text, item_id bigint, errors jsonb, notes jsonb)
    on conflict (import_id, line) do update set action = excluded.action, row_action = excluded.row_action, item_id = excluded.item_id,
      lock_version = excluded.lock_version, errors = excluded.errors, notes = excluded.notes`.execute(tx)
}
