/** Billable accounts of a client's facilities. */
import { billableAccount, billableAccountCalls, type BillableAccount, type BillableAccountDraft } from '#contract/billable-account.ts'
import { sql } from 'kysely'
import { copyAccountToBills } from '../estate-copies.ts'
import { billableAccountScope } from '../estate-scope.ts'
import type { Context } from '../kernel/context.ts'
import type { Handler } from '../kernel/handler.ts'
import { invalid } from '../kernel/problem.ts'
import { crudHandlers, listHandler, optionsHandler, resource } from '../kernel/resource.ts'
import { searchHandler } from '../lookup.ts'
import { billableAccountTarget } from './billable-account-import.ts'

/** The meters of one account, as its list shows them. */
const ofAccount = sql`services.client_id = billable_accounts.client_id and services.billable_account_id = billable_accounts.id`

export const billableAccounts = resource({
  entity: billableAccount,
  table: 'billable_accounts',
  scope: billableAccountScope,
  joins: {
    facility: sql`join facilities facility on facility.client_id = billable_accounts.client_id and facility.id = billable_accounts.facility_id`,
    division: sql`join divisions division on division.client_id = facility.client_id and division.id = facility.division_id`,
    vendor: sql`join vendors vendor on vendor.id = billable_accounts.vendor_id`,
    client: sql`join clients on clients.id = billable_accounts.client_id`,
  },
  columns: {
    facility: { sql: sql.ref('facility.name'), joins: ['facility'] },
    division_id: { sql: sql.ref('facility.division_id'), joins: ['facility'] },
    division_name: { sql: sql.ref('division.name'), joins: ['facility', 'division'] },
    vendor_name: { sql: sql.ref('vendor.name'), joins: ['vendor'] },
    client: { sql: sql.ref('clients.name'), joins: ['client'] },
    services_count: { sql: sql`(select count(*) from services where ${ofAccount})` },
    service_names: {
      sql: sql`array(select distinct coalesce(services.service_name_1, kind.name) as name from services left join utility_services kind on kind.id = services.utility_service_id
        where ${ofAccount} and coalesce(services.service_name_1, kind.name) is not null order by name)`,
    },
    service_types: {
      sql: sql`(select coalesce(json_agg(json_build_object('name', kind.name, 'symbol', kind.symbol) order by kind.name, kind.symbol), '[]') from (
        select distinct utility_services.name, units.symbol from services
        join utility_services on utility_services.id = services.utility_service_id
        left join usage_units on usage_units.utility_service_id = services.utility_service_id
          and (usage_units.id = services.usage_unit_id or (services.usage_unit_id is null and usage_units.standard))
        left join units on units.id = usage_units.unit_id where ${ofAccount}) kind)`,
    },
    last_bills_date: {
      sql: sql`(select max(bills.date) from bills where bills.client_id = billable_accounts.client_id and bills.billable_account_id = billable_accounts.id
        and bills.superseded_by_id is null)`,
    },
  },
  search: ['account_number', 'name'],
  check: checkGroup,
})

export const billableAccountImportTarget = billableAccountTarget(billableAccounts)

const optionKeys = ['id', 'name', 'account_number', 'client_id', 'vendor_name'] as const

export const billableAccountHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(billableAccountCalls, billableAccounts, { children: copyToBills }),
  list: listHandler(billableAccountCalls.list, billableAccounts),
  listAll: listHandler(billableAccountCalls.listAll, billableAccounts),
  selectOptions: optionsHandler(billableAccountCalls.selectOptions, billableAccounts, optionKeys),
  numberSearch: searchHandler(billableAccountCalls.numberSearch, { ...billableAccounts, search: ['account_number'] }, optionKeys),
  search: searchHandler(billableAccountCalls.search, billableAccounts, optionKeys),
})

/** What a group account is stays fixed while something hangs on it. */
async function checkGroup(
  { tx }: Context,
  draft: Partial<BillableAccountDraft>,
  before: BillableAccount | null,
  clientId: number,
): Promise<void> {
  if (!before || draft.is_group_account === undefined || draft.is_group_account === before.is_group_account) return
  if (before.services_count > 0) throw invalid({ is_group_account: ['Group Account cannot change once the account has services'] })
  if (before.group_account_id !== null) throw invalid({ is_group_account: ['A subaccount cannot be a group account'] })
  const { rows } =
    await sql`select 1 from billable_accounts where client_id = ${clientId} and group_account_id = ${before.id} limit 1`.execute(tx)
  if (rows.length > 0) throw invalid({ is_group_account: ['Group Account cannot change while the account has subaccounts'] })
}

async function copyToBills(
  { tx }: Context,
  draft: Partial<BillableAccountDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: BillableAccount | null,
): Promise<void> {
  const copied = ['account_number', 'vendor_id', 'facility_id'] as const
  if (before && copied.some((key) => draft[key] !== undefined && draft[key] !== before[key]))
    await copyAccountToBills(tx, 'billable_account', client_id, id)
}
