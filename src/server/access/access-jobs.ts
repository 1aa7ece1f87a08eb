/** Background work of sign-in: requested mails, and the deletion of expired rows. */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { SessionRules } from './credentials.ts'
import { passwordRequestJobs } from './password-flows.ts'

/** Longer than any window and any wait. */
const countDays = 2
const deviceDays = 180

export function accessJobs(rules: SessionRules): JobDefinition[] {
  return [...passwordRequestJobs, { name: 'sweep_sign_ins', cron: '50 3 * * *', run: ({ machinery }) => sweepSignIns(machinery, rules) }]
}

/** Deletes expired sign-ins, counts that no rule reads any more, and devices that were not used for half a year. */
async function sweepSignIns({ jobsDatabase: { db } }: Machinery, rules: SessionRules): Promise<void> {
  const before = (hours: number) => new Date(now().getTime() - hours * 3_600_000)
  await sql`delete from sessions where used_at < ${before(rules.idleHours)} or created_at < ${before(rules.maxDays * 24)}`.execute(db)
  await sql`delete from sign_in_failures where last_at < ${before(countDays * 24)}`.execute(db)
  await sql`delete from sign_in_windows where opened_at < ${before(countDays * 24)}`.execute(db)
  await sql`delete from known_devices where used_at < ${before(deviceDays * 24)}`.execute(db)
}
