/** Which code makes which report. A report is offered once it stands here. */
import type { ReportName } from '#contract/reports/report-form.ts'
import type { ReportMaker } from './report-table.ts'
import { globalDataExport, universalDataExport } from './service-lines.ts'
import { trialBalance } from './trial-balance.ts'

export const reportMakers: Readonly<Partial<Record<ReportName, ReportMaker>>> = {
  'Trial Balance Report': trialBalance,
  'Global Data Export': globalDataExport,
  'Universal Data Export': universalDataExport,
}
