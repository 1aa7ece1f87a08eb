/** Stores an alarm as a security event, once per rule and subject within its time, whichever process judges first. */
import { alarmEveryMinutes } from '#contract/security-log/security-kinds.ts'
import { sql } from 'kysely'
import { now } from './clock.ts'
import type { Tx } from './postgres/database.ts'

export interface AlarmDraft {
  /** The rule and the subject. */
  readonly key: string
  /** 0 if the events concern no single client. */
  readonly client_id: number
  readonly user_id: number | null
  readonly account: string | null
  readonly network: string | null
  readonly detail: Readonly<Record<string, string | number>>
}

/** Two processes that judge at once wait for each other, until the end of the transaction. */
export async function lockAlarms(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('security alarms', 0))`.execute(tx)
}

/** Stores the alarms that were not raised yet. It needs the lock. @returns the keys of those. */
export async function storeAlarms(tx: Tx, alarms: readonly AlarmDraft[]): Promise<ReadonlySet<string>> {
  if (alarms.length === 0) return new Set()
  const since = new Date(now().getTime() - alarmEveryMinutes * 60_000)
  const { rows } = await sql<{ key: string }>`insert into security_events
      (client_id, kind, created_at, outcome, user_id, account, network, alarm_key, detail)
    select given.client_id, 'alarm', ${now()}, 'done', given.user_id, given.account, given.network, given.key, given.detail
    from jsonb_to_recordset(${JSON.stringify(alarms)}::jsonb)
      as given(client_id bigint, user_id bigint, account text, network text, key text, detail jsonb)
    where not exists (select from security_events earlier where earlier.alarm_key = given.key and earlier.created_at > ${since})
    returning alarm_key as key`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}
