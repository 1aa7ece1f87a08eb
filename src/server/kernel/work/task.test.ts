import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../../test/support/app.ts'
import { hurryTries } from '../../../../test/support/hurry-tries.ts'
import { loadPrincipal } from '../../access/access.ts'
import { unitOfWork } from '../context.ts'
import { Failure } from '../problem.ts'
import { defineTask, reviveLostTasks, startTask, type TaskRun } from './task.ts'

const { app, database, ask } = await startTestApp()
const { db } = database
let person: Person
let work: (run: TaskRun) => Promise<void> = () => Promise.resolve()
const ended = { type: 'test_work', notification_type: 'success', message: 'Work is done' } as const

defineTask({
  kind: 'test_work',
  moves: null,
  title: () => 'Test work',
  run: async (run) => {
    await work(run)
    return { message: ended, result: { made: 3 }, rowsDone: 3 }
  },
})
defineTask({
  kind: 'test_once',
  moves: null,
  title: () => 'Once',
  notRepeatable: true,
  run: () => Promise.reject(new Failure('refused', 'No.')),
})

beforeAll(async () => {
  person = await makePerson(db, 'client_admin', { clients: [] })
})
beforeEach(() => {
  work = () => Promise.resolve()
})

const start = (kind = 'test_work', then: () => void = () => undefined) =>
  db.transaction().execute(async (tx) => {
    const principal = await loadPrincipal(tx, person.id)
    const { context } = unitOfWork(tx, { principal, ip: null, requestId: 'r', connectionId: 'w1' }, [], app.machinery)
    const { id } = await startTask(context, { kind, input: {} })
    then()
    return id
  })
