/**
 * PDFs of statements, each stored once. An import of thousands creates its bills first, and this job adds their files afterwards: drawing
 * or fetching a PDF takes longer than creating the bill. A PDF that a user opens earlier is fetched at once.
 */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import { isNoRoom } from '../kernel/files/no-room.ts'
import { refused, noSuch } from '../kernel/problem.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { providerOf } from './choose-provider.ts'
import { isDelayFault, pdfOf, ProviderError, type StatementPdf } from './provider.ts'
import { drawStatement } from './statement-pdf.ts'
import { storedStatement } from './read-statement.ts'

const PAGE = 50
const AT_ONCE = 4
/** Retries if the service was unavailable or the store was full, each after twice the delay of the one before. */
const TRIES_MAX = 5
const RETRY_AFTER_SECONDS = 600
/** These draw their PDFs from the statement's own data, which is stored: what they no longer have can be drawn again. */
const drawing = new Set(['sandbox', 'folder'])

export interface StoredPdf {
  readonly key: string
  readonly filename: string
}

export const pdfJob: JobDefinition = { name: 'retrieval_pdfs', run: fetchPdfs, retryLimit: 3, expireSeconds: 3_600 }

/** Returns the statement's stored PDF, and fetches it first if necessary. Throws not-found, and a refusal with the service's message. */
export async function ensurePdf(machinery: Machinery, clientId: number, id: number): Promise<StoredPdf> {
  const { db } = machinery.jobsDatabase
  const row = await readRow(db, clientId, id)
  if (!row) throw noSuch('Statement')
  if (row.key !== null && row.filename !== null) return { key: row.key, filename: row.filename }
  const pdf = await obtain(machinery, clientId, row)
  const key = `statements/${clientId}/${id}.pdf`
  const { bytes } = await machinery.files.put(key, pdf.bytes, 'application/pdf')
  await db.transaction().execute((tx) => keepPdf(tx, clientId, id, { key, bytes, pdf }))
  return { key, filename: pdf.filename }
}

interface Row {
  readonly id: number
  readonly provider: string
  readonly statement_id: string
  readonly raw: unknown
  readonly key: string | null
  readonly filename: string | null
}

async function readRow(tx: Tx, clientId: number, id: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select stored.id, stored.provider, stored.statement_id, stored.raw, files.key, files.filename
    from retrieval_statements stored left join files on files.id = stored.pdf_file_id where stored.client_id = ${clientId} and stored.id = ${id}`.execute(
    tx,
  )
  return rows[0]
}

async function obtain(machinery: Machinery, clientId: number, row: Row): Promise<StatementPdf> {
  const { provider, clientCode } = await providerOf(machinery, machinery.jobsDatabase.db, clientId)
  try {
    if (provider.id === row.provider) return await provider.getPdf(row.statement_id, clientCode)
  } catch (error) {
    if (!(error instanceof ProviderError && error.fault === 'not_found' && drawing.has(row.provider))) throw error
  }
  if (!drawing.has(row.provider)) throw refused(`The statement came from the service ${row.provider}, which is not set up any more.`)
  const statement = storedStatement(row.raw)
  return pdfOf(await drawStatement(statement), statement, clientCode)
}

async function keepPdf(
  tx: Tx,
  clientId: number,
  id: number,
  { key, bytes, pdf }: { key: string; bytes: number; pdf: StatementPdf },
): Promise<void> {
  const sha256 = Buffer.from(pdf.sha256, 'hex')
  const { rows } = await sql<{ id: number }>`insert into files (key, filename, content_type, byte_size, sha256, state, attached_at)
    values (${key}, ${pdf.filename}, 'application/pdf', ${bytes}, ${sha256}, 'attached', now())
    on conflict (key) do update set filename = excluded.filename, byte_size = excluded.byte_size, sha256 = excluded.sha256 returning id`.execute(
    tx,
  )
  await sql`update retrieval_statements set pdf_file_id = ${rows[0]?.id ?? 0}, pdf_sha256 = ${sha256} where client_id = ${clientId} and id = ${id}`.execute(
    tx,
  )
  await showPdfs(tx, clientId, [id])
}

/** Adds the stored PDFs to the files of these statements' bills, if they have room for one and do not have it already. */
export async function showPdfs(tx: Tx, clientId: number, ids: readonly number[]): Promise<void> {
  await sql`insert into bill_files (client_id, bill_id, position, file_id, filename)
    select stored.client_id, stored.bill_id, (select min(place) from generate_series(1, 2) as place where place not in (
        select position from bill_files taken where taken.client_id = stored.client_id and taken.bill_id = stored.bill_id)), files.id, files.filename
    from retrieval_statements stored join files on files.id = stored.pdf_file_id
    where stored.client_id = ${clientId} and stored.id = any(${ids}::bigint[]) and stored.state = 'created' and stored.bill_id is not null
      and (select count(*) from bill_files taken where taken.client_id = stored.client_id and taken.bill_id = stored.bill_id) < 2
      and not exists (select 1 from bill_files shown where shown.client_id = stored.client_id and shown.bill_id = stored.bill_id and shown.file_id = files.id)
    on conflict do nothing`.execute(tx)
}

async function fetchPdfs({ data, machinery, signal }: JobRun): Promise<void> {
  const clientId = Number(data['client_id'])
  const provider = String(data['provider'])
  const tries = Number(data['tries'])
  let delayed = 0
  for (let after = 0; ;) {
    const ids = await waitingFor(machinery.jobsDatabase.db, clientId, provider, after)
    const waiting = [...ids]
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift())
        if (!(await fetched(machinery, clientId, id))) delayed += 1
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    signal.throwIfAborted()
    after = ids.at(-1) ?? after
    if (ids.length < PAGE) break
  }
  await touchClient(machinery, clientId)
  if (delayed === 0 || tries >= TRIES_MAX) return
  const afterSeconds = RETRY_AFTER_SECONDS * 2 ** tries
  await machinery.jobsDatabase.db
    .transaction()
    .execute((tx) => machinery.jobs.send(tx, pdfJob.name, { client_id: clientId, provider, tries: tries + 1 }, { afterSeconds }))
}

async function waitingFor(tx: Tx, clientId: number, provider: string, after: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from retrieval_statements where client_id = ${clientId} and provider = ${provider} and state = 'created' and pdf_file_id is null
    and id > ${after} order by id limit ${PAGE}`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Returns false if a later try may succeed: the service is unavailable, or there is no space. A permanent failure is logged, and fetched
 * again when a user opens it.
 */
async function fetched(machinery: Machinery, clientId: number, id: number): Promise<boolean> {
  try {
    await ensurePdf(machinery, clientId, id)
    return true
  } catch (error) {
    if (!(error instanceof ProviderError || isNoRoom(error))) throw error
    machinery.log.warn('no PDF of a statement', { client_id: clientId, id, error })
    return error instanceof ProviderError && !isDelayFault(error)
  }
}

/** Lists of bills show their files. */
async function touchClient(machinery: Machinery, clientId: number): Promise<void> {
  await sql`insert into data_versions (client_id, version) values (${clientId}, 1) on conflict (client_id) do update set version = data_versions.version + 1`.execute(
    machinery.jobsDatabase.db,
  )
}
