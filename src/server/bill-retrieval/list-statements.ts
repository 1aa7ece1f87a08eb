/** Views of fetched statements, and decisions about them: the list, the state of the service, missing accounts, the owner of a number. */
import { accountsNeededMax, type AccountsNeeded, type ChoiceBody, type RetrievalStatus } from '#contract/bill-retrieval/bill-retrieval.ts'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { disposition } from '../kernel/files/files.ts'
import { answered, handle, type Handler } from '../kernel/handler.ts'
import { readPage, scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { noSuch } from '../kernel/problem.ts'
import { askedBy, exportHandler } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { failureOfProvider, providerOf } from './choose-provider.ts'
import { chooseStatements } from './choose-statements.ts'
import { startFetch } from './fetch-statements.ts'
import { decideStatements } from './match-statements.ts'
import { ProviderError } from './provider.ts'
import { startImport } from './start-import.ts'
import { countStatements } from './statement-counts.ts'
import { ensurePdf } from './statement-pdfs.ts'
import { statementSource } from './statement-source.ts'
import { readKeys, recordOfRow, type ReadStatement } from './read-statement.ts'
import { sayAccount } from './chosen-account.ts'

export const statementHandlers: Handler[] = [
  handle(billRetrievalCalls.list, async (context, { params, query }) => {
    const asked = askedBy(context, params)
    const { rows, total } = await readPage<ReadStatement>(
      context.tx,
      statementSource,
      checkedQuery(statementSource, query),
      asked,
      readKeys,
    )
    const counts = query.with_total === false || query.with_total === 'false' ? {} : { counts: await countStatements(context.tx, asked) }
    return { records: rows.map(recordOfRow), ...(total === undefined ? {} : { total }), ...counts }
  }),
  exportHandler(billRetrievalCalls.exportCsv, statementSource),
  handle(billRetrievalCalls.status, (context, { params }) => readStatus(context, params.client_id)),
  handle(billRetrievalCalls.fetch, async (context, { params }) => {
    const { id } = await startFetch(context, params.client_id)
    return { success: true, message: 'Fetching statements', task_id: id }
  }),
  handle(billRetrievalCalls.retrievalImport, async (context, { params, body }) => {
    const { id } = await startImport(context, params.client_id, body)
    return { success: true, message: 'Starting Import Process', task_id: id }
  }),
  handle(billRetrievalCalls.accountsNeeded, (context, { params }) => readAccountsNeeded(context, askedBy(context, params))),
  handle(billRetrievalCalls.ignore, (context, { params, body }) => putAside(context, params.client_id, body)),
  handle(billRetrievalCalls.unignore, (context, { params, body }) => takeBack(context, params.client_id, body)),
  handle(billRetrievalCalls.match, async (context, { params, body }) => {
    const matched = await sayAccount(context, params.client_id, { ...body, account_type: body.account_type ?? 'BillableAccount' })
    return { success: true, message: matched === 1 ? '1 statement matched' : `${matched} statements matched`, matched }
  }),
  handle(billRetrievalCalls.pdf, async (context, { params, http }) => {
    const { rows } = await sql<{
      id: number
    }>`select id from retrieval_statements where ${scopeCondition(statementSource, askedBy(context, params))}
      and file_id = ${params.file_id} order by id desc limit 1`.execute(context.tx)
    const id = rows[0]?.id
    if (id === undefined) throw noSuch('Statement')
    const pdf = await ensurePdf(context.machinery, params.client_id, id).catch((error: unknown) => {
      throw failureOfProvider(error)
    })
    const headers = {
      'content-disposition': disposition(pdf.filename, true),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
      'cache-control': 'private, no-store',
    }
    void http.reply
      .headers(headers)
      .type('application/pdf')
      .send(await context.machinery.files.read(pdf.key))
    return answered
  }),
]

async function readStatus(context: Context, clientId: number): Promise<RetrievalStatus> {
  const { provider } = await providerOf(context.machinery, context.tx, clientId)
  const status = await provider.status().catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    return { ok: false, message: error.message, credentials: { ok: 0, failed: 0, needsAction: 0 } }
  })
  const { rows } = await sql<
    Pick<RetrievalStatus, 'checked_at' | 'read_until' | 'failed_at' | 'error'>
  >`select checked_at, read_until, failed_at, error
    from retrieval_cursors where client_id = ${clientId} and provider = ${provider.id}`.execute(context.tx)
  const { ok, failed, needsAction } = status.credentials
  return {
    provider: provider.id,
    label: provider.label,
    ok: status.ok,
    message: status.message ?? null,
    credentials: { ok, failed, needs_action: needsAction },
    ...(rows[0] ?? { checked_at: null, read_until: null, failed_at: null, error: null }),
    counts: await countStatements(context.tx, { reach: context.reach, clientId }),
  }
}

