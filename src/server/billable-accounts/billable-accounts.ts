/** Billable accounts of a client's facilities. */
import {
  billableAccount,
  billableAccountCalls,
  type BillableAccount,
  type BillableAccountDraft,
} from '#contract/accounts/billable-account.ts'
import { sql } from 'kysely'
import {
  accountRules,
  accountColumns,
  accountFileColumns,
  accountJoins,
  byAlias,
  byWhateverIsKnown,
  refuseUsed,
  saveAliases,
  settingsColumn,
  copyAccountToBills,
  billableAccountScope,
} from '../estate/estate.ts'
import { reauditIfChanged } from '../bill-audits/bill-audits.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import type { Asked } from '../kernel/lists/list.ts'
import {
  askedBy,
  crudHandlers,
  destroyRow,
  exportHandler,
  listHandler,
  optionsHandler,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { billableAccountTarget } from './billable-account-import.ts'

const kind = 'billable_account'

const fileColumns = (asked: Asked) => [
  ...accountFileColumns(kind, asked),
  {
    header: 'utility_service_code',
    sql: sql`(select code from utility_services where utility_services.id = billable_accounts.utility_service_id)`,
  },
]

export const billableAccounts = resource({
  entity: billableAccount,
  table: 'billable_accounts',
  scope: billableAccountScope,
  joins: accountJoins(kind),
  columns: { ...accountColumns(kind), last_bills_date: { sql: sql.ref('billable_accounts.last_bill_date') } },
  further: (_tx, asked) => Promise.resolve(fileColumns(asked)),
  search: byWhateverIsKnown(kind),
  rules: accountRules(kind),
})

export const billableAccountImportTarget = billableAccountTarget(billableAccounts)

const saving: Saving<typeof billableAccount.fields> = {
  added: async (_context, draft) => settingsColumn(draft),
  children: async (context, draft, row, before) => {
    await saveAliases(context, kind, row, draft.aliases)
    await copyToBills(context, draft, row, before)
    await reauditIfChanged(context, row.client_id, { account_type: 'BillableAccount', account_id: row.id }, draft, before)
  },
}

/** Saves an account in reach as its own form does, for callers that edit it under another name. */
export function saveBillableAccount(
  context: Context,
  id: number,
  patch: Partial<BillableAccountDraft>,
  asked: Asked,
): Promise<BillableAccount> {
  return updateRow(context, billableAccounts, id, patch, asked, saving)
}

const optionKeys = ['id', 'name', 'account_number', 'client_id', 'vendor_name'] as const
const byNumber = { ...billableAccounts, search: ['account_number', byAlias(kind)] }
const knownKeys = [...optionKeys, 'street_address_1'] as const

export const billableAccountHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(billableAccountCalls, billableAccounts, saving),
  list: listHandler(billableAccountCalls.list, billableAccounts),
  listAll: listHandler(billableAccountCalls.listAll, billableAccounts),
  exportAll: exportHandler(billableAccountCalls.exportAll, billableAccounts),
  destroy: handle(billableAccountCalls.destroy, async (context, { params }) => {
    await readRow(context, billableAccounts, params.id, askedBy(context, params))
    await refuseUsed(context, kind, params.client_id, params.id)
    await destroyRow(context, billableAccounts, params.id, askedBy(context, params))
    return { success: true, message: 'Billable Account deleted' }
  }),
  selectOptions: optionsHandler(billableAccountCalls.selectOptions, billableAccounts, optionKeys),
  numberSearch: searchHandler(billableAccountCalls.numberSearch, byNumber, optionKeys),
  search: searchHandler(billableAccountCalls.search, billableAccounts, optionKeys),
  clientSearch: searchHandler(billableAccountCalls.clientSearch, billableAccounts, knownKeys),
})

async function copyToBills(
  { tx }: Context,
  draft: Partial<BillableAccountDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: BillableAccount | null,
): Promise<void> {
  const copied = ['account_number', 'vendor_id', 'facility_id'] as const
  if (before && copied.some((key) => draft[key] !== undefined && draft[key] !== before[key]))
    await copyAccountToBills(tx, kind, client_id, id)
}
