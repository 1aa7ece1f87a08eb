/**
 * Writes the upload file of a batch by an export profile. A task streams the ledger lines of one state of the database into the store, reads the
 * file back, and stores it as a version with its hash, rows, totals and differences from the previous version. Versions stay downloadable.
 */
import { nameOf } from '#contract/accounting-batches/name-pattern.ts'
import { uploadWriter } from '#contract/accounting-batches/upload-writer.ts'
import type { LayoutKind } from '#contract/accounting-batches/upload-layout.ts'
import { genericName } from '#contract/accounting-batches/ready-layouts.ts'
import { centsOf, wireOf } from '#contract/kernel/money.ts'
import { formatInstant, NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { refused } from '../kernel/problem.ts'
import { readSnapshot } from '../kernel/work/read-snapshot.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { taskFileKey } from '../kernel/work/task-file.ts'
import { batchState, lockBatch, stateText, type BatchState, noMoreBatches, batchIsGone } from './batch-snapshot.ts'
import { namedLayout, type NamedLayout } from './export-profiles.ts'
import { fileWord, keepVersion } from './keep-version.ts'
import type { LedgerBatch } from './ledger-line.ts'
import { putAndRead } from './put-and-read.ts'
import { ledgerFieldsOf, type UploadBatch } from './upload-lines.ts'
import { noteChanges } from './version-changes.ts'
import { refuseTooLong, type Tally, fileText } from './upload-text.ts'

/** The task's kind on the live channel. */
export const uploadTaskKind = 'accounting_batch_upload_file'

const input = z.object({ accounting_batch_id: z.int(), batch_code: z.string(), export_profile_id: z.int().nullable().default(null) })

defineTask({ kind: uploadTaskKind, moves: null, title: (given) => `Upload file of ${input.parse(given).batch_code}`, run: writeUploadFile })

interface Writing {
  readonly id: number
  readonly user_id: number
  readonly by: string | null
  readonly created_at: string
  readonly profile_id: number | null
}

/**
 * Starts writing a new version. A person who asks again for the same profile gets the task that is under way. Throws 409 while another profile
 * or another person's file is written: its maker alone hears of that one.
 */
export async function startUploadFile(
  context: Context,
  batch: LedgerBatch & { readonly batch_code: string },
  profileId: number | null,
): Promise<{ id: number }> {
  const { tx, principal } = context
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${uploadTaskKind} ${batch.id}`}, ${batch.client_id}))`.execute(tx)
  const profile = await namedLayout(tx, batch.client_id, profileId)
  const { rows } = await sql<Writing>`select tasks.id, tasks.user_id, ${nameOfUser('writer')} as by, tasks.created_at,
      (tasks.input ->> 'export_profile_id')::bigint as profile_id
    from tasks left join users writer on writer.id = tasks.user_id where tasks.client_id = ${batch.client_id} and tasks.kind = ${uploadTaskKind}
      and tasks.state in ('waiting', 'running') and (tasks.input ->> 'accounting_batch_id')::bigint = ${batch.id} limit 1`.execute(tx)
  const [writing] = rows
  if (writing?.user_id === principal.user_id && writing.profile_id === profile.id) return { id: writing.id }
  if (writing) throw refused(await writingText(tx, batch, writing))
  return startTask(context, {
    kind: uploadTaskKind,
    clientId: batch.client_id,
    input: { accounting_batch_id: batch.id, batch_code: batch.batch_code, export_profile_id: profile.id },
  })
}

async function writingText(tx: Tx, batch: LedgerBatch & { readonly batch_code: string }, writing: Writing): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from export_profiles where client_id = ${batch.client_id}
    and id = ${writing.profile_id}::bigint`.execute(tx)
  const profile = writing.profile_id === null ? genericName : (rows[0]?.name ?? 'a deleted profile')
  const since = formatInstant(writing.created_at)
  return `${writing.by ?? 'Somebody'} has been writing the upload file of ${batch.batch_code} by the export profile ${profile} since ${since}. Start yours when it is ready.`
}

/** Times that a file is written again because its batch was closed or opened meanwhile. */
const ATTEMPTS_MAX = 3

async function writeUploadFile(run: TaskRun): Promise<TaskOutcome | null> {
  const { accounting_batch_id: id, export_profile_id: profileId } = input.parse(run.input)
  const reach = reachOf(run.principal, 'accounting_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw noMoreBatches()
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const written = await readSnapshot(run.machinery, (tx) => writeState(run, tx, { id, profileId }))
    if (await run.step((context) => finishUploadFile(run, context, written), reach)) return null
  }
  throw refused('The client batch was closed or opened while its file was written. Start the upload file again.')
}

/** Writes the file from one state of the database, and reads it back. */
async function writeState(run: TaskRun, tx: Tx, asked: { readonly id: number; readonly profileId: number | null }): Promise<WrittenFile> {
  const batch = await readBatch(tx, run.clientId, asked.id)
  const profile = await namedLayout(tx, run.clientId, asked.profileId)
  const fields = await ledgerFieldsOf(tx, run.clientId)
  const source = { run, tx, batch, profile, fields }
  await refuseTooLong(source)
  const tally: Tally = { rows: 0, debits: 0, credits: 0, booked: 0, reversals: 0, bills: new Map() }
  const writer = uploadWriter(profile.layout, fields)
  const key = taskFileKey('accounting_batches', run.id)
  const { stored, read } = await putAndRead(run.machinery.files, key, {
    text: fileText(source, writer, tally),
    contentType: contentTypeOf(profile),
    layout: profile.layout,
    fields,
  })
  if (read.rows !== tally.rows || read.debits !== tally.debits || read.credits !== tally.credits)
    throw new Error(`the upload file of client batch ${batch.id} does not read back as it was written`)
  if (read.debits - read.credits + writer.leftOut() !== 0) throw new Error(`the upload file of client batch ${batch.id} is out of balance`)
  if (tally.booked - tally.reversals !== centsOf(batch.state.bills_total))
    throw new Error(`the upload file of client batch ${batch.id} does not book the total of its bills`)
  return { batch, profile, tally, stored: { key, ...stored } }
}

interface WrittenBatch extends UploadBatch {
  readonly closed_at: string | null
  readonly state: BatchState
}

async function readBatch(tx: Tx, clientId: number, id: number): Promise<WrittenBatch> {
  const state = await batchState(tx, { client_id: clientId, id })
  const { rows } = await sql<
    Omit<WrittenBatch, 'state'>
  >`select id, client_id, batch_code, batch_date, closed, closed_at from accounting_batches
    where client_id = ${clientId} and id = ${id}`.execute(tx)
  const [batch] = rows
  if (!batch) throw refused(batchIsGone)
  return { ...batch, batch_date: batch.batch_date === null ? null : todayIn(NEW_YORK, batch.batch_date), state }
}

const endings: Readonly<Record<LayoutKind, string>> = { delimited: 'csv', fixed_width: 'txt', iif: 'iif' }

function contentTypeOf({ layout }: NamedLayout): string {
  return layout.kind === 'delimited' && layout.delimiter === ',' ? 'text/csv' : 'text/plain'
}

interface WrittenFile {
  readonly batch: WrittenBatch
  readonly profile: NamedLayout
  readonly tally: Tally
  readonly stored: { readonly key: string; readonly bytes: number; readonly sha256: Buffer }
}

/**
 * Stores the file, its version, the end of the task and its notification, in one transaction. Returns false, and stores nothing, if the batch was
 * closed or opened since it was read: a version made after a close must be that of the frozen lines.
 */
async function finishUploadFile(run: TaskRun, context: Context, { batch, profile, tally, stored }: WrittenFile): Promise<boolean> {
  const { tx } = context
  const found = await lockBatch(tx, batch)
  if (found.closed !== batch.closed || found.closed_at !== batch.closed_at) return false
  const parts = { batch_code: batch.batch_code, client: await clientCode(tx, batch.client_id), date: batch.batch_date ?? today() }
  const made = await keepVersion(run, context, batch, {
    ...stored,
    kind: 'upload',
    contentType: contentTypeOf(profile),
    filename: (version) => `${fileWord(nameOf(profile.layout.file_name, { ...parts, version }))}.${endings[profile.layout.kind]}`,
    total: wireOf(tally.debits),
    rows: tally.rows,
    state: batch.state,
  })
  await noteChanges(tx, { batch, fileId: made.id, profile, bills: tally.bills })
  await sql`update accounting_batches set upload_file_id = ${made.fileId} where client_id = ${batch.client_id} and id = ${batch.id}`.execute(
    tx,
  )
  await run.finish(tx, {
    fileId: made.fileId,
    rowsDone: tally.rows,
    result: { rows: tally.rows, debits: wireOf(tally.debits), ...batch.state, version: made.version, filename: made.filename },
    message: {
      type: uploadTaskKind,
      notification_type: 'success',
      message: `Upload file of ${batch.batch_code} is ready`,
      description: [`${made.filename}, ${tally.rows} ${tally.rows === 1 ? 'line' : 'lines'}, ${sumsText(tally)}`, stateText(batch.state)],
      link: `/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/upload_file`,
      payload: { accounting_batch_id: batch.id, version: made.version, filename: made.filename },
    },
  })
  return true
}

function sumsText({ debits, credits }: Tally): string {
  return debits === credits ? `debits and credits ${wireOf(debits)}` : `debits ${wireOf(debits)}, credits ${wireOf(credits)}`
}

async function clientCode(tx: Tx, clientId: number): Promise<string> {
  const { rows } = await sql<{ short_code: string }>`select short_code from clients where id = ${clientId}`.execute(tx)
  return rows[0]?.short_code ?? ''
}
