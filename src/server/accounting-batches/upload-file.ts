/**
 * Writes the upload file of a batch by an export profile. A task streams the ledger lines into the store, reads the file back, and stores it as
 * a version with its hash, rows, totals and differences from the previous version. Versions stay downloadable.
 */
import { Readable } from 'node:stream'
import { nameOf } from '#contract/accounting-batches/name-pattern.ts'
import {
  uploadWriter,
  widthFaultText,
  type UploadRow,
  type UploadWriter,
  type WidthFault,
} from '#contract/accounting-batches/upload-writer.ts'
import type { LayoutKind } from '#contract/accounting-batches/upload-layout.ts'
import { wireOf, type Cents } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { taskFileKey } from '../kernel/work/task-file.ts'
import { codingFaults } from './coding-faults.ts'
import { namedLayout, type NamedLayout } from './export-profiles.ts'
import { fileWord, keepVersion } from './keep-version.ts'
import type { LedgerBatch, LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf } from './ledger-lines.ts'
import { readUpload } from './read-upload.ts'
import { ledgerFieldNames, linesOf, uploadLinesOf, type UploadBatch } from './upload-lines.ts'
import { noteChanges } from './version-changes.ts'

/** The task's kind on the live channel. */
export const uploadTaskKind = 'accounting_batch_upload_file'
/** Most overlong values that a message names; all are counted. */
const FAULTS_NAMED_MAX = 10
const input = z.object({ accounting_batch_id: z.int(), batch_code: z.string(), export_profile_id: z.int().nullable().default(null) })

defineTask({ kind: uploadTaskKind, moves: null, title: (given) => `Upload file of ${input.parse(given).batch_code}`, run: writeUploadFile })

/** Starts writing a new version. If a file is already being written, returns that task. */
export async function startUploadFile(
  context: Context,
  batch: LedgerBatch & { readonly batch_code: string },
  profileId: number | null,
): Promise<{ id: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${uploadTaskKind} ${batch.id}`}, ${batch.client_id}))`.execute(context.tx)
  const { rows } = await sql<{ id: number }>`select id from tasks where client_id = ${batch.client_id} and kind = ${uploadTaskKind}
    and state in ('waiting', 'running') and (input ->> 'accounting_batch_id')::bigint = ${batch.id} limit 1`.execute(context.tx)
  const [running] = rows
  if (running) return running
  return startTask(context, {
    kind: uploadTaskKind,
    clientId: batch.client_id,
    input: { accounting_batch_id: batch.id, batch_code: batch.batch_code, export_profile_id: profileId },
  })
}

/** Counts of what has been written so far. */
interface Tally {
  rows: number
  debits: Cents
  credits: Cents
  /** Cents of each bill without its payable. */
  readonly bills: Map<number, Cents>
}

