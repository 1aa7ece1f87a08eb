/** Services (meters) of billable and of supply accounts: one resource under two paths. */
import { entryField, entryFieldCalls } from '#contract/services/entry-field.ts'
import type { Call, CrudCalls, Nothing, OptionsInput, PathParams, Result } from '#contract/kernel/call.ts'
import { service, serviceCalls, serviceOptionCalls, supplyServiceCalls, type ServiceOrder } from '#contract/services/service.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { serviceScope, supplyAccountScope, serviceRules } from '../estate/estate.ts'
import { billableAccounts } from '../billable-accounts/billable-accounts.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere, startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { notFound } from '../kernel/problem.ts'
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
import { ledgerColumns, withReachedLinks } from './service-ledgers.ts'
import { orderServices } from './service-order.ts'
import { mayGo } from './service-rules.ts'

export { effectiveLedgers } from './service-ledgers.ts'

export const services = resource({
  entity: service,
  table: 'services',
  scope: serviceScope,
  joins: {
    kind: sql`left join utility_services kind on kind.id = services.utility_service_id`,
    usage_unit: sql`left join usage_units usage_unit on usage_unit.id = services.usage_unit_id left join units unit on unit.id = usage_unit.unit_id`,
    billable: sql`left join billable_accounts billable on billable.client_id = services.client_id and billable.id = services.billable_account_id`,
    supply: sql`left join supply_accounts supply on supply.client_id = services.client_id and supply.id = services.supply_account_id`,
  },
  columns: {
    utility_service_name: { sql: sql.ref('kind.name'), joins: ['kind'] },
    usage_unit_symbol: { sql: sql.ref('unit.symbol'), joins: ['usage_unit'] },
    account_type: { sql: sql`case when services.billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end` },
    account_id: { sql: sql`coalesce(services.billable_account_id, services.supply_account_id)` },
    account_number: { sql: sql`coalesce(billable.account_number, supply.account_number)`, joins: ['billable', 'supply'] },
    // Inactive services come last, whatever their rank.
    place: { sql: sql`(case when services.active then 0 else 1000000 end + coalesce(services.rank, 100001))` },
    ...ledgerColumns,
    usage_factor_ids: { sql: linked('service_usage_factors', 'usage_factor_id') },
    entry_field_ids: { sql: linked('service_entry_fields', 'entry_field_id') },
    shared_accounts: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', share.id, 'ledger_account_id', share.ledger_account_id, 'ledger_account_name', ledger_accounts.name,
          'share_ratio', share.share_ratio::text) order by share.position, share.id), '[]')
        from shared_accounts share join ledger_accounts on ledger_accounts.client_id = share.client_id and ledger_accounts.id = share.ledger_account_id
        where share.client_id = services.client_id and share.service_id = services.id)`,
      ofWholeClient: true,
    },
    additional_entry_fields: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', own.id, 'name', own.name, 'active', own.active) order by own.id), '[]')
        from additional_entry_fields own where own.client_id = services.client_id and own.service_id = services.id)`,
    },
  },
  search: ['meter_number', 'service_name_1', 'service_name_2'],
  rules: serviceRules,
  present: withReachedLinks,
})

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
  if (rows.length === 0) throw notFound('Account not found.')
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

function linked(table: string, column: string) {
  return sql`array(select ${sql.ref(`link.${column}`)} from ${sql.table(table)} link where link.client_id = services.client_id and link.service_id = services.id order by 1)`
}

function idIn(params: object, key: 'client_id' | Owner): number {
  const id: unknown = Reflect.get(params, key)
  if (typeof id !== 'number') throw new Error(`the path has no ${key}`)
  return id
}
