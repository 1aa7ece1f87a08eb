/** The list of slices with their handlers. A slice adds its line here and its calls in the contract's list. */
import { accessHandlers, type Sessions } from './access/access.ts'
import { accountingBatchHandlers } from './accounting-batches/accounting-batches.ts'
import { advancedSearchHandlers } from './advanced-search/advanced-search.ts'
import { alertHandlers } from './alerts/alerts.ts'
import { auditLogHandlers, historyHandlers } from './audit-log/audit-log.ts'
import { apiTokenHandlers } from './api-tokens/api-tokens.ts'
import { bankStatementHandlers } from './bank-statements/bank-statements.ts'
import { bankReturnHandlers } from './bank-returns/bank-returns.ts'
import { billAuditHandlers } from './bill-audits/bill-audits.ts'
import { billCalendarHandlers } from './bill-calendar/bill-calendar.ts'
import { billRetrievalHandlers } from './bill-retrieval/bill-retrieval.ts'
import { billScanHandlers } from './bill-scans/bill-scans.ts'
import { billableAccountHandlers } from './billable-accounts/billable-accounts.ts'
import { billFindingHandlers } from './bill-findings/bill-findings.ts'
import { billHandlers } from './bills/bills.ts'
import { billDocumentHandlers } from './bill-documents/bill-documents.ts'
import { budgetHandlers } from './budgets/budgets.ts'
import { bulkChangeHandlers } from './bulk-changes/bulk-changes.ts'
import { channelPartnerHandlers } from './channel-partners/channel-partners.ts'
import { clientVendorNumberHandlers } from './client-vendor-numbers/client-vendor-numbers.ts'
import { clientHandlers } from './clients/clients.ts'
import type { Config } from './config.ts'
import { dashboardHandlers } from './dashboard/dashboard.ts'
import { consoleSettingsHandlers } from './console-settings.ts'
import { batchGroupHandlers, divisionHandlers } from './divisions/divisions.ts'
import { documentHandlers } from './documents/documents.ts'
import { exceptionHandlers } from './exceptions/exceptions.ts'
import { facilityHandlers } from './facilities/facilities.ts'
import { facilityTypeHandlers } from './facility-types/facility-types.ts'
import { globalBatchHandlers } from './global-batches/global-batches.ts'
import { groupAccountHandlers } from './group-accounts/group-accounts.ts'
import { homeHandlers } from './home/home.ts'
import { importHandlers } from './imports/imports.ts'
import { issuedCheckHandlers } from './issued-checks/issued-checks.ts'
import { fileHandlers } from './kernel/files/files.ts'
import type { Handler } from './kernel/handler.ts'
import { taskHandlers } from './kernel/work/task-calls.ts'
import { listLayoutHandlers, savedViewHandlers } from './list-layouts/list-layouts.ts'
import { mailHandlers } from './mails/mails.ts'
import { notificationHandlers } from './notifications/notifications.ts'
import { ledgerAccountHandlers } from './ledger-accounts/ledger-accounts.ts'
import { ledgerFieldHandlers } from './ledger-fields/ledger-fields.ts'
import { ledgerSettingHandlers } from './ledger-settings/ledger-settings.ts'
import { oidcHandlers } from './oidc/oidc.ts'
import { originatingProfileHandlers } from './originating-profiles/originating-profiles.ts'
import { billTrailHandlers } from './bill-trail/bill-trail.ts'
import { paymentBatchHandlers, remittanceAdviceHandlers } from './payment-batches/payment-batches.ts'
import { paymentMethodHandlers } from './payment-methods/payment-methods.ts'
import { costParameterHandlers } from './cost-parameters/cost-parameters.ts'
import { weatherHandlers } from './weather/weather.ts'
import { productionUnitHandlers } from './production-units/production-units.ts'
import { reportHandlers } from './reports/reports.ts'
import type { RunningMachinery } from './machinery.ts'
import { securityLogHandlers } from './security-log/security-log.ts'
import { siteSurveyHandlers } from './site-surveys/site-surveys.ts'
import { serviceHandlers } from './services/services.ts'
import { supplyAccountHandlers } from './supply-accounts/supply-accounts.ts'
import { unitHandlers } from './units/units.ts'
import { uploadHandlers } from './uploads/uploads.ts'
import { userHandlers } from './users/users.ts'
import { utilityServiceHandlers } from './utility-services/utility-services.ts'
import { vendorHandlers } from './vendors/vendors.ts'
import { webhookHandlers } from './webhooks/webhooks.ts'

export interface SliceParts {
  readonly sessions: Sessions
  readonly config: Config
  readonly machinery: RunningMachinery
}

export function sliceHandlers({ sessions, config, machinery }: SliceParts): Handler[] {
  const handlers: Handler[] = [
    ...accessHandlers(sessions, machinery, config),
    ...accountingBatchHandlers,
    ...advancedSearchHandlers,
    ...alertHandlers,
    ...apiTokenHandlers,
    ...auditLogHandlers,
    ...bankReturnHandlers,
    ...batchGroupHandlers,
    ...billableAccountHandlers,
    ...billCalendarHandlers,
    ...billDocumentHandlers,
    ...billAuditHandlers,
    ...billFindingHandlers,
    ...billHandlers,
    ...billRetrievalHandlers(machinery, config),
    ...billScanHandlers,
    ...budgetHandlers,
    ...bulkChangeHandlers,
    ...channelPartnerHandlers,
    ...clientHandlers,
    ...clientVendorNumberHandlers,
    ...dashboardHandlers,
    ...consoleSettingsHandlers(config),
    ...divisionHandlers,
    ...documentHandlers,
    ...exceptionHandlers,
    ...facilityHandlers,
    ...facilityTypeHandlers,
    ...fileHandlers,
    ...globalBatchHandlers,
    ...groupAccountHandlers,
    ...homeHandlers,
    ...importHandlers,
    ...issuedCheckHandlers,
    ...bankStatementHandlers,
    ...listLayoutHandlers,
    ...notificationHandlers(machinery.live),
    ...ledgerAccountHandlers,
    ...ledgerFieldHandlers,
    ...ledgerSettingHandlers,
    ...mailHandlers,
    ...oidcHandlers(sessions, config),
    ...originatingProfileHandlers,
    ...billTrailHandlers,
    ...paymentBatchHandlers,
    ...remittanceAdviceHandlers,
    ...paymentMethodHandlers,
    ...costParameterHandlers,
    ...weatherHandlers,
    ...productionUnitHandlers,
    ...reportHandlers,
    ...savedViewHandlers,
    ...securityLogHandlers,
    ...serviceHandlers,
    ...siteSurveyHandlers,
    ...supplyAccountHandlers,
    ...taskHandlers,
    ...unitHandlers,
    ...uploadHandlers,
    ...userHandlers({ passwordLengthMin: config.passwordMinLength }),
    ...utilityServiceHandlers,
    ...vendorHandlers,
    ...webhookHandlers(config),
  ]
  // A record's history is readable to users who may read the record by its own call.
  return [...handlers, ...historyHandlers(handlers)]
}
