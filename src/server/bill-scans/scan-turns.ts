/**
 * Chooses the next document to read. Clients take turns, so that documents of one client, however many and slow, do not keep those of
 * another waiting: the client with the fewest documents being read comes first, then the one whose last turn is longest ago. The column
 * claimed_at holds the beginning of a document's turn, and its end once the turn is over. Without the end, a client whose slow document has
 * just yielded would come before the client that it yielded to.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Lane } from './reader-desks.ts'

/** A document with no more pages than this is recognised before longer ones of its client. The index bill_scans_next matches it. */
const SHORT_PAGES = 3
/** Clients that are tried for a document, since another node may be taking the first one's. */
const CLIENTS_ASKED = 10

/** A document that a run has claimed. */
export interface Claimed {
  readonly client_id: number
  readonly id: number
  /** Identifies this run: a later one has another number. */
  readonly tries: number
  readonly filename: string
  readonly file_id: number
  readonly key: string
  readonly cut_from: number | null
  readonly cut_to: number | null
  readonly pages: number | null
  readonly pages_settled: number
  /** CPU time that its reading has taken so far. */
  readonly reading_ms: number
  readonly set_back: number
}

/**
 * Claims the next document. Each lookup for a client is one step into an index, however many documents are waiting and whatever the planner
 * estimates: a lookup without a limit sometimes reads all of them.
 * @param isKept restricts the choice to clients without a document being read in this lane.
 */
export async function claimNext(db: Tx, lane: Lane, isKept: boolean): Promise<Claimed | undefined> {
  const { rows: clients } = await sql<{ client_id: number }>`
    select clients.id as client_id from clients
    where (select true from bill_scans waiting where waiting.client_id = clients.id and waiting.state = 'waiting' and waiting.lane = ${lane} limit 1)
      and (not ${isKept}::boolean or not ${isRead(lane)})
    order by (select count(*) from bill_scans busy where busy.client_id = clients.id and busy.state = 'reading' and busy.lane = ${lane}),
      (select max(claimed_at) from bill_scans before where before.client_id = clients.id) nulls first, clients.id
    limit ${CLIENTS_ASKED}`.execute(db)
  for (const { client_id } of clients) {
    const scan = await claimOf(db, lane, client_id)
    if (scan) return scan
  }
  return undefined
}

/** Claims a document of the client: a short one first, then the one whose last turn is longest ago. */
async function claimOf(db: Tx, lane: Lane, clientId: number): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update bill_scans set state = 'reading', tries = tries + 1, heartbeat_at = clock_timestamp(), claimed_at = clock_timestamp(), error = null,
      updated_at = now()
    from files where files.id = bill_scans.file_id and bill_scans.client_id = ${clientId} and bill_scans.id = (
      select id from bill_scans next where next.client_id = ${clientId} and next.state = 'waiting' and next.lane = ${lane}
      order by coalesce(next.pages, 0) - next.pages_read - next.pages_failed > ${sql.lit(SHORT_PAGES)}, next.updated_at, next.id
      limit 1 for update skip locked)
    returning bill_scans.client_id, bill_scans.id, bill_scans.tries, bill_scans.filename, bill_scans.file_id, files.key, bill_scans.cut_from,
      bill_scans.cut_to, bill_scans.pages, bill_scans.pages_read + bill_scans.pages_failed as pages_settled, bill_scans.reading_ms,
      bill_scans.set_back`.execute(db)
  return rows[0]
}

/** Returns true if a client without a document being read waits for this reader. */
export async function doOthersWait(db: Tx, lane: Lane): Promise<boolean> {
  const { rows } = await sql`select 1 as one from clients
    where (select true from bill_scans waiting where waiting.client_id = clients.id and waiting.state = 'waiting' and waiting.lane = ${lane} limit 1)
      and not ${isRead(lane)} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the condition that this run still owns the document. */
export function isOurs({ client_id, id, tries }: Claimed): RawBuilder<SqlBool> {
  return sql<SqlBool>`bill_scans.client_id = ${client_id} and bill_scans.id = ${id} and bill_scans.state = 'reading' and bill_scans.tries = ${tries}`
}

/** Returns the condition that a document of the client is being read in this lane, over rows of `clients`. */
function isRead(lane: Lane): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from bill_scans busy where busy.client_id = clients.id and busy.state = 'reading' and busy.lane = ${lane})`
}
