/**
 * Decides the state of statements: the account of each, whether the account has its meters, and whether it repeats another one. Any number
 * of statements takes the same handful of queries.
 *
 * An account is found by its number as it is printed, then without spaces and dashes, then by an alias; of several, the one of the
 * utility's vendor wins. A statement that names a known vendor never matches another vendor's account, except by an alias that a user set.
 */
import type { AccountType } from '#contract/bills/bill.ts'
import { recordOf, billOfRecord, type RetrievedBill } from '#contract/bill-retrieval/map-statement.ts'
import { commodities, type Statement, type StatementState } from '#contract/bill-retrieval/statement.ts'
import { onlyOfKind } from '#contract/services/only-service.ts'
import type { NeededService } from '#contract/bill-retrieval/retrieved-lines.ts'
import { paymentTermsDaysDefault } from '#contract/vendors/vendor.ts'
import { sql } from 'kysely'
import { foundAccounts, foundBy } from '../estate/estate.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { republications, type Sibling } from './republications.ts'
import { storedStatement } from './statement-source.ts'

/** Statements that are decided together; each may have dozens of kilobytes. */
const MATCH_TOGETHER = 500

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

export interface Match {
  readonly stored: StoredStatement
  readonly state: StatementState
  readonly reason: string | null
  /** The utility's vendor, known or found with the account. */
  readonly vendor_id: number | null
  readonly account: MatchedAccount | null
  /** The bill that the statement would make; null if it cannot make any. */
  readonly bill: RetrievedBill | null
  /** Services that the account lacks. */
  readonly missing: readonly NeededService[]
  /** True if no account matches, so that one may be created; false if several do. */
  readonly accountAbsent: boolean
}

/** Decides all open statements of the client, and stores the decisions. `step` opens a transaction for some of them. */
export async function matchOpenStatements(clientId: number, step: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<void> {
  for (let after = 0; ;) {
    const last = await step(async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`select id from retrieval_statements where client_id = ${clientId} and id > ${after} and ${isOpen} order by id limit ${MATCH_TOGETHER}`.execute(
        tx,
      )
      await decideStatements(
        tx,
        clientId,
        rows.map((row) => row.id),
      )
      return rows.length < MATCH_TOGETHER ? null : (rows.at(-1)?.id ?? null)
    })
    if (last === null) return
    after = last
  }
}

/** A decision by a user or a bill is kept. */
const isOpen = sql<boolean>`(state in ('new', 'matched', 'needs_account', 'needs_meter') or (state = 'duplicate' and bill_id is null))`

/** Reads complete statements. `lock` locks them for the transaction. */
export async function readStatements(tx: Tx, clientId: number, ids: readonly number[], lock = false): Promise<StoredStatement[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<
    Omit<StoredStatement, 'statement'> & { raw: unknown }
  >`select id, provider, provider_name, statement_id, file_id, account_number, statement_date, state, bill_id, raw
    from retrieval_statements where client_id = ${clientId} and id = any(${ids}::bigint[]) order by id ${lock ? sql`for update` : sql``}`.execute(
    tx,
  )
  return rows.map(({ raw, ...row }) => ({ ...row, statement: storedStatement(raw) }))
}

