/** Supply accounts, as far as roles and the audit log pick from them. */
import { supplyAccount, supplyAccountCalls } from '#contract/supply-account.ts'
import { supplyAccountScope } from '../estate-scope.ts'
import type { Handler } from '../kernel/handler.ts'
import { optionsHandler, resource } from '../kernel/resource.ts'
import { searchHandler } from '../lookup.ts'

const supplyAccounts = resource({
  entity: supplyAccount,
  table: 'supply_accounts',
  scope: supplyAccountScope,
  search: ['account_number', 'name'],
})

const optionKeys = ['id', 'name', 'account_number', 'client_id'] as const

export const supplyAccountHandlers: readonly Handler[] = [
  optionsHandler(supplyAccountCalls.selectOptions, supplyAccounts, optionKeys),
  searchHandler(supplyAccountCalls.numberSearch, { ...supplyAccounts, search: ['account_number'] }, optionKeys),
]
