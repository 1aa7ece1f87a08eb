/**
 * Every kind of task, ended unfinished in every way, with every record whose state it changes in every open state: none of them may stay
 * open.
 */
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { createLog } from '../src/server/kernel/log.ts'
import { sendTask, taskKinds } from '../src/server/kernel/work/task.ts'
import { makePerson, startTestApp, type Person } from './support/app.ts'
import { makeClient } from './support/estate.ts'

// The failures here are intended.
const { app, database, ask } = await startTestApp({}, undefined, createLog({ level: 'error', write: () => undefined }))
const { db } = database
/** Limit of a wait for timers that run every five seconds. */
const waited = { timeout: 60_000, interval: 100 }

interface Open {
  readonly kind: string
  readonly taskId: number
  /** State of its record; null for a kind that changes none. */
  readonly state: string | null
  readonly recordId: number | null
}

interface TaskRow {
  readonly state: string
  readonly heartbeatAgo: number | null
  readonly runs: number
}
const waiting: TaskRow = { state: 'waiting', heartbeatAgo: null, runs: 0 }
/** Its heartbeat shows that another process runs it. */
const running: TaskRow = { state: 'running', heartbeatAgo: 0, runs: 1 }

/** Creates a record of a table that names the task, in a given state. */
const records: Readonly<Record<string, (taskId: number, state: string) => Promise<number>>> = {
  imports: async (taskId, state) => {
    const { rows } = await sql<{ id: number }>`insert into imports (user_id, kind, filename, byte_size, mode, state, task_id)
      values (1, 'vendor', 'rows.csv', 1, 'valid', ${state}, ${taskId}) returning id`.execute(db)
    return rows[0]?.id ?? 0
  },
  report_deliveries: async (taskId, state) => {
    const clientId = await makeClient(db)
    const { rows } = await sql<{ id: number }>`with schedule as (
        insert into report_schedules (client_id, report_id, name, formats, subscriber_ids)
        select ${clientId}, min(id), 'Every month', '{csv}', '{}' from reports returning client_id, id)
      insert into report_deliveries (client_id, report_schedule_id, due_at, run_on, user_id, subscriber, state, task_id)
      select client_id, id, now(), current_date, 1, 'Reader', ${state}, ${taskId} from schedule returning id`.execute(db)
    return rows[0]?.id ?? 0
  },
}

/** Creates a task of each kind, for each open state of its records. */
async function openAll(person: Person, row: TaskRow): Promise<Open[]> {
  const made: Open[] = []
  for (const [kind, { moves }] of taskKinds)
    for (const state of moves?.open ?? [null]) {
      const { rows } = await sql<{ id: number }>`insert into tasks (user_id, kind, state, started_at, heartbeat_at, result)
        values (${person.id}, ${kind}, ${row.state}, now(), now() - make_interval(secs => ${row.heartbeatAgo}::int), ${JSON.stringify({ runs: row.runs })}::jsonb)
        returning id`.execute(db)
      const taskId = rows[0]?.id ?? 0
      const make = moves && records[moves.table]
      if (moves && !make) throw new Error(`this test cannot make a record of ${moves.table}`)
      made.push({ kind, taskId, state, recordId: make && state !== null ? await make(taskId, state) : null })
    }
  return made
}

async function tasksOf(opened: readonly Open[]): Promise<{ id: number; state: string; error: string | null; settled: boolean }[]> {
  const ids = opened.map(({ taskId }) => taskId)
  const { rows } = await sql<{ id: number; state: string; error: string | null; settled: boolean }>`
    select id, state, error, settled_at is not null as settled from tasks where id = any(${ids}::bigint[]) order by id`.execute(db)
  return rows
}

/** Waits for the ends, and expects no record to be open. */
async function expectSettled(opened: readonly Open[], state: 'failed' | 'cancelled', reason: string | RegExp): Promise<void> {
  await vi.waitFor(async () => {
    const tasks = await tasksOf(opened)
    expect(tasks.map((task) => ({ state: task.state, settled: task.settled }))).toEqual(opened.map(() => ({ state, settled: true })))
  }, waited)
  for (const { kind, recordId, state: before } of opened) {
    const moves = taskKinds.get(kind)?.moves
    if (!moves || recordId === null) continue
    const { rows } = await sql<{
      state: string
      error: string
    }>`select state, error from ${sql.table(moves.table)} where id = ${recordId}`.execute(db)
    expect(moves.open, `${kind} from ${before}`).not.toContain(rows[0]?.state)
    expect(rows[0]?.error, `${kind} from ${before}`).toMatch(reason)
  }
}

