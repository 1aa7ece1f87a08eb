/** Result of an import, read from the statements and the bills themselves, so that it is right after any number of starts. */
import { stringify } from 'csv-stringify/sync'
import { reportedRecordsMax, type ImportResult } from '#contract/bill-retrieval/bill-retrieval.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Reach } from '../kernel/principal.ts'
import type { TaskOutcome, TaskRun } from '../kernel/work/task.ts'
import { keepTaskFile, taskFileKey } from '../kernel/work/task-file.ts'
import { providerOf } from './choose-provider.ts'
import { pdfJob } from './statement-pdfs.ts'

interface Row {
  readonly id: number
  readonly bill_id: number | null
  readonly statement_id: string
  readonly file_id: string
  readonly provider_name: string
  readonly account_number: string
  readonly bill_date: string | null
  readonly amount_due: string | null
  readonly state: string
  readonly reason: string | null
  readonly is_own: boolean
  readonly is_draft: boolean
}

/** Ends the task: its counts, the file of statements without a bill, the message, and the job that fetches the PDFs. */
export async function reportImport(run: TaskRun, reach: Reach, ids: readonly number[]): Promise<null> {
  const rows = await run.step(({ tx }) => readRows(tx, run, ids), reach)
  const result = await run.step(({ tx }) => resultOf(tx, run, ids, rows), reach)
  const refused = rows.filter((row) => row.state !== 'created')
  const file = refused.length === 0 ? null : await writeRefused(run, refused)
  await run.step(async (context) => {
    const { tx, machinery } = context
    const fileId =
      file === null ? null : await keepTaskFile(tx, run, { ...file, filename: `not_created_${run.id}.csv`, contentType: 'text/csv' })
    const { provider } = await providerOf(machinery, tx, run.clientId)
    if (result.created > 0) await machinery.jobs.send(tx, pdfJob.name, { client_id: run.clientId, provider: provider.id, tries: 0 })
    context.touch(run.clientId)
    await run.finish(tx, { ...outcomeOf(result), ...(fileId === null ? {} : { fileId }) })
  }, reach)
  return null
}

async function readRows(tx: Tx, run: TaskRun, ids: readonly number[]): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select stored.id, stored.bill_id, stored.statement_id, stored.file_id, stored.provider_name, stored.account_number, stored.statement_date as bill_date, stored.amount::text as amount_due,
      stored.state, stored.reason, coalesce(bills.import_task_id = ${run.id}, false) as is_own, coalesce(cardinality(bills.missing_fields) > 0, false) as is_draft
    from retrieval_statements stored left join bills on bills.client_id = stored.client_id and bills.id = stored.bill_id and stored.state = 'created'
    where stored.client_id = ${run.clientId} and stored.id = any(${ids}::bigint[]) order by stored.provider_name, stored.account_number, stored.statement_date, stored.id`.execute(
      tx,
    )
  return rows
}

async function resultOf(tx: Tx, run: TaskRun, ids: readonly number[], rows: readonly Row[]): Promise<ImportResult> {
  const { rows: made } = await sql<{ accounts: number; services: number }>`with task as (select created_at from tasks where id = ${run.id}),
      account as (select distinct billable_account_id as id from retrieval_statements where client_id = ${run.clientId} and id = any(${ids}::bigint[]))
    select (select count(*) from billable_accounts one, task where one.client_id = ${run.clientId} and one.id in (select id from account) and one.created_at >= task.created_at) as accounts,
      (select count(*) from services one, task where one.client_id = ${run.clientId} and one.billable_account_id in (select id from account) and one.created_at >= task.created_at) as services`.execute(
    tx,
  )
  const created = rows.filter((row) => row.state === 'created' && row.is_own)
  const refused = rows.filter((row) => row.state !== 'created')
  return {
    read: ids.length,
    created: created.length,
    duplicate: refused.filter((row) => row.state === 'duplicate').length,
    refused: refused.filter((row) => row.state !== 'duplicate').length,
    before: rows.filter((row) => row.state === 'created' && !row.is_own).length,
    drafts: created.filter((row) => row.is_draft).length,
    new_accounts: made[0]?.accounts ?? 0,
    new_services: made[0]?.services ?? 0,
    reasons: countsOf(refused.map(reasonOf)),
    records: refused.slice(0, reportedRecordsMax).map((row) => ({
      statement_id: row.statement_id,
      file_id: row.file_id,
      account_number: row.account_number,
      bill_date: row.bill_date,
      state: row.state,
      reason: reasonOf(row),
      id: row.id,
      bill_id: row.bill_id,
    })),
  }
}

function reasonOf(row: Row): string {
  return row.reason ?? 'Not created'
}

/** Counts equal reasons, without the ids in them, so that similar ones are grouped. */
function countsOf(reasons: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(reasons, (reason) => reason.replaceAll(/\b\d+\b/g, '…').slice(0, 120))
  return Object.fromEntries(
    [...groups]
      .map(([reason, same]): [string, number] => [reason, same.length])
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 50),
  )
}

interface WrittenFile {
  readonly key: string
  readonly bytes: number
  readonly sha256: Buffer
}

async function writeRefused(run: TaskRun, refused: readonly Row[]): Promise<WrittenFile> {
  const key = taskFileKey('retrieval-imports', run.id)
  const lines = refused.map((row) => [
    row.statement_id,
    row.provider_name,
    row.account_number,
    row.bill_date,
    row.amount_due,
    row.state,
    reasonOf(row),
  ])
  const text = stringify([['Statement', 'Utility', 'Account Number', 'Bill Date', 'Amount Due', 'State', 'Reason'], ...lines], {
    escape_formulas: true,
  })
  return { key, ...(await run.machinery.files.put(key, Buffer.from(text), 'text/csv')) }
}

function outcomeOf(result: ImportResult): TaskOutcome {
  const { created, duplicate, refused, before, drafts, new_accounts: accounts } = result
  const parts = [
    counted(created, 'bill created', 'bills created'),
    ...(drafts > 0 ? [counted(drafts, 'of them a draft', 'of them drafts')] : []),
    ...(accounts > 0 ? [counted(accounts, 'account made', 'accounts made')] : []),
    ...(before > 0 ? [counted(before, 'was there before', 'were there before')] : []),
    ...(duplicate > 0 ? [counted(duplicate, 'duplicate', 'duplicates')] : []),
    ...(refused > 0 ? [`${refused.toLocaleString('en-US')} not created, each with its reason`] : []),
  ]
  const isGood = created > 0 || (refused === 0 && duplicate === 0)
  return {
    result: { ...result },
    rowsDone: result.read,
    message: {
      type: 'retrieval_import',
      notification_type: !isGood ? 'warning' : 'success',
      message: isGood ? 'Import successful!' : 'No bill was created',
      description: [...(isGood ? ['The import has been made successfully.'] : []), parts.join(', ')],
      payload: { created, duplicate, refused, before },
    },
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
