/**
 * The task that creates bills from statements. It works in chunks of whole accounts, oldest statements first, each chunk in one transaction
 * with its new accounts, its bills and the outcome of every statement. Its progress is read from the statements themselves, so a task that
 * was killed continues with those that have no bill yet, and nothing is created twice.
 */

import { chosenRecordSchema, missingMeters, newAccountAddress, type ChosenRecord } from '#contract/bill-retrieval/retrieval-choice.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { today } from '../kernel/clock.ts'
import { databaseFailure } from '../kernel/postgres/database-failure.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { countGrownTables } from '../kernel/postgres/grown-tables.ts'
import { reasonOf } from '../kernel/files/no-room.ts'
import { mayIn, reachOf, type Reach } from '../kernel/principal.ts'
import { Failure, forbidden } from '../kernel/problem.ts'
import { defineTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { importChunk } from './import-chunk.ts'
import type { ImportTerms } from './plan-statements.ts'
import { reportImport } from './import-report.ts'

export const importKind = 'retrieval_import'

/** Minimum number of statements per chunk; a chunk ends with the account that fills it. */
const CHUNK = 100
/** Accounts that may fail with an internal error; if more do, the cause is not an account and the task ends. */
const FAULTS_MAX = 20

/** Tables that creating bills fills. */
const filledTables = [
  'billable_accounts',
  'services',
  'bills',
  'service_bills',
  'service_bill_entry_values',
  'bill_findings',
  'service_month_facts',
  'bill_line_facts',
  'retrieval_statements',
]

const inputSchema = z.object({
  ids: z.array(z.number()),
  changes: z.array(z.object({ id: z.number(), record: chosenRecordSchema })),
  plans: z.array(
    z.object({
      provider_name: z.string(),
      vendor_id: z.number(),
      facility_id: z.number(),
      address: newAccountAddress.optional(),
    }),
  ),
  missing_meters: z.enum(missingMeters),
})
export type ImportInput = z.infer<typeof inputSchema>

defineTask({ kind: importKind, moves: null, title: () => 'Bill retrieval import', run: importStatements })

async function importStatements(run: TaskRun): Promise<TaskOutcome | null> {
  const input = inputSchema.parse(run.input)
  const reach = reachOf(run.principal, 'bill.create')
  if (!mayIn(run.principal, 'bill.create', run.clientId)) throw forbidden('You may not create bills any more.')
  const terms = await run.step(({ tx }) => readTerms(tx, run, input))
  const groups = await run.step(({ tx }) => openGroups(tx, run.clientId, input.ids))
  const left = groups.reduce((sum, group) => sum + group.length, 0)
  let done = input.ids.length - left
  run.progress(done, input.ids.length)
  const work: Work = { run, reach, terms, faults: 0 }
  for (const chunk of chunksOf(groups)) {
    await importOrSplit(work, chunk)
    await run.step(({ tx }) => countGrownTables(tx, filledTables))
    done += chunk.flat().length
    run.progress(done, input.ids.length)
  }
  return reportImport(run, reach, input.ids)
}

/** Statements of one account together, so that everything that one needs is created at once. */
type Group = readonly number[]

/** Returns the statements without a bill that were not put aside, by account, oldest first. */
async function openGroups(tx: Tx, clientId: number, ids: readonly number[]): Promise<Group[]> {
  const { rows } = await sql<{ ids: number[] }>`select array_agg(id order by statement_date, id) as ids from retrieval_statements
    where client_id = ${clientId} and id = any(${ids}::bigint[]) and state not in ('created', 'ignored')
    group by provider, provider_name, account_number order by provider_name, account_number`.execute(tx)
  return rows.map((row) => row.ids.map(Number))
}

function chunksOf(groups: readonly Group[]): Group[][] {
  const chunks: Group[][] = []
  let open: Group[] = []
  for (const group of groups) {
    open.push(group)
    if (open.reduce((sum, one) => sum + one.length, 0) < CHUNK) continue
    chunks.push(open)
    open = []
  }
  return open.length > 0 ? [...chunks, open] : chunks
}

interface Work {
  readonly run: TaskRun
  readonly reach: Reach
  readonly terms: ImportTerms
  faults: number
}

/** An account that cannot be imported must not block the others: a failing chunk is halved until the account is alone. */
async function importOrSplit(work: Work, chunk: readonly Group[]): Promise<void> {
  const { run, reach, terms } = work
  try {
    await run.step((context) => importChunk(context, run.clientId, chunk.flat(), terms), reach)
  } catch (error) {
    if (run.signal.aborted || isPassing(error)) throw error
    if (chunk.length === 1) return noteRefusal(work, chunk.flat(), error)
    const middle = Math.ceil(chunk.length / 2)
    await importOrSplit(work, chunk.slice(0, middle))
    await importOrSplit(work, chunk.slice(middle))
  }
}

/** Returns true if the database is unavailable or the process ends: the whole task is retried later. */
function isPassing(error: unknown): boolean {
  const failure = error instanceof Failure ? error : databaseFailure(error)
  return failure?.code === 'unavailable'
}

async function noteRefusal(work: Work, ids: readonly number[], error: unknown): Promise<void> {
  const { run } = work
  if (!(error instanceof Failure) && ++work.faults > FAULTS_MAX) throw error
  if (!(error instanceof Failure))
    run.machinery.log.error('a statement could not be imported', { task_id: run.id, statement_ids: ids.join(','), error })
  const reason = reasonOf(error)
  await run.step(({ tx }) =>
    sql`update retrieval_statements set reason = ${`Not created: ${reason}`}, updated_at = now() where client_id = ${run.clientId} and id = any(${ids}::bigint[])`.execute(
      tx,
    ),
  )
}

async function readTerms(tx: Tx, run: TaskRun, input: ImportInput): Promise<ImportTerms> {
  const { principal, clientId } = run
  const mayMakeAccounts = mayIn(principal, 'billable_account.create', clientId) && mayIn(principal, 'service.create', clientId)
  const units = await sql<{
    utility_service: string
    symbol: string
    unit_id: number
  }>`select kind.name as utility_service, units.symbol, units.id as unit_id
    from usage_units join units on units.id = usage_units.unit_id join utility_services kind on kind.id = usage_units.utility_service_id`.execute(
    tx,
  )
  const factors = await sql<{
    utility_service: string
    names: string[]
  }>`select kind.name as utility_service, array_agg(usage_factors.name) as names
    from usage_factors join utility_services kind on kind.id = usage_factors.utility_service_id group by kind.name`.execute(tx)
  return {
    taskId: run.id,
    today: today(),
    units: new Map(units.rows.map((row) => [`${row.utility_service}\n${row.symbol}`, row.unit_id])),
    factors: new Map(factors.rows.map((row) => [row.utility_service, row.names])),
    plans: new Map(mayMakeAccounts ? input.plans.map((plan) => [plan.provider_name, plan]) : []),
    changes: new Map<number, ChosenRecord>(input.changes.map(({ id, record }) => [id, record])),
    missingMeters: input.missing_meters === 'add' && !mayIn(principal, 'service.create', clientId) ? 'leave' : input.missing_meters,
  }
}
