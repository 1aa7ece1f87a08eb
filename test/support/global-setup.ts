import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/server/kernel/postgres/database.ts'
import { startThrowawayPostgres } from '../../src/server/kernel/postgres/embedded-postgres.ts'
import { migrate } from '../../src/server/kernel/postgres/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database that `testDatabase` clones; nobody connects to it during the tests. */
    templateUrl: string
  }
}

/** One throw-away cluster for the whole run, with one migrated database; stopping it deletes everything. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startThrowawayPostgres()
  const template = openDatabase({ url: postgres.url, size: 1 })
  try {
    await migrate(template.pool)
  } catch (error) {
    await template.close()
    await postgres.stop()
    throw error
  }
  await template.close()
  project.provide('templateUrl', postgres.url)
  return postgres.stop
}
