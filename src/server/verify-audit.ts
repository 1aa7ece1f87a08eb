/** `npm run audit:verify`: walks the hash chains of the audit log and exits with 1 when one is broken. */
import { readConfig } from './config.ts'
import { databaseBeside } from './database-beside.ts'
import { unsealedAudit, verifyAudit } from './kernel/audit.ts'
import { openJobsDatabase } from './kernel/postgres/database.ts'

await using ending = new AsyncDisposableStack()
try {
  const database = openJobsDatabase({ url: await databaseBeside(readConfig(), ending) })
  ending.defer(database.close)
  const { chains, checked, broken } = await verifyAudit(database.db)
  const waiting = await unsealedAudit(database.db)
  for (const { client_id, audit_record_id } of broken) {
    const chain = client_id === 0 ? 'The chain of what belongs to no client' : `The chain of client ${client_id}`
    console.log(`${chain} is broken at audit record ${audit_record_id}.`)
  }
  console.log(`${checked} sealed rows in ${chains} chains, ${broken.length} chains broken, ${waiting} rows not yet sealed`)
  process.exitCode = broken.length > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
