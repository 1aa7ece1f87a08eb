/** Runs an import whose kind processes the rows itself, and stores the results. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { ImportWorker } from '../kernel/imports/import-worker.ts'
import { reachOf } from '../kernel/principal.ts'
import type { TaskRun } from '../kernel/work/task.ts'
import { outcomeOf, refusedText } from './import-messages.ts'
import type { ImportRecord } from './import-record.ts'
import { countOutcomes, keepCounts } from './outcomes.ts'

/**
 * Runs the work.
 * @returns the tables that were filled.
 */
export async function letWork(
  run: TaskRun,
  context: Context,
  worker: ImportWorker,
  record: ImportRecord,
  { committing }: { readonly committing: boolean },
): Promise<string[]> {
  const { tx } = context
  const reach = reachOf(run.principal, worker.may.create)
  const { id: importId, client_id: clientId, mode } = record
  const { signal, progress } = run
  const work = (isStoring: boolean, onlySeen: boolean) =>
    worker.work(
      { ...context, principal: context.principal, reach },
      {
        importId,
        clientId,
        taskId: run.id,
        reach,
        isStoring,
        onlySeen,
        signal,
        progress: (rows) => progress(rows, record.row_count),
      },
    )
  if (!committing) await sql`delete from import_outcomes where import_id = ${importId}`.execute(tx)
  const isStoring = mode !== 'dry_run'
  await sql`savepoint import_stored`.execute(tx)
  let worked = await work(isStoring, committing)
  let found = await countOutcomes(context, importId)
  const isRefused = isStoring && mode === 'all' && found.counts.refused > 0
  const error = isRefused ? refusedText(found.counts) : null
  if (isRefused) {
    // All or none: stored rows are rolled back, and the report states what every row would do.
    await sql`rollback to savepoint import_stored`.execute(tx)
    worked = await work(false, false)
    found = await countOutcomes(context, importId)
  }
  const isStored = isStoring && !isRefused
  await keepCounts(context, record, { ...found, suggestions: worked.suggestions, error, isStored })
  await run.finish(tx, outcomeOf(record, found.counts, isStored ? 'committed' : 'checked', error))
  return isStored ? [...worker.fills] : []
}
