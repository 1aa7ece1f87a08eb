/** Every call of the product, in one list: the server must handle each, the documentation and the tests walk it. */
import { advancedSearchCalls, clientSearchCalls } from './advanced-search.ts'
import { alertCountCalls, estimatedCalls, missingBillableCalls, missingSupplyCalls, pastDueCalls } from './alert.ts'
import { apiTokenCalls } from './api-token.ts'
import { auditLogCalls, historyCalls } from './audit-log.ts'
import { authCalls } from './auth.ts'
import type { Call } from './kernel/call.ts'
import { batchGroupCalls } from './batch-group.ts'
import { billableCalendarCalls, supplyCalendarCalls } from './bill-calendar.ts'
import { billCompareCalls } from './bill-compare.ts'
import { billDetailCalls } from './bill-detail.ts'
import { billDocumentCalls } from './bill-document.ts'
import { billFormCalls } from './bill-form.ts'
import { summaryBillCalls } from './summary-bill.ts'
import { billListCalls } from './bill.ts'
import { billFileCalls } from './bill-file.ts'
import { billFindingCalls } from './bill-finding.ts'
import { billRetrievalCalls } from './bill-retrieval.ts'
import { billScanCalls } from './bill-scan.ts'
import { billableAccountCalls } from './billable-account.ts'
import { bulkChangeCalls } from './bulk-change.ts'
import { channelPartnerCalls } from './channel-partner.ts'
import { clientVendorNumberCalls } from './client-vendor-number.ts'
import { costParameterCalls } from './cost-parameter.ts'
import { clientCalls } from './client.ts'
import { dashboardCalls } from './dashboard.ts'
import { consoleSettingsCalls } from './console-settings.ts'
import { divisionCalls } from './division.ts'
import { documentCalls } from './document.ts'
import { entryFieldCalls } from './entry-field.ts'
import { allExceptionCalls, exceptionCalls } from './exception.ts'
import { facilityCalls } from './facility.ts'
import { facilityTypeCalls } from './facility-type.ts'
import { groupAccountCalls, groupSupplyAccountCalls } from './group-account.ts'
import { listLayoutCalls, savedViewCalls } from './list-layout.ts'
import { notificationPreferenceCalls } from './notification-preference.ts'
import { liveCalls, notificationCalls } from './notification.ts'
import { ledgerAccountCalls } from './ledger-account.ts'
import { ledgerFieldCalls } from './ledger-field.ts'
import { mailCalls } from './mail.ts'
import { importCalls, importFileCalls } from './import.ts'
import { oidcCalls } from './oidc.ts'
import { paymentMethodCalls } from './payment-method.ts'
import { productionUnitCalls } from './production-unit.ts'
import { supplyAccountCalls } from './supply-account.ts'
import { auditSettingsCalls } from './audit-settings.ts'
import { taskCalls } from './task.ts'
import { fileCalls, uploadCalls } from './upload.ts'
import { unitCalls } from './unit.ts'
import { utilityServiceCalls } from './utility-service.ts'
import { userCalls } from './user.ts'
import { userRoleCalls } from './user-role.ts'
import { vendorBankChangeCalls } from './vendor-bank-change.ts'
import { vendorCalls } from './vendor.ts'
import { webhookCalls } from './webhook.ts'
import { serviceCalls, serviceOptionCalls, supplyServiceCalls } from './service.ts'
import { serviceFileCalls } from './service-file.ts'

const groups: readonly Readonly<Record<string, Call<never, never, never, never> | Call>>[] = [
  advancedSearchCalls,
  alertCountCalls,
  auditLogCalls,
  apiTokenCalls,
  authCalls,
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
  clientVendorNumberCalls,
  dashboardCalls,
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
  groupAccountCalls,
  groupSupplyAccountCalls,
  historyCalls,
  importCalls,
  importFileCalls,
  listLayoutCalls,
  liveCalls,
  notificationCalls,
  notificationPreferenceCalls,
  ledgerAccountCalls,
  ledgerFieldCalls,
  mailCalls,
  oidcCalls,
  paymentMethodCalls,
  costParameterCalls,
  productionUnitCalls,
  serviceCalls,
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
  vendorCalls,
  webhookCalls,
]

export const calls: readonly Call[] = groups.flatMap((group) => Object.values(group))
