/** Every call of the product in one list: the server must handle each, and the documentation and the tests iterate over it. */
import { accountingBatchCalls } from './accounting-batches/accounting-batch.ts'
import { billLedgerCalls } from './accounting-batches/booked-line.ts'
import { exportProfileCalls } from './accounting-batches/export-profile.ts'
import { advancedSearchCalls, clientSearchCalls } from './advanced-search/search-calls.ts'
import { alertCountCalls, estimatedCalls, missingBillableCalls, missingSupplyCalls, pastDueCalls } from './alerts/alert.ts'
import { apiTokenCalls } from './access/api-token.ts'
import { auditLogCalls, historyCalls } from './audit-log/audit-log.ts'
import { authCalls } from './access/auth.ts'
import type { Call } from './kernel/call.ts'
import { bankStatementCalls } from './bank-statements/bank-statement.ts'
import { bankStatementLineCalls } from './bank-statements/bank-statement-line.ts'
import { outstandingPaymentCalls } from './bank-statements/outstanding-payment.ts'
import { bankReturnCalls } from './bank-returns/bank-return.ts'
import { batchGroupCalls } from './clients/batch-group.ts'
import { billableCalendarCalls, supplyCalendarCalls } from './bill-calendar/bill-calendar.ts'
import { billCompareCalls } from './bills/bill-compare.ts'
import { billDetailCalls } from './bills/bill-detail-calls.ts'
import { billDocumentCalls } from './bill-documents/bill-document-calls.ts'
import { billFormCalls } from './bills/bill-form.ts'
import { summaryBillCalls } from './bills/summary-bill.ts'
import { billListCalls } from './bills/bill-list-calls.ts'
import { billFileCalls } from './bill-import/bill-file.ts'
import { billFindingCalls } from './bill-findings/bill-finding-calls.ts'
import { billRetrievalCalls } from './bill-retrieval/retrieval-calls.ts'
import { billScanCalls } from './bill-scans/bill-scan-calls.ts'
import { billableAccountCalls } from './accounts/billable-account.ts'
import { bulkChangeCalls } from './bulk-changes/bulk-change-calls.ts'
import { channelPartnerCalls } from './clients/channel-partner.ts'
import { budgetCalls } from './budgets/budget.ts'
import { budgetFillCalls } from './budgets/budget-fill.ts'
import { budgetVarianceCalls } from './budgets/budget-variance.ts'
import { clientVendorNumberCalls } from './clients/client-vendor-number.ts'
import { costParameterCalls } from './reference/cost-parameter.ts'
import { degreeDayCalls } from './weather/degree-day.ts'
import { weatherStationCalls } from './weather/weather-station.ts'
import { clientCalls } from './clients/client.ts'
import { dashboardChildCalls } from './dashboard/dashboard-children.ts'
import { dashboardCostChangeCalls } from './dashboard/dashboard-cost-change.ts'
import { dashboardWeatherCalls } from './dashboard/dashboard-weather.ts'
import { dashboardCalls } from './dashboard/dashboard.ts'
import { consoleSettingsCalls } from './console/console-settings.ts'
import { divisionCalls } from './clients/division.ts'
import { documentCalls } from './documents/document-calls.ts'
import { entryFieldCalls } from './services/entry-field.ts'
import { allExceptionCalls, exceptionCalls } from './exceptions/exception-calls.ts'
import { facilityCalls } from './clients/facility.ts'
import { facilityTypeCalls } from './reference/facility-type.ts'
import { groupAccountCalls, groupSupplyAccountCalls } from './accounts/group-account-calls.ts'
import { homeCalls } from './home/home.ts'
import { listLayoutCalls, savedViewCalls } from './list-layouts/list-layout.ts'
import { notificationPreferenceCalls } from './notifications/notification-preference.ts'
import { liveCalls, notificationCalls } from './notifications/notification.ts'
import { bankValueCalls } from './global-batches/bank-value.ts'
import { globalBatchCalls } from './global-batches/global-batch.ts'
import { globalBatchFileCalls } from './global-batches/global-batch-file.ts'
import { globalPaymentCalls } from './global-batches/global-payment.ts'
import { globalBillCalls } from './global-batches/global-bill.ts'
import { riskCalls } from './global-batches/risk.ts'
import { ledgerAccountCalls } from './ledger/ledger-account.ts'
import { ledgerFieldCalls } from './ledger/ledger-field.ts'
import { ledgerSettingCalls } from './ledger/ledger-setting.ts'
import { mailCalls } from './mails/mail.ts'
import { importCalls, importFileCalls } from './imports/import-calls.ts'
import { exportReleaseCalls } from './global-batches/export-release.ts'
import { issuedCheckCalls } from './issued-checks/issued-check-calls.ts'
import { oidcCalls } from './access/oidc.ts'
import { passkeyCalls } from './access/passkey.ts'
import { secondFactorCalls } from './access/second-factor.ts'
import { originatingProfileCalls } from './originating-profiles/originating-profile.ts'
import { profileLayoutCalls } from './originating-profiles/profile-layout.ts'
import { billTrailCalls } from './bill-trail/bill-trail.ts'
import { paymentApprovalCalls } from './payment-batches/payment-approval.ts'
import { paymentBatchCalls } from './payment-batches/payment-batch.ts'
import { paymentSettingCalls } from './payment-batches/payment-setting.ts'
import { remittanceAdviceCalls } from './payment-batches/remittance-advice.ts'
import { vendorPaymentCalls } from './payment-batches/vendor-payment.ts'
import { accrualScoreCalls } from './reports/accrual-score-call.ts'
import { generatedReportCalls, reportCalls } from './reports/generated-report.ts'
import { reportDeliveryCalls, reportScheduleCalls } from './reports/report-schedule.ts'
import { paymentMethodCalls } from './reference/payment-method.ts'
import { productionUnitCalls } from './reference/production-unit.ts'
import { supplyAccountCalls } from './accounts/supply-account.ts'
import { auditSettingsCalls } from './bill-audits/audit-settings.ts'
import { taskCalls } from './tasks/task.ts'
import { fileCalls, uploadCalls } from './uploads/upload.ts'
import { unitCalls } from './reference/unit.ts'
import { utilityServiceCalls } from './reference/utility-service.ts'
import { userCalls } from './users/user.ts'
import { userRoleCalls } from './users/user-role.ts'
import { vendorBankChangeCalls } from './vendors/vendor-bank-change.ts'
import { vendorCalls } from './vendors/vendor.ts'
import { webhookCalls } from './webhooks/webhook-calls.ts'
import { securityEventCalls } from './security-log/security-event.ts'
import { tiedPairCalls } from './security-log/tied-pair.ts'
import { siteSurveyCalls } from './site-surveys/site-survey.ts'
import { serviceCalls, serviceOptionCalls, supplyServiceCalls } from './services/service-calls.ts'
import { serviceFileCalls } from './accounts/service-file.ts'

