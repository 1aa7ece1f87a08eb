/** The two kinds of group accounts, which share their pages and differ in their calls. */
import { groupAccount, groupSupplyAccount, type GroupAccount } from '#contract/accounts/group-account.ts'
import type { Subaccount } from '#contract/accounts/subaccount.ts'
import { groupAccountCalls, groupSupplyAccountCalls } from '#contract/accounts/group-account-calls.ts'
import type { Result } from '#contract/kernel/call.ts'
import type { Permission } from '#contract/kernel/permission.ts'
import { callApi } from '../kernel/api.ts'
import type { FormSection } from '../kernel/forms/entity-form.tsx'
import type { FormEntity } from '../kernel/forms/form-values.ts'
import type { ExportCall } from '../kernel/lists/export-button.tsx'
import type { ListCall } from '../kernel/lists/list-data.ts'
import { keyOf } from '../kernel/query.ts'

export interface GroupParams {
  readonly client_id: number
  readonly id: number
}

export interface GroupKind {
  readonly entity: FormEntity
  /** The model of the group account and of its subaccounts. */
  readonly model: 'billable_account' | 'supply_account'
  /** Titles and labels of the pages. */
  readonly manageTitle: string
  readonly accountsLabel: string
  readonly listLabel: string
  readonly may: Permission
  readonly sections: readonly FormSection[]
  readonly subaccounts: ListCall<'subaccounts', Subaccount, GroupParams>
  readonly exportSubaccounts: ExportCall<GroupParams>
  readonly candidates: ListCall<'subaccounts', Subaccount, GroupParams>
  readonly load: (params: GroupParams, signal?: AbortSignal) => Promise<GroupAccount>
  readonly save: (params: GroupParams, body: Record<string, unknown>) => Promise<Result>
}

const chosen: FormSection = { fields: ['subaccount_ids'] }

export const billableGroups: GroupKind = {
  entity: groupAccount,
  model: 'billable_account',
  manageTitle: 'Manage Group Account',
  accountsLabel: 'Billable Accounts',
  listLabel: 'Group Accounts',
  may: 'billable_account.update',
  sections: [
    { fields: ['name', 'account_number'] },
    { title: 'Service Address', fields: ['street_address_1', 'street_address_2', 'city', 'state', 'zip'] },
    chosen,
  ],
  subaccounts: groupAccountCalls.subaccounts,
  exportSubaccounts: groupAccountCalls.exportSubaccounts,
  candidates: groupAccountCalls.filterSubaccounts,
  load: async (params, signal) => (await callApi(groupAccountCalls.get, { params, signal })).group_account,
  save: (params, body) => {
    const call = groupAccountCalls.update
    return callApi(call, { params, body: call.schemas.body.parse(body) })
  },
}

export const supplyGroups: GroupKind = {
  entity: groupSupplyAccount,
  model: 'supply_account',
  manageTitle: 'Manage Group Supply Account',
  accountsLabel: 'Supply Accounts',
  listLabel: 'Group Supply Accounts',
  may: 'supply_account.update',
  sections: [chosen],
  subaccounts: groupSupplyAccountCalls.subaccounts,
  exportSubaccounts: groupSupplyAccountCalls.exportSubaccounts,
  candidates: groupSupplyAccountCalls.filterSubaccounts,
  load: async (params, signal) => (await callApi(groupSupplyAccountCalls.get, { params, signal })).group_supply_account,
  save: (params, body) => {
    const call = groupSupplyAccountCalls.update
    return callApi(call, { params, body: call.schemas.body.parse(body) })
  },
}

/** Returns the query of a page's group account. */
export function groupQuery({ entity, load }: GroupKind, params: GroupParams) {
  return {
    queryKey: keyOf({ name: `${entity.plural}.get` }, { params }),
    queryFn: ({ signal }: { signal: AbortSignal }) => load(params, signal),
  }
}

/** Returns the path of a group account's pages. */
export function groupAt({ entity }: GroupKind, { client_id, id }: GroupParams): string {
  return `/clients/${client_id}/${entity.plural}/${id}`
}
