/** `npm run audit:verify`: walks the hash chains of the audit log and exits with 1 when one is broken. */
import { readConfig, type Config } from './config.ts'
import { claimInstance } from './instance.ts'
import { unsealedAudit, verifyAudit } from './kernel/audit.ts'
import { openJobsDatabase } from './kernel/postgres/database.ts'
import { hasCluster, runningPostgresUrl, startPostgres } from './kernel/postgres/embedded-postgres.ts'

await using ending = new AsyncDisposableStack()
try {
  const database = openJobsDatabase({ url: await databaseUrl(readConfig()) })
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

/** The database of the settings; the embedded one is used beside a running Meterbook, or started for the moment. */
async function databaseUrl(config: Config): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const running = await runningPostgresUrl(config.dataDir)
  if (running !== undefined) return running
  if (!(await hasCluster(config.dataDir))) throw new Error(`There is no database in ${config.dataDir} yet. Set DATA_DIR or DATABASE_URL.`)
  const instance = await claimInstance(config.dataDir)
  ending.defer(instance.release)
  const postgres = await startPostgres({ folder: config.dataDir })
  ending.defer(postgres.stop)
  return postgres.url
}
