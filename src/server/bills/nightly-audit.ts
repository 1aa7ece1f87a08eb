/** The nightly audit: bills become overdue and old by themselves, and the data they are measured against changes independently. */
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import { unitOfWork } from '../kernel/context.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import { everything } from '../kernel/lists/resource.ts'
import type { AccountRef } from './account-books.ts'
import { reauditAccounts } from './reaudit.ts'

/** Accounts whose last bill is older are skipped: its faults were reported long ago. */
const billsOfDays = 180
/** Accounts of one transaction, which stay locked for its duration. */
const accountsAtOnce = 50

/** Runs before the working day. A second run changes nothing, since findings that still hold are kept. */
export const nightlyAuditJob: JobDefinition = { name: 'audit_bills', cron: '20 4 * * *', run: auditEveryClient, expireSeconds: 7_200 }

async function auditEveryClient(job: JobRun): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from clients where active order by id`.execute(job.machinery.jobsDatabase.db)
  for (const { id } of rows) await auditClient(job, id)
}

/**
 * Audits the accounts of unpaid bills again, and those whose bills wait for a supplier's, a few accounts per transaction, so that saves of
 * bills do not wait long.
 */
async function auditClient({ machinery, signal }: JobRun, clientId: number): Promise<void> {
  const accounts = await accountsToAudit(machinery, clientId)
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    signal.throwIfAborted()
    await machinery.jobsDatabase.db.transaction().execute(async (tx) => {
      const caller = { principal: null, ip: null, requestId: 'nightly-audit', connectionId: null }
      const unit = unitOfWork(tx, caller, everything, machinery)
      await reauditAccounts(unit.context, clientId, accounts.slice(start, start + accountsAtOnce), 'audit', true)
      await unit.finish()
    })
  }
}

async function accountsToAudit({ jobsDatabase }: JobRun['machinery'], clientId: number): Promise<AccountRef[]> {
  const { rows } = await sql<AccountRef>`
    select distinct case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type, coalesce(billable_account_id, supply_account_id) as account_id
    from bills where client_id = ${clientId} and superseded_by_id is null and date >= ${addDays(today(), -billsOfDays)}
      and (not paid or exists (select 1 from services service where service.client_id = ${clientId} and service.billable_account_id = bills.billable_account_id
        and (service.supply or exists (select 1 from supply_account_billable_services supplied where supplied.client_id = ${clientId} and supplied.service_id = service.id))))
    order by 1, 2`.execute(jobsDatabase.db)
  return rows
}
