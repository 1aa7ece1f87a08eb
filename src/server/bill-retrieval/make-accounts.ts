/**
 * Accounts and services that statements need and the client does not have, many created at once. The properties of a new account follow
 * from its statements: the cycle from the length of their periods, the services from their meters. A user decides about its owner and
 * place.
 */
import { stateOf, type State } from '#contract/accounts/address.ts'
import { billingCycleDefault } from '#contract/accounts/account-fields.ts'
import { billableAccount } from '#contract/accounts/billable-account.ts'
import type { NewAccounts } from '#contract/bill-retrieval/bill-retrieval.ts'
import { billOfRecord, recordOf } from '#contract/bill-retrieval/map-statement.ts'
import type { NeededService } from '#contract/bill-retrieval/retrieved-lines.ts'
import { billingCycleOf } from '#contract/bill-retrieval/statement-history.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import type { AuditEntry } from '../kernel/audit.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid } from '../kernel/problem.ts'
import type { MatchedAccount, StoredStatement } from './match-statements.ts'
import { storedStatement } from './statement-source.ts'

/** Owner of the new accounts of a utility: a user's choice, as ids. */
export interface AccountPlan {
  readonly provider_name: string
  readonly vendor_id: number
  readonly facility_id: number
  readonly address?: NewAccounts['address'] | undefined
}

/** Placeholder for an unknown address, so that it can be found and corrected. */
const unknownAddress = { street_address_1: 'Address not on the statement', city: 'Unknown', zip: '00000' }
/** Used if not even the vendor has a state; any state works, because the street marks the address as unknown. */
const stateFallback: State = 'CA'

/** Creates the accounts of the statements, each with all services that any of its stored statements needs. @returns the number of each. */
export async function makeAccounts(
  context: Context,
  clientId: number,
  stored: readonly StoredStatement[],
  plans: ReadonlyMap<string, AccountPlan>,
): Promise<{ accounts: number; services: number }> {
  const groups = await wholeAccounts(
    context.tx,
    clientId,
    stored.filter((one) => plans.has(one.provider_name)),
  )
  const known = await addressesOf(context.tx, clientId, [...plans.values()])
  const states = await vendorStates(context.tx, [...plans.values()])
  const drafts = groups.flatMap((group) => {
    const plan = plans.get(group[0]?.provider_name ?? '')
    return plan ? [{ group, draft: accountDraft(group, plan, known, states.get(plan.vendor_id) ?? stateFallback) }] : []
  })
  const ids = await insertAccounts(
    context,
    clientId,
    drafts.map(({ draft }) => draft),
  )
  const services = drafts.flatMap(({ group }, place) =>
    servicesOfStatements(group).map((service) => ({ ...service, billable_account_id: ids[place] ?? 0 })),
  )
  await insertServices(context, clientId, services)
  return { accounts: drafts.length, services: services.length }
}

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

