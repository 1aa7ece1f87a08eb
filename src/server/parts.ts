import { join } from 'node:path'
import { createSessions, inviteFirstAdmin } from './access/access.ts'
import { createApp, type App } from './app.ts'
import { buildConsole } from './console-build.ts'
import { demoSignInsOf, knownPasswordHolders, makeDemoData } from './demo/demo.ts'
import { createMachinery } from './machinery.ts'
import type { Parts } from './start.ts'
import type { Ground } from './open-ground.ts'

/** The parts that `npm start` assembles. */
export const parts: Parts = assembled()

function assembled(): Parts {
  let app: App | undefined
  return {
    createApp: async (ground) => (app = await createApp(ground)),
    buildConsole: () => buildConsole(join(import.meta.dirname, '../..')),
    demo: {
      make: makeDemo,
      signIns: ({ database }) => demoSignInsOf(database.db),
      knownPasswords: ({ database }) => knownPasswordHolders(database.db),
    },
    inviteFirstAdmin: async ({ config }, url) => app && inviteFirstAdmin(app.machinery, config.adminEmail, config.publicUrl ?? url),
  }
}

/** Runs before the application exists: its machinery is built for the settings only and never started. */
async function makeDemo(ground: Ground): Promise<void> {
  const { config, log, jobsDatabase } = ground
  const sessions = createSessions(ground.database, { idleHours: config.sessionIdleHours, maxDays: config.sessionMaxDays })
  await makeDemoData({ database: jobsDatabase, machinery: createMachinery(ground, sessions), log })
}
