/** Background work on pg-boss, wrapped in this one file. A job may run twice, so its code must be safe to repeat. */
import type { Kysely } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Tables, Tx } from '../postgres/database.ts'
import type { Log } from '../log.ts'
import type { Jobs, SendOptions, Machinery } from '../machinery.ts'

export type JobData = Readonly<Record<string, string | number | boolean | null>>

export interface JobRun {
  readonly data: JobData
  readonly machinery: Machinery
  /** Aborts when the process stops or another process has taken the job over. */
  readonly signal: AbortSignal
}

export interface JobDefinition {
  readonly name: string
  readonly run: (job: JobRun) => Promise<void>
  /** Retries after the first failure; 2 by default. */
  readonly retryLimit?: number
  /** Seconds before the second try, doubled with each further one; 5 by default. */
  readonly retryDelaySeconds?: number
  /** Seconds after which a run counts as lost; 15 minutes by default. A killed process is noticed earlier, by its heartbeat. */
  readonly expireSeconds?: number
  /** Runs at once in one process; 1 by default. */
  readonly atOnce?: number
  /**
   * Runs at once for one value of the data's `user_id` in one process. The limit over all processes is not exact: two that fetch together
   * exceed it.
   */
  readonly atOncePerUser?: number
  /** Cron expression in New York time. */
  readonly cron?: string
  /** Sends the job to the queue at each start of a process as well. */
  readonly atStart?: boolean
  /** Runs in every process by a timer, from its start on and without the queue: only for cheap checks of a table. */
  readonly everySeconds?: number
}

export interface JobRunner extends Jobs {
  /** Defines a job. Must be called before `start`; throws when the name is taken. */
  define(job: JobDefinition): void
  start(machinery: Machinery): Promise<void>
  /** Fetches no more jobs and lets running ones finish, for at most 20 seconds. */
  stop(): Promise<void>
  /** Jobs by queue and state, for metrics. */
  counts(): Promise<readonly { name: string; state: 'waiting' | 'running' | 'failed'; count: number }[]>
}

const connectionsMax = 3
/**
 * A worker without a heartbeat for this long counts as dead. With the supervision below, work of a killed process continues within 30
 * seconds.
 */
const heartbeatSeconds = 10
const superviseSeconds = 5
/** New work arrives by notification; polling finds work that has become due (retries, work of killed processes). */
const pollSeconds = 4
const keepFinishedSeconds = 86_400
const stopMs = 20_000

/**
 * Creates the runner. Nothing is connected before `start`. `url` is the database's; three connections of its own keep pg-boss away from the
 * pools.
 */
export function createJobs(settings: { url: string; log: Log }): JobRunner {
  const definitions = new Map<string, JobDefinition>()
  const timers: NodeJS.Timeout[] = []
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: settings.url,
    application_name: 'meterbook-queue',
    max: connectionsMax,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    cronMonitorIntervalSeconds: 30,
  })
  boss.on('error', (error) => settings.log.error('job queue', { error }))
  boss.on('warning', (warning) => settings.log.warn('job queue', { warning: warning.message }))
  return {
    define(job) {
      if (definitions.has(job.name)) throw new Error(`two jobs are called ${job.name}`)
      definitions.set(job.name, job)
    },
    async send(tx, name, data, options = {}) {
      const job = definitions.get(name)
      if (!job) throw new Error(`no job is called ${name}`)
      await boss.send(name, data, { db: fromKysely(transactionOf(tx)), ...sendOptions(job, data, options) })
    },
    async isQueued(name, data) {
      const found = await boss.findJobs(name, { data, queued: true })
      return found.length > 0
    },
    async start(machinery) {
      await boss.start()
      for (const job of definitions.values()) {
        if (job.everySeconds === undefined) await startOne(boss, job, machinery)
        else timers.push(startTimer(job, job.everySeconds, { data: {}, machinery, signal: stopping.signal }))
      }
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await boss.stop({ graceful: true, timeout: stopMs, close: true })
    },
    async counts() {
      const queues = await boss.getQueues([...definitions.values()].filter((job) => job.everySeconds === undefined).map((job) => job.name))
      return queues.flatMap(({ name, readyCount, activeCount, failedCount }) => [
        { name, state: 'waiting' as const, count: readyCount },
        { name, state: 'running' as const, count: activeCount },
        { name, state: 'failed' as const, count: failedCount },
      ])
    },
  }
}

async function startOne(boss: PgBoss, job: JobDefinition, machinery: Machinery): Promise<void> {
  const queue = {
    notify: true,
    retryLimit: job.retryLimit ?? 2,
    retryDelay: job.retryDelaySeconds ?? 5,
    retryBackoff: true,
    expireInSeconds: job.expireSeconds ?? 900,
    heartbeatSeconds,
    deleteAfterSeconds: keepFinishedSeconds,
  }
  await boss.createQueue(job.name, queue)
  // An existing queue keeps its old settings; a new version of the program may have others.
  await boss.updateQueue(job.name, queue)
  const { atOnce = 1, atOncePerUser } = job
  if (atOncePerUser !== undefined)
    await startWorker(boss, job, machinery, { localConcurrency: atOnce, localGroupConcurrency: atOncePerUser })
  else for (let worker = 0; worker < atOnce; worker += 1) await startWorker(boss, job, machinery)
  if (job.cron === undefined) await boss.unschedule(job.name)
  else await boss.schedule(job.name, job.cron, {}, { tz: 'America/New_York' })
  if (job.atStart) await boss.send(job.name, {})
}

/**
 * A worker is notified of new work once, and takes one job at a time: the notification for work that arrived while it was busy is already
 * spent. So it checks again after each job; otherwise all but the next would wait for the poll. If workers count by user, only the first
 * can be notified this way.
 */
async function startWorker(
  boss: PgBoss,
  job: JobDefinition,
  machinery: Machinery,
  many: { localConcurrency?: number; localGroupConcurrency?: number } = {},
): Promise<void> {
  const worker = { id: '' }
  const options = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: pollSeconds, ...many }
  worker.id = await boss.work<JobData>(job.name, options, async (fetched) => {
    try {
      for (const one of fetched) await job.run({ data: one.data, machinery, signal: one.signal })
    } finally {
      boss.notifyWorker(worker.id)
    }
  })
}

function startTimer(job: JobDefinition, everySeconds: number, run: JobRun): NodeJS.Timeout {
  const look = (): void =>
    void job.run(run).catch((error: unknown) => run.machinery.log.warn('timed work failed', { job: job.name, error }))
  look()
  return setInterval(look, everySeconds * 1_000)
}

function sendOptions(job: JobDefinition, data: JobData, options: SendOptions) {
  const userId = data['user_id']
  return {
    ...(options.afterSeconds === undefined ? {} : { startAfter: options.afterSeconds }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    // A minute is long enough for every double click; the key itself may live forever.
    ...(options.onceKey === undefined ? {} : { singletonKey: options.onceKey, singletonSeconds: 60 }),
    ...(job.atOncePerUser === undefined || userId === undefined ? {} : { group: { id: `user-${String(userId)}` } }),
  }
}

/** pg-boss expects an executor of its own loose type; Kysely's is compatible and typed more strictly. */
function transactionOf(tx: Tx): Parameters<typeof fromKysely>[0] {
  const kysely: Kysely<Tables> = tx
  return kysely
}