const groups: readonly Readonly<Record<string, Call<never, never, never, never> | Call>>[] = [
  accountingBatchCalls,
  exportProfileCalls,
  billLedgerCalls,
  advancedSearchCalls,
  alertCountCalls,
  auditLogCalls,
  apiTokenCalls,
  authCalls,
  secondFactorCalls,
  passkeyCalls,
  bankReturnCalls,
  batchGroupCalls,
  billableCalendarCalls,
  billCompareCalls,
  billDetailCalls,
  billDocumentCalls,
  billFindingCalls,
  billFormCalls,
  summaryBillCalls,
  billListCalls,
  billFileCalls,
  billRetrievalCalls,
  billScanCalls,
  billableAccountCalls,
  bulkChangeCalls,
  channelPartnerCalls,
  clientCalls,
  clientSearchCalls,
  budgetCalls,
  budgetVarianceCalls,
  budgetFillCalls,
  clientVendorNumberCalls,
  dashboardCalls,
  dashboardChildCalls,
  dashboardCostChangeCalls,
  dashboardWeatherCalls,
  consoleSettingsCalls,
  divisionCalls,
  documentCalls,
  entryFieldCalls,
  allExceptionCalls,
  exceptionCalls,
  estimatedCalls,
  missingBillableCalls,
  missingSupplyCalls,
  pastDueCalls,
  facilityCalls,
  facilityTypeCalls,
  fileCalls,
  generatedReportCalls,
  bankValueCalls,
  globalBillCalls,
  riskCalls,
  globalBatchCalls,
  globalBatchFileCalls,
  globalPaymentCalls,
  groupAccountCalls,
  groupSupplyAccountCalls,
  homeCalls,
  historyCalls,
  importCalls,
  importFileCalls,
  exportReleaseCalls,
  issuedCheckCalls,
  bankStatementCalls,
  bankStatementLineCalls,
  outstandingPaymentCalls,
  listLayoutCalls,
  liveCalls,
  notificationCalls,
  notificationPreferenceCalls,
  ledgerAccountCalls,
  ledgerFieldCalls,
  ledgerSettingCalls,
  mailCalls,
  oidcCalls,
  originatingProfileCalls,
  profileLayoutCalls,
  billTrailCalls,
  paymentApprovalCalls,
  paymentBatchCalls,
  paymentMethodCalls,
  paymentSettingCalls,
  costParameterCalls,
  weatherStationCalls,
  degreeDayCalls,
  productionUnitCalls,
  accrualScoreCalls,
  reportCalls,
  reportDeliveryCalls,
  reportScheduleCalls,
  securityEventCalls,
  tiedPairCalls,
  serviceCalls,
  siteSurveyCalls,
  serviceFileCalls,
  serviceOptionCalls,
  savedViewCalls,
  supplyAccountCalls,
  auditSettingsCalls,
  supplyCalendarCalls,
  supplyServiceCalls,
  taskCalls,
  unitCalls,
  uploadCalls,
  userCalls,
  userRoleCalls,
  utilityServiceCalls,
  vendorBankChangeCalls,
  vendorPaymentCalls,
  remittanceAdviceCalls,
  vendorCalls,
  webhookCalls,
]

export const calls: readonly Call[] = groups.flatMap((group) => Object.values(group))
