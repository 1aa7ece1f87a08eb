/** Ledger accounts, as far as services pick from them. */
import { ledgerAccount, ledgerAccountCalls } from '#contract/ledger-account.ts'
import { ledgerAccountScope } from '../estate-scope.ts'
import type { Handler } from '../kernel/handler.ts'
import { optionsHandler, resource } from '../kernel/resource.ts'

export const ledgerAccounts = resource({ entity: ledgerAccount, table: 'ledger_accounts', scope: ledgerAccountScope, search: ['name'] })

export const ledgerAccountHandlers: readonly Handler[] = [optionsHandler(ledgerAccountCalls.selectOptions, ledgerAccounts, ['id', 'name'])]
