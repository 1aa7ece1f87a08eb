/** Imports of CSV files: upload, report, commit, undo. The rules of each kind are in its slice. */
import { importKinds, importStartedMessage, type ImportKindName } from '#contract/imports/import.ts'
import { importCalls, importFileCalls } from '#contract/imports/import-calls.ts'
import type { ImportKind } from '#contract/kernel/import.ts'
import { importExample, importTemplate } from '#contract/kernel/import-guide.ts'
import type { FormFile } from '#contract/uploads/upload.ts'
import { sql } from 'kysely'
import { mustBeProven } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { answered, handle, type Asking, type Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden, refused, tooMuch, noSuch } from '../kernel/problem.ts'
import { startTask } from '../kernel/work/task.ts'
import { importTask } from './import-messages.ts'
import { labelsOf, readImport, type ImportRecord } from './import-record.ts'
import { kindOf } from './kind-of.ts'
import { listImports, summaryOf } from './read-imports.ts'
import { readRows } from './read-rows.ts'
import { receivingImport, takeReceived } from './receive-file.ts'
import { refusedFile } from './refused-file.ts'
import { importUndoTask } from './run-import.ts'
import type { ImportTaskInput } from './plan-and-store.ts'
import { sweepImports } from './sweep-imports.ts'
import { targetOf } from './targets.ts'

/** Waiting and running imports allowed per user. */
const openPerUserMax = 10

export const importHandlers: readonly Handler[] = [
  ...fileHandlers(),
  handle(importCalls.template, async (context, { params, query, http }) =>
    sendCsv(http, `${params.file}.csv`, importTemplate(await kindFor(context, params.file, query.client_id))),
  ),
  handle(importCalls.example, async (context, { params, query, http }) =>
    sendCsv(http, `${params.file}_example.csv`, importExample(await kindFor(context, params.file, query.client_id))),
  ),
  handle(importCalls.list, (context, { query }) => listImports(context, query)),
  handle(importCalls.get, async (context, { params }) => ({ import: summaryOf(context, await readImport(context, params.id)) })),
  handle(importCalls.rows, async (context, { params, query }) => readRows(context, await readImport(context, params.id), query)),
  handle(importCalls.commit, async (context, { params, body }) => commit(context, params.id, body.mode)),
  handle(importCalls.refused, async (context, { params }) => refusedFile(context, await readImport(context, params.id, true))),
  handle(importCalls.undo, (context, { params }) => undo(context, params.id)),
]

export const importJobs: readonly JobDefinition[] = [
  { name: 'sweep_imports', cron: '25 3 * * *', run: ({ machinery }) => sweepImports(machinery) },
]

type FileBody = { readonly file: FormFile; readonly connection_id?: string | undefined; readonly mode?: ImportRecord['mode'] | undefined }

function fileHandlers(): Handler[] {
  const { vendor, client, division, facility, billableAccount, supplyAccount, clientVendorNumber, budget, degreeDay } = importFileCalls
  const { ledger_field: ledgerField, ledger_account: ledgerAccount, bills } = importFileCalls
  return [
    handle(vendor, async (context, { body }) => {
      await mustBeProven(context)
      return start(context, 'vendor', 0, body)
    }),
    handle(client, (context, { body }) => start(context, 'client', 0, body)),
    handle(division, (context, { params, body }) => start(context, 'division', params.client_id, body)),
    handle(facility, (context, { params, body }) => start(context, 'facility', params.client_id, body)),
    handle(billableAccount, (context, { params, body }) => start(context, 'billableAccount', params.client_id, body)),
    handle(supplyAccount, (context, { params, body }) => start(context, 'supplyAccount', params.client_id, body)),
    handle(ledgerField, (context, { params, body }) => start(context, 'ledger_field', params.client_id, body)),
    handle(ledgerAccount, (context, { params, body }) => start(context, 'ledger_account', params.client_id, body)),
    handle(bills, (context, { params, body }) => start(context, 'bills', params.client_id, body)),
    handle(clientVendorNumber, (context, { params, body }) => start(context, 'clientVendorNumber', params.client_id, body)),
    handle(budget, (context, { params, body }) => start(context, 'budget', params.client_id, body)),
    handle(degreeDay, (context, { body }) => start(context, 'degreeDay', 0, body)),
  ].map(receivingImport)
}

