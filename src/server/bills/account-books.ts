/**
 * Data by which drafts of a client's accounts are judged: the account, its services with all that their lines may have, the vendor and the
 * levels of audit settings. It takes a handful of statements, however many accounts; the accounts stay locked, in id order, so that two
 * writers see each other's bills.
 */
import type { AccountType } from '#contract/bills/bill.ts'
import type { AuditSettingsPatch, AuditVendor, HistoryBill } from '#contract/bill-audits/bill-audits.ts'
import type { BillBook, BillTerms, EntryField } from '#contract/bills/bill-book.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { lockAccounts } from '../estate/estate.ts'
import { scopeOfAccount } from './account-scope.ts'
import { settingsOf, servicesOf, type AccountRow } from './book-services.ts'

export const unknownAccount = 'This account cannot be found'

export interface AccountRef {
  readonly account_type: AccountType
  readonly account_id: number
}

export interface AccountBook extends AccountRef, BillBook {
  readonly account_number: string
  readonly vendor_id: number | null
  readonly facility_id: number | null
  readonly division_id: number | null
  /** createBills adds the bills that it creates at the front. */
  readonly history: HistoryBill[]
}

/** Settings of the whole client. */
export interface ClientTerms extends BillTerms {
  readonly audit_settings: AuditSettingsPatch
  readonly installation_settings: AuditSettingsPatch
  readonly override_limit: string
  readonly qc_on_error: boolean
  readonly payments_managed: boolean
}

export const bookKey = (ref: AccountRef): string => `${ref.account_type} ${ref.account_id}`

/** Throws if the client no longer exists; the path of a request has been checked before. */
export async function clientTerms(context: Context, clientId: number): Promise<ClientTerms> {
  const { rows } = await sql<{
    audit_settings: unknown
    installation: unknown
    override_limit: string
    qc_on_error: boolean
    utility_payment_management: boolean
  }>`
    select audit_settings, (select value from installation_settings where name = 'audit_settings') as installation, override_limit, qc_on_error, utility_payment_management
    from clients where id = ${clientId}`.execute(context.tx)
  const client = rows[0]
  if (!client) throw new Error(`no client ${clientId}`)
  const fields = await sql<EntryField>`select id, name, category, is_tax from entry_fields order by position, id`.execute(context.tx)
  return {
    audit_settings: settingsOf(client.audit_settings),
    installation_settings: settingsOf(client.installation),
    override_limit: client.override_limit,
    qc_on_error: client.qc_on_error,
    payments_managed: client.utility_payment_management,
    entry_fields: new Map(fields.rows.map((field) => [field.name, field])),
  }
}

/**
 * Returns the books of the accounts that the caller reaches, by `bookKey`; accounts outside the reach are absent. The accounts are locked
 * together with the groups that they belong to. Histories are still empty.
 */
export async function lockBooks(
  context: Context,
  clientId: number,
  refs: readonly AccountRef[],
  terms: ClientTerms,
): Promise<Map<string, AccountBook>> {
  const ids = (type: AccountType) => [...new Set(refs.filter((ref) => ref.account_type === type).map((ref) => ref.account_id))]
  await lockAccounts(context.tx, clientId, { billable_account_ids: ids('BillableAccount'), supply_account_ids: ids('SupplyAccount') })
  return readBooks(context, clientId, refs, terms)
}

/** The same without locks, for readers. */
export async function readBooks(
  context: Pick<Context, 'tx' | 'reach'>,
  clientId: number,
  refs: readonly AccountRef[],
  terms: ClientTerms,
): Promise<Map<string, AccountBook>> {
  const accounts = [
    ...(await accountsOf(context, clientId, refs, 'BillableAccount')),
    ...(await accountsOf(context, clientId, refs, 'SupplyAccount')),
  ]
  const services = await servicesOf(context, clientId, accounts)
  const vendors = await vendorsOf(
    context,
    accounts.flatMap((account) => account.vendor_id ?? []),
  )
  const books = accounts.map((row): AccountBook => ({
    account_type: row.account_type,
    account_id: row.id,
    account: { ...row, tax_ids: row.tax_ids },
    account_number: row.account_number,
    vendor_id: row.vendor_id,
    facility_id: row.facility_id,
    division_id: row.division_id,
    services: services.get(`${row.account_type} ${row.id}`) ?? [],
    vendor: row.vendor_id === null ? null : (vendors.get(row.vendor_id) ?? null),
    settings: [terms.installation_settings, terms.audit_settings, settingsOf(row.audit_settings)],
    history: [],
  }))
  return new Map(books.map((book) => [bookKey(book), book]))
}

async function accountsOf(
  context: Pick<Context, 'tx' | 'reach'>,
  clientId: number,
  refs: readonly AccountRef[],
  type: AccountType,
): Promise<AccountRow[]> {
  const ids = [...new Set(refs.filter((ref) => ref.account_type === type).map((ref) => ref.account_id))]
  if (ids.length === 0) return []
  const asked: Asked = { reach: context.reach, clientId }
  const table = sql.ref(type === 'BillableAccount' ? 'billable_accounts' : 'supply_accounts')
  const taxIds = type === 'BillableAccount' ? sql`array_remove(array[${table}.tax_id], null)` : sql`${table}.tax_ids`
  const { rows } =
    await sql<AccountRow>`select ${table}.id, ${type}::text as account_type, ${table}.account_number, ${table}.vendor_id, ${table}.facility_id, facility.division_id,
      ${table}.active, ${table}.is_group_account, ${table}.billing_period, ${table}.billing_cycle, ${table}.effective_from, ${table}.effective_to, ${table}.audits_off,
      ${table}.audit_settings, ${taxIds} as tax_ids
    from ${table} left join facilities facility on facility.client_id = ${table}.client_id and facility.id = ${table}.facility_id
    where ${scopeCondition({ scope: scopeOfAccount(type) }, asked)} and ${table}.id = any(${ids}::bigint[])
    order by ${table}.id`.execute(context.tx)
  return rows
}

async function vendorsOf(context: Pick<Context, 'tx' | 'reach'>, ids: readonly number[]): Promise<Map<number, AuditVendor>> {
  const { rows } = await sql<AuditVendor & { id: number }>`
    select vendor.id, vendor.name, vendor.po_box_encrypted is not null as has_routing_number, vendor.payment_identifier_encrypted is not null as has_account_number,
      coalesce(vendor.remit_street_address_1, vendor.street_address_1) is not null as has_remit_address,
      array(select payment_methods.name from vendor_payment_methods method join payment_methods on payment_methods.id = method.payment_method_id
        where method.vendor_id = vendor.id order by method.position, payment_methods.id) as payment_methods
    from vendors vendor where vendor.id = any(${[...new Set(ids)]}::bigint[])`.execute(context.tx)
  return new Map(rows.map((row) => [row.id, row]))
}
