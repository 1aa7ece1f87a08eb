/** Services (meters) of billable and of supply accounts: one resource under two paths. */
import { entryField, entryFieldCalls } from '#contract/entry-field.ts'
import type { CrudCalls } from '#contract/kernel/call.ts'
import {
  service,
  serviceCalls,
  serviceOptionCalls,
  sharesAreWhole,
  shareRatioError,
  supplyServiceCalls,
  type Service,
  type ServiceDraft,
} from '#contract/service.ts'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { refreshFacts } from '../dashboard/dashboard.ts'
import { serviceScope, supplyAccountScope } from '../estate-scope.ts'
import { billableAccounts } from '../billable-accounts/billable-accounts.ts'
import { childrenAfter, mergeChildren, saveChildren, saveLinks, storeChildren, type ChildTable } from '../kernel/children.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere, startExport } from '../kernel/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition, type Asked } from '../kernel/list.ts'
import { invalid, notFound } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  askedBy,
  createRow,
  destroyRow,
  listAnswer,
  listHandler,
  mustReach,
  optionsAnswer,
  optionsHandler,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/resource.ts'
import { ledgerAccounts } from '../ledger-accounts/ledger-accounts.ts'

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
    usage_factor_ids: { sql: linked('service_usage_factors', 'usage_factor_id') },
    entry_field_ids: { sql: linked('service_entry_fields', 'entry_field_id') },
    shared_accounts: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', share.id, 'ledger_account_id', share.ledger_account_id, 'ledger_account_name', ledger_accounts.name,
          'share_ratio', share.share_ratio::text) order by share.position, share.id), '[]')
        from shared_accounts share join ledger_accounts on ledger_accounts.client_id = share.client_id and ledger_accounts.id = share.ledger_account_id
        where share.client_id = services.client_id and share.service_id = services.id)`,
    },
    additional_entry_fields: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', own.id, 'name', own.name, 'active', own.active) order by own.id), '[]')
        from additional_entry_fields own where own.client_id = services.client_id and own.service_id = services.id)`,
    },
  },
  search: ['meter_number', 'service_name_1', 'service_name_2'],
  check: async (context, draft, before, clientId) => {
    await keepKind(context, draft, before, clientId)
    await ofOneKind(context, draft, before)
  },
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
const saving: Saving<typeof service.fields> = { children: saveChildrenOf }
type Owner = 'billable_account_id' | 'supply_account_id'

export const serviceHandlers: readonly Handler[] = [
  ...handlersUnder(serviceCalls, 'billable_account_id'),
  ...handlersUnder(supplyServiceCalls, 'supply_account_id'),
  listHandler(entryFieldCalls.list, entryFields),
  optionsHandler(entryFieldCalls.selectOptions, entryFields, ['id', 'name']),
  handle(serviceOptionCalls.ofBillableAccounts, (context, { params, query }) => {
    const condition = sql<SqlBool>`services.billable_account_id ${query.account_id === undefined ? sql`is not null` : sql`= ${Number(query.account_id)}`}`
    return options(context, { ...askedBy(context, params), where: [condition], whereKey: `billable ${query.account_id ?? ''}` }, query)
  }),
  handle(serviceOptionCalls.ofSupplyAccounts, (context, { params, query }) =>
    options(
      context,
      { ...askedBy(context, params), where: [sql<SqlBool>`services.supply_account_id is not null`], whereKey: 'supply' },
      query,
    ),
  ),
]

/** The six calls under one kind of account. The account must be reached before its services are. */
function handlersUnder<Path extends string>(calls: CrudCalls<'service', 'services', Path, typeof service.fields>, owner: Owner): Handler[] {
  return [
    handle(calls.list, async (context, { params, query }) => listAnswer(context, services, query, await ofAccount(context, params, owner))),
    handle(calls.get, async (context, { params }) =>
      answerOne('service', await readRow(context, services, params.id, await ofAccount(context, params, owner))),
    ),
    handle(calls.create, async (context, { params, body }) => {
      const { clientId } = await ofAccount(context, params, owner)
      const accountId = idIn(params, owner)
      const row = await createRow(context, services, body.service, clientId, {
        ...saving,
        added: async (_context, draft) => ({
          [owner]: accountId,
          ...(draft.rank === undefined || draft.rank === null ? { rank: await nextRank(context, clientId, owner, accountId) } : {}),
        }),
      })
      return answerWrite(service, 'created', row)
    }),
    handle(calls.update, async (context, { params, body }) =>
      answerWrite(
        service,
        'updated',
        await updateRow(context, services, params.id, body.service, await ofAccount(context, params, owner), saving),
      ),
    ),
    handle(calls.destroy, async (context, { params }) => {
      await destroyRow(context, services, params.id, await ofAccount(context, params, owner))
      return { success: true, message: 'Service deleted' }
    }),
    handle(calls.exportCsv, async (context, { params, query }) =>
      startExport(context, services, query, await ofAccount(context, params, owner)),
    ),
  ]
}

/** Only services of the path's account. Throws not-found where the account is absent or out of reach. */
async function ofAccount(context: Context, params: object, owner: Owner): Promise<Asked & { clientId: number }> {
  const clientId = idIn(params, 'client_id')
  const accountId = idIn(params, owner)
  const source = owner === 'billable_account_id' ? billableAccounts : { table: 'supply_accounts', scope: supplyAccountScope }
  const { rows } = await sql`select 1 from ${sql.table(source.table)} where ${scopeCondition(source, { reach: context.reach, clientId })}
    and ${sql.ref(`${source.table}.id`)} = ${accountId}`.execute(context.tx)
  if (rows.length === 0) throw notFound('Account not found.')
  return { reach: context.reach, clientId, ...ofOwner[owner]({ id: accountId }) }
}

