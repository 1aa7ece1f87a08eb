/** The code that makes each report. */
import type { ReportName } from '#contract/reports/report-form.ts'
import { accrualReport } from './accruals.ts'
import { costAndUsage } from './cost-usage.ts'
import { clientFacilities, facilities } from './facilities.ts'
import { ghgInventory } from './ghg-inventory.ts'
import { inventory } from './inventory.ts'
import { monthEnd } from './month-end.ts'
import { portfolioManagerBills, portfolioManagerCheck } from './portfolio-manager-bills.ts'
import { portfolioManagerProperties } from './portfolio-manager-properties.ts'
import type { ReportMaker } from './report-table.ts'
import { globalDataExport, universalDataExport } from './service-lines.ts'
import { trialBalance } from './trial-balance.ts'

export const reportMakers: Readonly<Record<ReportName, ReportMaker>> = {
  'Trial Balance Report': trialBalance,
  'Global Data Export': globalDataExport,
  'Universal Data Export': universalDataExport,
  'Cost & Usage Report': costAndUsage,
  'Inventory Report': inventory,
  'Accrual Report': accrualReport,
  'Facilities Report': facilities,
  'Client Facilities Report': clientFacilities,
  'Month End Report': monthEnd,
  'GHG Inventory Report': ghgInventory,
  'Portfolio Manager Properties Export': portfolioManagerProperties,
  'Portfolio Manager Bills Export': portfolioManagerBills,
  'Portfolio Manager Check Report': portfolioManagerCheck,
}
