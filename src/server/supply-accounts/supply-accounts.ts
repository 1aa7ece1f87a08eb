/** Supply accounts: a supplier's accounts, with or without a facility, linked to the billable services that they supply. */
import { supplyAccount, supplyAccountCalls, type SupplyAccount, type SupplyAccountDraft } from '#contract/supply-account.ts'
import { sql, type RawBuilder } from 'kysely'
import { reauditIfChanged } from '../bill-audits/bill-audits.ts'
import { refreshFactsUnder } from '../dashboard/dashboard.ts'
import {
  accountColumns,
  accountFileColumns,
  accountJoins,
  byAlias,
  byWhateverIsKnown,
  checkAccount,
  refuseUsed,
  saveAliases,
  settingsColumn,
} from '../estate-accounts.ts'
import { copyAccountToBills } from '../estate-copies.ts'
import { supplyAccountScope } from '../estate-scope.ts'
import { saveLinks } from '../kernel/children.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { listed } from '../kernel/list.ts'
import { invalid } from '../kernel/problem.ts'
import {
  askedBy,
  crudHandlers,
  destroyRow,
  exportHandler,
  listHandler,
  optionsHandler,
  readRow,
  resource,
  type Saving,
} from '../kernel/resource.ts'
import { searchHandler } from '../lookup.ts'
import { supplyAccountTarget } from './supply-account-import.ts'

const kind = 'supply_account'

/** What the meter measures, where another service of the account has it too. */
const sharedMeter = sql`coalesce(case when exists (select from services other where other.client_id = service.client_id and other.billable_account_id = service.billable_account_id
    and other.id <> service.id and lower(other.meter_number) = lower(service.meter_number)) then ':' || (select code from utility_services where utility_services.id = service.utility_service_id) end, '')`

const fileColumns = [
  ...accountFileColumns(kind),
  { header: 'linked_billable_account_number', sql: linkedTexts(sql.ref('account.account_number')) },
  { header: 'linked_meter_number', sql: linkedTexts(sql`(service.meter_number || ${sharedMeter})`) },
]

/** Texts of the linked services, the same service at the same place of each column. */
function linkedTexts(text: RawBuilder<unknown>) {
  return sql`(select string_agg(${listed(text)}, '; ' order by service.id) from supply_account_billable_services link
    join services service on service.client_id = link.client_id and service.id = link.service_id
    join billable_accounts account on account.client_id = service.client_id and account.id = service.billable_account_id
    where link.client_id = supply_accounts.client_id and link.supply_account_id = supply_accounts.id)`
}

export const supplyAccounts = resource({
  entity: supplyAccount,
  table: 'supply_accounts',
  scope: supplyAccountScope,
  joins: accountJoins(kind),
  columns: {
    ...accountColumns(kind),
    billable_service_ids: {
      sql: sql`array(select link.service_id from supply_account_billable_services link
        where link.client_id = supply_accounts.client_id and link.supply_account_id = supply_accounts.id order by 1)`,
    },
  },
  further: () => Promise.resolve(fileColumns),
  search: byWhateverIsKnown(kind),
  check: async (context, draft, before, clientId) => {
    await checkAccount(context, kind, draft, before && { ...before, group_id: before.group_supply_account_id }, clientId)
    await checkLinks(context, draft, before, clientId)
  },
})

export const supplyAccountImportTarget = supplyAccountTarget(supplyAccounts)

const saving: Saving<typeof supplyAccount.fields> = {
  added: async (_context, draft) => settingsColumn(draft),
  children: async (context, draft, row, before) => {
    const { tx } = context
    const parent = { client_id: row.client_id, supply_account_id: row.id }
    await saveLinks(tx, { table: 'supply_account_billable_services', parent, column: 'service_id' }, draft.billable_service_ids)
    await saveAliases(context, kind, row, draft.aliases)
    if (before) await followChange(context, draft, row, before)
    await reauditIfChanged(context, row.client_id, { account_type: 'SupplyAccount', account_id: row.id }, draft, before)
  },
}

const optionKeys = ['id', 'name', 'account_number', 'client_id', 'vendor_name'] as const
const byNumber = { ...supplyAccounts, search: ['account_number', byAlias(kind)] }
const knownKeys = [...optionKeys, 'street_address_1'] as const

export const supplyAccountHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(supplyAccountCalls, supplyAccounts, saving),
  list: listHandler(supplyAccountCalls.list, supplyAccounts),
  listAll: listHandler(supplyAccountCalls.listAll, supplyAccounts),
  exportAll: exportHandler(supplyAccountCalls.exportAll, supplyAccounts),
  destroy: handle(supplyAccountCalls.destroy, async (context, { params }) => {
    await readRow(context, supplyAccounts, params.id, askedBy(context, params))
    await refuseUsed(context, kind, params.client_id, params.id)
    await destroyRow(context, supplyAccounts, params.id, askedBy(context, params))
    return { success: true, message: 'Supply Account deleted' }
  }),
  selectOptions: optionsHandler(supplyAccountCalls.selectOptions, supplyAccounts, optionKeys),
  numberSearch: searchHandler(supplyAccountCalls.numberSearch, byNumber, optionKeys),
  search: searchHandler(supplyAccountCalls.search, supplyAccounts, optionKeys),
  clientSearch: searchHandler(supplyAccountCalls.clientSearch, supplyAccounts, knownKeys),
})

/** What a supplier delivers arrives at the meters of the utility: services of supply accounts are none. */
async function checkLinks(
  { tx }: Context,
  { billable_service_ids: ids }: Partial<SupplyAccountDraft>,
  before: SupplyAccount | null,
  clientId: number,
): Promise<void> {
  const added = (ids ?? []).filter((id) => !before?.billable_service_ids.includes(id))
  if (added.length === 0) return
  const { rows } = await sql`select 1 from services where client_id = ${clientId} and id = any(${added}::bigint[])
    and billable_account_id is null limit 1`.execute(tx)
  if (rows.length > 0) throw invalid({ billable_service_ids: ['Billable Services must be services of billable accounts'] })
}

/** Copies on bills, and the months of dashboards: usage that a linked service measures already counts once. */
async function followChange(
  { tx }: Context,
  draft: Partial<SupplyAccountDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: SupplyAccount,
): Promise<void> {
  const copied = ['account_number', 'vendor_id', 'facility_id'] as const
  if (copied.some((key) => draft[key] !== undefined && draft[key] !== before[key])) return copyAccountToBills(tx, kind, client_id, id)
  const links = draft.billable_service_ids
  if (links && (links.length !== before.billable_service_ids.length || links.some((one) => !before.billable_service_ids.includes(one))))
    await refreshFactsUnder(tx, client_id, kind, id)
}
