/** The text of a batch's upload file, row by row. */
import { uploadWriter, widthFaultText } from '#contract/accounting-batches/upload-writer.ts'
import type { UploadRow, UploadWriter } from '#contract/accounting-batches/iif-writer.ts'
import type { WidthFault } from '#contract/accounting-batches/upload-cells.ts'
import type { UploadField, UploadLine } from '#contract/accounting-batches/upload-file.ts'
import type { Cents } from '#contract/kernel/money.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { refused } from '../kernel/problem.ts'
import { readAhead } from '../kernel/work/read-ahead.ts'
import type { TaskRun } from '../kernel/work/task.ts'
import { codingFaults } from './coding-faults.ts'
import type { NamedLayout } from './export-profiles.ts'
import type { LedgerLine } from './ledger-line.ts'
import { ledgerAccountsOf } from './ledger-lines.ts'
import { linesOf, uploadLinesOf, type UploadBatch } from './upload-lines.ts'

/** Most overlong values that a message names; all are counted. */
const FAULTS_NAMED_MAX = 10
/** Portions read ahead. A portion takes three statements: with fewer, the database waits while lines are formatted. */
const PORTIONS_AHEAD = 3

/** Counts of what has been written so far. */
export interface Tally {
  rows: number
  debits: Cents
  credits: Cents
  /** Cents of all lines but the payable ones, and of the reversing lines among them. */
  booked: Cents
  reversals: Cents
  /** Cents of each bill without its payable. */
  readonly bills: Map<number, Cents>
}

interface FileSource {
  readonly run: TaskRun
  readonly tx: Tx
  readonly batch: UploadBatch
  readonly profile: NamedLayout
  readonly fields: readonly UploadField[]
}

/** Checks all values before anything is written. Throws 409 that names each overlong value by row and column. */
export async function refuseTooLong(source: FileSource): Promise<void> {
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
export async function* fileText(source: FileSource, writer: UploadWriter, tally: Tally): AsyncGenerator<string> {
  yield writer.heading.map((cells) => writer.text(cells)).join('')
  for await (const rows of rowsOf(source, writer, (lines) => countLines(tally, lines))) {
    for (const row of rows) count(tally, row)
    source.run.progress(tally.rows)
    yield rows.map((row) => writer.text(row.cells)).join('')
  }
}

interface CheckedLines {
  readonly lines: readonly LedgerLine[]
  /** The same lines with what the file says beside them. */
  readonly toUpload: readonly UploadLine[]
}

/** Yields the lines of the batch in portions. Throws if charges have no ledger account, because the ledger would refuse such a file. */
async function* checkedLines({ run, tx, batch }: FileSource): AsyncGenerator<CheckedLines> {
  const accounts = await ledgerAccountsOf(tx, batch.client_id)
  const toUpload = uploadLinesOf(tx, batch)
  for await (const lines of linesOf(tx, batch)) {
    run.signal.throwIfAborted()
    const [fault] = batch.closed ? [] : codingFaults(lines, accounts)
    if (fault) throw refused(`The upload file cannot be written. ${fault.message}`)
    yield { lines, toUpload: await toUpload(lines) }
  }
}

/** Yields the rows of the file. */
async function* rowsOf(
  source: FileSource,
  writer: UploadWriter,
  seen: (lines: readonly LedgerLine[]) => void = () => undefined,
): AsyncGenerator<readonly UploadRow[]> {
  for await (const { lines, toUpload } of readAhead(checkedLines(source), PORTIONS_AHEAD)) {
    seen(lines)
    yield writer.take(toUpload)
  }
  yield writer.end()
}

function count(tally: Tally, { amount }: UploadRow): void {
  if (amount === null) return
  tally.rows += 1
  if (amount > 0) tally.debits += amount
  else tally.credits -= amount
}

function countLines(tally: Tally, lines: readonly LedgerLine[]): void {
  for (const line of lines) {
    if (line.kind === 'payable') continue
    tally.booked += line.amount
    if (line.reverses_id !== null) tally.reversals += line.amount
    tally.bills.set(line.bill_id, (tally.bills.get(line.bill_id) ?? 0) + line.amount)
  }
}
