/** The list of slices: what each answers. A slice adds its line here and its calls in the contract's list. */
import { accessHandlers, type Sessions } from './access/access.ts'
import { billRetrievalHandlers } from './bill-retrieval/bill-retrieval.ts'
import { billableAccountHandlers } from './billable-accounts/billable-accounts.ts'
import { billHandlers } from './bills/bills.ts'
import { channelPartnerHandlers } from './channel-partners/channel-partners.ts'
import { clientHandlers } from './clients/clients.ts'
import type { Config } from './config.ts'
import { dashboardHandlers } from './dashboard/dashboard.ts'
import { consoleSettingsHandlers } from './console-settings.ts'
import { batchGroupHandlers, divisionHandlers } from './divisions/divisions.ts'
import { facilityHandlers } from './facilities/facilities.ts'
import { facilityTypeHandlers } from './facility-types/facility-types.ts'
import { fileHandlers } from './kernel/files.ts'
import type { Handler } from './kernel/handler.ts'
import { taskHandlers } from './kernel/task-calls.ts'
import { listLayoutHandlers, savedViewHandlers } from './list-layouts/list-layouts.ts'
import { notificationHandlers } from './notifications/notifications.ts'
import { ledgerAccountHandlers } from './ledger-accounts/ledger-accounts.ts'
import { paymentMethodHandlers } from './payment-methods/payment-methods.ts'
import { productionUnitHandlers } from './production-units/production-units.ts'
import type { RunningServices } from './services.ts'
import { serviceHandlers } from './services/services.ts'
import { unitHandlers } from './units/units.ts'
import { uploadHandlers } from './uploads/uploads.ts'
import { utilityServiceHandlers } from './utility-services/utility-services.ts'
import { vendorHandlers } from './vendors/vendors.ts'

export interface SliceParts {
  readonly sessions: Sessions
  readonly config: Config
  readonly services: RunningServices
}

export function sliceHandlers({ sessions, config, services }: SliceParts): Handler[] {
  return [
    ...accessHandlers(sessions, { passwordLengthMin: config.passwordMinLength }),
    ...batchGroupHandlers,
    ...billableAccountHandlers,
    ...billHandlers,
    ...billRetrievalHandlers(services, config),
    ...channelPartnerHandlers,
    ...clientHandlers,
    ...dashboardHandlers,
    ...consoleSettingsHandlers(config),
    ...divisionHandlers,
    ...facilityHandlers,
    ...facilityTypeHandlers,
    ...fileHandlers,
    ...listLayoutHandlers,
    ...notificationHandlers(services.live),
    ...ledgerAccountHandlers,
    ...paymentMethodHandlers,
    ...productionUnitHandlers,
    ...savedViewHandlers,
    ...serviceHandlers,
    ...taskHandlers,
    ...unitHandlers,
    ...uploadHandlers,
    ...utilityServiceHandlers,
    ...vendorHandlers,
  ]
}
