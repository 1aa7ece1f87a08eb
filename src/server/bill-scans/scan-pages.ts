/** The read pages of a document: the words of each, or the reason why it could not be read. */
import { documentWords, type DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { sql } from 'kysely'
import type { PageWords } from '../bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/postgres/database.ts'

/** Runs that may die while reading one page. */
const PAGE_TRIES_MAX = 2

interface ScanKey {
  readonly client_id: number
  readonly id: number
}

/** Returns the numbers of the finished pages, read or not. */
export async function settledPages(db: Tx, { client_id, id }: ScanKey): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{
    page: number
  }>`select page from bill_scan_pages where client_id = ${client_id} and scan_id = ${id} and state <> 'reading'`.execute(db)
  return new Set(rows.map(({ page }) => page))
}

/** Returns the words of all readable pages, with the reasons for the others. */
export async function storedWords(db: Tx, { client_id, id }: ScanKey): Promise<{ words: DocumentWords; faults: readonly string[] }> {
  const { rows } = await sql<{
    content: unknown
    error: string | null
  }>`select content, error from bill_scan_pages where client_id = ${client_id} and scan_id = ${id} and state <> 'reading' order by page`.execute(
    db,
  )
  const words = documentWords.parse({ pages: rows.flatMap(({ content }) => content ?? []) })
  return { words, faults: rows.flatMap(({ error }) => error ?? []) }
}

/** Returns the reasons why pages could not be read, for the user who enters the bill. */
export async function pageFaults(db: Tx, { client_id, id }: ScanKey): Promise<string[]> {
  const { rows } = await sql<{
    error: string
  }>`select error from bill_scan_pages where client_id = ${client_id} and scan_id = ${id} and error is not null
    order by page`.execute(db)
  return rows.map(({ error }) => error)
}

/** Records that a run has begun the page. @returns whether it may be tried: a page over which several runs have died is given up. */
export async function beginPage(db: Tx, { client_id, id }: ScanKey, page: number): Promise<boolean> {
  const { rows } = await sql<{ tries: number }>`
    insert into bill_scan_pages (client_id, scan_id, page, state, tries) values (${client_id}, ${id}, ${page}, 'reading', 1)
    on conflict (client_id, scan_id, page) do update set tries = bill_scan_pages.tries + 1 where bill_scan_pages.state = 'reading'
    returning tries`.execute(db)
  return (rows[0]?.tries ?? 0) <= PAGE_TRIES_MAX
}

/** A run that left the page unchanged, for a reason that is not the page's fault, does not count. */
export async function forgetTry(db: Tx, { client_id, id }: ScanKey, pages: readonly number[]): Promise<void> {
  if (pages.length === 0) return
  await sql`update bill_scan_pages set tries = greatest(tries - 1, 0) where client_id = ${client_id} and scan_id = ${id}
    and page = any(${[...pages]}::int[]) and state = 'reading'`.execute(db)
}

/** Gives up pages that were not begun or not finished. */
export async function giveUpPages(
  tx: Tx,
  { client_id, id }: ScanKey,
  pages: readonly number[],
  reasonOf: (page: number) => string,
): Promise<void> {
  await sql`insert into bill_scan_pages (client_id, scan_id, page, state, error, read_at)
    select ${client_id}, ${id}, given.page, 'failed', given.reason, clock_timestamp()
    from unnest(${[...pages]}::int[], ${pages.map(reasonOf)}::text[]) as given(page, reason)
    on conflict (client_id, scan_id, page) do update set state = 'failed', error = excluded.error, read_at = excluded.read_at
      where bill_scan_pages.state = 'reading'`.execute(tx)
  await countPages(tx, client_id, [id])
}

/** Stores the outcome of the page and counts it, in the caller's transaction. */
export async function keepPage(tx: Tx, { client_id, id }: ScanKey, page: number, outcome: PageWords | string): Promise<void> {
  const isFault = typeof outcome === 'string'
  await sql`update bill_scan_pages set state = ${isFault ? 'failed' : 'read'}, content = ${isFault ? null : JSON.stringify(outcome)}::jsonb,
    error = ${isFault ? outcome : null}, read_at = clock_timestamp() where client_id = ${client_id} and scan_id = ${id} and page = ${page}`.execute(
    tx,
  )
  await countPages(tx, client_id, [id])
}

/** Pages that could not be read are tried again. */
export async function forgetFaults(tx: Tx, key: ScanKey): Promise<void> {
  await sql`delete from bill_scan_pages where client_id = ${key.client_id} and scan_id = ${key.id} and state = 'failed'`.execute(tx)
  await countPages(tx, key.client_id, [key.id])
}

async function countPages(tx: Tx, clientId: number, ids: readonly number[]): Promise<void> {
  await sql`update bill_scans set pages_read = counted.read, pages_failed = counted.failed, updated_at = clock_timestamp()
    from (select given.id, count(*) filter (where page.state = 'read') as read, count(*) filter (where page.state = 'failed') as failed
      from unnest(${ids}::bigint[]) as given(id) left join bill_scan_pages page on page.client_id = ${clientId} and page.scan_id = given.id
      group by given.id) counted
    where bill_scans.client_id = ${clientId} and bill_scans.id = counted.id`.execute(tx)
}

/** Gives a part the words of its pages, numbered as in its own file. Recognised pages are not recognised again. */
export async function handPagesDown(
  tx: Tx,
  { client_id, id }: ScanKey,
  parts: readonly { id: number; from: number; to: number }[],
): Promise<void> {
  await sql`with part as (select * from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as part(id bigint, "from" int, "to" int)),
    whole as (delete from bill_scan_pages where client_id = ${client_id} and scan_id = ${id} returning page, state, tries, content, error, read_at),
    own as (select part.id, whole.page - part."from" + 1 as page, whole.state, whole.tries,
        jsonb_set(whole.content, '{page}', to_jsonb(whole.page - part."from" + 1)) as content, whole.error, whole.read_at
      from part join whole on whole.page between part."from" and part."to")
    insert into bill_scan_pages (client_id, scan_id, page, state, tries, content, error, read_at)
    select ${client_id}, own.id, own.page, own.state, own.tries, own.content, own.error, own.read_at from own`.execute(tx)
  await countPages(
    tx,
    client_id,
    parts.map((part) => part.id),
  )
}
