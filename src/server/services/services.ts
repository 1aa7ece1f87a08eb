/** Services (meters) of billable and of supply accounts: one resource under two paths. */
import { entryField, entryFieldCalls } from '#contract/services/entry-field.ts'
import type { Call, CrudCalls, Nothing, OptionsInput, PathParams, Result } from '#contract/kernel/call.ts'
import { service, type ServiceOrder } from '#contract/services/service.ts'
import { serviceCalls, serviceOptionCalls, supplyServiceCalls } from '#contract/services/service-calls.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { supplyAccountScope } from '../estate/estate.ts'
import { billableAccounts } from '../billable-accounts/billable-accounts.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere, startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { noSuch } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  askedBy,
  createRow,
  destroyRow,
  exportHandler,
  listAnswer,
  listHandler,
  optionsAnswer,
  optionsHandler,
  presented,
  readRow,
  resource,
  updateRow,
} from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { saving } from './service-children.ts'
import { serviceFileHandlers } from './service-file.ts'
import { orderServices } from './service-order.ts'
import { mayGo } from './service-rules.ts'
import { services } from './service-resource.ts'

export { effectiveLedgers } from './service-ledgers.ts'

/** The entry fields ship with the product, so their rows have no version. */
export const entryFields = resource({
  entity: entryField,
  table: 'entry_fields',
  scope: 'shared',
  columns: { lock_version: { sql: sql`0` } },
  search: ['name'],
})

const account = z.object({ id: z.int() })
const ofOwner = {
  billable_account_id: defineWhere('services_of_billable_account', account, ({ id }) => sql<SqlBool>`services.billable_account_id = ${id}`),
  supply_account_id: defineWhere('services_of_supply_account', account, ({ id }) => sql<SqlBool>`services.supply_account_id = ${id}`),
}
type Owner = 'billable_account_id' | 'supply_account_id'

export const serviceHandlers: readonly Handler[] = [
  ...handlersUnder(serviceCalls, 'billable_account_id'),
  ...handlersUnder(supplyServiceCalls, 'supply_account_id'),
  ...serviceFileHandlers,
  listHandler(entryFieldCalls.list, entryFields),
  exportHandler(entryFieldCalls.exportCsv, entryFields),
  optionsHandler(entryFieldCalls.selectOptions, entryFields, ['id', 'name']),
  handle(serviceOptionCalls.ofBillableAccounts, (context, { params, query: { account_id, ...query } }) => {
    const condition = sql<SqlBool>`services.billable_account_id ${account_id === undefined ? sql`is not null` : sql`= ${Number(account_id)}`}`
    return options(context, { ...askedBy(context, params), where: [condition], whereKey: `billable ${account_id ?? ''}` }, query)
  }),
  handle(serviceOptionCalls.ofSupplyAccounts, (context, { params, query }) =>
    options(
      context,
      { ...askedBy(context, params), where: [sql<SqlBool>`services.supply_account_id is not null`], whereKey: 'supply' },
      query,
    ),
  ),
]

type AccountCalls<Path extends string> = CrudCalls<'service', 'services', Path, typeof service.fields> & {
  readonly order: Call<PathParams<Path>, Nothing, ServiceOrder, Result>
}

/** The calls under one kind of account. The account must be in reach before its services are. */
function handlersUnder<Path extends string>(calls: AccountCalls<Path>, owner: Owner): Handler[] {
  return [
    handle(calls.order, async (context, { params, body }) => {
      const { clientId } = await ofAccount(context, params, owner)
      await orderServices(context, clientId, { column: owner, id: idIn(params, owner) }, body.service_ids)
      return { success: true, message: 'Services put in order' }
    }),
    handle(calls.list, async (context, { params, query }) => listAnswer(context, services, query, await ofAccount(context, params, owner))),
    handle(calls.get, async (context, { params }) =>
      answerOne('service', await readRow(context, services, params.id, await ofAccount(context, params, owner))),
    ),
    handle(calls.create, async (context, { params, body }) => {
      const { clientId } = await ofAccount(context, params, owner)
      const accountId = idIn(params, owner)
      const row = await createRow(context, services, body.service, clientId, {
        ...saving,
        added: async (_context, draft, before) => ({
          ...(await saving.added?.(context, draft, before)),
          [owner]: accountId,
          ...(draft.rank === undefined || draft.rank === null ? { rank: await nextRank(context, clientId, owner, accountId) } : {}),
        }),
      })
      return answerWrite(service, 'created', await presented(context, services, row))
    }),
    handle(calls.update, async (context, { params, body }) => {
      const row = await updateRow(context, services, params.id, body.service, await ofAccount(context, params, owner), saving)
      return answerWrite(service, 'updated', await presented(context, services, row))
    }),
    handle(calls.destroy, async (context, { params }) => {
      const asked = await ofAccount(context, params, owner)
      await storedRow(context, services, params.id, asked)
      await mayGo(context, asked.clientId, params.id)
      await destroyRow(context, services, params.id, asked)
      return { success: true, message: 'Service deleted' }
    }),
    handle(calls.exportCsv, async (context, { params, query }) =>
      startExport(context, services, query, await ofAccount(context, params, owner)),
    ),
  ]
}

/** Restricts to services of the path's account. Throws not-found if the account is missing or out of reach. */
async function ofAccount(context: Context, params: object, owner: Owner): Promise<Asked & { clientId: number }> {
  const clientId = idIn(params, 'client_id')
  const accountId = idIn(params, owner)
  const source = owner === 'billable_account_id' ? billableAccounts : { table: 'supply_accounts', scope: supplyAccountScope }
  const { rows } = await sql`select 1 from ${sql.table(source.table)} where ${scopeCondition(source, { reach: context.reach, clientId })}
    and ${sql.ref(`${source.table}.id`)} = ${accountId}`.execute(context.tx)
  if (rows.length === 0) throw noSuch('Account')
  return { reach: context.reach, clientId, ...ofOwner[owner]({ id: accountId }) }
}

/** A new service comes last, unless the form gives its rank. */
async function nextRank({ tx }: Context, clientId: number, owner: Owner, accountId: number): Promise<number> {
  const { rows } = await sql<{
    rank: number
  }>`select coalesce(max(rank), 0) + 1 as rank from services where client_id = ${clientId} and ${sql.ref(owner)} = ${accountId}`.execute(tx)
  return rows[0]?.rank ?? 1
}

/** Finds options by meter, name and account number. */
function options(context: Context, asked: Asked, query: OptionsInput & { utility_service_id?: string | undefined }) {
  const { utility_service_id, ...input } = query
  const q = utility_service_id === undefined ? {} : { utility_service_id }
  const source = { ...services, search: [...(services.search ?? []), 'account_number'] }
  return optionsAnswer(context, source, { ...input, q }, asked, optionKeys)
}

const optionKeys = ['id', 'meter_number', 'service_name_1', 'utility_service_name', 'account_id', 'account_number'] as const

function idIn(params: object, key: 'client_id' | Owner): number {
  const id: unknown = Reflect.get(params, key)
  if (typeof id !== 'number') throw new Error(`the path has no ${key}`)
  return id
}
