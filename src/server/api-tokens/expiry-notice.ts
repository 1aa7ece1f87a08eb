/** Warns users some days before one of their tokens expires, so that no program stops without notice. */
import { sql } from 'kysely'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { today } from '../kernel/clock.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'

const warnDays = 7

export const apiTokenJobs: JobDefinition[] = [
  { name: 'api_token_expiry', cron: '20 7 * * *', run: ({ machinery }) => warnOfExpiry(machinery) },
]

interface Expiring {
  user_id: number
  name: string
  token_last4: string
  expires_on: string
}

/** Sends one warning per token: the mark and the notification are one transaction. */
export async function warnOfExpiry(machinery: Machinery): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    const { rows } = await sql<Expiring>`update api_tokens set warned_at = now()
      where warned_at is null and expires_on between ${today()}::date and ${addDays(today(), warnDays)}::date
        and created_at < now() - make_interval(days => 1)
      returning user_id, name, token_last4, expires_on`.execute(tx)
    for (const { user_id: userId, name, token_last4: last, expires_on: day } of rows.toSorted((a, b) => a.user_id - b.user_id)) {
      await machinery.live.tell(
        tx,
        { userId, connectionId: null },
        {
          type: 'sign_in_token',
          notification_type: 'warning',
          message: 'An API token of yours is about to expire',
          description: [`${name} (mb_…${last}) works until ${formatDate(day)}. Make a new one in time.`],
          link: '/users/profile/api_tokens',
        },
      )
    }
  })
}
