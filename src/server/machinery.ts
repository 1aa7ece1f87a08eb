/** The machinery of one process, put together from the settings. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Sessions } from './access/access.ts'
import { auditKeyOf } from './kernel/audit.ts'
import { sealAudit } from './kernel/audit-chain.ts'
import { anchorHeads, createHeadsStore, storedHeads, type HeadsStore } from './kernel/audit-heads.ts'
import { openedHeads } from './kernel/written-heads.ts'
import { createFileStore } from './kernel/files/files.ts'
import { createJobs, type JobDefinition, type JobRunner } from './kernel/work/jobs.ts'
import { createLive, type Live } from './kernel/work/live.ts'
import { mailJobs } from './kernel/work/mail.ts'
import { createMailer } from './kernel/work/mailer.ts'
import { createMetrics, type Metrics } from './kernel/metrics.ts'
import type { Machinery } from './kernel/machinery.ts'
import { createScanner } from './kernel/files/virus-scan.ts'
import { notificationMail } from './notifications/notifications.ts'
import { sliceJobs } from './slice-jobs.ts'
import type { Ground } from './open-ground.ts'

export interface RunningMachinery extends Machinery {
  readonly jobs: JobRunner
  readonly live: Live
  readonly metrics: Metrics
  /** Starts the queue and the live channel. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Sets the console's address once the port is known. */
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
  const headsStore = createHeadsStore(config)
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
      stillHolds: sessions.stillHolds,
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
        sealJob(headsStore),
        tellHeadsJob(config, headsStore),
        ...mailJobs({ smtpUrl: config.smtpUrl, outbox: join(config.dataDir, 'outbox'), from: config.mailFrom }),
        ...sliceJobs(ground),
      ])
        jobs.define(job)
      await live.start()
      // Before the first row is sealed with the key. Where the store is away, the job of the next minute says so.
      await anchorHeads(machinery, headsStore).catch((error: unknown) =>
        log.warn('the heads of the audit log could not be kept', { error }),
      )
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

const faultToldEveryMs = 3_600_000

/** Seals new audit rows into their chains, and keeps the ends of the chains outside the database. */
function sealJob(store: HeadsStore): JobDefinition {
  let toldAt = -Infinity
  return {
    name: 'audit_seal',
    cron: '* * * * *',
    run: async ({ machinery, signal }) => {
      const key = auditKeyOf(machinery.settings.secretKey)
      for (;;) {
        const sealed = await machinery.jobsDatabase.db.transaction().execute((tx) => sealAudit(tx, key))
        if (sealed === 0 || signal.aborted) break
      }
      const anchored = await anchorHeads(machinery, store)
      if (!('fault' in anchored) || performance.now() - toldAt < faultToldEveryMs) return
      toldAt = performance.now()
      machinery.log.error('the audit log does not fit what was kept of it; run npm run audit:verify', { fault: anchored.fault })
    },
  }
}

/** Says once a day how far the trail has come, in the log and, where it is wanted, by mail: what leaves the machine cannot be taken back. */
function tellHeadsJob({ auditHeadsMail }: Ground['config'], store: HeadsStore): JobDefinition {
  return {
    name: 'audit_heads_told',
    cron: '15 0 * * *',
    atStart: true,
    run: async ({ machinery }) => {
      const text = await storedHeads(store)
      const heads = text === null ? null : openedHeads(auditKeyOf(machinery.settings.secretKey), text)
      if (text === null || heads === null) return
      const { number, made_at, chains } = heads
      const rows = chains.reduce((sum, { count }) => sum + count, 0)
      machinery.log.info('audit heads', {
        number,
        made_at,
        chains: chains.length,
        rows,
        sha256: createHash('sha256').update(text).digest('hex'),
      })
      if (auditHeadsMail === undefined) return
      const words = `The audit log has ${rows} sealed rows in ${chains.length} chains. Keep this mail apart from the server. To hold the audit log against it, store the last line in a file and run: npm run audit:verify -- --heads FILE`
      const mail = {
        to: auditHeadsMail,
        subject: `Meterbook audit log ${made_at.slice(0, 10)}, heads ${number}`,
        text: `${words}\n\n${text}\n`,
      }
      await machinery.jobsDatabase.db.transaction().execute((tx) => machinery.mail.send(tx, mail))
    },
  }
}
