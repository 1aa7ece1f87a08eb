/** Adds the services of statements to accounts. */
import { billOfRecord, recordOf } from '#contract/bill-retrieval/map-statement.ts'
import type { NeededService } from '#contract/bill-retrieval/retrieved-lines.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { MatchedAccount, StoredStatement } from './find-accounts.ts'

/** Adds services to existing accounts. @returns their number. */
export async function addServices(
  context: Context,
  clientId: number,
  lacking: readonly { account: MatchedAccount; stored: StoredStatement; missing: readonly NeededService[] }[],
): Promise<number> {
  const byAccount = Map.groupBy(lacking, ({ account }) => `${account.account_type} ${account.account_id}`)
  const services = [...byAccount.values()].flatMap((ofAccount) => {
    const account = ofAccount[0]?.account
    if (!account) return []
    const wanted = new Set(ofAccount.flatMap(({ missing }) => missing.map(serviceKey)))
    const column = account.account_type === 'BillableAccount' ? 'billable_account_id' : 'supply_account_id'
    return servicesOfStatements(ofAccount.map(({ stored }) => stored))
      .filter((service) => wanted.has(serviceKey(service)))
      .map((service) => ({ ...service, [column]: account.account_id }))
  })
  await insertServices(context, clientId, services)
  return services.length
}

interface ServicePlan extends NeededService {
  readonly billable_account_id?: number
  readonly supply_account_id?: number
}

/**
 * Returns the services of the statements, each combined from all of them: metered and charged if any of them is, with the latest unit and
 * rate. It asks for a usage factor only if every line has it, because the others would count as unfinished otherwise.
 */
export function servicesOfStatements(group: readonly StoredStatement[]): NeededService[] {
  const needed = group.flatMap(({ statement }) => {
    const record = recordOf(statement, { client: '', paymentTermsDays: paymentTermsDaysDefault })
    return 'cannot' in record ? [] : billOfRecord(record).services
  })
  return [...Map.groupBy(needed, serviceKey).values()].flatMap((same) => {
    const latest = same.at(-1)
    if (!latest) return []
    const every = latest.usage_factors.filter((name) => same.every((one) => one.usage_factors.includes(name)))
    return [
      {
        ...latest,
        metered: same.some((one) => one.metered),
        unit: same.findLast((one) => one.unit !== null)?.unit ?? null,
        rate_schedule: same.findLast((one) => one.rate_schedule !== null)?.rate_schedule ?? null,
        entry_fields: [...new Set(same.flatMap((one) => one.entry_fields))],
        usage_factors: every,
      },
    ]
  })
}

function serviceKey(service: Pick<NeededService, 'utility_service' | 'meter_number'>): string {
  return `${service.utility_service}\n${service.meter_number}`
}

/** Inserts services with their links. A unit or a factor that the utility service does not know is left out. */
export async function insertServices(context: Context, clientId: number, plans: readonly ServicePlan[]): Promise<void> {
  const { tx } = context
  if (plans.length === 0) return
  const taken = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('services', 'id')) as id from generate_series(1, ${plans.length})`.execute(tx)
  const rows = plans.map(({ supply: _supply, ...plan }, place) => ({
    ...plan,
    id: taken.rows[place]?.id,
    meter_number: plan.meter_number.slice(0, 100),
    rate_schedule: plan.rate_schedule?.slice(0, 255) ?? null,
  }))
  const json = JSON.stringify(rows)
  await sql`insert into services (client_id, id, billable_account_id, supply_account_id, meter_number, metered, rate_schedule, service_name_1, utility_service_id, usage_unit_id, rank)
    select ${clientId}::bigint, one.id, one.billable_account_id, one.supply_account_id, one.meter_number, one.metered, one.rate_schedule, one.service_name_1, kind.id, usage_unit.id,
      row_number() over (partition by one.billable_account_id, one.supply_account_id order by one.id)
        + coalesce((select max(rank) from services there where there.client_id = ${clientId}
          and (there.billable_account_id = one.billable_account_id or there.supply_account_id = one.supply_account_id)), 0)
    from jsonb_to_recordset(${json}::jsonb) as one(id bigint, billable_account_id bigint, supply_account_id bigint, meter_number text, metered boolean, rate_schedule text,
      service_name_1 text, utility_service text, unit text)
    join utility_services kind on kind.name = one.utility_service
    left join units on units.symbol = one.unit
    left join usage_units usage_unit on usage_unit.utility_service_id = kind.id and usage_unit.unit_id = units.id`.execute(tx)
  await sql`insert into service_entry_fields (client_id, service_id, entry_field_id)
    select ${clientId}::bigint, one.id, entry_fields.id from jsonb_to_recordset(${json}::jsonb) as one(id bigint, entry_fields jsonb)
    cross join lateral jsonb_array_elements_text(one.entry_fields) as asked(name) join entry_fields on entry_fields.name = asked.name`.execute(
    tx,
  )
  await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id)
    select ${clientId}::bigint, one.id, usage_factors.id from jsonb_to_recordset(${json}::jsonb) as one(id bigint, utility_service text, usage_factors jsonb)
    join utility_services kind on kind.name = one.utility_service
    cross join lateral jsonb_array_elements_text(one.usage_factors) as asked(name)
    join usage_factors on usage_factors.utility_service_id = kind.id and usage_factors.name = asked.name`.execute(tx)
  await context.audit.many(
    rows.map(({ id, entry_fields: _entries, usage_factors: _factors, ...values }) => createdEntry('service', id ?? 0, clientId, values)),
  )
}

export function createdEntry(item_type: string, item_id: number, client_id: number, values: Readonly<Record<string, unknown>>): AuditEntry {
  const said = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== false)
  return { event: 'create', item_type, item_id, client_id, changes: Object.fromEntries(said.map(([key, to]) => [key, { from: null, to }])) }
}
