/** Judges the events of the last minutes by the rules, and notifies administrators of those that reach a threshold. */
import { alarmRules, type AlarmRule, type AlarmSubject } from '#contract/security-log/security-kinds.ts'
import { sql, type RawBuilder } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { Failure } from '../kernel/problem.ts'
import { lockAlarms, storeAlarms, type AlarmDraft } from '../kernel/security-alarms.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** Subjects that one run may find. A flood from more networks at once raises the rest in the next minutes. */
const subjectsMax = 100
/** Administrators of one client, or of the provider, who are notified. */
const toldMax = 100
/**
 * The number of alarms of one run that a person gets one by one. More come in one message, so that many alarms do not become many mails.
 */
const apartMax = 3

interface Found {
  readonly rule: string
  readonly subject: string
  readonly total: number
  readonly client_id: number
  readonly user_id: number | null
  readonly account: string | null
  readonly network: string | null
  readonly person: string | null
}

export async function raiseAlarms(machinery: Machinery): Promise<void> {
  await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
    await lockAlarms(tx)
    const found = await overThreshold(tx)
    const raised = await storeAlarms(tx, found.map(draftOf))
    const alarms = found.filter((one) => raised.has(keyOf(one)))
    if (alarms.length > 0) await tellAdministrators(machinery, tx, alarms)
  })
}

const subjects: Readonly<Record<AlarmSubject, RawBuilder<unknown>>> = {
  account: sql`coalesce('user ' || event.user_id, 'account ' || encode(event.account_hash, 'hex'))`,
  network: sql`'network ' || event.network`,
  person: sql`'user ' || event.user_id`,
}

async function overThreshold(tx: Tx): Promise<Found[]> {
  const { rows } = await sql<Found>`select found.*, ${nameOfUser('users', 'username')} as person
    from (${sql.join(alarmRules.map(totalsOf), sql` union all `)}) found
    left join users on users.id = found.user_id order by found.total desc, found.rule, found.subject limit ${subjectsMax}`.execute(tx)
  return rows
}

/** Totals by subject. The client is the one that all events of the subject have. */
function totalsOf({ name, kinds, by, count, minutes }: AlarmRule): RawBuilder<unknown> {
  const since = new Date(now().getTime() - minutes * 60_000)
  return sql`select ${name}::text as rule, ${subjects[by]} as subject, sum(event.times)::int as total,
      case when min(event.client_id) = max(event.client_id) then min(event.client_id) else 0 end as client_id,
      ${by === 'network' ? sql`null::bigint` : sql`max(event.user_id)`} as user_id,
      ${by === 'account' ? sql`max(event.account)` : sql`null`} as account,
      ${by === 'network' ? sql`max(event.network)` : sql`null`} as network
    from security_events event where event.kind = any(${[...kinds]}::text[]) and event.created_at > ${since} and ${subjects[by]} is not null
    group by 2 having sum(event.times) >= ${count}`
}

function keyOf({ rule, subject }: Found): string {
  return `${rule} ${subject}`
}

function draftOf(found: Found): AlarmDraft {
  const { client_id, user_id, account, network, total } = found
  const { label, minutes } = ruleOf(found)
  return { key: keyOf(found), client_id, user_id, account, network, detail: { alarm: label, events: total, minutes } }
}

function ruleOf({ rule }: Found): AlarmRule {
  const known = alarmRules.find(({ name }) => name === rule)
  if (!known) throw new Error(`no alarm rule is called ${rule}`)
  return known
}

async function tellAdministrators(machinery: Machinery, tx: Tx, alarms: readonly Found[]): Promise<void> {
  const told = await administrators(tx, [...new Set(alarms.map(({ client_id }) => client_id))])
  const ofPerson = new Map<number, Found[]>()
  for (const alarm of alarms)
    for (const userId of new Set([...(told.get(0) ?? []), ...(told.get(alarm.client_id) ?? [])]))
      ofPerson.set(userId, [...(ofPerson.get(userId) ?? []), alarm])
  for (const [userId, own] of ofPerson) {
    const messages = own.length > apartMax ? [messageOfMany(own)] : own.map(messageOf)
    for (const message of messages) await tell(machinery, tx, userId, message)
  }
}

/** People by client; 0 are the super_admins who reach every client. */
async function administrators(tx: Tx, clientIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ client_id: number; ids: number[] }>`select of_client.client_id,
      (array_agg(distinct of_client.user_id order by of_client.user_id))[1:${sql.lit(toldMax)}] as ids
    from (select coalesce(owner.client_id, 0) as client_id, held.user_id from user_roles held
      join roles on roles.id = held.role_id join users on users.id = held.user_id and users.status = 'active' and users.account_confirmed
      left join user_role_clients owner on owner.user_role_id = held.id
      where (roles.name = 'super_admin' and owner.client_id is null)
        or (roles.name = 'client_admin' and owner.client_id = any(${clientIds}::bigint[]))) of_client
    group by of_client.client_id`.execute(tx)
  return new Map(rows.map(({ client_id, ids }) => [client_id, ids]))
}

interface AlarmMessage {
  readonly message: string
  readonly description: string[]
  readonly link: string
}

function messageOf(alarm: Found): AlarmMessage {
  return { message: `Security alarm: ${ruleOf(alarm).label.toLowerCase()}`, description: [lineOf(alarm)], link: linkOf(alarm.client_id) }
}

function messageOfMany(alarms: readonly Found[]): AlarmMessage {
  const clients = new Set(alarms.map(({ client_id }) => client_id))
  const [only = 0] = clients
  return {
    message: `${alarms.length} security alarms`,
    description: [
      ...alarms.slice(0, apartMax).map((alarm) => `${ruleOf(alarm).label}: ${lineOf(alarm)}`),
      `${alarms.length - apartMax} more are in the security log.`,
    ],
    link: linkOf(clients.size === 1 ? only : 0),
  }
}

function lineOf(alarm: Found): string {
  const subject = alarm.person ?? alarm.account ?? (alarm.network === null ? 'Unknown' : `Network ${alarm.network}`)
  return `${subject}: ${alarm.total} events in ${ruleOf(alarm).minutes} minutes.`
}

function linkOf(clientId: number): string {
  return clientId === 0 ? '/settings/security_log' : `/clients/${clientId}/security_log`
}

async function tell({ live, log }: Machinery, tx: Tx, userId: number, message: AlarmMessage): Promise<void> {
  try {
    await live.tell(tx, { userId, connectionId: null }, { type: 'security_alarm', notification_type: 'warning', ...message })
  } catch (error) {
    // An undeliverable address of one administrator must not keep the alarm from the others.
    if (!(error instanceof Failure)) throw error
    log.warn('an administrator was not told of an alarm', { user_id: userId, error })
  }
}
