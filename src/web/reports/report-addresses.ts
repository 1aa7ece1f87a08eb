import type { GeneratedReport } from '#contract/reports/generated-report.ts'
import type { ReportSchedule } from '#contract/reports/report-schedule.ts'

export function dashboardHref(clientId: number): string {
  return `/clients/${clientId}/reports/dashboard`
}

export function generatedHref(clientId: number): string {
  return `/clients/${clientId}/reports/generated-reports`
}

export function newReportHref(clientId: number, reportId: number): string {
  return `/clients/${clientId}/reports/${reportId}/new`
}

export function editReportHref({ client_id, report_id, id }: Pick<GeneratedReport, 'client_id' | 'report_id' | 'id'>): string {
  return `/clients/${client_id}/reports/${report_id}/generated-reports/${id}/edit`
}

/** Returns the path of the edit form that returns to the dashboard after saving. */
export function editFromDashboardHref(row: Pick<GeneratedReport, 'client_id' | 'report_id' | 'id'>): string {
  return `${editReportHref(row)}?from=dashboard`
}

export function schedulesHref(clientId: number): string {
  return `/clients/${clientId}/reports/scheduled`
}

export function newScheduleHref(clientId: number, reportId: number): string {
  return `/clients/${clientId}/reports/${reportId}/schedule`
}

export function editScheduleHref({ client_id, id }: Pick<ReportSchedule, 'client_id' | 'id'>): string {
  return `${schedulesHref(client_id ?? 0)}/${id}/edit`
}

export function deliveriesHref({ client_id, id }: Pick<ReportSchedule, 'client_id' | 'id'>): string {
  return `${schedulesHref(client_id ?? 0)}/${id}`
}
