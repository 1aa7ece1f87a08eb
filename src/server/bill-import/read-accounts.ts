/** Data of a chunk's accounts that rows are read against: services with their names and units, and earlier bills. */
import { printedHeads, type PrintedHead } from '#contract/bills/bill-fields.ts'
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import type { AccountType } from '#contract/bills/bill.ts'
import type { ImportedAccount, ImportedService } from '#contract/bill-import/imported-rows.ts'
import type { EarlierBill } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export interface AccountRef {
  readonly account_type: AccountType
  readonly account_id: number
}

export const accountKey = (account: AccountRef): string => `${account.account_type} ${account.account_id}`

interface ServiceRow extends ImportedService, AccountRef {}

/** Returns the accounts with their services; the list is empty for an account without services. */
export async function readAccounts(tx: Tx, clientId: number, refs: readonly AccountRef[]): Promise<Map<string, ImportedAccount>> {
  const { rows } = await sql<ServiceRow>`
    select case when service.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(service.billable_account_id, service.supply_account_id) as account_id,
      service.id, service.meter_number, service.active,
      array_remove(array[kind.name, kind.code, service.service_name_1, service.service_name_2], null) as names,
      (select coalesce(jsonb_agg(jsonb_build_object('unit_id', units.id, 'symbol', units.symbol) order by usage_units.standard desc, units.symbol), '[]')
        from usage_units join units on units.id = usage_units.unit_id where usage_units.utility_service_id = service.utility_service_id) as units,
      array(select name from usage_factors factor where factor.utility_service_id = service.utility_service_id order by factor.id) as usage_factors,
      array(select name from additional_entry_fields field where field.client_id = service.client_id and field.service_id = service.id and field.active order by field.id) as additional_entry_fields
    from services service left join utility_services kind on kind.id = service.utility_service_id
    where service.client_id = ${clientId} and (service.billable_account_id = any(${idsOf(refs, 'BillableAccount')}::bigint[])
      or service.supply_account_id = any(${idsOf(refs, 'SupplyAccount')}::bigint[]))
    order by service.rank nulls last, service.id`.execute(tx)
  const services = Map.groupBy(rows, accountKey)
  const groups = await groupNumbers(tx, clientId, refs)
  return new Map(
    refs.map((ref) => [
      accountKey(ref),
      { ...ref, services: services.get(accountKey(ref)) ?? [], group_number: groups.get(accountKey(ref)) ?? null },
    ]),
  )
}

async function groupNumbers(tx: Tx, clientId: number, refs: readonly AccountRef[]): Promise<Map<string, string>> {
  const { rows } = await sql<AccountRef & { number: string }>`
    select 'BillableAccount' as account_type, account.id as account_id, gathering.account_number as number from billable_accounts account
      join billable_accounts gathering on gathering.client_id = account.client_id and gathering.id = account.group_account_id
      where account.client_id = ${clientId} and account.id = any(${idsOf(refs, 'BillableAccount')}::bigint[])
    union all select 'SupplyAccount', account.id, gathering.account_number from supply_accounts account
      join supply_accounts gathering on gathering.client_id = account.client_id and gathering.id = account.group_supply_account_id
      where account.client_id = ${clientId} and account.id = any(${idsOf(refs, 'SupplyAccount')}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [accountKey(row), row.number]))
}

/** Returns the bills of these accounts that are not void, oldest first, by account. */
export async function earlierBills(tx: Tx, clientId: number, refs: readonly AccountRef[]): Promise<Map<string, EarlierBill[]>> {
  if (refs.length === 0) return new Map()
  const { rows } = await sql<EarlierBill & AccountRef>`select id, date, previous_read_date, read_date, current_charges, amount_due,
      case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(billable_account_id, supply_account_id) as account_id
    from bills where client_id = ${clientId} and superseded_by_id is null and (billable_account_id = any(${idsOf(refs, 'BillableAccount')}::bigint[])
      or supply_account_id = any(${idsOf(refs, 'SupplyAccount')}::bigint[])) order by date, id`.execute(tx)
  return Map.groupBy(rows, accountKey)
}

/** A bill that another has replaced. It counts nowhere, but an exported file contains it. */
export interface VoidBill extends AccountRef, Pick<CheckedBill, PrintedHead> {
  readonly id: number
  readonly superseded_by_id: number
}

const printedColumns = sql.join(printedHeads.map((name) => sql.ref(name)))

/** Returns the void bills of these accounts, by account. */
export async function voidBills(tx: Tx, clientId: number, refs: readonly AccountRef[]): Promise<Map<string, VoidBill[]>> {
  if (refs.length === 0) return new Map()
  const { rows } = await sql<VoidBill>`select id, superseded_by_id, ${printedColumns},
      case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(billable_account_id, supply_account_id) as account_id
    from bills where client_id = ${clientId} and superseded_by_id is not null and (billable_account_id = any(${idsOf(refs, 'BillableAccount')}::bigint[])
      or supply_account_id = any(${idsOf(refs, 'SupplyAccount')}::bigint[])) order by id`.execute(tx)
  return Map.groupBy(rows, accountKey)
}

export async function entryFieldNames(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from entry_fields order by position, id`.execute(tx)
  return rows.map(({ name }) => name)
}

function idsOf(refs: readonly AccountRef[], type: AccountType): number[] {
  return refs.filter((ref) => ref.account_type === type).map((ref) => ref.account_id)
}
