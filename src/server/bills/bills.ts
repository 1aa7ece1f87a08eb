/** Bills: making them, listing them, reading one. The front door of the slice. */
import type { Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/jobs.ts'
import { destroyBillHandler } from './destroy-bill.ts'
import { billListHandlers } from './list-bills.ts'
import { nightlyAuditJob } from './nightly-audit.ts'
import { readBillHandlers } from './read-bill.ts'
import { billHistoryHandlers } from './read-history.ts'

export { createBills } from './create-bills.ts'

export const billHandlers: Handler[] = [...billListHandlers, ...readBillHandlers, ...billHistoryHandlers, destroyBillHandler]

export const billJobs: JobDefinition[] = [nightlyAuditJob]
