/** The machinery of one process, put together from the settings. */
import { join } from 'node:path'
import type { Sessions } from './access/access.ts'
import { sealAudit } from './kernel/audit.ts'
import { createFileStore } from './kernel/files/files.ts'
import { createJobs, type JobDefinition, type JobRunner } from './kernel/work/jobs.ts'
import { createLive, type Live } from './kernel/work/live.ts'
import { createMailer, mailJobs } from './kernel/work/mail.ts'
import { createMetrics, type Metrics } from './kernel/metrics.ts'
import type { Machinery } from './kernel/machinery.ts'
import { createScanner } from './kernel/files/virus-scan.ts'
import { notificationMail } from './notifications/notifications.ts'
import { sliceJobs } from './slice-jobs.ts'
import type { Ground } from './start.ts'

export interface RunningMachinery extends Machinery {
  readonly jobs: JobRunner
  readonly live: Live
  readonly metrics: Metrics
  /** Starts the queue and the live channel. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Says where the console is reached once the port is known. */
  reachedAt(url: string): void
}

export function createMachinery(ground: Ground, sessions: Sessions): RunningMachinery {
  const { config, log, database, jobsDatabase, databaseUrl } = ground
  const settings = {
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    secretKey: config.secretKey,
    production: config.production,
  }
  const jobs = createJobs({ url: databaseUrl, log })
  const mail = createMailer(jobs)
  const live = createLive({
    url: databaseUrl,
    database,
    log,
    mailTo: notificationMail({ mail, publicUrl: () => settings.publicUrl }),
    onForget: (userId) => (userId === null ? sessions.forgetAll() : sessions.forgetUser(userId)),
  })
  const machinery: RunningMachinery = {
    log,
    database,
    jobsDatabase,
    settings,
    jobs,
    live,
    metrics: createMetrics({ database, jobsDatabase, jobs, streamCount: live.streamCount }),
    files: createFileStore({ folder: join(config.dataDir, 'files'), s3: config.s3, secretKey: config.secretKey }),
    scanner: config.scannerAddress && createScanner(config.scannerAddress),
    mail,
    sessions: {
      forgetUser(userId) {
        sessions.forgetUser(userId)
        live.forget(userId)
      },
      forgetAll() {
        sessions.forgetAll()
        live.forget(null)
      },
    },
    async start() {
      for (const job of [
        sealJob,
        ...mailJobs({ smtpUrl: config.smtpUrl, outbox: join(config.dataDir, 'outbox'), from: config.mailFrom }),
        ...sliceJobs(ground),
      ])
        jobs.define(job)
      await live.start()
      await jobs.start(machinery)
    },
    async stop() {
      await jobs.stop()
      await live.stop()
    },
    reachedAt: (url) => {
      settings.publicUrl = config.publicUrl ?? url
    },
  }
  return machinery
}

/** Seals new audit rows into their chains. */
const sealJob: JobDefinition = {
  name: 'audit_seal',
  cron: '* * * * *',
  run: async ({ machinery, signal }) => {
    for (;;) {
      const sealed = await machinery.jobsDatabase.db.transaction().execute((tx) => sealAudit(tx))
      if (sealed === 0 || signal.aborted) return
    }
  },
}