/** Returns all stored statements of these accounts, not only the chosen ones, account by account. */
async function wholeAccounts(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<StoredStatement[][]> {
  if (stored.length === 0) return []
  const wanted = new Map(
    stored.map(({ provider, provider_name, account_number }) => [
      JSON.stringify([provider, provider_name, account_number]),
      { provider, provider_name, account_number },
    ]),
  )
  const { rows } = await sql<Omit<StoredStatement, 'statement'> & { raw: unknown }>`
    select kept.id, kept.provider, kept.provider_name, kept.statement_id, kept.file_id, kept.account_number, kept.statement_date, kept.state, kept.bill_id, kept.raw
    from jsonb_to_recordset(${JSON.stringify([...wanted.values()])}::jsonb) as wanted(provider text, provider_name text, account_number text)
    join retrieval_statements kept on kept.client_id = ${clientId} and kept.provider = wanted.provider and kept.provider_name = wanted.provider_name and kept.account_number = wanted.account_number
    order by kept.provider_name, kept.account_number, kept.statement_date, kept.id`.execute(tx)
  const whole = rows.map(({ raw, ...row }): StoredStatement => ({ ...row, statement: storedStatement(raw) }))
  return [...Map.groupBy(whole, (one) => JSON.stringify([one.provider, one.provider_name, one.account_number])).values()]
}

interface FormerAddress {
  readonly facility_id: number
  readonly street_address_1: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** Returns an address per facility, from the newest account there: a new account of the same building most likely has the same. */
async function addressesOf(tx: Tx, clientId: number, plans: readonly AccountPlan[]): Promise<FormerAddress[]> {
  const { rows } =
    await sql<FormerAddress>`select distinct on (facility_id) facility_id, street_address_1, city, state, zip from billable_accounts
    where client_id = ${clientId} and facility_id = any(${plans.map((plan) => plan.facility_id)}::bigint[]) and street_address_1 <> ${unknownAddress.street_address_1}
    order by facility_id, id desc`.execute(tx)
  return rows
}

/** Returns the states of the utilities: most deliver in their own state. */
async function vendorStates(tx: Tx, plans: readonly AccountPlan[]): Promise<ReadonlyMap<number, State>> {
  const { rows } = await sql<{ id: number; state: string }>`select id, state from vendors
    where id = any(${plans.map((plan) => plan.vendor_id)}::bigint[]) and state is not null`.execute(tx)
  return new Map(
    rows.flatMap(({ id, state }) => {
      const known = stateOf(state)
      return known === null ? [] : [[id, known] as const]
    }),
  )
}

function accountDraft(group: readonly StoredStatement[], plan: AccountPlan, known: readonly FormerAddress[], likelyState: State) {
  const [first] = group
  const number = first?.account_number ?? ''
  const cycle = billingCycleOf(group.map((one) => one.statement))
  const printed = group.map((one) => printedAddress(one.statement.service_address)).find((one) => one !== null)
  const former = known.find((one) => one.facility_id === plan.facility_id)
  const { street_address_1, city, state, zip } = printed ?? plan.address ?? former ?? { ...unknownAddress, state: likelyState }
  const draft = billableAccount.draft.safeParse({
    facility_id: plan.facility_id,
    vendor_id: plan.vendor_id,
    name: `${first?.provider_name ?? ''} ${number}`.slice(0, 255),
    account_number: number,
    street_address_1,
    city,
    state,
    zip,
    billing_period: periodOf(cycle),
    billing_cycle: Math.min(Math.max(cycle ?? billingCycleDefault, 1), 400),
  })
  if (!draft.success) throw invalid({ new_accounts: [`Account ${number}: ${draft.error.issues.map((issue) => issue.message).join(', ')}`] })
  return draft.data
}

/** Parses 'street, city, ST zip' as services write it; null for other formats. */
export function printedAddress(address: string | null): Omit<FormerAddress, 'facility_id'> | null {
  const [, street = '', city = '', stateText = '', zip = ''] =
    /^(.+),\s*([^,]+),\s*([A-Za-z]{2})\s+([\w-]{3,10}(?: \w{3})?)$/.exec(address?.trim() ?? '') ?? []
  const state = stateOf(stateText)
  return street === '' || state === null ? null : { street_address_1: street.slice(0, 255), city: city.trim().slice(0, 100), state, zip }
}

/** Returns the billing period of a cycle: 0 weekly, 1 bi-weekly, 2 monthly, 3 quarterly; two months match none of them. */
function periodOf(cycle: number | null): 0 | 1 | 2 | 3 | null {
  if (cycle === null) return null
  if (cycle <= 9) return 0
  if (cycle <= 18) return 1
  if (cycle >= 23 && cycle <= 37) return 2
  return cycle >= 77 && cycle <= 105 ? 3 : null
}

async function insertAccounts(context: Context, clientId: number, drafts: readonly ReturnType<typeof accountDraft>[]): Promise<number[]> {
  if (drafts.length === 0) return []
  const taken = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('billable_accounts', 'id')) as id from generate_series(1, ${drafts.length})`.execute(context.tx)
  const rows = drafts.map((draft, place) => ({ ...draft, id: taken.rows[place]?.id }))
  await sql`insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, billing_period, billing_cycle)
    select ${clientId}::bigint, one.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id bigint, facility_id bigint, vendor_id bigint, name text, account_number text,
      street_address_1 text, city text, state text, zip text, billing_period int, billing_cycle int)`.execute(context.tx)
  await context.audit.many(rows.map(({ id, ...values }) => createdEntry('billable_account', id ?? 0, clientId, values)))
  return taken.rows.map((row) => row.id)
}

interface ServicePlan extends NeededService {
  readonly billable_account_id?: number
  readonly supply_account_id?: number
}

/**
 * Returns the services of the statements, each combined from all of them: metered and charged if any of them is, with the latest unit and
 * rate. It asks for a usage factor only if every line has it, because the others would count as unfinished otherwise.
 */
function servicesOfStatements(group: readonly StoredStatement[]): NeededService[] {
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
async function insertServices(context: Context, clientId: number, plans: readonly ServicePlan[]): Promise<void> {
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

function createdEntry(item_type: string, item_id: number, client_id: number, values: Readonly<Record<string, unknown>>): AuditEntry {
  const said = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== false)
  return { event: 'create', item_type, item_id, client_id, changes: Object.fromEntries(said.map(([key, to]) => [key, { from: null, to }])) }
}
