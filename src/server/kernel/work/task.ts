/**
 * Tasks: long work that a person waits for. The person sees a row of ours, written with the job in one transaction. The job claims the row,
 * keeps the claim alive while it works, and ends it together with the message about it. A claim whose heartbeat stops is taken over.
 */
import type { TaskProgress } from '#contract/notifications/notification.ts'
import type { TaskState } from '#contract/tasks/task.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { unitOfWork, type Context, type Unit } from '../context.ts'
import { isConnectionLost } from '../postgres/database-failure.ts'
import type { Tx } from '../postgres/database.ts'
import type { JobDefinition, JobRun } from './jobs.ts'
import { wholeReach, type Principal, type Reach } from '../principal.ts'
import { isNoRoom, reasonOf } from '../files/no-room.ts'
import { Failure } from '../problem.ts'
import type { LiveMessage, Machinery } from '../machinery.ts'

export interface TaskOutcome {
  /** Result that the task's row keeps, such as counts; JSON. */
  readonly result?: Readonly<Record<string, unknown>>
  readonly fileId?: number
  readonly rowsDone?: number
  /** Message to the person. */
  readonly message: LiveMessage
}

/** One run of a task: its input, the person for whom it acts, and its progress. */
export interface TaskRun {
  readonly id: number
  readonly clientId: number
  readonly input: unknown
  /** The person as they are now: rights may have changed since the request. */
  readonly principal: Principal
  readonly connectionId: string | null
  readonly machinery: Machinery
  /** Aborts when the person cancels, the process stops, or another process has taken over. Work in steps must check it. */
  readonly signal: AbortSignal
  /** Records the rows done (of all); sent to the person at most once a second. */
  progress(rowsDone: number, rowsTotal?: number): void
  /** Runs one transaction as the person, with its versions and its trail. Each step of the work uses it. */
  step<T>(work: (context: Context) => Promise<T>, reach?: Reach): Promise<T>
  /** Ends the task inside a step, so that the last of the work and its end are one transaction. `run` then returns null. */
  finish(tx: Tx, outcome: TaskOutcome): Promise<void>
}

/** Records whose state a kind of work changes: rows of `table` that name the task in `task_id`. */
export interface MovedRecords {
  readonly table: string
  /** States of records whose work is awaited or under way. */
  readonly open: readonly string[]
  /** State of such a record if the work ends unfinished; its column `error` gets the reason. */
  readonly undone: RawBuilder<string>
}

export interface TaskKind {
  readonly kind: string
  /** Records that must not stay open when the work ends unfinished, whichever way it ends; null if none has a state of its own. */
  readonly moves: MovedRecords | null
  /** Returns the title for people from the task's input: 'Vendors export'. */
  title(input: unknown): string
  run(run: TaskRun): Promise<TaskOutcome | null>
  /** True if a second start would do harm; it is not offered then. */
  readonly notRepeatable?: boolean
}

/** All kinds of tasks by name. */
export const taskKinds = new Map<string, TaskKind>()

/** Defines a kind of task. Throws when its name is taken. */
export function defineTask(kind: TaskKind): TaskKind {
  if (taskKinds.has(kind.kind)) throw new Error(`two kinds of long work are called ${kind.kind}`)
  taskKinds.set(kind.kind, kind)
  return kind
}

const heartbeatMs = 5_000
const progressMs = 1_000
/** A claim without a heartbeat for this long is lost. */
const lostAfterSeconds = 20
const reviveSeconds = 5
/** A task that waits for this long without a job in the queue has lost it: the queue dropped the job while the database had a failure. */
const jobLostAfterSeconds = 60
const resendSeconds = 30
const settledAtOnce = 100
const runsMax = 4
/**
 * Runs that end because the database became unavailable do not count as runs of the work. Up to this many are allowed; work that crashes
 * the database each time must end.
 */
const lostConnectionsMax = 30
const afterLostConnectionSeconds = 2
/**
 * Tries to record the end of a run, and the wait between them, while the database recovers. A task that still fails is revived with the
 * lost claims.
 */
