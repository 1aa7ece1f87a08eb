/**
 * The task behind an import: its rows are staged, checked, stored or undone. Each step is one transaction, so after a kill a step is either done
 * or not, and the process that takes over continues there.
 */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { sqlState } from '../kernel/postgres/database.ts'
import { countGrownTables } from '../kernel/postgres/grown-tables.ts'
import { PlanIsStale } from '../kernel/imports/import-apply.ts'
import { stageRows } from '../kernel/imports/import-stage.ts'
import { importEncodings } from '../kernel/imports/import-text.ts'
import { Failure } from '../kernel/problem.ts'
import { unsealing } from '../kernel/files/sealed-file.ts'
import { defineTask, type MovedRecords, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { countsOf, faultOutcome, importTask, notice } from './import-messages.ts'
import { labelsOf, readImport, type ImportRecord } from './import-record.ts'
import { kindOf } from './kind-of.ts'
import { removeReceived } from './receive-file.ts'
import { inputSchema, judgeAndStore, takeBack } from './plan-and-store.ts'

export const importUndoTask = 'import_undo'

/** Attempts of a step that conflicts with other writes. */
const attemptsMax = 4

/** An unfinished task leaves its import in its previous state: a file that was never stored has failed; a checked one may be stored again. */
const moves: MovedRecords = {
  table: 'imports',
  open: ['waiting', 'checking', 'committing', 'undoing'],
  undone: sql<string>`case when state = 'undoing' then 'committed' when state = 'committing' and (mode = 'dry_run' or checked_at is not null) then 'checked' else 'failed' end`,
}

defineTask({ kind: importTask, moves, title: (input) => `${inputSchema.parse(input).labels} import`, run: runImport, notRepeatable: true })
defineTask({
  kind: importUndoTask,
  moves,
  title: (input) => `Undo of ${inputSchema.parse(input).labels} import`,
  run: runUndo,
  notRepeatable: true,
})

async function runImport(run: TaskRun): Promise<TaskOutcome | null> {
  const input = inputSchema.parse(run.input)
  if (!input.committing) {
    const fault = await stage(run, input.import_id)
    if (fault) return fault
  }
  const filled = await again(run, (context) => judgeAndStore(run, context, input))
  // After the end: the written rows count from the commit on, and no user waits for this.
  await run.machinery.jobsDatabase.db.transaction().execute((tx) => countGrownTables(tx, [...filled, 'import_outcomes', 'audit_records']))
  return null
}

/** A concurrent write makes the plan stale or breaks a unique index: the step runs again. */
async function again<T>(run: TaskRun, step: (context: Context) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run.step(step)
    } catch (error) {
      const isMeanwhile = error instanceof PlanIsStale || ['23505', '23503', '40P01', '55P03'].includes(sqlState(error) ?? '')
      if (!isMeanwhile || attempt >= attemptsMax) throw error
    }
  }
}

// ---------------------------------------------------------------- taking the rows in

/**
 * Stages the rows once; the file is removed afterwards.
 * @returns the outcome if the file is unusable.
 */
async function stage(run: TaskRun, importId: number): Promise<TaskOutcome | null> {
  const record = await run.step(async (context) => {
    await sql`update imports set state = 'checking' where id = ${importId} and state = 'waiting'`.execute(context.tx)
    return readImport(context, importId)
  })
  if (record.file_key === null) return record.faults.length > 0 ? faultOutcome(record) : null
  const { machinery } = run
  const kind = await run.step((context) => kindOf(context, record.kind, record.client_id))
  const client = await machinery.jobsDatabase.pool.connect()
  let staged
  try {
    await client.query('begin')
    await client.query('delete from import_rows where import_id = $1', [importId])
    staged = await stageRows(client, (await machinery.files.read(record.file_key)).pipe(unsealing(machinery.settings.secretKey)), {
      importId,
      kind,
      text: textOf(record),
      secretKey: machinery.settings.secretKey,
      signal: run.signal,
      progress: run.progress,
    })
    if (staged.faults.length === 0) {
      await client.query('update imports set headers = $2, warnings = $3, row_count = $4, file_key = null where id = $1', [
        importId,
        JSON.stringify(staged.headers),
        staged.warnings,
        staged.rows,
      ])
      // If the process is killed before the file is removed, the sweep of uploads finds it.
      await client.query(`update files set state = 'stored', user_id = null, attached_at = null, created_at = now() where key = $1`, [
        record.file_key,
      ])
      await client.query('commit')
    }
    client.release(staged.faults.length > 0)
  } catch (error) {
    client.release(true)
    throw error
  }
  const { headers, warnings, faults } = staged
  if (faults.length > 0)
    await run.step(async ({ tx }) => {
      await sql`update imports set headers = ${JSON.stringify(headers)}::jsonb, warnings = ${warnings}::text[], faults = ${faults}::text[], file_key = null,
        state = 'failed', error = ${faults[0]}, checked_at = now() where id = ${importId}`.execute(tx)
    })
  await removeReceived(machinery, record.file_key)
  if (faults.length > 0) return faultOutcome({ ...record, faults: [...faults] })
  await run.step(({ tx }) => countGrownTables(tx, ['import_rows']))
  return null
}

function textOf({ separator, encoding }: ImportRecord) {
  return { separator: separator ?? ',', encoding: importEncodings.find((one) => one === encoding) ?? 'utf-8' }
}

async function runUndo(run: TaskRun): Promise<TaskOutcome | null> {
  const input = inputSchema.parse(run.input)
  await again(run, async (context) => {
    const record = await readImport(context, input.import_id, true)
    if (record.state !== 'undoing') throw new Failure('refused', 'This import is not being undone.')
    const { removed, restored } = await takeBack(run, context, record)
    await sql`update imports set state = 'undone', undone_at = clock_timestamp(), error = null where id = ${record.id}`.execute(context.tx)
    await run.finish(context.tx, {
      rowsDone: removed + restored,
      result: { import_id: record.id, removed, restored },
      message: {
        type: importTask,
        notification_type: 'success',
        message: `${labelsOf(record.kind)} import undone`,
        description: [`${removed.toLocaleString('en-US')} removed, ${restored.toLocaleString('en-US')} as before`],
        link: null,
        payload: notice(record, countsOf(record), 'undone'),
      },
    })
  })
  return null
}
