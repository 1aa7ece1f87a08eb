/**
 * The application as a process, on a migrated database: everything that answers requests and runs jobs, without one-time work of a start
 * (the console's build, migrations, demo data). For tests that kill it many times; `launch.ts` starts it.
 */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// As the program does: compiled code is available at the next start.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node'))

const { createApp } = await import('../../src/server/app.ts')
const { readConfig } = await import('../../src/server/config.ts')
const { openDatabase, openJobsDatabase } = await import('../../src/server/kernel/postgres/database.ts')
const { createLog } = await import('../../src/server/kernel/log.ts')

const databaseUrl = process.env['DATABASE_URL'] ?? ''
const app = await createApp({
  config: readConfig(process.env),
  database: openDatabase({ url: databaseUrl }),
  jobsDatabase: openJobsDatabase({ url: databaseUrl }),
  databaseUrl,
  log: createLog({ level: 'error' }),
})
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
console.log(await app.listen())
// Otherwise written at the end of a process, which a killed one never reaches.
flushCompileCache()
