/** Plans the rows of an imported file and stores them, or takes them back. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { applyPlan } from '../kernel/imports/import-apply.ts'
import { makePlan, settlePlan, type PlanParts } from '../kernel/imports/import-plan.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'
import { undoImport } from '../kernel/imports/import-undo.ts'
import { reachOf } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import type { TaskRun } from '../kernel/work/task.ts'
import { outcomeOf, refusedText } from './import-messages.ts'
import { reachesItsRecords } from './read-imports.ts'
import { readImport, type ImportRecord } from './import-record.ts'
import { kindOf } from './kind-of.ts'
import { letWork } from './let-work.ts'
import { countPlan, keepCounts, storeOutcomes } from './outcomes.ts'
import { suggestNames } from './suggest-names.ts'
import { targetOf } from './targets.ts'

export const inputSchema = z.object({ import_id: z.int(), labels: z.string(), committing: z.boolean() })
export type ImportTaskInput = z.infer<typeof inputSchema>

// ---------------------------------------------------------------- judging and storing

/**
 * Checks and stores the rows.
 * @returns the tables that were filled.
 */
export async function judgeAndStore(run: TaskRun, context: Context, input: ImportTaskInput): Promise<string[]> {
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

export async function takeBack(run: TaskRun, context: Context, record: ImportRecord): Promise<{ removed: number; restored: number }> {
  const target = targetOf(record.kind)
  const reach = reachOf(run.principal, 'work' in target ? target.may.undo : target.may.update)
  if (!reachesItsRecords(run.principal, record)) throw forbidden('You may not undo this any more.')
  await oneAtATime(context, record)
  if ('work' in target)
    return { removed: await target.undo(context, { importId: record.id, clientId: record.client_id, reach }), restored: 0 }
  await joinByHash(context)
  return undoImport(target, await partsOf(context, record))
}