describe('work that ends undone takes its records along, of every kind', () => {
  it('knows all tables with a state that name a task', async () => {
    const { rows } = await sql<{ table_name: string }>`select named.table_name from information_schema.columns named
      join information_schema.columns state on state.table_schema = named.table_schema and state.table_name = named.table_name and state.column_name = 'state'
      where named.table_schema = 'public' and named.column_name = 'task_id' order by 1`.execute(db)
    const moved = new Set([...taskKinds.values()].flatMap(({ moves }) => moves?.table ?? []))
    expect(rows.map(({ table_name }) => table_name)).toEqual([...moved].toSorted())
    expect(taskKinds.size).toBeGreaterThanOrEqual(8)
  })

  it('that is refused: the person is not active any more', async () => {
    const person = await makePerson(db, 'super_admin')
    await sql`update users set status = 'in_active' where id = ${person.id}`.execute(db)
    const opened = await openAll(person, waiting)
    for (const { taskId } of opened) await sendTask(app.machinery, db, taskId, person.id)
    await expectSettled(opened, 'failed', 'The account that started this is not active any more.')
  }, 120_000)

  it('that fails by a fault of ours until it is given up', async () => {
    const person = await makePerson(db, 'super_admin')
    // Its input is invalid for every kind with records.
    const opened = (await openAll(person, { ...waiting, runs: 3 })).filter(({ recordId }) => recordId !== null)
    for (const { taskId } of opened) await sendTask(app.machinery, db, taskId, person.id)
    await expectSettled(opened, 'failed', 'Something went wrong on our side.')
  }, 120_000)

  it('whose processes were killed again and again', async () => {
    const opened = await openAll(await makePerson(db, 'super_admin'), { ...running, heartbeatAgo: 60, runs: 4 })
    await expectSettled(opened, 'failed', 'The work stopped several times without an end.')
  }, 120_000)

  it('that a person cancels, at once', async () => {
    const person = await makePerson(db, 'super_admin')
    const opened = await openAll(person, running)
    for (const { taskId } of opened) expect((await ask(person, 'POST', `/tasks/${taskId}/cancel`)).status).toBe(200)
    expect((await tasksOf(opened)).every(({ settled }) => settled)).toBe(true)
    await expectSettled(opened, 'cancelled', 'The work was stopped.')
  }, 120_000)

  it('that is cancelled while a run holds the record: as soon as it lets go', async () => {
    const person = await makePerson(db, 'super_admin')
    const opened = (await openAll(person, running)).filter(({ recordId }) => recordId !== null)
    await db.transaction().execute(async (tx) => {
      for (const { kind, recordId } of opened)
        await sql`select id from ${sql.table(taskKinds.get(kind)?.moves?.table ?? '')} where id = ${recordId} for update`.execute(tx)
      for (const { taskId } of opened) expect((await ask(person, 'POST', `/tasks/${taskId}/cancel`)).status).toBe(200)
      expect((await tasksOf(opened)).map(({ state, settled }) => ({ state, settled }))).toEqual(
        opened.map(() => ({ state: 'cancelled', settled: false })),
      )
    })
    await expectSettled(opened, 'cancelled', 'The work was stopped.')
  }, 120_000)

  it('that a statement of a slice ends', async () => {
    const opened = await openAll(await makePerson(db, 'super_admin'), running)
    const ids = opened.map(({ taskId }) => taskId)
    await sql`update tasks set state = 'cancelled', finished_at = now() where id = any(${ids}::bigint[])`.execute(db)
    await expectSettled(opened, 'cancelled', 'The work was stopped.')
  }, 120_000)
})

it('an import that ends undone stands where it was before', async () => {
  const person = await makePerson(db, 'super_admin')
  const opened = (await openAll(person, running)).filter(({ kind }) => kind === 'import')
  await sql`update imports set checked_at = now() where state = 'committing' and id = any(${opened.map(({ recordId }) => recordId)}::bigint[])`.execute(
    db,
  )
  for (const { taskId } of opened) await ask(person, 'POST', `/tasks/${taskId}/cancel`)
  const { rows } = await sql<{
    state: string
  }>`select state from imports where id = any(${opened.map(({ recordId }) => recordId)}::bigint[]) order by id`.execute(db)
  expect(opened.map(({ state }, at) => `${state}: ${rows[at]?.state}`)).toEqual([
    'waiting: failed',
    'checking: failed',
    'committing: checked',
    'undoing: committed',
  ])
})

it('work that waits and whose job the queue has given up is queued anew', async () => {
  const person = await makePerson(db, 'super_admin')
  await sql`update users set status = 'in_active' where id = ${person.id}`.execute(db)
  const [lost] = await openAll(person, waiting)
  if (!lost) throw new Error('no kind of work')
  await sql`update tasks set created_at = now() - interval '2 minutes' where id = ${lost.taskId}`.execute(db)
  await vi.waitFor(async () => expect((await tasksOf([lost]))[0]?.state).toBe('failed'), { timeout: 120_000, interval: 500 })
}, 150_000)
