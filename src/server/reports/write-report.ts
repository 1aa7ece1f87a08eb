/** Makes the files of a report: a task that reads one state of the database under the rights that its maker has then. */
import { Readable, Transform } from 'node:stream'
import type { ReportExportType } from '#contract/reports/generated-report.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { asLiterals } from '../kernel/postgres/sql-literal.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { keepTaskFile, taskFileKey, type TaskFile } from '../kernel/work/task-file.ts'
import { defineTask, startTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { askedReport, knownReports, tooNarrow, type KnownReport } from './asked-report.ts'
import { csvHeading, csvRow, csvStatement, type DateStyle } from './report-csv.ts'
import { reportMakers } from './report-makers.ts'
import { drawReport } from './report-pdf.ts'
import { reportSums } from './report-sums.ts'
import type { AskedReport, ReportHead, ReportRow, ReportTable } from './report-table.ts'
import { wordsOf } from './report-words.ts'

/** The live channel's own word for it. */
const kind = 'generated_report'
const input = z.object({ generated_report_id: z.int(), name: z.string() })
/** Rows that go into the file at once. */
const rowsAtOnce = 500

defineTask({ kind, moves: null, title: (given) => `Report “${input.parse(given).name}”`, run: writeReport })

/** Starts to make the report's files, in the place of whatever is being made. */
export async function startReport(context: Context, clientId: number, report: { id: number; name: string }): Promise<void> {
  await stopReport(context, clientId, report.id)
  const task = await startTask(context, { kind, clientId, input: { generated_report_id: report.id, name: report.name } })
  await sql`update generated_reports set task_id = ${task.id} where client_id = ${clientId} and id = ${report.id}`.execute(context.tx)
}

/** Ends what is being made: its job sees that the task is over and stops. */
export async function stopReport({ tx }: Context, clientId: number, id: number): Promise<void> {
  await sql`update tasks set state = 'cancelled', finished_at = clock_timestamp(), heartbeat_at = null
    where state in ('waiting', 'running') and id = (select task_id from generated_reports where client_id = ${clientId} and id = ${id})`.execute(
    tx,
  )
}

/** What a report is made from, read before its rows are. */
interface Prepared {
  readonly known: KnownReport
  readonly asked: AskedReport
  readonly table: ReportTable
  readonly head: ReportHead
  readonly dates: DateStyle
}

async function writeReport(run: TaskRun): Promise<TaskOutcome | null> {
  const { generated_report_id: id } = input.parse(run.input)
  const prepared = await run.machinery.jobsDatabase.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => prepare(run, tx, id))
  const { table, known } = prepared
  const written = await writeFiles(run, prepared)
  await run.step((context) => finishReport(run, context, { id, title: known.name, ...written, control: table.control }))
  return null
}

interface StoredReport {
  readonly report_id: number
  readonly name: string | null
  readonly on_client: boolean
  readonly division_id: number | null
  readonly last_bill_only: boolean
  readonly form_data: unknown
}

async function prepare(run: TaskRun, tx: Tx, id: number): Promise<Prepared> {
  const { clientId, principal } = run
  const { rows } = await sql<StoredReport>`select report_id, name, on_client, division_id, last_bill_only, form_data from generated_reports
    where client_id = ${clientId} and id = ${id} and task_id = ${run.id}`.execute(tx)
  const [stored] = rows
  if (!stored) throw refused('The report was changed or deleted meanwhile.')
  const known = (await knownReports(tx)).find((one) => one.id === stored.report_id)
  if (!known) throw refused('This version of the program does not make this report.')
  const refusal = tooNarrow(principal, clientId, known)
  if (refusal) throw forbidden(refusal)
  const assignable_type = stored.on_client ? 'Client' : stored.division_id === null ? 'User' : 'Division'
  const asked = askedReport(principal, clientId, known, { ...stored, assignable_type })
  const { dates, ...names } = await headOf(tx, run)
  const head = { title: known.name, name: stored.name, choices: await wordsOf(tx, asked), madeAt: now(), ...names }
  return { known, asked, table: await reportMakers[known.name](tx, asked), head, dates }
}

async function headOf(
  tx: Tx,
  { clientId, principal }: TaskRun,
): Promise<Pick<ReportHead, 'client' | 'maker' | 'logo'> & { dates: DateStyle }> {
  const { rows } = await sql<{
    client: string
    dates: DateStyle
    maker: string | null
    key: string | null
    type: string | null
  }>`select client.name as client, client.export_date_format as dates, logo.key, logo.content_type as type,
      (select coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email) from users where id = ${principal.user_id}) as maker
    from clients client left join channel_partners partner on partner.id = client.channel_partner_id
    left join files logo on logo.id = coalesce(partner.logo_file_id, client.logo_file_id) where client.id = ${clientId}`.execute(tx)
  const [row] = rows
  if (!row) throw refused('The client is gone.')
  const { client, dates, maker, key, type } = row
  return { client, dates, maker: maker ?? principal.email, logo: key !== null && type !== null ? { key, type } : null }
}

interface WrittenFile extends TaskFile {
  readonly rows: number
}

interface WrittenFiles {
  readonly file: WrittenFile
  readonly extra: WrittenFile | null
}