const noteTries = 5
const noteAgainMs = 500
const expireSeconds = 6 * 3_600
const atOnceInProcess = 3
export const tasksRunningPerUser = 2

/** Starts a task in the caller's transaction: nothing of it remains when that fails. @returns the task's id. */
export async function startTask(
  context: Context,
  parts: { kind: string; clientId?: number | undefined; input: Readonly<Record<string, unknown>>; total?: number },
): Promise<{ id: number }> {
  if (!taskKinds.has(parts.kind)) throw new Error(`no kind of long work is called ${parts.kind}`)
  const { user_id: userId, api_token_id: tokenId } = context.principal
  const { rows } = await sql<{
    id: number
  }>`insert into tasks (client_id, user_id, api_token_id, connection_id, kind, input, rows_total, created_at)
    values (${parts.clientId ?? 0}, ${userId}, ${tokenId ?? null}::bigint, ${context.connectionId}, ${parts.kind}, ${JSON.stringify(parts.input)}::jsonb, ${parts.total ?? null}, clock_timestamp()) returning id`.execute(
    context.tx,
  )
  const id = rows[0]?.id ?? 0
  await sendTask(context.machinery, context.tx, id, userId)
  return { id }
}

/** Starts a task, or returns the same one if this person is already waiting for it: a second click writes no second file. */
export async function startTaskOnce(
  context: Context,
  parts: { kind: string; clientId: number; input: Readonly<Record<string, unknown>> },
): Promise<{ id: number }> {
  const { kind, clientId, input } = parts
  const { user_id: userId } = context.principal
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${userId}`}, ${clientId}))`.execute(context.tx)
  const { rows } = await sql<{ id: number }>`select id from tasks where client_id = ${clientId} and kind = ${kind}
    and user_id = ${userId} and state in ('waiting', 'running') and input = ${JSON.stringify(input)}::jsonb limit 1`.execute(context.tx)
  return rows[0] ?? startTask(context, parts)
}

/** Queues the job of a waiting task. */
export async function sendTask(machinery: Machinery, tx: Tx, taskId: number, userId: number, afterSeconds = 0): Promise<void> {
  await machinery.jobs.send(tx, 'task', { task_id: taskId, user_id: userId }, afterSeconds > 0 ? { afterSeconds } : {})
}

/** Loads the principal of a user as of now; with a token, restricted to its bounds. */
export type LoadPrincipal = (tx: Tx, userId: number, apiTokenId: number | null) => Promise<Principal | null>

/** The job of all kinds, and the one that revives tasks of killed processes. */
export function taskJobs(loadPrincipal: LoadPrincipal): JobDefinition[] {
  return [
    {
      name: 'task',
      run: (job) => runTask(job, loadPrincipal),
      retryLimit: 5,
      retryDelaySeconds: 1,
      expireSeconds,
      atOnce: atOnceInProcess,
      atOncePerUser: tasksRunningPerUser,
    },
    {
      name: 'task_revive',
      run: async ({ machinery }) => {
        await reviveLostTasks(machinery)
        await settleEndedTasks(machinery)
      },
      everySeconds: reviveSeconds,
    },
    { name: 'task_resend', run: ({ machinery }) => resendTasks(machinery), everySeconds: resendSeconds },
  ]
}

/** Reassigns tasks whose process has ended. @returns their number. */
export async function reviveLostTasks(machinery: Machinery): Promise<number> {
  return machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; user_id: number }>`
      update tasks set state = 'waiting', heartbeat_at = null where id in (
        select id from tasks where state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int) order by id limit 100 for update skip locked)
      returning id, user_id`.execute(tx)
    for (const task of rows) await sendTask(machinery, tx, task.id, task.user_id)
    return rows.length
  })
}

/** Queues waiting tasks without a job again. A superfluous job does nothing. */
async function resendTasks(machinery: Machinery): Promise<void> {
  const { rows } = await sql<{ id: number; user_id: number }>`select id, user_id from tasks
    where state = 'waiting' and created_at < clock_timestamp() - make_interval(secs => ${jobLostAfterSeconds}::int) order by id limit 100`.execute(
    machinery.jobsDatabase.db,
  )
  for (const task of rows)
    if (!(await machinery.jobs.isQueued('task', { task_id: task.id })))
      await machinery.jobsDatabase.db.transaction().execute((tx) => sendTask(machinery, tx, task.id, task.user_id))
}

