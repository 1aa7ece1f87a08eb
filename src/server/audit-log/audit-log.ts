/** The audit log and the history of records. */
import { auditFilters, auditLogCalls, auditPageSize, type AuditFilters } from '#contract/audit-log/audit-log.ts'
import type { Context } from '../kernel/context.ts'
import { startExport } from '../kernel/lists/export.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { auditLog, auditScope, auditWhere, pageConditions, settledFilters } from './audit-source.ts'
import { countVersions, readVersions } from './read-versions.ts'

export { historyHandlers } from './history.ts'

export const auditLogHandlers: readonly Handler[] = [
  handle(auditLogCalls.list, async (context, { query }) => {
    const { page, per, with_total, with_rows, ...filters } = query
    const conditions = await conditionsOf(context, filters)
    const wants = (flag: typeof with_total) => String(flag ?? true) === 'true'
    const rows =
      wants(with_rows) && conditions ? await readVersions(context.tx, conditions, { page, per }, auditPageSize, context.reach) : []
    if (!wants(with_total)) return { audit_log: rows }
    return { audit_log: rows, total: conditions ? await countVersions(context.tx, conditions) : 0 }
  }),
  handle(auditLogCalls.exportCsv, async (context, { query }) => {
    const { f: _format, connection_id: _window, ...filters } = query
    const settled = await settledFilters(context.tx, auditFilters.parse(filters))
    // The place is unknown, so nothing lies below it and the export is empty.
    const nowhere = { users: [], from: null, to: null, client_id: -1, places: [], key: null, value: null, event: null, item_type: null }
    return startExport(context, auditLog, {}, { reach: context.reach, ...auditWhere(settled ?? nowhere) })
  }),
]

async function conditionsOf(context: Context, filters: AuditFilters) {
  const settled = await settledFilters(context.tx, filters)
  if (!settled) return null
  return [scopeCondition({ scope: auditScope }, { reach: context.reach }), ...(await pageConditions(context.tx, settled))]
}
