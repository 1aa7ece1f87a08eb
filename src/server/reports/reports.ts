/** Reports: the available ones, previews, and generated reports. The front door of the slice. */
import { previewRowsMax, reportCalls, type PreviewAsked, type Report, type ReportAssignable } from '#contract/reports/generated-report.ts'
import { accrualScoreCalls } from '#contract/reports/accrual-score-call.ts'
import { reportFields } from '#contract/reports/report-form.ts'
import { sql } from 'kysely'
import { divisionScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { reachesWhole } from '../kernel/principal.ts'
import { invalid, notFound } from '../kernel/problem.ts'
import { accrualScores } from './accrual-scores.ts'
import { askedReport, checkReaders, checkChoices, knownReports, reportFor, tooNarrow, type KnownReport } from './asked-report.ts'
import { checkNamed, generatedReportHandlers, lastRuns } from './generated-reports.ts'
import { wordsOf } from './report-words.ts'
import { reportMakers } from './report-makers.ts'
import { readReport } from './report-reading.ts'
import { reportScheduleHandlers } from './report-schedules.ts'
import { chooseableColumns } from './service-lines.ts'

export { endedReports } from './ended-reports.ts'
export { reportScheduleJobs } from './schedule-runs.ts'

export const reportHandlers: readonly Handler[] = [
  handle(reportCalls.list, async (context, { params }) => {
    const known = await knownReports(context.tx)
    const runs = await lastRuns(context, params.client_id)
    const reports = known.filter((one) => tooNarrow(context.principal, params.client_id, one) === null).map((one) => shown(one, runs))
    return { reports, total: reports.length }
  }),
  handle(reportCalls.assignables, async (context, { params, query }) => ({
    assignables: await assignablesOf(context, params.client_id, query.type),
  })),
  handle(reportCalls.get, async (context, { params }) => {
    const known = await reportFor(context.tx, context.principal, params.client_id, params.id)
    return { report: shown(known, await lastRuns(context, params.client_id)) }
  }),
  handle(reportCalls.utilityServiceFields, async (context, { params }) => {
    const known = await reportFor(context.tx, context.principal, params.client_id, params.id)
    if (!known.form.fields.includes('utility_service_fields')) return { utility_service_fields: [] }
    const asked = askedReport(context.principal, params.client_id, known, {
      form_data: {},
      last_bill_only: false,
      assignable_type: 'User',
      division_id: null,
    })
    const columns = await chooseableColumns(context.tx, asked)
    return { utility_service_fields: columns.map(({ key, label }) => ({ name: key, label, checked: true })) }
  }),
  handle(reportCalls.preview, async (context, { params, body }) => {
    const { known, asked } = await askedNow(context, params, body)
    return inOneState(context, async (tx) => {
      const table = await reportMakers[known.name](tx, asked)
      const { rows, keys, totals, rowCount } = await readReport(tx, table, previewRowsMax)
      return {
        columns: [...table.columns],
        rows: rows.map((row) => [...row]),
        totals: [...totals],
        row_count: rowCount,
        control: table.control,
        control_bills: table.controlBills ?? null,
        behind: rows.map((row, place) => [...(table.behind?.(row, keys[place] ?? null) ?? [])]),
        filters: await wordsOf(tx, asked),
        remarks: [...table.remarks()],
      }
    })
  }),
  handle(accrualScoreCalls.score, async (context, { params, body }) => {
    const { known, asked } = await askedNow(context, params, { ...body, last_bill_only: false })
    if (known.name !== 'Accrual Report') throw notFound('Only the Accrual Report has methods to score.')
    return inOneState(context, (tx) => accrualScores(tx, asked, body.hide))
  }),
  ...generatedReportHandlers,
  ...reportScheduleHandlers,
]

/** Runs a computation on one state of the database. Calls that only read have no transaction, and the cursors of reports need one. */
function inOneState<T>({ machinery }: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  return machinery.database.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/** Returns a report with the choices of an unsaved form, checked. */
async function askedNow(context: Context, { client_id: clientId, id }: { client_id: number; id: number }, body: PreviewAsked) {
  const known = await reportFor(context.tx, context.principal, clientId, id)
  checkChoices(known, body.form_data, body.last_bill_only)
  checkReaders(context, known, body.form_data, body.assignable_type)
  await checkNamed(context, body.form_data, undefined, clientId)
  if (body.assignable_type === 'Division' && body.assignable_id === null) throw invalid({ assignable_id: ['Assignee is required'] })
  const division_id = body.assignable_type === 'Division' ? body.assignable_id : null
  return { known, asked: askedReport(context.principal, clientId, known, { ...body, division_id }) }
}

function shown(
  { id, name, description, key_items, export_type, form }: KnownReport,
  runs: ReadonlyMap<number, Report['last_run']>,
): Report {
  return {
    id,
    name,
    description,
    key_items,
    export_type,
    fields: form.fields.map((key) => ({ key, label: reportFields[key].label, refers: reportFields[key].refers ?? null })),
    requires: form.requires,
    reach: form.reach,
    columns: [...form.columns],
    last_run: runs.get(id) ?? null,
  }
}

/** Returns the client if the caller reaches all of it, or the divisions in reach; for type User only the caller. */
async function assignablesOf(context: Context, clientId: number, type: string): Promise<ReportAssignable[]> {
  if (type === 'User') return [{ id: context.principal.user_id, name: 'Me' }]
  if (type === 'Division') {
    const { rows } = await sql<ReportAssignable>`select divisions.id, divisions.name from divisions
      where ${scopeCondition({ scope: divisionScope }, { reach: context.reach, clientId })} order by divisions.name, divisions.id`.execute(
      context.tx,
    )
    return rows
  }
  if (!reachesWhole(context.reach, clientId)) return []
  const { rows } = await sql<ReportAssignable>`select id, name from clients where id = ${clientId}`.execute(context.tx)
  return rows
}