/** Completes the end of work that ended while its records were locked, or that a statement of a slice ended. */
async function settleEndedTasks({ jobsDatabase }: Machinery): Promise<void> {
  await jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<EndedTask>`select id, kind, state, error from tasks
      where state in ('failed', 'cancelled') and settled_at is null order by id limit ${settledAtOnce} for update skip locked`.execute(tx)
    for (const task of rows) await settleTask(tx, task)
  })
}

interface EndedTask {
  id: number
  kind: string
  state: string
  error: string | null
}

/**
 * Moves the records of work that ended unfinished out of their open states. Records that a run still locks are left to the next check: that
 * run finds out that its work is over, and leaves them unchanged.
 */
export async function settleTask(tx: Tx, { id, kind, state, error }: EndedTask): Promise<void> {
  const moves = taskKinds.get(kind)?.moves
  if (moves) {
    const table = sql.table(moves.table)
    const isOpen = sql`task_id = ${id} and state = any(${moves.open}::text[])`
    const reason = state === 'cancelled' ? 'The work was stopped.' : error
    await sql`update ${table} set state = ${moves.undone}, error = ${reason}
      where id in (select id from ${table} where ${isOpen} for update skip locked)`.execute(tx)
    const { rows } = await sql`select 1 as one from ${table} where ${isOpen} limit 1`.execute(tx)
    if (rows.length > 0) return
  }
  await sql`update tasks set settled_at = clock_timestamp() where id = ${id}`.execute(tx)
}

interface TaskRow {
  id: number
  client_id: number
  user_id: number
  api_token_id: number | null
  connection_id: string | null
  kind: string
  input: unknown
  rows_done: number
  rows_total: number | null
  /** Identifies this claim: a later one has another value. */
  started_at: string
  claim: string
  runs: number
  /** Runs among these that ended because the database became unavailable. */
  lost: number
  /** Reason why an earlier run ended, if it found no space: a later one may find no space even to record its end. */
  reason: string | null
}

async function runTask({ data, machinery, signal }: JobRun, loadPrincipal: LoadPrincipal): Promise<void> {
  const task = await claimTask(machinery.jobsDatabase.db, Number(data['task_id']))
  if (!task) return
  const kind = taskKinds.get(task.kind)
  const claim = keepClaim(machinery, task, signal)
  try {
    if (!kind) throw new Failure('refused', 'This version of the program does not know this kind of work.')
    if (task.runs - task.lost > runsMax) throw new Failure('failed', task.reason ?? 'The work stopped several times without an end.')
    const principal = await loadPrincipal(machinery.jobsDatabase.db, task.user_id, task.api_token_id)
    if (!principal) throw new Failure('forbidden', 'The account that started this is not active any more.')
    await claim.noted()
    const outcome = await kind.run(runOf(task, principal, machinery, claim))
    await claim.end()
    if (outcome) await machinery.jobsDatabase.db.transaction().execute((tx) => finishTask(machinery, tx, task, outcome))
  } catch (error) {
    await claim.end()
    await endBadly(machinery, { task, kind, error, stopping: signal })
  }
}

/** Claims a waiting task, or one whose process has ended. Undefined if another process has it or it is over. */
async function claimTask(db: Tx, id: number): Promise<TaskRow | undefined> {
  const { rows } = await sql<TaskRow>`
    update tasks set state = 'running', started_at = clock_timestamp(), heartbeat_at = clock_timestamp(), rows_done = 0,
      result = jsonb_build_object('runs', coalesce((result->>'runs')::int, 0) + 1, 'lost', coalesce((result->>'lost')::int, 0), 'reason', result->>'reason')
    where id = ${id} and (state = 'waiting' or (state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int)))
    returning id, client_id, user_id, api_token_id, connection_id, kind, input, rows_done, rows_total, started_at, started_at::text as claim, (result->>'runs')::int as runs, (result->>'lost')::int as lost, result->>'reason' as reason`.execute(
    db,
  )
  return rows[0]
}