/** The PDF, or the only file, and the CSV beside it. */
async function writeFiles(run: TaskRun, prepared: Prepared): Promise<WrittenFiles> {
  const type: ReportExportType = prepared.known.export_type
  const csv = type === 'pdf' ? null : await writeCsv(run, prepared)
  const pdf = type === 'csv' ? null : await writePdf(run, prepared)
  const file = pdf ?? csv
  if (!file) throw new Error(`the report ${prepared.known.name} has no file`)
  return { file, extra: pdf && csv }
}

async function writeCsv(run: TaskRun, { table, head, dates }: Prepared): Promise<WrittenFile> {
  const key = taskFileKey('reports', run.id, 'csv')
  const named = { key, filename: `${fileName(head)}.csv`, contentType: 'text/csv' }
  if ('rows' in table) {
    const text = Readable.from(csvText(run, table.columns, table.rows, dates), { objectMode: false })
    return { ...named, ...(await run.machinery.files.put(key, text, 'text/csv')), rows: table.rows.length }
  }
  const { jobsDatabase, files } = run.machinery
  const statement = asLiterals(csvStatement(table.statement, table.columns, dates).compile(jobsDatabase.db))
  const client = await jobsDatabase.pool.connect()
  let whole = false
  try {
    const { through, rows } = countingRows(run)
    const copy = client.query(copyTo(`copy (${statement}) to stdout with (format csv)`))
    copy.once('error', (error) => through.destroy(error))
    const stop = (): void => void through.destroy(new Error('the report was stopped'))
    run.signal.addEventListener('abort', stop, { once: true })
    if (run.signal.aborted) stop()
    through.write(csvHeading(table.columns).replace(/\r\n$/, '\n'))
    const stored = await files.put(key, copy.pipe(through), 'text/csv')
    whole = true
    return { ...named, ...stored, rows: rows() }
  } finally {
    // A connection in the middle of a COPY is of no more use.
    client.release(!whole)
  }
}

function* csvText(run: TaskRun, columns: ReportTable['columns'], rows: readonly ReportRow[], dates: DateStyle): Generator<string> {
  yield csvHeading(columns)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    run.signal.throwIfAborted()
    run.progress(from, rows.length)
    yield rows
      .slice(from, from + rowsAtOnce)
      .map((row) => csvRow(columns, row, dates))
      .join('')
  }
}

const QUOTE = 0x22
const NEWLINE = 0x0a

/** Counts line ends outside quotes; the heading's is not a row. */
function countingRows(run: TaskRun): { through: Transform; rows: () => number } {
  let lines = 0
  let quoted = false
  const rows = (): number => Math.max(0, lines - 1)
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const byte of chunk) {
        if (byte === QUOTE) quoted = !quoted
        else if (byte === NEWLINE && !quoted) lines += 1
      }
      run.progress(rows())
      done(null, chunk)
    },
  })
  return { through, rows }
}

async function writePdf(run: TaskRun, { table, head }: Prepared): Promise<WrittenFile> {
  if (!('rows' in table)) throw new Error(`the report ${head.title} is too wide for pages`)
  const key = taskFileKey('reports', run.id, 'pdf')
  const sums = reportSums(table.columns)
  for (const row of table.rows) sums.add(row)
  const pages = await drawReport(run, { ...table, head, totals: sums.totals() })
  const stored = await run.machinery.files.put(key, pages, 'application/pdf')
  return { key, filename: `${fileName(head)}.pdf`, contentType: 'application/pdf', ...stored, rows: table.rows.length }
}

function fileName({ title, name, madeAt }: ReportHead): string {
  const { date } = wallTimeIn(NEW_YORK, madeAt)
  const plain = (name ?? title).replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ').trim()
  return `${plain === '' ? title : plain} ${date}`
}

interface Ending extends WrittenFiles {
  readonly id: number
  readonly title: string
  readonly control: ReportTable['control']
}

/** The files, the report that holds them, the end of the task and the message about it, in one transaction. */
async function finishReport(run: TaskRun, context: Context, { id, title, file, extra, control }: Ending): Promise<void> {
  const { tx } = context
  const { rows } = await sql<{ name: string | null; file_id: number | null; extra_file_id: number | null }>`
    select name, file_id, extra_file_id from generated_reports where client_id = ${run.clientId} and id = ${id} and task_id = ${run.id} for update`.execute(
    tx,
  )
  const [report] = rows
  if (!report) throw refused('The report was changed or deleted meanwhile.')
  const fileId = await keepTaskFile(tx, run, file)
  const extraId = extra === null ? null : await keepTaskFile(tx, run, extra)
  await sql`update generated_reports set file_id = ${fileId}, extra_file_id = ${extraId} where client_id = ${run.clientId} and id = ${id}`.execute(
    tx,
  )
  for (const old of [report.file_id, report.extra_file_id])
    if (old !== null && old !== fileId && old !== extraId) await releaseFile(context, old)
  context.touch(run.clientId)
  const counted = `${file.rows.toLocaleString('en-US')} ${file.rows === 1 ? 'row' : 'rows'}`
  const url = `/api/v5/clients/${run.clientId}/generated_reports/${id}`
  await run.finish(tx, {
    rowsDone: file.rows,
    result: { rows: file.rows, bytes: file.bytes, filename: file.filename, control },
    message: {
      type: kind,
      notification_type: 'success',
      message: `${report.name ?? title} is ready`,
      description: [`${file.filename}, ${counted}`],
      link: `${url}/file`,
      payload: { generated_report_id: id, file_url: `${url}/file`, extra_file_url: extra === null ? null : `${url}/extra_file` },
    },
  })
}