async function writeUploadFile(run: TaskRun): Promise<TaskOutcome | null> {
  const { accounting_batch_id: id, export_profile_id: profileId } = input.parse(run.input)
  const reach = reachOf(run.principal, 'accounting_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw forbidden('You may not read client batches of this client any more.')
  // One transaction reads all lines, so that the file is one state of the batch.
  await run.step(async (context) => {
    const { tx } = context
    const batch = await lockBatch(tx, run.clientId, id)
    const profile = await namedLayout(tx, run.clientId, profileId)
    const fields = await ledgerFieldNames(tx, run.clientId)
    const source = { run, tx, batch, profile, fields }
    await refuseTooLong(source)
    const tally: Tally = { rows: 0, debits: 0, credits: 0, bills: new Map() }
    const writer = uploadWriter(profile.layout, fields)
    const key = taskFileKey('accounting_batches', run.id)
    const stored = await run.machinery.files.put(
      key,
      Readable.from(fileText(source, writer, tally), { objectMode: false }),
      contentTypeOf(profile),
    )
    const read = await readUpload(await run.machinery.files.read(key), profile.layout, fields)
    if (read.rows !== tally.rows || read.debits !== tally.debits || read.credits !== tally.credits)
      throw new Error(`the upload file of client batch ${id} does not read back as it was written`)
    if (read.debits - read.credits + writer.leftOut() !== 0) throw new Error(`the upload file of client batch ${id} is out of balance`)
    await finishUploadFile(run, context, { batch, profile, tally, stored: { key, ...stored } })
  }, reach)
  return null
}

async function lockBatch(tx: Tx, clientId: number, id: number): Promise<UploadBatch> {
  const { rows } = await sql<UploadBatch>`select id, client_id, batch_code, batch_date, closed from accounting_batches
    where client_id = ${clientId} and id = ${id} for update`.execute(tx)
  const [batch] = rows
  if (!batch) throw refused('The client batch was deleted meanwhile.')
  return { ...batch, batch_date: batch.batch_date === null ? null : todayIn(NEW_YORK, batch.batch_date) }
}

interface FileSource {
  readonly run: TaskRun
  readonly tx: Tx
  readonly batch: UploadBatch
  readonly profile: NamedLayout
  readonly fields: readonly string[]
}

/** Checks all values before anything is written. Throws 409 that names each overlong value by row and column. */
async function refuseTooLong(source: FileSource): Promise<void> {
  const { layout, name } = source.profile
  if (!layout.columns.some(({ width }) => width !== null)) return
  const faults: WidthFault[] = []
  let count = 0
  for await (const rows of rowsOf(source, uploadWriter(layout, source.fields)))
    for (const row of rows) {
      count += row.faults.length
      faults.push(...row.faults.slice(0, Math.max(0, FAULTS_NAMED_MAX - faults.length)))
    }
  if (count === 0) return
  const more = count > faults.length ? `; and ${(count - faults.length).toLocaleString('en-US')} more` : ''
  throw refused(
    `Nothing was written: ${count === 1 ? 'a value does' : `${count.toLocaleString('en-US')} values do`} not fit the export profile ${name}. ${faults.map(widthFaultText).join('; ')}${more}.`,
  )
}

/** Yields the file's text in portions. */
async function* fileText(source: FileSource, writer: UploadWriter, tally: Tally): AsyncGenerator<string> {
  yield writer.heading.map((cells) => writer.text(cells)).join('')
  for await (const rows of rowsOf(source, writer, (lines) => countBills(tally, lines))) {
    for (const row of rows) count(tally, row)
    source.run.progress(tally.rows)
    yield rows.map((row) => writer.text(row.cells)).join('')
  }
}

/** Yields the rows of the file. Throws if charges have no ledger account, because the ledger would refuse such a file. */
async function* rowsOf(
  { run, tx, batch }: FileSource,
  writer: UploadWriter,
  seen: (lines: readonly LedgerLine[]) => void = () => undefined,
): AsyncGenerator<readonly UploadRow[]> {
  const accounts = await ledgerAccountsOf(tx, batch.client_id)
  const toUpload = uploadLinesOf(tx, batch)
  for await (const lines of linesOf(tx, batch)) {
    run.signal.throwIfAborted()
    const [fault] = batch.closed ? [] : codingFaults(lines, accounts)
    if (fault) throw refused(`The upload file cannot be written. ${fault.message}`)
    seen(lines)
    yield writer.take(await toUpload(lines))
  }
  yield writer.end()
}

function count(tally: Tally, { amount }: UploadRow): void {
  if (amount === null) return
  tally.rows += 1
  if (amount > 0) tally.debits += amount
  else tally.credits -= amount
}

function countBills({ bills }: Tally, lines: readonly LedgerLine[]): void {
  for (const line of lines) if (line.kind !== 'payable') bills.set(line.bill_id, (bills.get(line.bill_id) ?? 0) + line.amount)
}

const endings: Readonly<Record<LayoutKind, string>> = { delimited: 'csv', fixed_width: 'txt', iif: 'iif' }

function contentTypeOf({ layout }: NamedLayout): string {
  return layout.kind === 'delimited' && layout.delimiter === ',' ? 'text/csv' : 'text/plain'
}

interface WrittenFile {
  readonly batch: UploadBatch
  readonly profile: NamedLayout
  readonly tally: Tally
  readonly stored: { readonly key: string; readonly bytes: number; readonly sha256: Buffer }
}

/** Stores the file, its version, the end of the task and its notification, in one transaction. */
async function finishUploadFile(run: TaskRun, context: Context, { batch, profile, tally, stored }: WrittenFile): Promise<void> {
  const { tx } = context
  const parts = { batch_code: batch.batch_code, client: await clientCode(tx, batch.client_id), date: batch.batch_date ?? today() }
  const made = await keepVersion(run, context, batch, {
    ...stored,
    kind: 'upload',
    contentType: contentTypeOf(profile),
    filename: (version) => `${fileWord(nameOf(profile.layout.file_name, { ...parts, version }))}.${endings[profile.layout.kind]}`,
    total: wireOf(tally.debits),
    rows: tally.rows,
  })
  await noteChanges(tx, { batch, fileId: made.id, profile, bills: tally.bills })
  await sql`update accounting_batches set upload_file_id = ${made.fileId} where client_id = ${batch.client_id} and id = ${batch.id}`.execute(
    tx,
  )
  const sums =
    tally.debits === tally.credits
      ? `debits and credits ${wireOf(tally.debits)}`
      : `debits ${wireOf(tally.debits)}, credits ${wireOf(tally.credits)}`
  await run.finish(tx, {
    fileId: made.fileId,
    rowsDone: tally.rows,
    result: { rows: tally.rows, debits: wireOf(tally.debits), version: made.version, filename: made.filename },
    message: {
      type: uploadTaskKind,
      notification_type: 'success',
      message: `Upload file of ${batch.batch_code} is ready`,
      description: [`${made.filename}, ${tally.rows} ${tally.rows === 1 ? 'line' : 'lines'}, ${sums}`],
      link: `/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/upload_file`,
      payload: { accounting_batch_id: batch.id, version: made.version, filename: made.filename },
    },
  })
}

async function clientCode(tx: Tx, clientId: number): Promise<string> {
  const { rows } = await sql<{ short_code: string }>`select short_code from clients where id = ${clientId}`.execute(tx)
  return rows[0]?.short_code ?? ''
}