interface Claim {
  readonly signal: AbortSignal
  progress(rowsDone: number, rowsTotal?: number): void
  /** Writes the state now. */
  noted(): Promise<void>
  end(): Promise<void>
}

/** Keeps the claim alive and reports progress. The signal aborts the work when the row shows that another process owns it. */
function keepClaim(machinery: Machinery, task: TaskRow, stopping: AbortSignal): Claim {
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, stopping])
  let rowsDone = task.rows_done
  let rowsTotal = task.rows_total
  let told = { at: -Infinity, rowsDone: -1 }
  let ended = false
  let writing = Promise.resolve()
  const write = async (): Promise<void> => {
    const isNews = rowsDone !== told.rowsDone
    told = { at: performance.now(), rowsDone }
    await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
      const { rows } =
        await sql`update tasks set heartbeat_at = clock_timestamp(), rows_done = ${rowsDone}, rows_total = ${rowsTotal} where ${isOurs(task)} returning id`.execute(
          tx,
        )
      if (rows.length === 0) lost.abort(new Error('the task was cancelled or taken over'))
      else if (isNews) await tellProgress(machinery, tx, { ...task, rows_done: rowsDone, rows_total: rowsTotal }, 'running')
    })
  }
  const queue = (): Promise<void> => {
    writing = writing.then(write).catch((error: unknown) => machinery.log.warn('progress not noted', { task_id: task.id, error }))
    return writing
  }
  const timer = setInterval(() => void queue(), heartbeatMs)
  return {
    signal,
    progress(done, total) {
      rowsDone = done
      if (total !== undefined) rowsTotal = total
      if (ended || performance.now() - told.at < progressMs) return
      told = { ...told, at: performance.now() }
      void queue()
    },
    noted: queue,
    async end() {
      if (ended) return
      ended = true
      clearInterval(timer)
      await writing
    },
  }
}

function isOurs(task: TaskRow) {
  return sql`id = ${task.id} and state = 'running' and started_at = ${task.claim}::timestamptz`
}

function runOf(task: TaskRow, principal: Principal, machinery: Machinery, claim: Claim): TaskRun {
  return {
    id: task.id,
    clientId: task.client_id,
    input: task.input,
    principal,
    connectionId: task.connection_id,
    machinery,
    signal: claim.signal,
    progress: claim.progress,
    step: async (work, reach) => {
      claim.signal.throwIfAborted()
      const caller = { principal, ip: null, requestId: `task-${task.id}`, connectionId: task.connection_id }
      let unit: Unit | undefined
      const answer = await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
        unit = unitOfWork(tx, caller, reach ?? wholeReach(principal), machinery)
        const done = await work(unit.context)
        await unit.finish()
        return done
      })
      await unit?.committed()
      return answer
    },
    finish: (tx, outcome) => finishTask(machinery, tx, task, outcome),
  }
}

/** Writes the end and the message about it in one transaction. Does nothing if this process no longer owns the task. */
async function finishTask(machinery: Machinery, tx: Tx, task: TaskRow, outcome: TaskOutcome): Promise<void> {
  const { rows } = await sql<{
    rows_done: number
  }>`update tasks set state = 'done', finished_at = clock_timestamp(), heartbeat_at = null, error = null,
      rows_done = coalesce(${outcome.rowsDone ?? null}::int, rows_done), rows_total = coalesce(${outcome.rowsDone ?? null}::int, rows_total),
      result = ${JSON.stringify(outcome.result ?? {})}::jsonb, file_id = ${outcome.fileId ?? null}
    where ${isOurs(task)} returning rows_done`.execute(tx)
  const ended = rows[0]
  if (!ended) throw new TaskLost()
  await tellProgress(machinery, tx, { ...task, rows_done: ended.rows_done }, 'done')
  await machinery.live.tell(
    tx,
    { userId: task.user_id, connectionId: task.connection_id },
    { ...outcome.message, payload: { ...outcome.message.payload, task_id: task.id } },
  )
}

