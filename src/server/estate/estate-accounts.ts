/** Common parts of billable and supply accounts on the server: the source of their rows, and their aliases. */
import type { AuditSettingsPatch } from '#contract/bill-audits/bill-audits.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Context } from '../kernel/context.ts'
import {
  contains,
  containsNumber,
  plainNumber,
  trigramLetters,
  type Column,
  type Condition,
  type SearchedWord,
  type Source,
} from '../kernel/lists/list.ts'
import { refused } from '../kernel/problem.ts'

export type AccountKind = 'billable_account' | 'supply_account'

/** Tables and columns of a kind of account. */
interface AccountTable {
  readonly table: 'billable_accounts' | 'supply_accounts'
  /** Column by which services, bills and aliases name the account. */
  readonly key: 'billable_account_id' | 'supply_account_id'
  /** Column by which a subaccount names its group. */
  readonly group: 'group_account_id' | 'group_supply_account_id'
}

export const accountTables: Readonly<Record<AccountKind, AccountTable>> = {
  billable_account: { table: 'billable_accounts', key: 'billable_account_id', group: 'group_account_id' },
  supply_account: { table: 'supply_accounts', key: 'supply_account_id', group: 'group_supply_account_id' },
}

/** A supply account may have no facility and no vendor. */
export function accountJoins(kind: AccountKind): NonNullable<Source['joins']> {
  const { table } = accountTables[kind]
  const join = kind === 'billable_account' ? sql`join` : sql`left join`
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return {
    facility: sql`${join} facilities facility on facility.client_id = ${of('client_id')} and facility.id = ${of('facility_id')}`,
    division: sql`${join} divisions division on division.client_id = facility.client_id and division.id = facility.division_id`,
    vendor: sql`${join} vendors vendor on vendor.id = ${of('vendor_id')}`,
    client: sql`join clients on clients.id = ${of('client_id')}`,
    meters: metersOf(kind),
  }
}

/** Collects an account's services in one step: a page of a thousand rows needs them a thousand times. */
function metersOf(kind: AccountKind): RawBuilder<unknown> {
  return sql`cross join lateral (select count(*) as services_count,
      coalesce(array_agg(distinct meter.shown order by meter.shown) filter (where meter.shown is not null), '{}') as service_names,
      coalesce(json_agg(distinct jsonb_build_object('name', meter.name, 'symbol', meter.symbol)) filter (where meter.name is not null), '[]') as service_types
    from (select coalesce(services.service_name_1, kind.name) as shown, kind.name, units.symbol from services
      left join utility_services kind on kind.id = services.utility_service_id
      left join usage_units on usage_units.utility_service_id = services.utility_service_id and usage_units.id = coalesce(services.usage_unit_id,
        (select usual.id from usage_units usual where usual.utility_service_id = services.utility_service_id and usual.standard))
      left join units on units.id = usage_units.unit_id where ${hangsOn(kind, 'services')}) meter) meters`
}

/** Returns the expressions of both kinds. Values of services and bills are read only for the rows of the page. */
export function accountColumns(kind: AccountKind): Readonly<Record<string, Column>> {
  return {
    facility: { sql: sql.ref('facility.name'), joins: ['facility'] },
    division_id: { sql: sql.ref('facility.division_id'), joins: ['facility'] },
    division_name: { sql: sql.ref('division.name'), joins: ['facility', 'division'] },
    vendor_name: { sql: sql.ref('vendor.name'), joins: ['vendor'] },
    client: { sql: sql.ref('clients.name'), joins: ['client'] },
    services_count: { sql: sql.ref('meters.services_count'), joins: ['meters'] },
    service_names: { sql: sql.ref('meters.service_names'), joins: ['meters'] },
    service_types: { sql: sql.ref('meters.service_types'), joins: ['meters'] },
    aliases: { sql: sql`array(select alias.alias from account_aliases alias where ${hangsOn(kind, 'alias')} order by alias.id)` },
  }
}

/** Matches accounts by their aliases. */
export function byAlias(kind: AccountKind): (word: SearchedWord) => Condition {
  const key = sql.ref(accountTables[kind].key)
  return (word) =>
    among(kind, word, {
      ids: (own) => sql`select alias.${key} from account_aliases alias where alias.${key} is not null ${own('alias')}`,
      fits: containsNumber(sql.ref('alias.alias'), word.text),
      hangs: sql`from account_aliases alias where ${hangsOn(kind, 'alias')}`,
    })
}

