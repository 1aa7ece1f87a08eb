/**
 * Writes the upload file of a batch: a task that streams its ledger lines into the store, reads the file back, and keeps it as a version with
 * its hash, its rows and its sums. Versions stay downloadable.
 */
import { Readable } from 'node:stream'
import { centsOf, wireOf, type Cents } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { uploadHeading, uploadRow, type UploadLine } from '#contract/accounting-batches/upload-file.ts'
import { parse } from 'csv-parse'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole, reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { keepTaskFile, taskFileKey } from '../kernel/work/task-file.ts'
import { codingFaults } from './coding-faults.ts'
import { frozenLines } from './frozen-lines.ts'
import type { LedgerBatch } from './ledger-line.ts'
import { ledgerAccountsOf, ledgerLines } from './ledger-lines.ts'
import { uploadLines } from './upload-lines.ts'

/** The live channel's own word for it. */
export const uploadTaskKind = 'accounting_batch_upload_file'
const input = z.object({ accounting_batch_id: z.int(), batch_code: z.string() })

defineTask({ kind: uploadTaskKind, moves: null, title: (given) => `Upload file of ${input.parse(given).batch_code}`, run: writeUploadFile })

/** Starts to write a new version; a file that is being written already is answered instead. */
export async function startUploadFile(context: Context, batch: LedgerBatch & { readonly batch_code: string }): Promise<{ id: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${uploadTaskKind} ${batch.id}`}, ${batch.client_id}))`.execute(context.tx)
  const { rows } = await sql<{ id: number }>`select id from tasks where client_id = ${batch.client_id} and kind = ${uploadTaskKind}
    and state in ('waiting', 'running') and (input ->> 'accounting_batch_id')::bigint = ${batch.id} limit 1`.execute(context.tx)
  const [running] = rows
  if (running) return running
  return startTask(context, {
    kind: uploadTaskKind,
    clientId: batch.client_id,
    input: { accounting_batch_id: batch.id, batch_code: batch.batch_code },
  })
}

interface Written {
  readonly rows: number
  readonly debits: Cents
  readonly credits: Cents
}

interface StoredBatch extends LedgerBatch {
  readonly batch_code: string
  readonly batch_date: string | null
  readonly closed: boolean
}

async function writeUploadFile(run: TaskRun): Promise<TaskOutcome | null> {
  const { accounting_batch_id: id } = input.parse(run.input)
  const reach = reachOf(run.principal, 'accounting_batch.read')
  if (!reachesWhole(reach, run.clientId)) throw forbidden('You may not read client batches of this client any more.')
  const key = taskFileKey('accounting_batches', run.id)
  // One transaction reads all lines, so that the file is one state of the batch.
  await run.step(async (context) => {
    const batch = await lockBatch(context.tx, run.clientId, id)
    const tally = { rows: 0, debits: 0, credits: 0 }
    const stored = await run.machinery.files.put(
      key,
      Readable.from(fileText(run, context.tx, batch, tally), { objectMode: false }),
      'text/csv',
    )
    const read = await readBack(await run.machinery.files.read(key))
    if (read.rows !== tally.rows || read.debits !== tally.debits || read.credits !== tally.credits)
      throw new Error(`the upload file of client batch ${id} does not read back as it was written`)
    if (read.debits !== read.credits) throw new Error(`the upload file of client batch ${id} is out of balance`)
    await finishUploadFile(run, context, batch, { key, ...stored, ...read })
  }, reach)
  return null
}

async function lockBatch(tx: Tx, clientId: number, id: number): Promise<StoredBatch> {
  const { rows } = await sql<StoredBatch>`select id, client_id, batch_code, batch_date, closed from accounting_batches
    where client_id = ${clientId} and id = ${id} for update`.execute(tx)
  const [batch] = rows
  if (!batch) throw refused('The client batch was deleted meanwhile.')
  return { ...batch, batch_date: batch.batch_date === null ? null : todayIn(NEW_YORK, batch.batch_date) }
}