class TaskLost extends Error {
  override name = 'TaskLost'
}

interface BadEnd {
  readonly task: TaskRow
  readonly kind: TaskKind | undefined
  readonly error: unknown
  readonly stopping: AbortSignal
}

/** A refusal is final and gives its reason; an internal error is retried; a task that this process no longer owns is left alone. */
async function endBadly(machinery: Machinery, end: BadEnd): Promise<void> {
  if (end.error instanceof TaskLost) return
  for (let tries = 1; ; tries += 1) {
    try {
      await machinery.jobsDatabase.db.transaction().execute((tx) => noteBadEnd(machinery, tx, end))
      return
    } catch (error) {
      if (!isConnectionLost(error) || tries >= noteTries) throw error
      await sleep(noteAgainMs)
    }
  }
}

async function noteBadEnd(machinery: Machinery, tx: Tx, { task, kind, error, stopping }: BadEnd): Promise<void> {
  const { rows } = await sql`select id from tasks where ${isOurs(task)} for update`.execute(tx)
  if (rows.length === 0) return
  const isFinal = error instanceof Failure && error.code !== 'unavailable'
  const lost = task.lost + (isConnectionLost(error) ? 1 : 0)
  const counted = task.runs - lost
  if (!isFinal && (stopping.aborted || (counted < runsMax && lost < lostConnectionsMax))) {
    machinery.log.warn('long work will be tried again', { task_id: task.id, kind: task.kind, runs: task.runs, error })
    const kept = JSON.stringify({ runs: task.runs, lost, reason: isNoRoom(error) ? reasonOf(error) : null })
    await sql`update tasks set state = 'waiting', heartbeat_at = null, result = ${kept}::jsonb where id = ${task.id}`.execute(tx)
    await sendTask(machinery, tx, task.id, task.user_id, stopping.aborted ? 0 : waitSeconds(task, lost, counted))
    return
  }
  if (!isFinal) machinery.log.error('long work failed', { task_id: task.id, kind: task.kind, error })
  await failTask(machinery, tx, task, kind, reasonOf(error))
}

function waitSeconds(task: TaskRow, lost: number, counted: number): number {
  return lost > task.lost ? afterLostConnectionSeconds : 5 * 2 ** Math.max(counted - 1, 0)
}

async function failTask(machinery: Machinery, tx: Tx, task: TaskRow, kind: TaskKind | undefined, reason: string): Promise<void> {
  await sql`update tasks set state = 'failed', finished_at = clock_timestamp(), heartbeat_at = null, result = null, error = ${reason} where id = ${task.id}`.execute(
    tx,
  )
  await settleTask(tx, { ...task, state: 'failed', error: reason })
  await tellProgress(machinery, tx, task, 'failed')
  await machinery.live.tell(
    tx,
    { userId: task.user_id, connectionId: task.connection_id },
    {
      message: `${titleOf(kind, task)} failed`,
      description: [reason],
      notification_type: 'error',
      error: true,
      link: null,
      type: task.kind,
      payload: { task_id: task.id },
    },
  )
}

/** Returns the title of a task. An input that an older version wrote must not break the list of tasks. */
export function titleOf(kind: TaskKind | undefined, task: { kind: string; input: unknown }): string {
  try {
    return kind?.title(task.input) ?? task.kind
  } catch (error) {
    if (error instanceof z.ZodError) return task.kind
    throw error
  }
}

export async function tellProgress(
  machinery: Machinery,
  tx: Tx,
  task: Pick<TaskRow, 'id' | 'kind' | 'user_id' | 'connection_id' | 'rows_done' | 'rows_total'>,
  state: TaskState,
): Promise<void> {
  const told: TaskProgress = { task_id: task.id, kind: task.kind, state, rows_done: task.rows_done, rows_total: task.rows_total }
  await machinery.live.progress(tx, { userId: task.user_id, connectionId: task.connection_id }, told)
}
