/** The list of the slices' background jobs. A slice adds its line here. */
import { calls } from '#contract/calls.ts'
import { apiTokenJobs, loadTaskPrincipal } from './api-tokens/api-tokens.ts'
import { accessJobs } from './access/access.ts'
import { billRetrievalJobs } from './bill-retrieval/bill-retrieval.ts'
import { billScanJobs } from './bill-scans/bill-scans.ts'
import { billJobs } from './bills/bills.ts'
import { bulkChangeJobs } from './bulk-changes/bulk-changes.ts'
import { factJobs } from './month-facts/month-facts.ts'
import { importJobs } from './imports/imports.ts'
import { defineExports } from './kernel/lists/export.ts'
import { housekeepingJobs } from './kernel/work/housekeeping.ts'
import type { JobDefinition } from './kernel/work/jobs.ts'
import { registered } from './kernel/lists/resource.ts'
import { taskJobs } from './kernel/work/task.ts'
import { reportScheduleJobs } from './reports/reports.ts'
import { securityLogJobs } from './security-log/security-log.ts'
import type { Ground } from './open-ground.ts'
import { emissionsJob } from './utility-services/utility-services.ts'
import { webhookJobs } from './webhooks/webhooks.ts'

// Once per process, however many applications it runs.
defineExports({
  sourceOf: (plural) => registered.get(plural),
  mayOf: (plural, name) => calls.find((call) => call.name === (name ?? `${plural}.export`))?.may,
})

export function sliceJobs({ config }: Ground): JobDefinition[] {
  return [
    ...taskJobs(loadTaskPrincipal),
    ...accessJobs({ idleHours: config.sessionIdleHours, maxDays: config.sessionMaxDays }),
    ...apiTokenJobs,
    ...housekeepingJobs,
    ...billJobs,
    ...billRetrievalJobs,
    ...billScanJobs(config),
    ...bulkChangeJobs,
    ...factJobs,
    ...importJobs,
    ...reportScheduleJobs,
    ...securityLogJobs(config),
    emissionsJob,
    ...webhookJobs(config),
  ]
}