/** Without a mode the valid rows are stored: a caller who sends only the file expects that. */
async function start(context: Context, kind: ImportKindName, clientId: number, body: FileBody) {
  await refuseTooMany(context)
  const file = await takeReceived(context, body.file)
  const { rows } = await sql<{
    id: number
  }>`insert into imports (client_id, user_id, kind, filename, byte_size, file_key, mode, separator, encoding)
    values (${clientId}, ${context.principal.user_id}, ${kind}, ${file.name}, ${file.size}, ${file.key}, ${body.mode ?? 'valid'}, ${file.text.separator}, ${file.text.encoding})
    returning id`.execute(context.tx)
  const importId = rows[0]?.id ?? 0
  const connectionId = body.connection_id ?? context.connectionId
  return begin({ ...context, principal: context.principal, connectionId }, importTask, { id: importId, client_id: clientId, kind }, false)
}

async function begin(
  context: Context,
  task: typeof importTask | typeof importUndoTask,
  { id, client_id: clientId, kind }: Pick<ImportRecord, 'id' | 'client_id' | 'kind'>,
  committing: boolean,
) {
  const input: ImportTaskInput = { import_id: id, labels: labelsOf(kind), committing }
  const { id: taskId } = await startTask(context, { kind: task, clientId, input })
  await sql`update imports set task_id = ${taskId} where id = ${id}`.execute(context.tx)
  return { success: true, message: importStartedMessage, task_id: taskId, import_id: id }
}

async function refuseTooMany({ tx, principal }: Context): Promise<void> {
  const { rows } = await sql<{
    open: number
  }>`select count(*)::int as open from tasks where user_id = ${principal.user_id} and kind = ${importTask}
    and state in ('waiting', 'running')`.execute(tx)
  if ((rows[0]?.open ?? 0) >= openPerUserMax)
    throw tooMuch('too_many', 'Too many of your imports are waiting. Please let them finish first.', 30)
}

async function commit(context: Context, id: number, mode: 'all' | 'valid') {
  const record = await readImport(context, id, true)
  await mustImport(context, record)
  if (record.state !== 'checked' || record.faults.length > 0) throw refused('This import cannot be stored now.')
  if (mode === 'all' && record.refused_count > 0)
    throw refused(
      `${record.refused_count.toLocaleString('en-US')} rows are refused. Store the valid ones alone, or mend the file and send it again.`,
    )
  if (record.create_count + record.update_count === 0) throw refused('There is nothing to store: no row is new or changes anything.')
  await sql`update imports set state = 'committing', mode = ${mode}, error = null where id = ${id}`.execute(context.tx)
  return begin(context, importTask, record, true)
}

async function undo(context: Context, id: number) {
  const record = await readImport(context, id, true)
  await mustImport(context, record)
  const { undo_refusal: refusal, may_undo: may } = summaryOf(context, record)
  if (!may) throw refused(refusal ?? 'This import cannot be undone now.')
  await sql`update imports set state = 'undoing', error = null where id = ${id}`.execute(context.tx)
  return begin(context, importUndoTask, record, true)
}

/** Rights may have changed since the file was sent. A file of vendors says where money goes, so it needs a recent password each time. */
async function mustImport(context: Context, { kind, client_id: clientId }: ImportRecord): Promise<void> {
  if (!mayIn(context.principal, targetOf(kind).may.create, clientId === 0 ? undefined : clientId)) throw forbidden()
  if (kind === 'vendor') await mustBeProven(context)
}

/** Columns of the client's own are for users who may read the records that define them. */
function kindFor(context: Context, name: ImportKindName, client: string | undefined): Promise<ImportKind> | ImportKind {
  const clientId = Number(client ?? 0)
  const target = importKinds[name].clientColumns && targetOf(name)
  if (!target || clientId === 0) return importKinds[name]
  if (!mayIn(context.principal, target.may.create, clientId)) throw noSuch('Client')
  return kindOf(context, name, clientId)
}

function sendCsv({ reply }: Asking<unknown, unknown, unknown>['http'], filename: string, text: string): Promise<typeof answered> {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${filename}"`)
    // Without this mark, Excel assumes the encoding of its country.
    .send(`\uFEFF${text}`)
  return Promise.resolve(answered)
}
