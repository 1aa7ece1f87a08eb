/**
 * Whose document is read next. Clients take turns, so that no client's documents, however many and however slow, keep those of another
 * waiting: the client comes first of whom fewest are being read, then the one whose last turn is longest ago.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Tx } from '../kernel/database.ts'
import type { Lane } from './reader.ts'

/** A document with no more pages than this is recognised before longer ones of its client. */
const SHORT_PAGES = 3
/** Clients that are asked for a document, since another node may be taking the first one's. */
const CLIENTS_ASKED = 10

/** A document that a run has taken. */
export interface Claimed {
  readonly client_id: number
  readonly id: number
  /** Names this run: a later one has another number. */
  readonly tries: number
  readonly filename: string
  readonly file_id: number
  readonly key: string
  readonly cut_from: number | null
  readonly cut_to: number | null
  readonly pages: number | null
  readonly pages_settled: number
  /** Processor time that its reading took so far. */
  readonly reading_ms: number
  readonly set_back: number
}

export async function claimNext(db: Tx, lane: Lane): Promise<Claimed | undefined> {
  const { rows: clients } = await sql<{ client_id: number }>`
    select waiting.client_id from (select distinct client_id from bill_scans where state = 'waiting' and lane = ${lane}) waiting
    order by (select count(*) from bill_scans busy where busy.client_id = waiting.client_id and busy.state = 'reading' and busy.lane = ${lane}),
      (select max(claimed_at) from bill_scans before where before.client_id = waiting.client_id) nulls first, waiting.client_id
    limit ${CLIENTS_ASKED}`.execute(db)
  for (const { client_id } of clients) {
    const scan = await claimOf(db, lane, client_id)
    if (scan) return scan
  }
  return undefined
}

/** Takes a document of the client: a short one first, then the one whose last turn is longest ago. */
async function claimOf(db: Tx, lane: Lane, clientId: number): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update bill_scans set state = 'reading', tries = tries + 1, heartbeat_at = clock_timestamp(), claimed_at = clock_timestamp(), error = null,
      updated_at = now()
    from files where files.id = bill_scans.file_id and bill_scans.client_id = ${clientId} and bill_scans.id = (
      select id from bill_scans next where next.client_id = ${clientId} and next.state = 'waiting' and next.lane = ${lane}
      order by coalesce(next.pages, 0) - next.pages_read - next.pages_failed <= ${SHORT_PAGES} desc, next.updated_at, next.id
      limit 1 for update skip locked)
    returning bill_scans.client_id, bill_scans.id, bill_scans.tries, bill_scans.filename, bill_scans.file_id, files.key, bill_scans.cut_from,
      bill_scans.cut_to, bill_scans.pages, bill_scans.pages_read + bill_scans.pages_failed as pages_settled, bill_scans.reading_ms,
      bill_scans.set_back`.execute(db)
  return rows[0]
}

/** Whether a document of another client waits for this reader. */
export async function doOthersWait(db: Tx, lane: Lane, clientId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 as one from bill_scans where state = 'waiting' and lane = ${lane} and client_id <> ${clientId} limit 1`.execute(db)
  return rows.length > 0
}

/** The document as far as this run has it. */
export function isOurs({ client_id, id, tries }: Claimed): RawBuilder<SqlBool> {
  return sql<SqlBool>`bill_scans.client_id = ${client_id} and bill_scans.id = ${id} and bill_scans.state = 'reading' and bill_scans.tries = ${tries}`
}