/** Searches by what a clerk with a bill may know of its account: number, name, alias, street, meter, vendor, facility. */
export function byWhateverIsKnown(kind: AccountKind): NonNullable<Source['search']> {
  const { table, key } = accountTables[kind]
  const own = (column: string) => sql.ref(`${table}.${column}`)
  const byMeter = (word: SearchedWord) =>
    among(kind, word, {
      ids: (inClient) =>
        sql`select services.${sql.ref(key)} from services where services.${sql.ref(key)} is not null ${inClient('services')}`,
      fits: containsNumber(sql.ref('services.meter_number'), word.text),
      hangs: sql`from services where ${hangsOn(kind, 'services')}`,
    })
  const byStreet = ({ text }: SearchedWord) =>
    contains(sql`(${own('street_address_1')} || ' ' || coalesce(${own('street_address_2')}, ''))`, text)
  const byVendor = ({ pattern }: SearchedWord) =>
    sql<SqlBool>`${own('vendor_id')} = any(array(select vendors.id from vendors where vendors.name ilike ${pattern}))`
  // There are ten times fewer facilities than accounts: those whose name contains a short word are found by reading the client's.
  const byFacility = ({ pattern, text, clientId }: SearchedWord) =>
    sql<SqlBool>`${own('facility_id')} = any(array(select facilities.id from facilities
      where ${clientId === undefined ? sql`` : sql`facilities.client_id = ${clientId} and`} (facilities.name ilike ${pattern}
        or ${containsNumber(sql.ref('facilities.number'), text)})))`
  return ['account_number', 'name', byAlias(kind), byStreet, byMeter, byVendor, byFacility]
}

interface Among {
  /** Accounts that children name, as a select that a condition may follow. */
  readonly ids: (inClient: (table: string) => RawBuilder<unknown>) => RawBuilder<unknown>
  readonly fits: Condition
  /** The children of the list's own row, for a search. */
  readonly hangs: RawBuilder<unknown>
}

/**
 * Returns the condition for accounts by their children. The ids are found first, so that the indexes of numbers and names are used; for a
 * word too short for them, only children of rows that the other words have left are searched.
 */
function among(kind: AccountKind, { text, clientId }: SearchedWord, { ids, fits, hangs }: Among): Condition {
  if (plainNumber(text).length < trigramLetters) return sql<SqlBool>`exists (select ${hangs} and ${fits})`
  const inClient = (table: string) => (clientId === undefined ? sql`` : sql`and ${sql.ref(`${table}.client_id`)} = ${clientId}`)
  return sql<SqlBool>`${sql.ref(`${accountTables[kind].table}.id`)} = any(array(${ids(inClient)} and ${fits}))`
}

/** Returns the condition for rows of another table that name the account of the list's row. */
function hangsOn(kind: AccountKind, table: string): RawBuilder<SqlBool> {
  const account = accountTables[kind]
  return sql<SqlBool>`${sql.ref(`${table}.client_id`)} = ${sql.ref(`${account.table}.client_id`)}
    and ${sql.ref(`${table}.${account.key}`)} = ${sql.ref(`${account.table}.id`)}`
}

/** Returns the audit settings of a draft as the JSON of their column; nothing if the draft has none. */
export function settingsColumn({
  audit_settings,
}: {
  readonly audit_settings?: AuditSettingsPatch | undefined
}): Readonly<Record<string, string>> {
  return audit_settings === undefined ? {} : { audit_settings: JSON.stringify(audit_settings) }
}

/** Throws a refusal that names the remaining children of the account. The database would refuse as well, without a reason. */
export async function refuseUsed({ tx }: Context, kind: AccountKind, clientId: number, id: number): Promise<void> {
  const { table, key, group } = accountTables[kind]
  const used = (of: string, column: string) =>
    sql`exists (select from ${sql.table(of)} where client_id = ${clientId} and ${sql.ref(column)} = ${id})`
  const { rows } = await sql<Record<'services' | 'bills' | 'subaccounts' | 'documents' | 'statements' | 'roles', boolean>>`
    select ${used('services', key)} as services, ${used('bills', key)} as bills, ${used(table, group)} as subaccounts,
      ${used('documents', key)} as documents, ${used('retrieval_statements', key)} as statements, ${used(`user_role_${table}`, key)} as roles`.execute(
    tx,
  )
  const left = Object.entries(rows[0] ?? {}).flatMap(([name, isUsed]) => (isUsed ? [name] : []))
  if (left.length > 0) throw refused(`This account still has ${inWords(left)}. Take them away first, or set the account inactive.`)
}

function inWords(names: readonly string[]): string {
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names)
}
