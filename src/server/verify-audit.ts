/**
 * `npm run audit:verify`: walks the hash chains of the audit log, holds them against what was kept of them outside the database, and exits with 1
 * where something is amiss. `-- --heads FILE` holds them against a copy that was kept elsewhere (from a mail, say); `-- --accept` keeps the
 * chains as they are now, for who has looked into what was amiss.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { databaseBeside } from './database-beside.ts'
import { readConfig } from './config.ts'
import { auditReport } from './audit-report.ts'
import { anchorHeads, createHeadsStore } from './kernel/audit-heads.ts'
import { openJobsDatabase } from './kernel/postgres/database.ts'

await using ending = new AsyncDisposableStack()
try {
  const { values } = parseArgs({ options: { heads: { type: 'string' }, accept: { type: 'boolean', default: false } } })
  process.exitCode = await verify(values.heads, values.accept)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function verify(copy: string | undefined, accept: boolean): Promise<number> {
  const config = readConfig()
  const database = openJobsDatabase({ url: await databaseBeside(config, ending) })
  ending.defer(database.close)
  const { secretKey, production } = config
  const files = createHeadsStore(config)
  const { lines, holds } = await auditReport({ db: database.db, files, secretKey }, copy && (await readFile(copy, 'utf8')))
  for (const line of lines) console.log(line)
  if (accept) {
    await anchorHeads({ jobsDatabase: database, settings: { publicUrl: '', secretKey, production } }, files, { accept })
    console.log('The chains are kept as they are now.')
  }
  return holds ? 0 : 1
}