/** The file as text, some lines at a time. Throws where charges have no ledger account: such a file would be refused by the ledger. */
async function* fileText(
  run: TaskRun,
  tx: Tx,
  batch: StoredBatch,
  tally: { rows: number; debits: Cents; credits: Cents },
): AsyncGenerator<string> {
  const { rows: fields } = await sql<{
    name: string
  }>`select name from ledger_fields where client_id = ${batch.client_id} order by "order", id`.execute(tx)
  const names = fields.map((field) => field.name)
  const accounts = await ledgerAccountsOf(tx, batch.client_id)
  yield uploadHeading(names)
  for await (const lines of batch.closed ? frozenLines(tx, batch) : ledgerLines(tx, batch)) {
    run.signal.throwIfAborted()
    const [fault] = batch.closed ? [] : codingFaults(lines, accounts)
    if (fault) throw refused(`The upload file cannot be written. ${fault.message}`)
    const rows = await uploadLines(tx, batch, lines, tally.rows)
    for (const row of rows) count(tally, row)
    run.progress(tally.rows)
    yield rows.map((row) => uploadRow(row, names)).join('')
  }
}

function count(tally: { rows: number; debits: Cents; credits: Cents }, { amount }: UploadLine): void {
  tally.rows += 1
  if (amount > 0) tally.debits += amount
  else tally.credits -= amount
}

/** Rows and sums as another program would read them from the written file. */
async function readBack(file: Readable): Promise<Written> {
  const cell = z.object({ Debit: z.string(), Credit: z.string() })
  const sums = { rows: 0, debits: 0, credits: 0 }
  for await (const record of file.pipe(parse({ columns: true }))) {
    const { Debit, Credit } = cell.parse(record)
    sums.rows += 1
    if (Debit !== '') sums.debits += centsOf(Debit)
    if (Credit !== '') sums.credits += centsOf(Credit)
  }
  return sums
}

interface Stored extends Written {
  readonly key: string
  readonly bytes: number
  readonly sha256: Buffer
}

/** The file, its version, the end of the task and the message about it, in one transaction. */
async function finishUploadFile(run: TaskRun, context: Context, batch: StoredBatch, stored: Stored): Promise<void> {
  const { tx } = context
  const { rows: versions } = await sql<{ version: number }>`select coalesce(max(version), 0) + 1 as version from accounting_batch_files
    where client_id = ${batch.client_id} and accounting_batch_id = ${batch.id} and kind = 'upload'`.execute(tx)
  const version = versions[0]?.version ?? 1
  const filename = `${batch.batch_code.replaceAll(/[^\w.-]+/g, '_')}_upload_v${version}.csv`
  const fileId = await keepTaskFile(tx, run, { ...stored, filename, contentType: 'text/csv' })
  await sql`insert into accounting_batch_files (client_id, accounting_batch_id, kind, version, file_id, sha256, total, row_count, created_by, created_at)
    values (${batch.client_id}, ${batch.id}, 'upload', ${version}, ${fileId}, ${stored.sha256}, ${wireOf(stored.debits)}, ${stored.rows}, ${run.principal.user_id}, ${now()})`.execute(
    tx,
  )
  await sql`update accounting_batches set upload_file_id = ${fileId} where client_id = ${batch.client_id} and id = ${batch.id}`.execute(tx)
  await context.audit.updated('accounting_batch', batch.id, batch.client_id, {
    upload_file_version: { from: version - 1 || null, to: version },
  })
  await run.finish(tx, {
    fileId,
    rowsDone: stored.rows,
    result: { rows: stored.rows, debits: wireOf(stored.debits), version, filename },
    message: {
      type: uploadTaskKind,
      notification_type: 'success',
      message: `Upload file of ${batch.batch_code} is ready`,
      description: [`${filename}, ${stored.rows} ${stored.rows === 1 ? 'line' : 'lines'}, debits and credits ${wireOf(stored.debits)}`],
      link: `/api/v5/clients/${batch.client_id}/accounting_batches/${batch.id}/upload_file`,
      payload: { accounting_batch_id: batch.id, version, filename },
    },
  })
}
