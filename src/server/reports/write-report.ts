/** Makes the files of a report: a task that reads one state of the database under the rights that its maker has then. */
import { Readable } from 'node:stream'
import type { ReportExportType } from '#contract/reports/generated-report.ts'
import { formatDecimal } from '#contract/kernel/decimal.ts'
import { formatAmount } from '#contract/kernel/money.ts'
import { formatInstant, NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { asLiterals } from '../kernel/postgres/sql-literal.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { workbookBytes, workbookType } from '../kernel/files/workbook.ts'
import { keepTaskFile, taskFileKey, type TaskFile } from '../kernel/work/task-file.ts'
import { copyToStore } from '../kernel/work/copy-to-store.ts'
import { ownedFileName, startOwnedTask, stopOwnedTask, type TaskOwner } from '../kernel/work/owned-task.ts'
import { readSnapshot } from '../kernel/work/read-snapshot.ts'
import { defineTask, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { releaseFile } from '../uploads/uploads.ts'
import { askedReport, knownReports, tooNarrow, type KnownReport } from './asked-report.ts'
import { csvHeading, csvRow, csvStatement, rowsOfCsv, type DateStyle } from './report-csv.ts'
import { reportMakers } from './report-makers.ts'
import { drawReport } from './report-pdf.ts'
import { reportSums, type ReportSums } from './report-sums.ts'
import type { AskedReport, Cell, ReportHead, ReportRow, ReportTable } from './report-table.ts'
import { wordsOf } from './report-words.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

/** The task's kind on the live channel. */
const kind = 'generated_report'
const input = z.object({ generated_report_id: z.int(), name: z.string() })
/** Rows after which the work looks whether it was stopped. */
const rowsBetweenLooks = 500

defineTask({ kind, moves: null, title: (given) => `Report “${input.parse(given).name}”`, run: writeReport })

/** Starts to make the report's files, in the place of whatever is being made. */
export function startReport(context: Context, clientId: number, { id, name }: { id: number; name: string }): Promise<void> {
  return startOwnedTask(context, reportOf(clientId, id), { kind, input: { generated_report_id: id, name } })
}

/** Ends what is being made. */
export function stopReport({ tx }: Context, clientId: number, id: number): Promise<void> {
  return stopOwnedTask(tx, reportOf(clientId, id))
}

const reportOf = (clientId: number, id: number): TaskOwner => ({ table: 'generated_reports', clientId, id })

/** Everything that a report needs beside its rows. It is read before them. */
interface Prepared {
  readonly known: KnownReport
  readonly asked: AskedReport
  readonly table: ReportTable
  readonly head: ReportHead
  readonly dates: DateStyle
  readonly workbook: boolean
}

/** The rows once they are in the CSV, which the other files are made of: all of them say the same. */
interface Made extends Prepared {
  readonly csv: WrittenFile
  /** Null for rows that the database writes, which have no pages. */
  readonly totals: readonly Cell[] | null
  readonly remarks: readonly string[]
}

async function writeReport(run: TaskRun): Promise<TaskOutcome | null> {
  await writeFilesOf(run, input.parse(run.input).generated_report_id)
  return null
}

/** Work that belongs to the end of the report, in its transaction, given the number of its rows. It mails the person. */
export type AtTheEnd = (context: Context, rows: number) => Promise<void>

/** Makes the files of a report whose `task_id` names this task, and ends the task. */
export async function writeFilesOf(run: TaskRun, id: number, atTheEnd?: AtTheEnd): Promise<void> {
  const made = await readSnapshot(run.machinery, async (tx): Promise<Made> => {
    const prepared = await prepare(run, tx, id)
    const rows = await writeCsv(run, tx, prepared)
    return { ...prepared, ...rows, remarks: prepared.table.remarks() }
  })
  const written = await writeFiles(run, made)
  await run.step(async (context) => {
    await atTheEnd?.(context, written.file.rows)
    await finishReport(run, context, {
      id,
      title: made.known.name,
      ...written,
      control: made.table.control,
      mailed: atTheEnd !== undefined,
    })
  })
}

interface StoredReport {
  readonly report_id: number
  readonly name: string | null
  readonly on_client: boolean
  readonly division_id: number | null
  readonly last_bill_only: boolean
  readonly form_data: unknown
  readonly workbook: boolean
  readonly run_on: string | null
}

async function prepare(run: TaskRun, tx: Tx, id: number): Promise<Prepared> {
  const { clientId, principal } = run
  const { rows } = await sql<StoredReport>`select report_id, name, on_client, division_id, last_bill_only, form_data, workbook,
      (select run_on from report_deliveries delivery where delivery.client_id = ${clientId} and delivery.id = report_delivery_id) as run_on from generated_reports
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
  return { known, asked, table: await reportMakers[known.name](tx, asked), head, dates, workbook: stored.workbook }
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
      (select ${nameOfUser('users')} from users where id = ${principal.user_id}) as maker
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
  readonly workbook: WrittenFile | null
}

/** The PDF, or the only file; the CSV beside a PDF; the workbook where one is wanted. */
async function writeFiles(run: TaskRun, made: Made): Promise<WrittenFiles> {
  const type: ReportExportType = made.known.export_type
  const { csv } = made
  const pdf = type === 'csv' ? null : await writePdf(run, made)
  return { file: pdf ?? csv, extra: type === 'csv_and_pdf' ? csv : null, workbook: made.workbook ? await writeWorkbook(run, made) : null }
}

async function writeCsv(run: TaskRun, tx: Tx, { table, head, dates }: Prepared): Promise<Pick<Made, 'csv' | 'totals'>> {
  const key = taskFileKey('reports', run.id, 'csv')
  const named = { key, filename: `${fileName(head)}.csv`, contentType: 'text/csv' }
  if ('rows' in table) {
    const sums = reportSums(table.columns)
    const text = Readable.from(csvText(run, table.columns, counted(table.rows, sums), dates), { objectMode: false })
    const stored = await run.machinery.files.put(key, text, 'text/csv')
    return { csv: { ...named, ...stored, rows: sums.rows() }, totals: sums.totals() }
  }
  const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(tx)
  const csv = await copyToStore(run, {
    key,
    header: csvHeading(table.columns),
    statement: asLiterals(csvStatement(table.statement, table.columns, dates).compile(tx)),
    snapshot: rows[0]?.snapshot ?? '',
  })
  return { csv: { ...named, ...csv }, totals: null }
}

/** Adds rows up as they pass. */
async function* counted(rows: AsyncIterable<readonly ReportRow[]>, sums: ReportSums): AsyncGenerator<readonly ReportRow[]> {
  for await (const some of rows) {
    for (const row of some) sums.add(row)
    yield some
  }
}

async function* csvText(
  run: TaskRun,
  columns: ReportTable['columns'],
  rows: AsyncIterable<readonly ReportRow[]>,
  dates: DateStyle,
): AsyncGenerator<string> {
  yield csvHeading(columns)
  let done = 0
  for await (const some of rows) {
    run.signal.throwIfAborted()
    done += some.length
    run.progress(done)
    yield some.map((row) => csvRow(columns, row, dates)).join('')
  }
}

/** The rows again, out of the file that holds them. */
async function* rowsAgain(run: TaskRun, { csv, table, dates }: Made): AsyncGenerator<ReportRow> {
  yield* rowsOfCsv(await run.machinery.files.read(csv.key), table.columns, dates)
}

async function writePdf(run: TaskRun, made: Made): Promise<WrittenFile> {
  const { table, head, totals, remarks, csv } = made
  if (totals === null) throw new Error(`the report ${head.title} is too wide for pages`)
  const { columns, control } = table
  const pages = await drawReport(run, { columns, control, remarks, head, totals, rows: rowsAgain(run, made), rowCount: csv.rows })
  return storedAs(run, made, { ending: 'pdf', contentType: 'application/pdf', content: pages })
}

async function writeWorkbook(run: TaskRun, made: Made): Promise<WrittenFile> {
  const { table, head, remarks, dates } = made
  const { control } = table
  const about = [
    ['Report', head.title],
    ...(head.name === null ? [] : [['Name', head.name] as const]),
    ['Client', head.client],
    ...head.choices.map(({ label, text }) => [label, text] as const),
    ...remarks.map((remark) => ['Note', remark] as const),
    ...(control === null
      ? []
      : ([
          ['Bills', formatDecimal(String(control.bill_count), 0)],
          ['Amount due', formatAmount(control.amount_due)],
          ['Current charges', formatAmount(control.current_charges)],
        ] as const)),
    ['Made', `${formatInstant(head.madeAt)} by ${head.maker}`],
  ] as const
  const { date: day } = wallTimeIn(NEW_YORK, head.madeAt)
  const rows = watched(run, rowsAgain(run, made))
  const content = Readable.from(workbookBytes({ sheet: 'Report', columns: table.columns, rows, about, dates, day }), { objectMode: false })
  return storedAs(run, made, { ending: 'xlsx', contentType: workbookType, content })
}

/** Rows until the work is stopped. */
async function* watched(run: TaskRun, rows: AsyncIterable<ReportRow>): AsyncGenerator<ReportRow> {
  let done = 0
  for await (const row of rows) {
    if (done % rowsBetweenLooks === 0) {
      run.signal.throwIfAborted()
      run.progress(done)
    }
    done += 1
    yield row
  }
}

interface Storable {
  readonly ending: 'pdf' | 'xlsx'
  readonly contentType: string
  readonly content: Readable
}

async function storedAs(run: TaskRun, { head, csv }: Made, { ending, contentType, content }: Storable): Promise<WrittenFile> {
  const key = taskFileKey('reports', run.id, ending)
  const stored = await run.machinery.files.put(key, content, contentType)
  return { key, filename: `${fileName(head)}.${ending}`, contentType, ...stored, rows: csv.rows }
}

function fileName({ title, name, madeAt }: ReportHead): string {
  return ownedFileName(name ?? title, title, madeAt)
}

/** The ids of a generated report's files. */
export interface ReportFiles {
  readonly file_id: number | null
  readonly extra_file_id: number | null
  readonly workbook_file_id: number | null
}

export function filesOf({ file_id, extra_file_id, workbook_file_id }: ReportFiles): number[] {
  return [file_id, extra_file_id, workbook_file_id].flatMap((id) => id ?? [])
}

interface Ending extends WrittenFiles {
  /** The person has a mail about it. */
  readonly mailed: boolean
  readonly id: number
  readonly title: string
  readonly control: ReportTable['control']
}

/** The files, the report that holds them, the end of the task and the message about it, in one transaction. */
async function finishReport(run: TaskRun, context: Context, { id, title, file, extra, workbook, control, mailed }: Ending): Promise<void> {
  const { tx } = context
  const { rows } = await sql<
    ReportFiles & { name: string | null }
  >`select name, file_id, extra_file_id, workbook_file_id from generated_reports
    where client_id = ${run.clientId} and id = ${id} and task_id = ${run.id} for update`.execute(tx)
  const [report] = rows
  if (!report) throw refused('The report was changed or deleted meanwhile.')
  const kept = {
    file_id: await keepTaskFile(tx, run, file),
    extra_file_id: extra === null ? null : await keepTaskFile(tx, run, extra),
    workbook_file_id: workbook === null ? null : await keepTaskFile(tx, run, workbook),
  }
  await sql`update generated_reports set file_id = ${kept.file_id}, extra_file_id = ${kept.extra_file_id}, workbook_file_id = ${kept.workbook_file_id}
    where client_id = ${run.clientId} and id = ${id}`.execute(tx)
  for (const old of filesOf(report)) if (!filesOf(kept).includes(old)) await releaseFile(context, old)
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
      mailed,
      payload: {
        generated_report_id: id,
        file_url: `${url}/file`,
        extra_file_url: extra === null ? null : `${url}/extra_file`,
        workbook_url: workbook === null ? null : `${url}/workbook`,
      },
    },
  })
}
