/** The pages of the console: each slice lists its own in its `routes.ts`; a new slice adds its line here. */
import { accountingBatchRoutes } from './accounting-batches/routes.ts'
import { paymentBatchRoutes } from './payment-batches/routes.ts'
import { advancedSearchRoutes } from './advanced-search/routes.ts'
import { alertRoutes } from './alerts/routes.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { billableAccountRoutes } from './billable-accounts/routes.ts'
import { bankProfileRoutes } from './bank-profiles/routes.ts'
import { bankStatementRoutes } from './bank-statements/routes.ts'
import { bankReturnRoutes } from './bank-returns/routes.ts'
import { billAuditRoutes } from './bill-audits/routes.ts'
import { billCalendarRoutes } from './bill-calendar/routes.ts'
import { billDocumentRoutes } from './bill-documents/routes.ts'
import { billEntryRoutes } from './bill-entry/routes.ts'
import { billRetrievalRoutes } from './bill-retrieval/routes.ts'
import { billScanRoutes } from './bill-scans/routes.ts'
import { billFindingRoutes } from './bill-findings/routes.ts'
import { budgetRoutes } from './budgets/routes.ts'
import { bulkChangeRoutes } from './bulk-changes/routes.ts'
import { channelPartnerRoutes } from './channel-partners/routes.ts'
import { clientVendorNumberRoutes } from './client-vendor-numbers/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { divisionRoutes } from './divisions/routes.ts'
import { documentPaneRoutes } from './document-pane/routes.ts'
import { documentRoutes } from './documents/routes.ts'
import { exceptionRoutes } from './exceptions/routes.ts'
import { billRoutes } from './bills/routes.ts'
import { facilityRoutes } from './facilities/routes.ts'
import { facilityTypeRoutes } from './facility-types/routes.ts'
import { globalBatchRoutes } from './global-batches/routes.ts'
import { groupAccountRoutes } from './group-accounts/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { issuedCheckRoutes } from './issued-checks/routes.ts'
import type { PageRoute } from './kernel/page-route.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { apiTokenRoutes } from './api-tokens/routes.ts'
import { mailRoutes } from './mails/routes.ts'
import { paymentMethodRoutes } from './payment-methods/routes.ts'
import { costParameterRoutes } from './cost-parameters/routes.ts'
import { weatherRoutes } from './weather/routes.ts'
import { productionUnitRoutes } from './production-units/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { securityLogRoutes } from './security-log/routes.ts'
import { siteSurveyRoutes } from './site-surveys/routes.ts'
import { summaryEntryRoutes } from './summary-entry/routes.ts'
import { supplyAccountRoutes } from './supply-accounts/routes.ts'
import { unitRoutes } from './units/routes.ts'
import { userRoutes } from './users/routes.ts'
import { utilityServiceRoutes } from './utility-services/routes.ts'
import { vendorRoutes } from './vendors/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const pageRoutes: readonly PageRoute[] = [
  ...accountingBatchRoutes,
  ...paymentBatchRoutes,
  ...globalBatchRoutes,
  ...advancedSearchRoutes,
  ...alertRoutes,
  ...auditLogRoutes,
  ...billAuditRoutes,
  ...billCalendarRoutes,
  ...billDocumentRoutes,
  ...billEntryRoutes,
  ...billFindingRoutes,
  ...billRoutes,
  ...billRetrievalRoutes,
  ...billScanRoutes,
  ...billableAccountRoutes,
  ...budgetRoutes,
  ...bulkChangeRoutes,
  ...channelPartnerRoutes,
  ...clientRoutes,
  ...clientVendorNumberRoutes,
  ...dashboardRoutes,
  ...divisionRoutes,
  ...documentPaneRoutes,
  ...documentRoutes,
  ...exceptionRoutes,
  ...facilityRoutes,
  ...facilityTypeRoutes,
  ...groupAccountRoutes,
  ...homeRoutes,
  ...importRoutes,
  ...ledgerRoutes,
  ...apiTokenRoutes,
  ...bankProfileRoutes,
  ...bankReturnRoutes,
  ...issuedCheckRoutes,
  ...bankStatementRoutes,
  ...mailRoutes,
  ...paymentMethodRoutes,
  ...costParameterRoutes,
  ...weatherRoutes,
  ...productionUnitRoutes,
  ...profileRoutes,
  ...reportRoutes,
  ...securityLogRoutes,
  ...siteSurveyRoutes,
  ...summaryEntryRoutes,
  ...supplyAccountRoutes,
  ...unitRoutes,
  ...userRoutes,
  ...utilityServiceRoutes,
  ...vendorRoutes,
  ...webhookRoutes,
]

/** The lists of parameters may name them differently: `/vendors/:id/edit` is `/vendors/:vendor_id/edit`. */
export function sameAddress(one: string, other: string): boolean {
  const shape = (path: string) => path.replaceAll(/:\w+/g, ':')
  return shape(one) === shape(other)
}

/** Redirects: from a record's own address to its first page, and from /settings to the audit log. */
export const redirects: readonly { readonly from: string; readonly to: string }[] = [
  { from: '/settings', to: '/settings/audit_log' },
  { from: '/clients/:client_id', to: '/clients/:client_id/dashboard' },
  { from: '/clients/:client_id/divisions/:division_id', to: '/clients/:client_id/divisions/:division_id/dashboard' },
  { from: '/clients/:client_id/facilities/:facility_id', to: '/clients/:client_id/facilities/:facility_id/dashboard' },
  {
    from: '/clients/:client_id/billable_accounts/:billable_account_id',
    to: '/clients/:client_id/billable_accounts/:billable_account_id/dashboard',
  },
  {
    from: '/clients/:client_id/supply_accounts/:supply_account_id',
    to: '/clients/:client_id/supply_accounts/:supply_account_id/dashboard',
  },
  { from: '/clients/:client_id/group_accounts/:group_account_id', to: '/clients/:client_id/group_accounts/:group_account_id/dashboard' },
  {
    from: '/clients/:client_id/group_supply_accounts/:group_supply_account_id',
    to: '/clients/:client_id/group_supply_accounts/:group_supply_account_id/dashboard',
  },
  { from: '/clients/:client_id/bill_calendar', to: '/clients/:client_id/billable_accounts/bill_calendar' },
  { from: '/clients/:client_id/reports', to: '/clients/:client_id/reports/dashboard' },
  { from: '/clients/:client_id/alerts', to: '/clients/:client_id/alerts/exceptions' },
]
