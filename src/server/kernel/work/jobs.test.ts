import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../../test/support/cluster.ts'
import { quietMachinery } from '../../../../test/support/toy-server.ts'
import { createJobs, type JobData, type JobRunner } from './jobs.ts'
import { createLog } from '../log.ts'

const database = await testDatabase()
const { db, url } = database
const log = createLog({ level: 'error', write: () => undefined })
const services = quietMachinery(database)

const until = async (holds: () => boolean, ms: number): Promise<void> => {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const running = async (define: (jobs: JobRunner) => void, work: (jobs: JobRunner) => Promise<void>): Promise<void> => {
  const jobs = createJobs({ url, log })
  define(jobs)
  await jobs.start(services)
  try {
    await work(jobs)
  } finally {
    await jobs.stop()
  }
}

// Side by side, because they wait for the queue and each has its own runner.
describe.concurrent('background work', () => {
  test('starts with the commit, and not at all where that fails', async () => {
    const seen: JobData[] = []
    await running(
      (jobs) => jobs.define({ name: 'plain', run: ({ data }) => Promise.resolve(void seen.push(data)) }),
      async (jobs) => {
        await expect(
          db.transaction().execute(async (tx) => {
            await jobs.send(tx, 'plain', { number: 1 })
            throw new Error('rolled back')
          }),
        ).rejects.toThrow('rolled back')
        await db.transaction().execute(async (tx) => {
          await jobs.send(tx, 'plain', { number: 2 })
          await new Promise((resolve) => setTimeout(resolve, 200))
          expect(seen).toEqual([])
        })
        await until(() => seen.length > 0, 2_000)
        expect(seen).toEqual([{ number: 2 }])
      },
    )
  })

  test('that fails is tried again, and no more than its limit', async () => {
    let runs = 0
    await running(
      (jobs) =>
        jobs.define({ name: 'failing', retryLimit: 1, retryDelaySeconds: 1, run: () => Promise.reject(new Error(`run ${(runs += 1)}`)) }),
      async (jobs) => {
        await jobs.send(db, 'failing', {})
        await until(() => runs === 2, 15_000)
        await new Promise((resolve) => setTimeout(resolve, 300))
        const { rows } = await sql<{ state: string }>`select state::text from pgboss.job where name = 'failing'`.execute(db)
        expect(rows).toEqual([{ state: 'failed' }])
      },
    )
  }, 90_000)

  test('of one key is queued once, of one user runs so many at once, and an unknown name is a fault', async () => {
    let atOnce = 0
    let most = 0
    let done = 0
    await running(
      (jobs) =>
        jobs.define({
          name: 'grouped',
          atOnce: 4,
          atOncePerUser: 2,
          run: async () => {
            most = Math.max(most, (atOnce += 1))
            await new Promise((resolve) => setTimeout(resolve, 200))
            atOnce -= 1
            done += 1
          },
        }),
      async (jobs) => {
        for (let at = 0; at < 4; at++) await jobs.send(db, 'grouped', { user_id: 1, number: at })
        await jobs.send(db, 'grouped', { user_id: 2 }, { onceKey: 'same' })
        await jobs.send(db, 'grouped', { user_id: 2 }, { onceKey: 'same' })
        await until(() => done === 5, 20_000)
        expect(most).toBeLessThanOrEqual(3)
        await expect(jobs.send(db, 'unknown', {})).rejects.toThrow('no job is called unknown')
        expect(() => jobs.define({ name: 'grouped', run: () => Promise.resolve() })).toThrow('two jobs')
        expect(await jobs.counts()).toContainEqual({ name: 'grouped', state: 'running', count: expect.any(Number) })
      },
    )
  }, 90_000)

  test('that came while a worker was busy is done right after, and what is pressing first', async () => {
    const done: unknown[] = []
    const gate = Promise.withResolvers<void>()
    await running(
      (jobs) =>
        jobs.define({
          name: 'queued',
          run: async ({ data }) => {
            await gate.promise
            done.push(data['number'])
          },
        }),
      async (jobs) => {
        for (let number = 1; number <= 8; number += 1) await jobs.send(db, 'queued', { number }, number === 8 ? { priority: 1 } : {})
        gate.resolve()
        // With a poll between two of them this takes half a minute.
        await until(() => done.length === 8, 12_000)
        expect(done.indexOf(8)).toBeLessThan(2)
      },
    )
  }, 90_000)

  test('of a killed process goes on within 30 seconds', async () => {
    const worker = spawn(process.execPath, [join(import.meta.dirname, '../../../../test/support/hanging-worker.ts'), url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(worker.stdout, 'data')
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const seen: JobData[] = []
    await running(
      (jobs) => jobs.define({ name: 'hanging', run: ({ data }) => Promise.resolve(void seen.push(data)) }),
      () => until(() => seen.length > 0, 30_000),
    )
    expect(seen).toEqual([{ number: 7 }])
  }, 60_000)
})
