/**
 * The thresholds of the audits: product, installation and client, each overriding the previous one, and the effect of changing them. The front
 * door of the slice.
 */
import { auditSettingsCalls, type TriedSettings } from '#contract/bill-audits/audit-settings.ts'
import { auditSettingsPatch, mergeAuditSettings, type AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import { sql, type SqlBool } from 'kysely'
import { billableAccountScope, serviceScope, supplyAccountScope } from '../estate/estate.ts'
import { trySettings, type SettingsTrial } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { covers, reachesEveryClient, reachesWhole } from '../kernel/principal.ts'
import { invalid, noSuch } from '../kernel/problem.ts'
import { recentAccounts, type BilledAccount } from './recent-accounts.ts'
import { startReaudit } from './reaudit-task.ts'
import { ofClient, precisionOf } from './rule-precision.ts'

export { reauditIfChanged, reauditOfServiceIfChanged } from './reaudit-task.ts'

/** Accounts in a preview: enough to show the effect of a threshold, few enough to be quick. */
const triedAccountsMax = 100
/** A preview for the whole installation samples the most recently billed clients. */
const triedClientsMax = 10

export const billAuditHandlers: readonly Handler[] = [
  handle(auditSettingsCalls.ofClient, ({ tx }, { params }) => levelOfClient(tx, params.client_id)),
  handle(auditSettingsCalls.saveOfClient, async (context, { params, body }) => {
    const { client_id: id } = params
    const level = await levelOfClient(context.tx, id, true)
    const said = saidOf(level, body.audit_settings)
    await sql`update clients set audit_settings = ${JSON.stringify(said)}::jsonb, updated_at = now() where id = ${id}`.execute(context.tx)
    await context.audit.updated('client', id, id, changed(level.own, said))
    return answered((await startReaudit(context, id)).id)
  }),
  handle(auditSettingsCalls.tryOfClient, (context, { params, body }) => tryOfClient(context, params.client_id, body)),
  handle(auditSettingsCalls.precisionOfClient, async ({ tx, reach }, { params }) => ({
    rules: await precisionOf(tx, ofClient(reach, params.client_id)),
  })),
  handle(auditSettingsCalls.get, ({ tx }) => levelOfInstallation(tx)),
  handle(auditSettingsCalls.save, async (context, { body }) => {
    const level = await levelOfInstallation(context.tx)
    const said = saidOf(level, body.audit_settings)
    await sql`insert into installation_settings (name, value) values ('audit_settings', ${JSON.stringify(said)}::jsonb)
      on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(context.tx)
    await context.audit.updated('audit_setting', 1, 0, changed(level.own, said))
    return answered((await startReaudit(context, null)).id)
  }),
  handle(auditSettingsCalls.try, (context, { body }) => tryOfInstallation(context, body.audit_settings)),
  handle(auditSettingsCalls.precision, async ({ tx, reach }) => {
    const isAll = reachesEveryClient(reach)
    const ids = reach.flatMap((part) => (part.clients === 'all' ? [] : part.clients.filter((id) => reachesWhole([part], id))))
    return { rules: await precisionOf(tx, isAll ? sql<SqlBool>`true` : sql<SqlBool>`client_id = any(${ids}::bigint[])`) }
  }),
]

function answered(task_id: number) {
  return { success: true, message: 'Audit settings saved. Recent bills are audited again.', task_id }
}

/**
 * If the sent settings name every key and equal the effective ones, returns the level's own settings, so that it goes on overriding only these.
 */
function saidOf(level: Awaited<ReturnType<typeof levelOfClient>>, sent: AuditSettingsPatch): AuditSettingsPatch {
  return JSON.stringify(mergeAuditSettings([sent])) === JSON.stringify(level.audit_settings) && coversAll(sent) ? level.own : sent
}

/** Whether the sent settings name every key; a caller that sends only differences does not. */
function coversAll(sent: AuditSettingsPatch): boolean {
  return Object.keys(mergeAuditSettings([])).every((key) => key in sent)
}

function changed(from: AuditSettingsPatch, to: AuditSettingsPatch) {
  return JSON.stringify(from) === JSON.stringify(to) ? {} : { audit_settings: { from, to } }
}

async function levelOfInstallation(tx: Tx) {
  const { rows } = await sql<{ value: unknown }>`select value from installation_settings where name = 'audit_settings'`.execute(tx)
  const own = readable(rows[0]?.value)
  return { audit_settings: mergeAuditSettings([own]), own, inherited: mergeAuditSettings([]) }
}

async function levelOfClient(tx: Tx, clientId: number, lock = false) {
  const { rows } = await sql<{
    own: unknown
  }>`select audit_settings as own from clients where id = ${clientId} ${lock ? sql`for update` : sql``}`.execute(tx)
  const own = readable(rows[0]?.own)
  const above = await levelOfInstallation(tx)
  return { audit_settings: mergeAuditSettings([above.own, own]), own, inherited: above.audit_settings }
}

/** Settings that a later version no longer knows must not block anyone. */
function readable(stored: unknown): AuditSettingsPatch {
  const settings = auditSettingsPatch.safeParse(stored ?? {})
  return settings.success ? settings.data : {}
}

interface Trial {
  readonly audit_settings?: AuditSettingsPatch | undefined
  readonly audits_off?: boolean | undefined
  readonly account_type?: BilledAccount['account_type'] | undefined
  readonly account_id?: number | undefined
  readonly service_id?: number | undefined
}

async function tryOfClient(context: Context, clientId: number, trial: Trial): Promise<TriedSettings> {
  const { audit_settings, audits_off, account_type, account_id, service_id } = trial
  if (service_id !== undefined) {
    const account = await accountOfService(context, clientId, service_id)
    return tryOn(context, clientId, [account], { service: { id: service_id, audit_settings, audits_off } })
  }
  if (account_id !== undefined) {
    if (account_type === undefined) throw invalid({ account_type: ['account_type is required'] })
    await mustSeeAccount(context, clientId, { account_type, account_id })
    return tryOn(context, clientId, [{ account_type, account_id }], { account: { audit_settings, audits_off } })
  }
  return tryRecent(context, clientId, triedAccountsMax, { client: audit_settings })
}

/** Tries the thresholds on ten accounts of each of the most recently billed clients. */
async function tryOfInstallation(context: Context, installation: AuditSettingsPatch): Promise<TriedSettings> {
  const { rows } = await sql<{
    id: number
  }>`select client_id as id from bills join clients on clients.id = bills.client_id and clients.active
    group by client_id order by max(bills.created_at) desc, client_id limit ${triedClientsMax}`.execute(context.tx)
  const inside = rows.filter(({ id }) => context.reach.some(({ clients }) => covers(clients, id)))
  const results: TriedSettings[] = []
  for (const { id } of inside) results.push(await tryRecent(context, id, triedAccountsMax / triedClientsMax, { installation }))
  const sum = (key: 'accounts' | 'bills' | 'raised' | 'gone'): number => results.reduce((total, one) => total + one[key], 0)
  const rules = [
    ...Map.groupBy(
      results.flatMap((one) => one.rules),
      (rule) => rule.code,
    ),
  ].map(([code, same]) => ({
    code,
    raised: same.reduce((total, one) => total + one.raised, 0),
    gone: same.reduce((total, one) => total + one.gone, 0),
  }))
  return { accounts: sum('accounts'), bills: sum('bills'), raised: sum('raised'), gone: sum('gone'), rules, is_sample: results.length > 0 }
}

async function tryRecent(context: Context, clientId: number, limit: number, trial: SettingsTrial): Promise<TriedSettings> {
  const accounts = await recentAccounts(context.tx, clientId, limit + 1, context.reach)
  const tried = await tryOn(context, clientId, accounts.slice(0, limit), trial)
  return { ...tried, is_sample: accounts.length > limit }
}

async function tryOn(context: Context, clientId: number, accounts: readonly BilledAccount[], trial: SettingsTrial): Promise<TriedSettings> {
  const tried = await trySettings(context, clientId, accounts, trial)
  return { ...tried, accounts: accounts.length, is_sample: false }
}

async function mustSeeAccount({ tx, reach }: Context, clientId: number, { account_type, account_id }: BilledAccount): Promise<void> {
  const [table, scope] =
    account_type === 'BillableAccount'
      ? (['billable_accounts', billableAccountScope] as const)
      : (['supply_accounts', supplyAccountScope] as const)
  const { rows } =
    await sql`select from ${sql.table(table)} where ${scopeCondition({ scope }, { reach, clientId })} and id = ${account_id}`.execute(tx)
  if (rows.length === 0) throw noSuch('Account')
}

async function accountOfService({ tx, reach }: Context, clientId: number, id: number): Promise<BilledAccount> {
  const { rows } =
    await sql<BilledAccount>`select case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(billable_account_id, supply_account_id) as account_id
    from services where ${scopeCondition({ scope: serviceScope }, { reach, clientId })} and id = ${id}`.execute(tx)
  if (!rows[0]) throw noSuch('Service')
  return rows[0]
}
