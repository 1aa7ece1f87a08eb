/** Creating, listing and reading bills. The front door of the slice. */
import type { Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { billCompareHandlers } from './compare-bills.ts'
import { destroyBillHandler } from './destroy-bill.ts'
import { billListHandlers } from './list-bills.ts'
import { nightlyAuditJob } from './nightly-audit.ts'
import { readBillHandlers } from './read-bill.ts'
import { billHistoryHandlers } from './read-history.ts'
import { billFormHandlers } from './save-bill.ts'
import { summaryBillHandlers } from './summary-bill.ts'

export { billSource } from './bill-source.ts'
export { accountingStatusColumn, fullStatusColumn, paymentStatusColumn } from './bill-status-sql.ts'
export { batchFault } from './batch-faults.ts'
export { mustSeeBill } from './read-bill.ts'
export { createBills } from './create-bills.ts'
export { destroyBills, lockAccountsOfBills } from './destroy-bill.ts'
export { listBills } from './list-bills.ts'
export { linkAccounts } from './link-groups.ts'
export { recountFindings } from './finding-changes.ts'
export { addFindingEvents } from './finding-events.ts'
export { reauditAccounts, trySettings } from './reaudit.ts'
export type { SettingsTrial } from './changed-findings.ts'

export const billHandlers: Handler[] = [
  ...billListHandlers,
  ...billFormHandlers,
  ...readBillHandlers,
  ...billHistoryHandlers,
  ...billCompareHandlers,
  ...summaryBillHandlers,
  destroyBillHandler,
]

export const billJobs: JobDefinition[] = [nightlyAuditJob]
