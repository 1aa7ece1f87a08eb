/**
 * The task behind an import: its rows are staged, checked, stored or undone. Each step is one transaction, so after a kill a step is either done
 * or not, and the process that takes over continues there.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { sqlState } from '../kernel/postgres/database.ts'
import { countGrownTables } from '../kernel/postgres/grown-tables.ts'
import { applyPlan, PlanIsStale } from '../kernel/imports/import-apply.ts'
import { makePlan, settlePlan, type PlanParts } from '../kernel/imports/import-plan.ts'
import { stageRows } from '../kernel/imports/import-stage.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { importEncodings } from '../kernel/imports/import-text.ts'
import { undoImport } from '../kernel/imports/import-undo.ts'
import { reachOf } from '../kernel/principal.ts'
import { Failure, forbidden } from '../kernel/problem.ts'
import { unsealing } from '../kernel/files/sealed-file.ts'
import { defineTask, type MovedRecords, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { countsOf, faultOutcome, importTask, notice, outcomeOf, refusedText } from './import-messages.ts'
import { reachesItsRecords } from './read-imports.ts'
import { labelsOf, readImport, type ImportRecord } from './import-record.ts'
import { kindOf } from './kind-of.ts'
import { letWork } from './let-work.ts'
import { countPlan, keepCounts, storeOutcomes } from './outcomes.ts'
import { removeReceived } from './receive-file.ts'
import { suggestNames } from './suggest-names.ts'
import { targetOf } from './targets.ts'

export const importUndoTask = 'import_undo'

const inputSchema = z.object({ import_id: z.int(), labels: z.string(), committing: z.boolean() })
export type ImportTaskInput = z.infer<typeof inputSchema>

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

// ---------------------------------------------------------------- judging and storing

/**
 * Checks and stores the rows.
 * @returns the tables that were filled.
 */
async function judgeAndStore(run: TaskRun, context: Context, input: ImportTaskInput): Promise<string[]> {
  const record = await readImport(context, input.import_id, true)
  const target = targetOf(record.kind)
  if (reachOf(run.principal, target.may.create).length === 0) throw forbidden('You may not import this any more.')
  const isStoring = record.mode !== 'dry_run'
  // One import at a time: two files with the same new records would otherwise create them twice.
  if (isStoring) await oneAtATime(context, record)
  return 'work' in target ? letWork(run, context, target, record, input) : planAndStore(run, context, target, record, input)
}

async function planAndStore(
  run: TaskRun,
  context: Context,
  target: ImportTarget,
  record: ImportRecord,
  input: ImportTaskInput,
): Promise<string[]> {
  const isStoring = record.mode !== 'dry_run'
  await joinByHash(context)
  const parts = await partsOf(context, record)
  await makePlan(target, parts, isStoring)
  if (input.committing) await refuseWhatDiffers(context, record, target.part !== undefined)
  await settlePlan(target, parts)
  const counts = await countPlan(context, target)
  const isRefused = isStoring && record.mode === 'all' && counts.refused > 0
  const isStored = isStoring && !isRefused
  if (isStored) await applyPlan(target, parts)
  await storeOutcomes(context, record, target, isStored)
  const suggestions = counts.refused > 0 ? await suggestNames(target, parts, reachOf(run.principal, target.may.create)) : {}
  const error = isRefused ? refusedText(counts) : null
  await keepCounts(context, record, { counts, suggestions, error, isStored, noteCounts: {} })
  await run.finish(context.tx, outcomeOf(record, counts, isStored ? 'committed' : 'checked', error))
  return isStored ? [target.source.table, ...(target.part ? [target.part.target.source.table] : [])] : []
}

/**
 * Rows inserted a moment ago have no statistics, so the planner assumes a few and uses nested loops. Hash joins are never far from the best plan
 * here. Joins that only a nested loop can do still use one.
 */
async function joinByHash({ tx }: Context): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx)
}

async function oneAtATime({ tx }: Context, { kind, client_id }: ImportRecord): Promise<void> {
  await sql`set local lock_timeout = '300s'`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${kind} ${client_id}`}, 0))`.execute(tx)
}

async function partsOf(context: Context, record: ImportRecord): Promise<PlanParts> {
  const named = new Set(record.headers.map(({ column }) => column))
  const { columns } = await kindOf(context, record.kind, record.client_id)
  return {
    plan: 'import_plan',
    importId: record.id,
    clientId: record.client_id === 0 ? undefined : record.client_id,
    columns: columns.filter(({ name }) => named.has(name)),
    context,
  }
}

const plans = [['import_plan', 'import_outcomes']] as const
const partPlans = ['import_plan_part', 'import_part_outcomes'] as const

/** The user confirmed the report: a row that would now do something else is refused. */
async function refuseWhatDiffers({ tx }: Context, { id }: ImportRecord, hasPart: boolean): Promise<void> {
  const refusal = [{ c: null, m: 'This row would do something else now than when the file was checked. Please send it again.' }]
  for (const [plan, seen] of hasPart ? ([...plans, partPlans] as const) : plans)
    await sql`update ${sql.table(plan)} plan set action = 'refused', row_action = 'refused', item_id = case when plan.action = 'update' then plan.item_id end, errors = ${JSON.stringify(refusal)}::jsonb
      from ${sql.table(seen)} seen where seen.import_id = ${id} and seen.line = plan.line and plan.action in ('create', 'update')
        and (seen.action <> plan.action or seen.changes is distinct from plan.changes or (plan.action = 'update' and seen.item_id is distinct from plan.item_id))`.execute(
      tx,
    )
}

// ---------------------------------------------------------------- taking it back

async function takeBack(run: TaskRun, context: Context, record: ImportRecord): Promise<{ removed: number; restored: number }> {
  const target = targetOf(record.kind)
  const reach = reachOf(run.principal, 'work' in target ? target.may.undo : target.may.update)
  if (!reachesItsRecords(run.principal, record)) throw forbidden('You may not undo this any more.')
  await oneAtATime(context, record)
  if ('work' in target)
    return { removed: await target.undo(context, { importId: record.id, clientId: record.client_id, reach }), restored: 0 }
  await joinByHash(context)
  return undoImport(target, await partsOf(context, record))
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