const read = async (id: number) => {
  const { rows } = await sql<{
    state: string
    error: string | null
    rows_done: number
    result: Record<string, number> | null
  }>`select state, error, rows_done, result from tasks where id = ${id}`.execute(db)
  return rows[0]
}
const until = async (id: number, ...states: string[]) => {
  for (let tries = 0; tries < 600; tries++) {
    await hurryTries(db)
    const task = await read(id)
    if (task && states.includes(task.state)) return task
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the task did not become ${states.join(' or ')}: ${JSON.stringify(await read(id))}`)
}
const told = async (id: number) => {
  const { rows } = await sql<{
    message: string
    error: boolean
    connection_id: string
  }>`select message, error, connection_id from notifications where (payload->>'task_id')::int = ${id}`.execute(db)
  return rows
}

describe('long work', () => {
  test('ends together with its message to the window that asked', async () => {
    const id = await start()
    expect(await until(id, 'done')).toEqual({ state: 'done', error: null, rows_done: 3, result: { made: 3 } })
    expect(await told(id)).toEqual([{ message: 'Work is done', error: false, connection_id: 'w1' }])
  })

  test('leaves nothing where the transaction that starts it fails', async () => {
    await expect(
      start('test_work', () => {
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    const { rows } = await sql<{ count: number }>`select count(*) as count from tasks where state = 'waiting'`.execute(db)
    expect(rows[0]?.count).toBe(0)
  })

  test('whose process was killed goes on elsewhere, once', async () => {
    let runs = 0
    work = () => Promise.resolve(void (runs += 1))
    const { rows } = await sql<{ id: number }>`insert into tasks (user_id, kind, state, started_at, heartbeat_at)
      values (${person.id}, 'test_work', 'running', now() - interval '1 minute', now() - interval '21 seconds') returning id`.execute(db)
    const id = rows[0]?.id ?? 0
    await reviveLostTasks(app.machinery)
    await until(id, 'done')
    // A second delivery of the job finds the task finished.
    await app.machinery.jobs.send(db, 'task', { task_id: id, user_id: person.id })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(runs).toBe(1)
    expect(await told(id)).toHaveLength(1)
  })

  test('with a living heartbeat is taken by nobody else', async () => {
    let runs = 0
    work = () => Promise.resolve(void (runs += 1))
    const { rows } = await sql<{
      id: number
    }>`insert into tasks (user_id, kind, state, started_at, heartbeat_at) values (${person.id}, 'test_work', 'running', now(), now()) returning id`.execute(
      db,
    )
    const id = rows[0]?.id ?? 0
    expect(await reviveLostTasks(app.machinery)).toBe(0)
    await app.machinery.jobs.send(db, 'task', { task_id: id, user_id: person.id })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(runs).toBe(0)
    await sql`delete from tasks where id = ${id}`.execute(db)
  })

  test('whose claim was taken over can no longer end it', async () => {
    const gate = Promise.withResolvers<void>()
    work = () => gate.promise
    const id = await start()
    await until(id, 'running')
    await sql`update tasks set started_at = now() + interval '1 second' where id = ${id}`.execute(db)
    gate.resolve()
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await read(id)).toMatchObject({ state: 'running' })
    expect(await told(id)).toEqual([])
    await sql`delete from tasks where id = ${id}`.execute(db)
  })

  test('that is refused says why, is not tried again, and can be started anew', async () => {
    work = () => Promise.reject(new Failure('refused', 'The file has no header.'))
    const id = await start()
    expect(await until(id, 'failed')).toMatchObject({ error: 'The file has no header.' })
    expect(await told(id)).toEqual([{ message: 'Test work failed', error: true, connection_id: 'w1' }])
    work = () => Promise.resolve()
    expect((await ask(person, 'POST', `/tasks/${id}/retry`)).body).toMatchObject({ success: true, task_id: id })
    expect(await until(id, 'done')).toMatchObject({ rows_done: 3 })
    expect((await ask(person, 'POST', `/tasks/${id}/retry`)).status).toBe(409)
  })

  test('that failed by a fault of ours is tried again by itself', async () => {
    let runs = 0
    work = () => ((runs += 1) === 1 ? Promise.reject(new Error('socket hang up')) : Promise.resolve())
    const id = await start()
    expect(await until(id, 'done')).toMatchObject({ error: null })
    expect(runs).toBe(2)
    expect(await told(id)).toHaveLength(1)
  })

  test('whose sessions are ended is tried again more often than what fails by a fault of ours, until the database stays', async () => {
    let cuts = 0
    work = (run) =>
      run.step(async ({ tx }) => {
        if (cuts++ < 5) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      })
    const id = await start()
    const { state } = await until(id, 'done', 'failed')
    expect({ state, cuts }).toEqual({ state: 'done', cuts: 6 })
  }, 150_000)

  test('that found no room fails by that reason, also where its last run could not note its end', async () => {
    const id = await start()
    const reason = 'There is no room left.'
    await until(id, 'done')
    await sql`update tasks set state = 'running', heartbeat_at = now() - interval '1 minute', result = ${JSON.stringify({ runs: 4, lost: 0, reason })}::jsonb
      where id = ${id}`.execute(db)
    await reviveLostTasks(app.machinery)
    expect(await until(id, 'done', 'failed')).toMatchObject({ state: 'failed', error: reason })
  })

  test('that would do harm twice is not started anew', async () => {
    const id = await start('test_once')
    await until(id, 'failed')
    expect((await ask(person, 'POST', `/tasks/${id}/retry`)).status).toBe(409)
  })

  test('stops when it is cancelled, and says nothing more', async () => {
    const ended = Promise.withResolvers<void>()
    work = async (run) => {
      while (!run.signal.aborted) {
        run.progress(Math.floor(Math.random() * 1_000))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      // The run completes the work of its end within this time.
      setTimeout(ended.resolve, 300)
      run.signal.throwIfAborted()
    }
    const id = await start()
    await until(id, 'running')
    expect((await ask(person, 'POST', `/tasks/${id}/cancel`)).body).toMatchObject({ success: true, message: 'Test work cancelled' })
    await ended.promise
    expect(await read(id)).toMatchObject({ state: 'cancelled' })
    expect(await told(id)).toEqual([])
    expect((await ask(person, 'POST', `/tasks/${id}/cancel`)).status).toBe(409)
  }, 15_000)

  test('is somebody’s own: others find neither the task nor its file', async () => {
    const id = await start()
    await until(id, 'done')
    const other = await makePerson(db, 'super_admin')
    for (const [method, path] of [
      ['POST', 'cancel'],
      ['POST', 'retry'],
      ['GET', 'file'],
    ] as const) {
      expect((await ask(other, method, `/tasks/${id}/${path}`)).status).toBe(404)
      expect((await ask(null, method, `/tasks/${id}/${path}`)).status).toBe(401)
    }
    expect((await ask(other, 'GET', '/tasks')).body).toEqual({ tasks: [], total: 0 })
    const own = await ask(person, 'GET', '/tasks?per=1')
    expect(own.body).toMatchObject({ tasks: [{ id, title: 'Test work', state: 'done', has_file: false, result: { made: 3 } }] })
    expect((await ask(person, 'GET', `/tasks/${id}/file`)).status).toBe(404)
    expect((await ask(person, 'GET', '/tasks?page=0')).status).toBe(422)
  })
})
