/** Clients: their data, subscriptions and batch groups. */
import { client, clientCalls, type Client, type ClientDraft, type Subscriptions } from '#contract/clients/client.ts'
import { dropdownPageSize } from '#contract/kernel/lookup.ts'
import { sql, type SqlBool } from 'kysely'
import { retrievalServices } from '../bill-retrieval/bill-retrieval.ts'
import { partnersOf, logoColumns, logoJoin, noteLogo, savedLogo, withLogoUrls } from '../channel-partners/channel-partners.ts'
import { clientScope, serviceScope } from '../estate/estate.ts'
import { saveChildren } from '../kernel/lists/children.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { mayIn, reachesEveryClient, reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, invalid, unknownRecords, noSuch } from '../kernel/problem.ts'
import {
  answerOne,
  answerWrite,
  createRow,
  isFree,
  listHandler,
  optionsAnswer,
  optionsHandler,
  presented,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { turns, type RowRule } from '../kernel/lists/row-rules.ts'
import { searchHandler } from '../kernel/lists/lookup.ts'
import { clientTarget } from './client-import.ts'

const staysWithPartner: RowRule = {
  field: 'channel_partner_id',
  about: ['channel_partner_id'],
  message: 'Only provider staff can move a client to another channel partner',
  when: (row) =>
    reachesEveryClient(reachOf(row.context.principal, 'client.update')) ? sql<SqlBool>`false` : turns(row, 'channel_partner_id'),
}

export const clients = resource({
  entity: client,
  table: 'clients',
  scope: clientScope,
  joins: { logo: logoJoin('clients') },
  columns: {
    ...logoColumns,
    client_id: { sql: sql.ref('clients.id') },
    identifier: { sql: sql.ref('clients.identifier'), ofWholeClient: true },
    notes: { sql: sql.ref('clients.notes'), ofWholeClient: true },
    batch_groups: {
      sql: sql`(select coalesce(json_agg(json_build_object('id', batch_groups.id, 'name', batch_groups.name) order by batch_groups.name, batch_groups.id), '[]')
        from batch_groups where batch_groups.client_id = clients.id)`,
    },
  },
  // Columns that an import accepts.
  further: () =>
    Promise.resolve([
      { header: 'channel_partner', sql: sql`(select name from channel_partners where channel_partners.id = clients.channel_partner_id)` },
    ]),
  search: ['name', 'short_code', 'identifier'],
  rules: [isFree('clients', 'short_code', 'Short Code'), staysWithPartner],
  check: checkClient,
  present: (context, rows) => Promise.resolve(withLogoUrls(context, rows)),
})

const saving: Saving<typeof client.fields> = {
  added: (context, draft) => savedLogo(context, draft.logo, 'logo'),
  children: async (context, draft, row, before) => {
    await saveBatchGroups(context, draft, row)
    // noteLogo writes to the client's own trail, also when the client is new.
    await noteLogo(context, 'client', draft.logo, { id: row.id, client_id: row.id }, before)
    // A client's partner decides what partners see, and their lists are reference data.
    if (draft.channel_partner_id !== undefined) context.touch(0)
  },
}
export const clientImportTarget = clientTarget(clients)

const optionKeys = ['id', 'name', 'short_code', 'active'] as const

export const clientHandlers: readonly Handler[] = [
  listHandler(clientCalls.list, clients),
  handle(clientCalls.get, async (context, { params }) =>
    answerOne('client', await readRow(context, clients, params.id, { reach: context.reach })),
  ),
  handle(clientCalls.create, async (context, { body }) => {
    const draft = await withPartner(context, body.client)
    const row = await createRow(context, clients, draft, undefined, saving)
    reachChanged(context)
    return answerWrite(client, 'created', await presented(context, clients, row))
  }),
  handle(clientCalls.update, async (context, { params, body }) => {
    const row = await updateRow(context, clients, params.id, body.client, { reach: context.reach }, saving)
    reachChanged(context)
    return answerWrite(client, 'updated', await presented(context, clients, row))
  }),
  handle(clientCalls.exportCsv, (context, { query }) => startExport(context, clients, query, { reach: context.reach })),
  optionsHandler(clientCalls.selectOptions, clients, optionKeys),
  handle(clientCalls.selectOptionById, async (context, { query }) => {
    const {
      clients: [found],
    } = await optionsAnswer(context, clients, { values: `[${query.client_id}]` }, { reach: context.reach }, optionKeys)
    if (!found) throw noSuch('Client')
    return { client: found }
  }),
  handle(clientCalls.dropdownOptions, (context, { query }) =>
    optionsAnswer(context, clients, { per: dropdownPageSize, ...query }, { reach: context.reach }, optionKeys),
  ),
  searchHandler(clientCalls.search, clients, optionKeys),
  handle(clientCalls.subscriptions, (context, { params, body }) => subscribe(context, params.id, body.client)),
  handle(clientCalls.subscriptionsPost, (context, { params, body }) => subscribe(context, params.id, body.client)),
  handle(clientCalls.retrievalServices, ({ machinery }) => Promise.resolve({ retrieval_services: [...retrievalServices(machinery)] })),
  handle(clientCalls.utilityServices, async (context, { params }) => utilityServicesOf(context, params.id)),
]

async function checkClient(context: Context, draft: Partial<ClientDraft>, before: Client | null): Promise<void> {
  checkRetrievalService(context, draft, before)
  if (!before) return
  // A role narrowed inside the client reads its name, but may not change the client as a whole.
  if (!reachesWhole(context.reach, before.id)) throw forbidden()
}

/** The retrieval services come from the installation's settings; one that is not configured cannot be chosen. */
function checkRetrievalService(
  { principal, machinery }: Context,
  { retrieval_provider: wanted }: Partial<ClientDraft>,
  before: Client | null,
): void {
  if (wanted === undefined || wanted === (before?.retrieval_provider ?? null)) return
  if (!mayIn(principal, 'setting.update')) throw invalid({ retrieval_provider: ['Only provider staff can choose the retrieval service'] })
  if (wanted !== null && !retrievalServices(machinery).some(({ id }) => id === wanted))
    throw invalid({ retrieval_provider: ['This retrieval service is not set up here'] })
}

/**
 * Users who reach all clients may create one anywhere; a partner's administrator creates clients of that partner. Other users would not see what
 * they created.
 */
async function withPartner(context: Context, draft: ClientDraft): Promise<ClientDraft> {
  if (reachesEveryClient(context.reach)) return draft
  const partners = await partnersOf(context)
  const [first] = partners
  if (first === undefined) throw forbidden('Only who reaches all clients can make a new one.')
  const wanted = draft.channel_partner_id ?? first
  if (!partners.includes(wanted)) throw unknownRecords('channel_partner_id')
  return { ...draft, channel_partner_id: wanted }
}

/** Cached sessions with their clients and subscriptions are dropped. */
function reachChanged({ afterCommit, machinery }: Context): void {
  afterCommit(() => machinery.sessions.forgetAll())
}

async function subscribe(context: Context, id: number, flags: Subscriptions) {
  const row = await updateRow(context, clients, id, flags, { reach: context.reach })
  reachChanged(context)
  return { success: true, message: 'Subscriptions updated', id: row.id }
}

async function saveBatchGroups({ tx }: Context, draft: Partial<ClientDraft>, { id }: { readonly id: number }): Promise<void> {
  const child = { table: 'batch_groups', parent: { client_id: id }, columns: ['name'], field: 'batch_groups_attributes' }
  await saveChildren(tx, child, draft.batch_groups_attributes)
}

/** Utility services of the services that the caller sees: a narrowed role learns nothing of the rest. */
async function utilityServicesOf(context: Context, id: number) {
  const { rows } = await sql<{ id: number; name: string }>`select utility_services.id, utility_services.name from utility_services
    where exists (select 1 from services where services.utility_service_id = utility_services.id
      and ${scopeCondition({ scope: serviceScope }, { reach: context.reach, clientId: id })})
    order by utility_services.name, utility_services.id`.execute(context.tx)
  return { client_utility_services: rows, total: rows.length }
}
