/** Scheduled work of the security log: alarms every minute, and the end of old events every night. */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { now } from '../kernel/clock.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { raiseAlarms } from './raise-alarms.ts'

const sweepBatch = 5_000
const dayMs = 86_400_000

export function securityLogJobs({ securityLogDays }: Pick<Config, 'securityLogDays'>): JobDefinition[] {
  return [
    { name: 'security_alarms', cron: '* * * * *', run: ({ machinery }) => raiseAlarms(machinery) },
    { name: 'sweep_security_events', cron: '10 3 * * *', run: ({ machinery, signal }) => sweepEvents(machinery, securityLogDays, signal) },
  ]
}

/** Deletes in short statements: a night after a flood has many rows. */
export async function sweepEvents({ jobsDatabase }: Pick<Machinery, 'jobsDatabase'>, days: number, signal?: AbortSignal): Promise<void> {
  const before = new Date(now().getTime() - days * dayMs)
  for (let deleted = sweepBatch; deleted === sweepBatch && !signal?.aborted;) {
    const { rows } = await sql`delete from security_events where (client_id, id) in
      (select client_id, id from security_events where created_at < ${before} order by created_at limit ${sweepBatch}) returning id`.execute(
      jobsDatabase.db,
    )
    deleted = rows.length
  }
}
