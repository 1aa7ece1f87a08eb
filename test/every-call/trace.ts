/** A trace of the database, by which a refused request shows that it has written. */
import { sql, type RawBuilder } from 'kysely'
import type { Call } from '#contract/kernel/call.ts'
import { workOfNobody } from './other-recipes.ts'
import type { Db, World } from './world.ts'

/** Tables that change by themselves: sessions record their use, each minute seals the trail, and a refusal is an event of the security log. */
const restless = [
  'sessions',
  'sign_in_failures',
  'idempotency_keys',
  'audit_seals',
  'audit_anchors',
  'security_events',
  'webhook_feed',
  'webhook_deliveries',
  'webhook_attempts',
]

/** Columns that a delivery attempt updates in its webhook whenever the receiver responds, and that reading an ended task updates. */
const restlessColumns: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['last_delivery_at', 'last_status', 'failing_since'],
  tasks: ['settled_at'],
}

/** Rows that are watched of a table. Each minute, administrators are notified of alarms, which many refusals raise. */
const watchedRows: Readonly<Record<string, string>> = {
  notifications: `row.type <> 'security_alarm'`,
  mails: `row.subject not ilike '%security alarm%'`,
}

/** Returns a count and a checksum of each table: a refused request may change none of them. Reads are not watched. */
export async function traceOf({ world: { db } }: { readonly world: World }, call: Pick<Call, 'effect'>): Promise<string> {
  if (call.effect === 'read') return ''
  await workIsOver(db, sql`input <> ${JSON.stringify(workOfNobody)}::jsonb`)
  if (!traced.has(db)) traced.set(db, makeTrace(db))
  await traced.get(db)
  const { rows } = await sql<{ name: string; count: number; sum: string }>`select * from trace_of_tables()`.execute(db)
  return rows
    .map(({ name, count, sum }) => `${name} ${count} ${sum}`)
    .toSorted()
    .join('\n')
}

/** The databases that have the function of the trace. */
const traced = new WeakMap<Db, Promise<void>>()

/** A statement over all tables takes 20 ms to plan and 10 to run, so it is a function, whose plan each connection keeps. */
async function makeTrace(db: Db): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`.execute(db)
  const watched = rows.map(({ name }) => name).filter((name) => !restless.includes(name))
  const counts = watched.map(
    (name) =>
      `select '${name}'::text, count(*), coalesce(sum(${checkOf(name)}), 0)::text from "${name}" row where ${watchedRows[name] ?? 'true'}`,
  )
  await sql
    .raw(
      `create function trace_of_tables() returns table (name text, count bigint, sum text) language plpgsql as $$
         begin return query ${counts.join(' union all ')}; end $$`,
    )
    .execute(db)
}

/**
 * The number of the transaction that wrote the row, because numbers only grow: with as many rows as before, a row that was written anew makes
 * the sum larger. Only where a column changes by itself does the text of the other columns count.
 */
function checkOf(table: string): string {
  const columns = restlessColumns[table]
  if (!columns) return 'row.xmin::text::bigint'
  return `hashtextextended((to_jsonb(row) - '{${columns.join(',')}}'::text[])::text, 0)`
}

/** Work started earlier would continue and write: waiting work is dropped; running work, and learning from documents, is waited for. */
export async function workIsOver(db: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`delete from webhook_deliveries where state = 'waiting'`.execute(db)
  await sql`update bill_scans set state = 'failed' where state in ('waiting', 'reading')`.execute(db)
  for (let tries = 0; tries < 400; tries++) {
    // In each attempt: a task that ran a moment ago may be waiting for its next run.
    await sql`delete from tasks where state = 'waiting' and ${which}`.execute(db)
    const { rows } = await sql<{ open: number }>`select (select count(*) from tasks where state in ('waiting', 'running') and ${which})
      + (select count(*) from mails where state = 'waiting') + (select count(*) from password_requests)
      + (select count(*) from pgboss.job where name like 'bill_scan%' and state < 'completed' and start_after <= now()) as open`.execute(db)
    if (rows[0]?.open === 0) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('long work does not end')
}

/** Names the tables in which two traces differ. */
export function differences(before: string, after: string): string {
  const known = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .map((line) => line.split(' ')[0])
    .join(', ')
}