/** Decides these statements; stores nothing. */
export async function matchStatements(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Match[]> {
  if (stored.length === 0) return []
  const vendors = await vendorsOfUtilities(tx, clientId, stored)
  const mappedVendors = await vendorsSaid(tx, clientId)
  const found = await findAccounts(tx, clientId, stored)
  const services = await servicesOf(tx, clientId, found)
  const repeated = republications(await siblingsOf(tx, clientId, stored))
  return stored.map((one) => {
    const match = matchOne(one, { vendors, mappedVendors, found, services })
    const reason = repeated.get(one.id)
    return reason === undefined || match.state === 'ignored' ? match : { ...match, state: 'duplicate', reason }
  })
}

/** Decides these statements and stores the decisions. */
export async function decideStatements(tx: Tx, clientId: number, ids: readonly number[]): Promise<Match[]> {
  const matches = await matchStatements(tx, clientId, await readStatements(tx, clientId, ids))
  await storeMatches(tx, clientId, matches)
  return matches
}

export async function storeMatches(tx: Tx, clientId: number, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  const rows = matches.map(({ stored, state, reason, vendor_id, account, bill }) => ({
    id: stored.id,
    state,
    reason,
    vendor_id,
    due_date: bill?.due_date ?? null,
    billable_account_id: account?.account_type === 'BillableAccount' ? account.account_id : null,
    supply_account_id: account?.account_type === 'SupplyAccount' ? account.account_id : null,
  }))
  await sql`update retrieval_statements stored set state = decided.state, reason = decided.reason, vendor_id = decided.vendor_id, due_date = decided.due_date,
      billable_account_id = decided.billable_account_id, supply_account_id = decided.supply_account_id, lock_version = stored.lock_version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as decided(id bigint, state text, reason text, vendor_id bigint, due_date date, billable_account_id bigint, supply_account_id bigint)
    where stored.client_id = ${clientId} and stored.id = decided.id
      and (stored.state, stored.reason, stored.vendor_id, stored.due_date, stored.billable_account_id, stored.supply_account_id)
        is distinct from (decided.state, decided.reason, decided.vendor_id, decided.due_date, decided.billable_account_id, decided.supply_account_id)`.execute(
    tx,
  )
}

/** Removes spaces and dashes, which people and utilities use freely. Leading zeros count. */
export function strippedNumber(accountNumber: string): string {
  return accountNumber.replaceAll(/[ -]/g, '')
}

interface Known {
  readonly vendors: ReadonlyMap<string, number>
  /** Vendors that a user assigned to some utility of the client. */
  readonly mappedVendors: ReadonlySet<number>
  readonly found: readonly FoundAccount[]
  readonly services: ReadonlyMap<string, readonly AccountService[]>
}

function matchOne(stored: StoredStatement, known: Known): Match {
  const vendor_id = known.vendors.get(utilityKey(stored)) ?? null
  const nothing = { stored, vendor_id, account: null, bill: null, missing: [], accountAbsent: false }
  const choice = chooseAccount(stored, vendor_id, known)
  const account = 'reason' in choice ? null : choice
  const record = recordOf(stored.statement, { client: '', paymentTermsDays: account?.payment_terms_days ?? paymentTermsDaysDefault })
  if ('cannot' in record) return { ...nothing, state: 'ignored', reason: record.cannot }
  const bill = billOfRecord(record)
  if ('reason' in choice) return { ...nothing, bill, state: 'needs_account', reason: choice.reason, accountAbsent: choice.isAbsent }
  const services = known.services.get(accountKey(choice)) ?? []
  const missing = bill.services.filter((needed) => serviceFor(needed, stored, services) === undefined)
  const matched = { ...nothing, vendor_id: choice.vendor_id ?? vendor_id, bill, account: { ...choice, services }, missing }
  return missing.length === 0
    ? { ...matched, state: 'matched', reason: null }
    : { ...matched, state: 'needs_meter', reason: missingReason(missing) }
}

/**
 * Returns the account's service of a line: by meter number and utility service; if the statement has no meter number, the account's only
 * one of its kind.
 */
export function serviceFor(
  needed: Pick<NeededService, 'utility_service' | 'meter_number'>,
  stored: Pick<StoredStatement, 'account_number'>,
  services: readonly AccountService[],
): AccountService | undefined {
  const ofKind = services.filter((service) => service.utility_service === needed.utility_service)
  const exact = ofKind.find((service) => service.meter_number === needed.meter_number)
  if (exact) return exact
  const stripped = ofKind.filter((service) => strippedNumber(service.meter_number) === strippedNumber(needed.meter_number))
  if (stripped.length === 1) return stripped[0]
  const isUnnumbered = commodities.some((commodity) => needed.meter_number === `${stored.account_number}-${commodity}`)
  return isUnnumbered ? onlyOfKind(services, needed.utility_service) : undefined
}

function missingReason(missing: readonly NeededService[]): string {
  const named = missing.map((service) => `${service.meter_number} (${service.utility_service})`)
  return `The account has no meter ${named.slice(0, 5).join(', ')}${named.length > 5 ? ` and ${named.length - 5} more` : ''}`
}

interface FoundAccount extends Omit<MatchedAccount, 'services'> {
  readonly account_number: string
  readonly vendor_name: string | null
  /** The number on the statement that matched. */
  readonly wanted: string
  /** One of `foundBy`. */
  readonly how: number
}

interface NoAccount {
  readonly reason: string
  readonly isAbsent: boolean
}

function chooseAccount(stored: StoredStatement, vendorId: number | null, { found, mappedVendors }: Known): FoundAccount | NoAccount {
  const ofNumber = found.filter((one) => one.wanted === stored.account_number)
  for (const how of Object.values(foundBy)) {
    const some = ofNumber.filter((one) => one.how === how)
    const ofVendor = vendorId === null ? [] : some.filter((one) => one.vendor_id === vendorId)
    const candidates =
      ofVendor.length > 0 ? ofVendor : how === foundBy.alias ? some : some.filter((one) => mayBeOf(one, vendorId, mappedVendors))
    if (candidates.length === 1 && candidates[0]) return candidates[0]
    if (candidates.length > 1) return { reason: `${candidates.length} accounts have the number ${stored.account_number}`, isAbsent: false }
  }
  const [other] = ofNumber
  return {
    reason: other
      ? `The account is not there yet; account ${other.account_number} belongs to ${other.vendor_name ?? 'another vendor'}`
      : 'The account is not there yet',
    isAbsent: true,
  }
}

/** Two utilities may use the same number: an account of a vendor that is assigned to another utility does not match. */
function mayBeOf(account: FoundAccount, vendorId: number | null, mappedVendors: ReadonlySet<number>): boolean {
  if (account.vendor_id === null) return true
  return vendorId === null && !mappedVendors.has(account.vendor_id)
}

async function findAccounts(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<FoundAccount[]> {
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

async function servicesOf(tx: Tx, clientId: number, accounts: readonly FoundAccount[]): Promise<Map<string, ServiceRow[]>> {
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

function accountKey(account: { readonly account_type: AccountType; readonly account_id: number }): string {
  return `${account.account_type} ${account.account_id}`
}

function utilityKey(stored: Pick<StoredStatement, 'provider' | 'provider_name'>): string {
  return `${stored.provider}\n${stored.provider_name}`
}

/** Returns the vendor of each utility: the assigned one, else the only one with that name. */
async function vendorsOfUtilities(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Map<string, number>> {
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

async function vendorsSaid(tx: Tx, clientId: number): Promise<Set<number>> {
  const { rows } = await sql<{
    vendor_id: number
  }>`select distinct vendor_id from retrieval_vendor_map where client_id = ${clientId}`.execute(tx)
  return new Set(rows.map((row) => row.vendor_id))
}

async function siblingsOf(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<Sibling[]> {
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