/** A new service comes last, unless the form says where. */
async function nextRank({ tx }: Context, clientId: number, owner: Owner, accountId: number): Promise<number> {
  const { rows } = await sql<{
    rank: number
  }>`select coalesce(max(rank), 0) + 1 as rank from services where client_id = ${clientId} and ${sql.ref(owner)} = ${accountId}`.execute(tx)
  return rows[0]?.rank ?? 1
}

/** Bill lines store their usage in the standard unit of the utility service, so a service with lines keeps its kind. */
async function keepKind({ tx }: Context, draft: Partial<ServiceDraft>, before: Service | null, clientId: number): Promise<void> {
  const changed =
    before &&
    before.utility_service_id !== null &&
    draft.utility_service_id !== undefined &&
    draft.utility_service_id !== before.utility_service_id
  if (!changed) return
  const { rows } = await sql`select 1 from service_bills where client_id = ${clientId} and service_id = ${before.id} limit 1`.execute(tx)
  if (rows.length > 0) throw invalid({ utility_service_id: ['Utility Service cannot change once bills carry the service'] })
}

/** Usage is converted by the unit's factor into the standard unit of the utility service, so both belong to the same one. */
async function ofOneKind({ tx }: Context, draft: Partial<ServiceDraft>, before: Service | null): Promise<void> {
  const { utility_service_id, usage_unit_id, usage_factor_ids } = draft
  if (utility_service_id === undefined && usage_unit_id === undefined && usage_factor_ids === undefined) return
  const kind = utility_service_id === undefined ? (before?.utility_service_id ?? null) : utility_service_id
  const unit = usage_unit_id === undefined ? (before?.usage_unit_id ?? null) : usage_unit_id
  const factors = usage_factor_ids ?? before?.usage_factor_ids ?? []
  const { rows } = await sql<{ unit: boolean; factors: boolean }>`select
    exists (select from usage_units where id = ${unit} and utility_service_id is distinct from ${kind}::bigint) as unit,
    exists (select from usage_factors where id = any(${factors}::bigint[]) and utility_service_id is distinct from ${kind}::bigint) as factors`.execute(
    tx,
  )
  if (rows[0]?.unit) throw invalid({ usage_unit_id: ['Usage Unit must be one of the utility service'] })
  if (rows[0]?.factors) throw invalid({ usage_factor_ids: ['Usage Factors must be of the utility service'] })
}

async function saveChildrenOf(
  context: Context,
  draft: Partial<ServiceDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: Service | null,
): Promise<void> {
  const { tx } = context
  const parent = { client_id, service_id: id }
  await saveLinks(tx, { table: 'service_usage_factors', parent, column: 'usage_factor_id' }, draft.usage_factor_ids)
  await saveLinks(tx, { table: 'service_entry_fields', parent, column: 'entry_field_id' }, draft.entry_field_ids)
  const own = {
    table: 'additional_entry_fields',
    parent,
    columns: ['name', 'active'],
    field: 'additional_entry_fields_attributes',
    initial: { active: true },
  }
  await saveChildren(tx, own, draft.additional_entry_fields_attributes)
  await saveShares(context, draft, parent)
  // Dashboards read stored months: they follow what a service's usage and emissions are counted by.
  const counted = ['utility_service_id', 'emissions_factor', 'supply', 'metered'] as const
  if (before && counted.some((key) => draft[key] !== undefined && draft[key] !== before[key])) await refreshFacts(tx, client_id, [id])
}

async function saveShares(
  context: Context,
  { shared_accounts_attributes: drafts }: Partial<ServiceDraft>,
  parent: { client_id: number; service_id: number },
): Promise<void> {
  if (drafts === undefined || drafts.length === 0) return
  const child: ChildTable = {
    table: 'shared_accounts',
    parent,
    columns: ['ledger_account_id', 'share_ratio'],
    field: 'shared_accounts_attributes',
    initial: { position: 0 },
  }
  const before = (await mergeChildren(context.tx, child, [])).untouched.map((share) => share['ledger_account_id'])
  const named = drafts.flatMap(({ ledger_account_id, _destroy }) =>
    _destroy || ledger_account_id === undefined || before.includes(ledger_account_id) ? [] : [ledger_account_id],
  )
  await mustReach(context, ledgerAccounts, named, 'shared_accounts_attributes', parent.client_id)
  const merged = await mergeChildren(context.tx, child, drafts)
  if (!sharesAreWhole(childrenAfter(merged).map((share) => String(share['share_ratio']))))
    throw invalid({ shared_accounts_attributes: [shareRatioError.message] })
  await storeChildren(context.tx, child, merged)
}

function options(
  context: Context,
  asked: Asked,
  { utility_service_id, search_term }: { utility_service_id?: string | undefined; search_term?: string | undefined },
) {
  const q = utility_service_id === undefined ? {} : { utility_service_id }
  return optionsAnswer(context, services, { q, search_term }, asked, [
    'id',
    'meter_number',
    'service_name_1',
    'utility_service_name',
    'account_id',
    'account_number',
  ] as const)
}

function linked(table: string, column: string) {
  return sql`array(select ${sql.ref(`link.${column}`)} from ${sql.table(table)} link where link.client_id = services.client_id and link.service_id = services.id order by 1)`
}

function idIn(params: object, key: 'client_id' | Owner): number {
  const id: unknown = Reflect.get(params, key)
  if (typeof id !== 'number') throw new Error(`the path has no ${key}`)
  return id
}
