/** Recomputes facts that change for many clients at once in the background, one transaction per client. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { raiseVersions } from '../kernel/context.ts'
import type { JobDefinition, JobRun } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { rebuildFacts, refreshFactsUnder } from './refresh-facts.ts'

const utilityServiceJob = 'utility_service_facts'

/** To be called in the transaction that changes how the emissions of a utility service are counted. */
export async function refreshUtilityService(tx: Tx, machinery: Machinery, utilityServiceId: number): Promise<void> {
  await machinery.jobs.send(tx, utilityServiceJob, { utility_service_id: utilityServiceId })
}

export const factJobs: readonly JobDefinition[] = [
  { name: utilityServiceJob, run: refreshClients },
  { name: 'bill_line_facts', run: fillLineFacts, atStart: true },
]

/** Makes the facts of the clients whose bills were saved by a version that did not keep whole lines yet: once, after the update. */
export async function fillLineFacts({ machinery, signal }: Pick<JobRun, 'machinery' | 'signal'>): Promise<void> {
  const { db } = machinery.jobsDatabase
  const { rows } = await sql<{ client_id: number }>`select client_id from line_facts_due order by client_id`.execute(db)
  for (const { client_id } of rows) {
    signal.throwIfAborted()
    await db.transaction().execute(async (tx) => {
      await rebuildFacts(tx, client_id)
      await sql`delete from line_facts_due where client_id = ${client_id}`.execute(tx)
      await raiseVersions(tx, [client_id])
    })
  }
}

/** Running twice does no harm: facts are recomputed, never added to. */
async function refreshClients({ data, machinery, signal }: JobRun): Promise<void> {
  const id = Number(data['utility_service_id'])
  const { db } = machinery.jobsDatabase
  const { rows } = await sql<{
    client_id: number
  }>`select distinct client_id from services where utility_service_id = ${id} order by client_id`.execute(db)
  for (const { client_id } of rows) {
    signal.throwIfAborted()
    await db.transaction().execute((tx) => refreshFactsUnder(tx, client_id, 'utility_service', id))
  }
}
