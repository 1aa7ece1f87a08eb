/** Writes the file of a bundle: a ZIP of the bills' copies and a list of the bills, as a stream into the store. */
import { Readable } from 'node:stream'
import { bundleFilters } from '#contract/bill-documents/bill-document.ts'
import { withoutFormula } from '#contract/kernel/import.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now, today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { zipBytes, type ZipEntry } from '../kernel/files/zip-stream.ts'
import { reachOf } from '../kernel/principal.ts'
import { Failure, forbidden, refused } from '../kernel/problem.ts'
import { ownedFileName, startOwnedTask, stopOwnedTask, type TaskOwner } from '../kernel/work/owned-task.ts'
import { defineTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { keepTaskFile, taskFileKey } from '../kernel/work/task-file.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { bundledBills, type BundledBill } from './bundle-bills.ts'
import { copyNames } from './file-names.ts'

const bundleIsGone = 'The bundle was changed or deleted meanwhile.'

/** The task's kind on the live channel. */
const kind = 'bill_documents'
const input = z.object({ bill_document_id: z.int(), name: z.string() })

defineTask({ kind, moves: null, title: (given) => `Bill documents “${input.parse(given).name}”`, run: writeBundle })

/** Starts to write the bundle's file, in the place of whatever is being written. */
export function startBundle(context: Context, clientId: number, { id, name }: { id: number; name: string }): Promise<void> {
  return startOwnedTask(context, bundleOf(clientId, id), { kind, input: { bill_document_id: id, name } })
}

/** Ends what is being written. */
export function stopBundle({ tx }: Context, clientId: number, id: number): Promise<void> {
  return stopOwnedTask(tx, bundleOf(clientId, id))
}

const bundleOf = (clientId: number, id: number): TaskOwner => ({ table: 'bill_documents', clientId, id })

interface Bundle {
  readonly name: string
  readonly division_id: number | null
  readonly form_data: unknown
}

async function writeBundle(run: TaskRun): Promise<TaskOutcome | null> {
  const { bill_document_id: id } = input.parse(run.input)
  const { clientId } = run
  const reach = reachOf(run.principal, 'bill.read')
  if (reach.length === 0) throw forbidden('You may not read these bills any more.')
  const bills = await run.step(async ({ tx }) => {
    const { rows } = await sql<Bundle>`select name, division_id, form_data from bill_documents
      where client_id = ${clientId} and id = ${id} and task_id = ${run.id}`.execute(tx)
    const [bundle] = rows
    if (!bundle) throw refused(bundleIsGone)
    return bundledBills(tx, { clientId, filters: bundleFilters.parse(bundle.form_data), divisionId: bundle.division_id, reach })
  })
  const copies = bills.reduce((sum, { files }) => sum + files.length, 0)
  run.progress(0, copies)
  const tally: Tally = { written: 0, gone: 0, withoutCopy: 0 }
  const key = taskFileKey('bill_documents', run.id, 'zip')
  const stored = await run.machinery.files.put(
    key,
    Readable.from(zipBytes(entriesOf(run, bills, tally)), { objectMode: false }),
    'application/zip',
  )
  await run.step((context) => finishBundle(run, context, { id, key, stored, tally }))
  return null
}

interface Tally {
  written: number
  gone: number
  withoutCopy: number
}

/** Opens each copy when its turn comes. A copy missing from the store is noted in the list and does not stop the others. */
async function* entriesOf(run: TaskRun, bills: readonly BundledBill[], tally: Tally): AsyncGenerator<ZipEntry> {
  const nameOf = copyNames()
  const lines: string[] = [listHead]
  for (const bill of bills) {
    if (bill.files.length === 0) tally.withoutCopy += 1
    const names: string[] = []
    for (const file of bill.files) {
      run.signal.throwIfAborted()
      const content = await opened(run, file.key)
      if (content) {
        const name = nameOf({ ...bill, filename: file.filename })
        names.push(name)
        yield { name, date: bill.date, content }
        tally.written += 1
      } else tally.gone += 1
      run.progress(tally.written + tally.gone)
    }
    lines.push(lineOf(bill, names))
  }
  yield { name: 'bills.csv', date: today(), content: Buffer.from(lines.join(''), 'utf8') }
}

async function opened(run: TaskRun, key: string): Promise<Readable | null> {
  try {
    return await run.machinery.files.read(key)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

const listHead = 'Files,Division,Facility,Vendor,Account Number,Account,Bill Date,Due Date,Invoice Number,Amount Due\r\n'

function lineOf(bill: BundledBill, names: readonly string[]): string {
  const { division_name, facility_name, vendor_name, account_number, account_name, date, due_date, invoice_number, amount_due } = bill
  const files = names.length === 0 ? 'no file copy' : names.join('; ')
  const texts = [files, division_name, facility_name, vendor_name, account_number, account_name].map(textCell)
  return `${[...texts, date, due_date, textCell(invoice_number), amount_due].join(',')}\r\n`
}

/** A text that a spreadsheet would run as a formula gets a leading quote, as in every export. */
function textCell(text: string | null): string {
  const safe = withoutFormula(text ?? '')
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface Ending {
  readonly id: number
  readonly key: string
  readonly stored: { readonly bytes: number; readonly sha256: Buffer }
  readonly tally: Tally
}

/** Stores the file, the bundle that holds it, the end of the task and its notification, in one transaction. */
async function finishBundle(run: TaskRun, context: Context, { id, key, stored, tally }: Ending): Promise<void> {
  const { tx } = context
  const { rows } = await sql<{ name: string; file_id: number | null }>`select name, file_id from bill_documents
    where client_id = ${run.clientId} and id = ${id} and task_id = ${run.id} for update`.execute(tx)
  const [bundle] = rows
  if (!bundle) throw refused(bundleIsGone)
  const filename = `${ownedFileName(bundle.name, 'bill documents', now())}.zip`
  const fileId = await keepTaskFile(tx, run, { key, filename, contentType: 'application/zip', ...stored })
  await sql`update bill_documents set file_id = ${fileId} where client_id = ${run.clientId} and id = ${id}`.execute(tx)
  if (bundle.file_id !== null && bundle.file_id !== fileId) await releaseFile(context, bundle.file_id)
  context.touch(run.clientId)
  await run.finish(tx, {
    rowsDone: tally.written + tally.gone,
    result: { ...tally, bytes: stored.bytes, filename },
    message: {
      type: kind,
      notification_type: 'success',
      message: `${bundle.name} is ready`,
      description: [wordsOf(tally)],
      link: `/api/v5/clients/${run.clientId}/bill_documents/${id}/file`,
      payload: { bill_document_id: id },
    },
  })
}

function wordsOf({ written, gone, withoutCopy }: Tally): string {
  const counted = (count: number, one: string, many: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
  return [
    counted(written, 'file', 'files'),
    ...(withoutCopy > 0 ? [`${counted(withoutCopy, 'bill has', 'bills have')} no file copy`] : []),
    ...(gone > 0 ? [`${counted(gone, 'file is', 'files are')} lost`] : []),
  ].join(', ')
}
