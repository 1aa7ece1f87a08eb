import type { PageRoute } from '../kernel/page-route.ts'

const base = '/clients/:client_id/reports'

export const reportRoutes: readonly PageRoute[] = [
  {
    path: `${base}/dashboard`,
    title: 'Reports Dashboard',
    may: 'generated_report.read',
    page: async () => (await import('./report-dashboard.tsx')).ReportDashboard,
  },
  {
    path: `${base}/generated-reports`,
    title: 'Generated Reports',
    may: 'generated_report.read',
    page: async () => (await import('./generated-report-list.tsx')).GeneratedReportList,
  },
  {
    path: `${base}/scheduled`,
    title: 'Scheduled Reports',
    may: 'generated_report.read',
    page: async () => (await import('./report-schedule-list.tsx')).ReportScheduleList,
  },
  {
    path: `${base}/scheduled/:report_schedule_id`,
    title: 'Scheduled Report',
    may: 'generated_report.read',
    page: async () => (await import('./report-delivery-list.tsx')).ReportDeliveryList,
  },
  {
    path: `${base}/scheduled/:report_schedule_id/edit`,
    title: 'Edit Scheduled Report',
    may: 'generated_report.create',
    page: async () => (await import('./report-schedule-form.tsx')).EditReportSchedule,
  },
  {
    path: `${base}/:report_id/schedule`,
    title: 'New Scheduled Report',
    may: 'generated_report.create',
    page: async () => (await import('./report-schedule-form.tsx')).NewReportSchedule,
  },
  {
    path: `${base}/:report_id/new`,
    title: 'New Report',
    may: 'generated_report.create',
    page: async () => (await import('./generated-report-form.tsx')).NewReport,
  },
  {
    path: `${base}/:report_id/generated-reports/:generated_report_id/edit`,
    title: 'Edit Report',
    may: 'generated_report.update',
    page: async () => (await import('./generated-report-form.tsx')).EditReport,
  },
]
