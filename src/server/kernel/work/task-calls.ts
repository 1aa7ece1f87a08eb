/** The tasks of a person, and the actions on them. Everyone reaches only their own. */
import { taskCalls, tasksPerPageMax, type Task, type TaskState } from '#contract/tasks/task.ts'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { refuseLostRights } from '../held-rights.ts'
import { mustBeIntact } from '../files/intact-file.ts'
import { handle, type Handler } from '../handler.ts'
import { covers } from '../principal.ts'
import { notFound, refused } from '../problem.ts'
import { sendTask, settleTask, taskKinds, tellProgress, titleOf } from './task.ts'

const perPage = 20

interface OwnTask extends Omit<Task, 'title' | 'has_file' | 'can_retry'> {
  user_id: number
  connection_id: string | null
  input: unknown
  file_id: number | null
}
const columns = sql`id, user_id, connection_id, kind, input, client_id, state, rows_done, rows_total, result, file_id, error, created_at, started_at, finished_at`

export const taskHandlers: Handler[] = [
  handle(taskCalls.list, async (context, { query }) => {
    const per = Math.min(Number(query.per ?? perPage), tasksPerPageMax)
    const where = sql`${ownedBy(context)} ${query.state === undefined ? sql`` : sql`and state = ${query.state}`}`
    const { rows } =
      await sql<OwnTask>`select ${columns} from tasks where ${where} order by id desc limit ${per} offset ${(Number(query.page ?? 1) - 1) * per}`.execute(
        context.tx,
      )
    const { rows: counts } = await sql<{ total: number }>`select count(*) as total from tasks where ${where}`.execute(context.tx)
    return { tasks: rows.map(shown), total: counts[0]?.total ?? 0 }
  }),
  handle(taskCalls.cancel, async (context, { params }) => {
    const task = await lockOwn(context, params.id)
    if (task.state !== 'waiting' && task.state !== 'running') throw refused('This is over already.')
    await setState(context, task, 'cancelled')
    return { success: true, message: `${titleOf(taskKinds.get(task.kind), task)} cancelled`, id: task.id }
  }),
  handle(taskCalls.retry, async (context, { params }) => {
    const task = await lockOwn(context, params.id)
    if (task.state !== 'failed' && task.state !== 'cancelled') throw refused('Only what failed or was stopped can be started again.')
    if (!mayRetry(task)) throw refused('This cannot be started again.')
    await setState(context, task, 'waiting')
    await sendTask(context.machinery, context.tx, task.id, task.user_id)
    return { success: true, message: `${titleOf(taskKinds.get(task.kind), task)} started`, task_id: task.id }
  }),
  handle(taskCalls.file, async (context, { params }) => {
    const task = await readOwn(context, params.id)
    const file = await readFile(context, task)
    await mustBeIntact(context.machinery, file)
    return {
      url: context.machinery.files.downloadUrl({
        key: file.key,
        filename: file.filename,
        contentType: file.content_type,
        reader: context.principal,
      }),
      filename: file.filename,
    }
  }),
]

function shown({ user_id: _user, connection_id: _connection, input, file_id: fileId, ...task }: OwnTask): Task {
  // Until the end, the row's result counts the runs, which is internal.
  return {
    ...task,
    title: titleOf(taskKinds.get(task.kind), { kind: task.kind, input }),
    has_file: fileId !== null,
    can_retry: mayRetry(task),
    result: task.state === 'done' ? task.result : null,
  }
}

function mayRetry({ state, kind }: Pick<OwnTask, 'state' | 'kind'>): boolean {
  const known = taskKinds.get(kind)
  return (state === 'failed' || state === 'cancelled') && known !== undefined && !known.notRepeatable
}

/** A person sees all of their tasks; a token only those that it has started, because the others may reach beyond its bounds. */
function ownedBy({ principal: { user_id: userId, api_token_id: tokenId } }: Context) {
  return tokenId === undefined ? sql`user_id = ${userId}` : sql`user_id = ${userId} and api_token_id = ${tokenId}`
}

async function readOwn(context: Context, id: number): Promise<OwnTask> {
  const { rows } = await sql<OwnTask>`select ${columns} from tasks where id = ${id} and ${ownedBy(context)}`.execute(context.tx)
  const task = rows[0]
  // A person who has lost access to a client has lost its results too.
  if (!task || (task.client_id !== 0 && !context.principal.grants.some((grant) => covers(grant.clients, task.client_id)))) throw notFound()
  return task
}

async function lockOwn(context: Context, id: number): Promise<OwnTask> {
  await sql`select id from tasks where id = ${id} and ${ownedBy(context)} for update`.execute(context.tx)
  return readOwn(context, id)
}

async function setState(context: Context, task: OwnTask, state: TaskState): Promise<void> {
  await sql`update tasks set state = ${state}, error = null, result = null, heartbeat_at = null, started_at = ${state === 'waiting' ? null : task.started_at},
    rows_done = ${state === 'waiting' ? 0 : task.rows_done}, finished_at = ${state === 'waiting' ? null : sql`clock_timestamp()`}, settled_at = null where id = ${task.id}`.execute(
    context.tx,
  )
  if (state === 'cancelled') await settleTask(context.tx, { ...task, state, error: null })
  await tellProgress(context.machinery, context.tx, task, state)
}

interface TaskFile {
  readonly key: string
  readonly filename: string
  readonly content_type: string
  readonly sha256: Buffer | null
}

/** The rows of a file were read with the rights of then: whoever has lost one of them since is not given the file. */
async function readFile(context: Context, task: OwnTask): Promise<TaskFile> {
  const { rows } = await sql<
    TaskFile & { rights: unknown }
  >`select key, filename, content_type, sha256, rights from files where id = ${task.file_id}`.execute(context.tx)
  const file = rows[0]
  if (!file) throw notFound('This work has no file, or its file has been removed.')
  refuseLostRights(context.principal, file.rights)
  return file
}
