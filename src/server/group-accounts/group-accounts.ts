/**
 * Group accounts and group supply accounts: accounts that have other accounts as subaccounts. One implementation serves both; the kind describes
 * the differences.
 */
import { groupAccount, groupSupplyAccount } from '#contract/accounts/group-account.ts'
import { groupAccountCalls, groupSupplyAccountCalls, type GroupCalls } from '#contract/accounts/group-account-calls.ts'
import type { Fields } from '#contract/kernel/entity.ts'
import { saveBillableAccount } from '../billable-accounts/billable-accounts.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { readOne, type Asked } from '../kernel/lists/list.ts'
import { notFound } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  askedBy,
  exportHandler,
  listAnswer,
  optionsAnswer,
  presented,
  readRow,
  type Resource,
} from '../kernel/lists/resource.ts'
import { billableGroups, groupAccounts, groupsAsked, groupSupplyAccounts, supplyGroups, type GroupKind } from './group-kinds.ts'
import { linkedServiceBillOptions } from './linked-service-bills.ts'
import { saveGroup } from './save-group.ts'
import { besidesGroup, exportedSubaccounts, freeForGroup, inGroup, optionsOfSubaccounts, subaccountsOf } from './subaccounts.ts'

export const groupAccountHandlers: readonly Handler[] = [
  ...readingHandlers(groupAccountCalls, groupAccounts, billableGroups),
  ...readingHandlers(groupSupplyAccountCalls, groupSupplyAccounts, supplyGroups),
  handle(groupAccountCalls.update, async (context, { params, body }) => {
    const asked = groupsAsked(context, billableGroups, params)
    const row = await saveGroup(context, params.id, body.group_account, {
      kind: billableGroups,
      of: groupAccounts,
      asked,
      saveOwn: (own) => saveBillableAccount(context, params.id, own, asked),
    })
    return answerWrite(groupAccount, 'updated', await presented(context, groupAccounts, row))
  }),
  handle(groupSupplyAccountCalls.update, async (context, { params, body }) => {
    const asked = groupsAsked(context, supplyGroups, params)
    const row = await saveGroup(context, params.id, body.group_supply_account, { kind: supplyGroups, of: groupSupplyAccounts, asked })
    return answerWrite(groupSupplyAccount, 'updated', await presented(context, groupSupplyAccounts, row))
  }),
  handle(groupAccountCalls.linkedServiceBillOptions, async (context, { params }) => {
    await mustSeeGroup(context, groupAccounts, groupsAsked(context, billableGroups, params), params.id)
    return { linked_service_bill_options: await linkedServiceBillOptions(context, params.client_id, params.id) }
  }),
]

const sidebarKeys = ['id', 'name', 'account_number', 'client_id'] as const
const optionKeys = ['id', 'account_number', 'name', 'facility', 'active', 'client_id'] as const

/** Handlers that are the same for both kinds. */
function readingHandlers<Name extends string, Plural extends string, F extends Fields>(
  calls: GroupCalls<Name, Plural, F>,
  of: Resource<Name, Plural, F>,
  kind: GroupKind,
): Handler[] {
  const { account } = kind
  const subaccounts = subaccountsOf(kind)
  const options = optionsOfSubaccounts(kind)
  const ofGroup = async (context: Context, params: { client_id: number; id: number }) => {
    await mustSeeGroup(context, of, groupsAsked(context, kind, params), params.id)
    return askedBy(context, params)
  }
  return [
    handle(calls.list, (context, { params, query }) => listAnswer(context, of, query, groupsAsked(context, kind, params))),
    handle(calls.listAll, (context, { params, query }) => listAnswer(context, of, query, groupsAsked(context, kind, params))),
    handle(calls.get, async (context, { params }) =>
      answerOne(of.entity.name, await readRow(context, of, params.id, groupsAsked(context, kind, params))),
    ),
    handle(calls.subaccounts, async (context, { params, query }) =>
      listAnswer(context, subaccounts, query, { ...(await ofGroup(context, params)), ...inGroup({ account, id: params.id }) }),
    ),
    exportHandler(calls.exportSubaccounts, exportedSubaccounts(kind), async (context, params) => ({
      ...(await ofGroup(context, params)),
      ...inGroup({ account, id: params.id }),
    })),
    handle(calls.filterSubaccounts, async (context, { params, query }) =>
      listAnswer(context, subaccounts, query, { ...(await ofGroup(context, params)), ...besidesGroup({ account, id: params.id }) }),
    ),
    handle(calls.subaccountOptions, async (context, { params, query }) => {
      const asked = { ...(await ofGroup(context, params)), ...freeForGroup({ account, id: params.id }) }
      return optionsAnswer(context, options, query, asked, optionKeys)
    }),
    handle(calls.sidebarRecords, (context, { params, query }) =>
      optionsAnswer(context, of, query, groupsAsked(context, kind, params), sidebarKeys),
    ),
    exportHandler(calls.exportAll, of, (context, params) => groupsAsked(context, kind, params)),
    exportHandler(calls.exportCsv, of, (context, params) => groupsAsked(context, kind, params)),
  ]
}

/** Throws not-found unless the group account belongs to the client and is in the caller's reach. */
async function mustSeeGroup(
  { tx }: Context,
  of: Parameters<typeof readOne>[1] & { readonly entity: { readonly label: string } },
  asked: Asked,
  id: number,
): Promise<void> {
  if (!(await readOne(tx, { ...of, columns: {}, joins: {}, entity: { ...of.entity, fields: {} } }, id, asked)))
    throw notFound(`${of.entity.label} not found.`)
}
