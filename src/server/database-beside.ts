/** The database of the settings for a command that runs beside Meterbook, or without it. */
import { claimInstance } from './instance.ts'
import { hasCluster, runningPostgresUrl, startPostgres } from './kernel/postgres/embedded-postgres.ts'

/** The embedded database is used where it runs, or started for the moment; `ending` stops it. Throws where there is none yet. */
export async function databaseBeside(
  { databaseUrl, dataDir }: { readonly databaseUrl: string | undefined; readonly dataDir: string },
  ending: AsyncDisposableStack,
): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl
  const running = await runningPostgresUrl(dataDir)
  if (running !== undefined) return running
  if (!(await hasCluster(dataDir))) throw new Error(`There is no database in ${dataDir} yet. Set DATA_DIR or DATABASE_URL.`)
  const instance = await claimInstance(dataDir)
  ending.defer(instance.release)
  const postgres = await startPostgres({ folder: dataDir })
  ending.defer(postgres.stop)
  return postgres.url
}
