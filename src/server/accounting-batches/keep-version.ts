/** Stores a file that a task made for a batch as its next version: the file, its row and the trail, in the transaction that ends the task. */
import type { BatchFileKind } from '#contract/accounting-batches/batch-contents.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { keepTaskFile } from '../kernel/work/task-file.ts'
import type { TaskRun } from '../kernel/work/task.ts'
import type { BatchState } from './batch-snapshot.ts'
import type { LedgerBatch } from './ledger-line.ts'

export interface MadeFile {
  readonly kind: BatchFileKind
  readonly key: string
  readonly bytes: number
  readonly sha256: Buffer
  readonly contentType: string
  /** Returns the file name for a version. */
  readonly filename: (version: number) => string
  /** Total in dollars. */
  readonly total: string
  readonly rows: number
  /** The state of the batch that the file says. */
  readonly state: BatchState
}

export interface KeptVersion {
  readonly id: number
  readonly fileId: number
  readonly version: number
  readonly filename: string
}

/** Stores the file. The caller has locked the batch, so version numbers have no gaps. */
export async function keepVersion(run: TaskRun, context: Context, batch: LedgerBatch, made: MadeFile): Promise<KeptVersion> {
  const { tx } = context
  const { rows: versions } = await sql<{ version: number }>`select coalesce(max(version), 0) + 1 as version from accounting_batch_files
    where client_id = ${batch.client_id} and accounting_batch_id = ${batch.id} and kind = ${made.kind}`.execute(tx)
  const version = versions[0]?.version ?? 1
  const filename = made.filename(version)
  const fileId = await keepTaskFile(tx, run, { ...made, filename })
  const { rows } = await sql<{
    id: number
  }>`insert into accounting_batch_files (client_id, accounting_batch_id, kind, version, file_id, sha256, total, row_count, read_at, bill_count, bills_total, created_by, created_at)
    values (${batch.client_id}, ${batch.id}, ${made.kind}, ${version}, ${fileId}, ${made.sha256}, ${made.total}, ${made.rows}, ${made.state.read_at}, ${made.state.bill_count}, ${made.state.bills_total}, ${run.principal.user_id}, ${now()})
    returning id`.execute(tx)
  await context.audit.updated('accounting_batch', batch.id, batch.client_id, {
    [`${made.kind}_version`]: { from: version - 1 || null, to: version },
  })
  return { id: rows[0]?.id ?? 0, fileId, version, filename }
}

/** Returns the batch code in a form that may begin a file name. */
export function fileWord(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '_')
}
