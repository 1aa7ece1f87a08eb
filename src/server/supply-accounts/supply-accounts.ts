/** Supply accounts: a supplier's accounts, with or without a facility, linked to the billable services that they supply. */
import { supplyAccount, supplyAccountCalls, type SupplyAccount, type SupplyAccountDraft } from '#contract/accounts/supply-account.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { reauditIfChanged } from '../bill-audits/bill-audits.ts'
import { refreshFactsUnder } from '../month-facts/month-facts.ts'
import {
  accountRules,
  accountColumns,
  accountFileColumns,
  accountJoins,
  byAlias,
  byWhateverIsKnown,
  refuseUsed,
  saveAliases,
  serviceScope,
  settingsColumn,
  copyAccountToBills,
  supplyAccountScope,
} from '../estate/estate.ts'
import { saveLinks } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { listed, scopeCondition, type Asked } from '../kernel/lists/list.ts'
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
} from '../kernel/lists/resource.ts'
import type { RowRule } from '../kernel/lists/row-rules.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { supplyAccountTarget } from './supply-account-import.ts'

const kind = 'supply_account'

/** The utility service code of the meter, if another service of the account has the same meter. */
const sharedMeter = sql`coalesce(case when exists (select from services other where other.client_id = service.client_id and other.billable_account_id = service.billable_account_id
    and other.id <> service.id and lower(other.meter_number) = lower(service.meter_number)) then ':' || (select code from utility_services where utility_services.id = service.utility_service_id) end, '')`

const fileColumns = (asked: Asked) => [
  ...accountFileColumns(kind, asked),
  { header: 'linked_billable_account_number', sql: linkedTexts(sql.ref('account.account_number'), asked) },
  { header: 'linked_meter_number', sql: linkedTexts(sql`(service.meter_number || ${sharedMeter})`, asked) },
]

/**
 * Texts of the linked services; the same service has the same place in each column. Nothing if one of them is out of reach: the import would
 * take a part of the links for all of them.
 */
function linkedTexts(text: RawBuilder<unknown>, asked: Asked) {
  return sql`(select case when bool_and(exists (select from services where services.client_id = service.client_id and services.id = service.id
      and ${scopeCondition({ scope: serviceScope }, asked)})) then string_agg(${listed(text)}, '; ' order by service.id) end from supply_account_billable_services link
    join services service on service.client_id = link.client_id and service.id = link.service_id
    join billable_accounts account on account.client_id = service.client_id and account.id = service.billable_account_id
    where link.client_id = supply_accounts.client_id and link.supply_account_id = supply_accounts.id)`
}

/** A supplier delivers to the meters of the utility, so services of supply accounts cannot be linked. Existing links stay. */
const suppliesMeters: RowRule = {
  field: 'billable_service_ids',
  about: ['billable_service_ids'],
  message: 'Billable Services must be services of billable accounts',
  when: ({
    clientId,
    item,
    will,
  }) => sql<SqlBool>`exists (select from jsonb_array_elements_text(${will('billable_service_ids', sql`null::jsonb`)}) chosen
    join services on services.client_id = ${clientId} and services.id = chosen::bigint
    where services.billable_account_id is null and not exists (select from supply_account_billable_services link
      where link.client_id = services.client_id and link.supply_account_id = ${item('id')} and link.service_id = services.id))`,
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
  further: (_tx, asked) => Promise.resolve(fileColumns(asked)),
  search: byWhateverIsKnown(kind),
  rules: [...accountRules(kind), suppliesMeters],
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

/** Updates the copies on bills, and the months of dashboards: usage that a linked service already measures counts once. */
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