async function readAccountsNeeded({ tx }: Context, asked: Asked): Promise<AccountsNeeded> {
  const { rows } = await sql<AccountsNeeded['accounts'][number] & { total: number }>`
    select provider_name, account_number, count(*) as statements, min(statement_date) as first_date, max(statement_date) as last_date,
      coalesce((select array_agg(distinct meter->>'commodity' order by meter->>'commodity') from unnest(array_agg(raw->'meters')) as list, jsonb_array_elements(list) as meter), '{}') as commodities,
      max(raw->>'service_address') as service_address, min(reason) as reason, count(*) over () as total
    from retrieval_statements where ${scopeCondition(statementSource, asked)} and state = 'needs_account'
    group by provider_name, account_number order by count(*) desc, provider_name, account_number limit ${accountsNeededMax}`.execute(tx)
  const { rows: utilities } = await sql<AccountsNeeded['utilities'][number]>`
    select provider_name, count(*) as statements, count(distinct account_number) as accounts,
      coalesce((select array_agg(distinct meter->>'commodity' order by meter->>'commodity') from unnest(array_agg(raw->'meters')) as list, jsonb_array_elements(list) as meter), '{}') as commodities,
      (select json_build_object('id', vendors.id, 'name', vendors.name) from vendors where vendors.id = coalesce(max(vendor_id), (
        select min(alike.id) from vendors alike where lower(alike.name) = lower(provider_name)))) as vendor
    from retrieval_statements where ${scopeCondition(statementSource, asked)} and state = 'needs_account' group by provider_name order by provider_name`.execute(
    tx,
  )
  return { utilities, accounts: rows.map(({ total: _total, ...account }) => account), total: rows[0]?.total ?? 0 }
}

/** A statement that became a bill cannot be put aside. */
async function putAside(context: Context, clientId: number, body: ChoiceBody) {
  const chosen = await chooseStatements(context, clientId, body, 'file_ids')
  const { rows } = await sql<{
    id: number
  }>`update retrieval_statements set state = 'ignored', reason = ${body.reason || `Put aside by ${context.principal.email}`}, lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = any(${chosen.map((one) => one.id)}::bigint[]) and state not in ('created', 'ignored') returning id`.execute(
    context.tx,
  )
  await noteDecision(context, clientId, rows, { from: 'No', to: 'Yes' })
  return { success: true, message: rows.length === 1 ? '1 statement ignored' : `${rows.length} statements ignored` }
}

async function takeBack(context: Context, clientId: number, body: ChoiceBody) {
  const { tx } = context
  const chosen = await chooseStatements(context, clientId, body, 'file_ids')
  const { rows } = await sql<{
    id: number
  }>`update retrieval_statements set state = 'new', reason = null, lock_version = lock_version + 1, updated_at = now()
    where client_id = ${clientId} and id = any(${chosen.map((one) => one.id)}::bigint[]) and state = 'ignored' returning id`.execute(tx)
  await decideStatements(
    tx,
    clientId,
    rows.map((row) => row.id),
  )
  await noteDecision(context, clientId, rows, { from: 'Yes', to: 'No' })
  return { success: true, message: rows.length === 1 ? '1 statement taken back' : `${rows.length} statements taken back` }
}

/** The trail, with one version per statement, shows who put it aside or took it back. */
function noteDecision(context: Context, clientId: number, rows: readonly { id: number }[], ignored: { from: string; to: string }) {
  return context.audit.many(
    rows.map(({ id }) => ({
      event: 'update' as const,
      item_type: 'retrieved_statement',
      item_id: id,
      client_id: clientId,
      changes: { ignored },
    })),
  )
}
