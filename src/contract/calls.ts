/** Every call of the product, in one list: the server must handle each, the documentation and the tests walk it. */
import { authCalls } from './auth.ts'
import type { Call } from './kernel/call.ts'
import { batchGroupCalls } from './batch-group.ts'
import { billDetailCalls } from './bill-detail.ts'
import { billListCalls } from './bill.ts'
import { billRetrievalCalls } from './bill-retrieval.ts'
import { billableAccountCalls } from './billable-account.ts'
import { channelPartnerCalls } from './channel-partner.ts'
import { clientCalls } from './client.ts'
import { dashboardCalls } from './dashboard.ts'
import { consoleSettingsCalls } from './console-settings.ts'
import { divisionCalls } from './division.ts'
import { entryFieldCalls } from './entry-field.ts'
import { facilityCalls } from './facility.ts'
import { facilityTypeCalls } from './facility-type.ts'
import { listLayoutCalls, savedViewCalls } from './list-layout.ts'
import { liveCalls, notificationCalls } from './notification.ts'
import { ledgerAccountCalls } from './ledger-account.ts'
import { paymentMethodCalls } from './payment-method.ts'
import { productionUnitCalls } from './production-unit.ts'
import { taskCalls } from './task.ts'
import { fileCalls, uploadCalls } from './upload.ts'
import { unitCalls } from './unit.ts'
import { utilityServiceCalls } from './utility-service.ts'
import { vendorCalls } from './vendor.ts'
import { serviceCalls, serviceOptionCalls, supplyServiceCalls } from './service.ts'

const groups: readonly Readonly<Record<string, Call<never, never, never, never> | Call>>[] = [
  authCalls,
  batchGroupCalls,
  billDetailCalls,
  billListCalls,
  billRetrievalCalls,
  billableAccountCalls,
  channelPartnerCalls,
  clientCalls,
  dashboardCalls,
  consoleSettingsCalls,
  divisionCalls,
  entryFieldCalls,
  facilityCalls,
  facilityTypeCalls,
  fileCalls,
  listLayoutCalls,
  liveCalls,
  notificationCalls,
  ledgerAccountCalls,
  paymentMethodCalls,
  productionUnitCalls,
  serviceCalls,
  serviceOptionCalls,
  savedViewCalls,
  supplyServiceCalls,
  taskCalls,
  unitCalls,
  uploadCalls,
  utilityServiceCalls,
  vendorCalls,
]

export const calls: readonly Call[] = groups.flatMap((group) => Object.values(group))
