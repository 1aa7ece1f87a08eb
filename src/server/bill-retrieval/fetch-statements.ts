/**
 * Fetches the statements that are not stored yet: the service's whole list, page by page, then each unknown statement, stored unchanged
 * before anything is decided about it. The position in the list is saved with each page, so that a killed fetch continues there. Every
 * fetch walks the whole list, because a service publishes old statements late and learns of accounts at any time; a known statement costs
 * only one line of a page. A known statement whose list entry has changed is fetched again, and decided again if it is not a bill yet.
 */
import type { Statement, StatementSummary } from '#contract/bill-retrieval/statement.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachOf } from '../kernel/principal.ts'
import { Failure, forbidden } from '../kernel/problem.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { failureOfProvider, providerOf, type ClientProvider } from './choose-provider.ts'
import { matchOpenStatements } from './match-statements.ts'
import { ProviderError, type BillRetrievalProvider } from './provider.ts'
import { countStatements } from './statement-counts.ts'
import { newsOf, noteChanged } from './statement-news.ts'
import { kind, type Tally, noteFailure, outcomeOf, type Failed } from './fetch-outcome.ts'

const PAGE = 200
/** Number of parallel requests for statements. */
const AT_ONCE = 8

/** Seconds in which a second click returns the first one's task. */
const DOUBLE_CLICK_SECONDS = 2

defineTask({ kind, moves: null, title: () => 'Fetching statements', run: fetchStatements })

/** Starts fetching for the client, or returns the fetch that is under way. */
export async function startFetch(context: Context, clientId: number): Promise<{ id: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('retrieval_fetch', ${clientId}))`.execute(context.tx)
  const { rows } = await sql<{
    id: number
  }>`select id from tasks where client_id = ${clientId} and kind = ${kind} and user_id = ${context.principal.user_id}
    and (state in ('waiting', 'running') or created_at > clock_timestamp() - make_interval(secs => ${DOUBLE_CLICK_SECONDS}::int)) order by id desc limit 1`.execute(
    context.tx,
  )
  return rows[0] ?? startTask(context, { kind, clientId, input: {} })
}

async function fetchStatements(run: TaskRun): Promise<TaskOutcome> {
  const { clientId } = run
  const reach = reachOf(run.principal, 'bill.create')
  if (reach.length === 0) throw forbidden('You may not fetch statements any more.')
  const chosen = await run.step(({ tx }) => providerOf(run.machinery, tx, clientId))
  const tally: Tally = { listed: 0, fetched: 0, failures: [] }
  try {
    await walkList(run, chosen, tally)
  } catch (error) {
    const failure = failureOfProvider(error)
    if (failure instanceof Failure) await run.step(({ tx }) => noteFailure(tx, clientId, chosen.provider, failure.message))
    throw failure
  }
  await matchOpenStatements(clientId, (work) => run.step(({ tx }) => work(tx)))
  const counts = await run.step(async (context) => {
    context.touch(clientId)
    return countStatements(context.tx, { reach, clientId })
  })
  return outcomeOf(tally, counts)
}

async function walkList(run: TaskRun, { provider, clientCode }: ClientProvider, tally: Tally): Promise<void> {
  const { clientId } = run
  for (let cursor = await run.step(({ tx }) => keptCursor(tx, clientId, provider)); ;) {
    run.signal.throwIfAborted()
    const { items, next } = await provider.listStatements({ clientCode, limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    const { wanted, changed } = await run.step(({ tx }) => newsOf(tx, clientId, provider, items))
    const got = await getAll(provider, wanted, run.signal)
    tally.listed += items.length
    tally.fetched += got.statements.length
    tally.failures.push(...got.failures)
    await run.step(async (context) => {
      await storeStatements(context.tx, clientId, provider, got.statements)
      await keepCursor(context.tx, clientId, provider, items, next ?? null)
      await noteChanged(context.tx, clientId, provider, changed)
      if (got.statements.length + changed.length > 0) context.touch(clientId)
    })
    run.progress(tally.listed)
    if (next === undefined) return
    cursor = next
  }
}

/** Reads several statements in parallel. A failing one must not block the others. */
async function getAll(
  provider: BillRetrievalProvider,
  summaries: readonly StatementSummary[],
  signal: AbortSignal,
): Promise<{ statements: Statement[]; failures: Failed[] }> {
  const statements: Statement[] = []
  const failures: Failed[] = []
  const waiting = [...summaries]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal.throwIfAborted()
      try {
        statements.push(await provider.getStatement(next.statement_id))
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failures.push({ statement_id: next.statement_id, account_number: next.account_number, message: error.message })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const place = new Map(summaries.map((summary, at) => [summary.statement_id, at]))
  return { statements: statements.toSorted((a, b) => (place.get(a.statement_id) ?? 0) - (place.get(b.statement_id) ?? 0)), failures }
}

/**
 * The date of the possible bill is in its own column, so that lists sort and filter by it. An existing statement is decided again, even if
 * a user has put aside its former version; one that is a bill stays unchanged.
 */
async function storeStatements(tx: Tx, clientId: number, provider: BillRetrievalProvider, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return
  const rows = statements.map((statement) => ({
    ...statement,
    statement_date: statement.bill_date ?? statement.interval_end,
    raw: statement,
  }))
  await sql`insert into retrieval_statements (client_id, provider, statement_id, file_id, account_number, kind, provider_name, statement_date, due_date, amount, raw)
    select ${clientId}::bigint, ${provider.id}::text, one.statement_id, one.file_id, one.account_number, one.kind, one.provider_name, one.statement_date, one.due_date, one.amount_due, one.raw
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(statement_id text, file_id text, account_number text, kind text, provider_name text, statement_date date,
      due_date date, amount_due numeric, raw jsonb)
    on conflict (client_id, provider, statement_id) do update set file_id = excluded.file_id, account_number = excluded.account_number, kind = excluded.kind,
      provider_name = excluded.provider_name, statement_date = excluded.statement_date, due_date = excluded.due_date, amount = excluded.amount, raw = excluded.raw,
      pdf_sha256 = null, pdf_file_id = null, state = 'new', reason = null, bill_id = null, lock_version = retrieval_statements.lock_version + 1, updated_at = now()
    where retrieval_statements.state <> 'created'`.execute(tx)
}

async function keptCursor(tx: Tx, clientId: number, provider: BillRetrievalProvider): Promise<string | null> {
  const { rows } = await sql<{
    cursor: string | null
  }>`select cursor from retrieval_cursors where client_id = ${clientId} and provider = ${provider.id}`.execute(tx)
  return rows[0]?.cursor ?? null
}

/** With the last page the cursor is empty again and the fetch counts as complete. */
async function keepCursor(
  tx: Tx,
  clientId: number,
  provider: BillRetrievalProvider,
  items: readonly StatementSummary[],
  next: string | null,
): Promise<void> {
  const latest =
    items
      .flatMap((item) => item.bill_date ?? [])
      .toSorted()
      .at(-1) ?? null
  await sql`insert into retrieval_cursors (client_id, provider, cursor, read_until, checked_at)
    values (${clientId}, ${provider.id}, ${next}, ${latest}::date, ${next === null ? sql`now()` : null})
    on conflict (client_id, provider) do update set cursor = excluded.cursor, read_until = greatest(retrieval_cursors.read_until, excluded.read_until),
      checked_at = coalesce(excluded.checked_at, retrieval_cursors.checked_at), failed_at = null, error = null`.execute(tx)
}
