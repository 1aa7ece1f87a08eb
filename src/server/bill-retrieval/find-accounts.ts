/** Reads the accounts, services and vendors that open statements may belong to. */
import type { AccountType } from '#contract/bills/bill.ts'
import type { Statement, StatementState } from '#contract/bill-retrieval/statement.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import { foundAccounts } from '../estate/estate.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Sibling } from './republications.ts'

export interface StoredStatement {
  readonly id: number
  readonly provider: string
  readonly provider_name: string
  readonly statement_id: string
  readonly file_id: string
  readonly account_number: string
  readonly statement_date: string | null
  readonly state: StatementState
  readonly bill_id: number | null
  readonly statement: Statement
}

export interface AccountService {
  readonly id: number
  readonly meter_number: string
  readonly utility_service: string | null
  /** Names of the entry fields that the service asks for. */
  readonly entry_fields: readonly string[]
}

export interface MatchedAccount {
  readonly account_type: AccountType
  readonly account_id: number
  readonly vendor_id: number | null
  readonly payment_terms_days: number
  readonly services: readonly AccountService[]
}

export interface FoundAccount extends Omit<MatchedAccount, 'services'> {
  readonly account_number: string
  readonly vendor_name: string | null
  /** The number on the statement that matched. */
  readonly wanted: string
  /** One of `foundBy`. */
  readonly how: number
}

export async function findAccounts(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<FoundAccount[]> {
  const numbers = [...new Set(stored.map((one) => one.account_number))]
  const { rows } = await sql<FoundAccount>`
    with wanted as (select unnest(${numbers}::text[]) as number), found as (${foundAccounts({ clientId, wanted: sql`wanted` })})
    select found.number as wanted, found.account_type, found.id as account_id, found.vendor_id, found.account_number, min(found.how) as how,
      vendor.name as vendor_name, coalesce(vendor.payment_terms_days, ${paymentTermsDaysDefault}::int) as payment_terms_days
    from found left join vendors vendor on vendor.id = found.vendor_id
    group by found.number, found.account_type, found.id, found.vendor_id, found.account_number, vendor.name, vendor.payment_terms_days order by how, found.id`.execute(
    tx,
  )
  return rows
}

interface ServiceRow extends AccountService {
  readonly account_type: AccountType
  readonly account_id: number
}

export async function servicesOf(tx: Tx, clientId: number, accounts: readonly FoundAccount[]): Promise<Map<string, ServiceRow[]>> {
  const idsOf = (type: AccountType) => accounts.filter((one) => one.account_type === type).map((one) => one.account_id)
  if (accounts.length === 0) return new Map()
  const { rows } = await sql<ServiceRow>`
    select case when service.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(service.billable_account_id, service.supply_account_id) as account_id,
      service.id, service.meter_number, kind.name as utility_service,
      array(select entry_fields.name from service_entry_fields asked join entry_fields on entry_fields.id = asked.entry_field_id
        where asked.client_id = service.client_id and asked.service_id = service.id) as entry_fields
    from services service left join utility_services kind on kind.id = service.utility_service_id
    where service.client_id = ${clientId} and (service.billable_account_id = any(${idsOf('BillableAccount')}::bigint[]) or service.supply_account_id = any(${idsOf('SupplyAccount')}::bigint[]))
    order by service.active desc, service.rank, service.id`.execute(tx)
  return Map.groupBy(rows, accountKey)
}

export function accountKey(account: { readonly account_type: AccountType; readonly account_id: number }): string {
  return `${account.account_type} ${account.account_id}`
}

export function utilityKey(stored: Pick<StoredStatement, 'provider' | 'provider_name'>): string {
  return `${stored.provider}\n${stored.provider_name}`
}

/** Returns the vendor of each utility: the assigned one, else the only one with that name. */
export async function vendorsOfUtilities(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Map<string, number>> {
  const named = new Map(stored.map((one) => [utilityKey(one), { provider: one.provider, provider_name: one.provider_name }]))
  const { rows } = await sql<{ provider: string; provider_name: string; vendor_id: number | null }>`
    select named.provider, named.provider_name, coalesce(map.vendor_id, alike.vendor_id) as vendor_id
    from jsonb_to_recordset(${JSON.stringify([...named.values()])}::jsonb) as named(provider text, provider_name text)
    left join retrieval_vendor_map map on map.client_id = ${clientId} and map.provider = named.provider and map.provider_name = named.provider_name
    left join lateral (select min(called.id) as vendor_id from (
      select id from vendors where lower(name) = lower(named.provider_name)
      union select vendor_id from vendor_aliases where lower(alias) = lower(named.provider_name)) called having count(*) = 1) alike on true`.execute(
    tx,
  )
  return new Map(rows.flatMap((row) => (row.vendor_id === null ? [] : [[utilityKey(row), row.vendor_id]])))
}

export async function vendorsSaid(tx: Tx, clientId: number): Promise<Set<number>> {
  const { rows } = await sql<{
    vendor_id: number
  }>`select distinct vendor_id from retrieval_vendor_map where client_id = ${clientId}`.execute(tx)
  return new Set(rows.map((row) => row.vendor_id))
}

export async function siblingsOf(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Sibling[]> {
  const accounts = new Map(
    stored.map((one) => [
      `${utilityKey(one)}\n${one.account_number}`,
      { provider: one.provider, provider_name: one.provider_name, account_number: one.account_number },
    ]),
  )
  const { rows } = await sql<Sibling>`
    select stored.id, stored.provider, stored.provider_name, stored.account_number, stored.statement_id, stored.kind, stored.statement_date, stored.state, stored.bill_id, stored.amount::text as amount_due,
      stored.raw->>'current_charges' as current_charges, stored.raw->>'interval_start' as interval_start, stored.raw->>'interval_end' as interval_end
    from jsonb_to_recordset(${JSON.stringify([...accounts.values()])}::jsonb) as wanted(provider text, provider_name text, account_number text)
    join retrieval_statements stored on stored.client_id = ${clientId} and stored.provider = wanted.provider and stored.provider_name = wanted.provider_name
      and stored.account_number = wanted.account_number
    where stored.state <> 'ignored'`.execute(tx)
  return rows
}
