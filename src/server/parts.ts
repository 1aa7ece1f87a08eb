import { join } from 'node:path'
import { createApp } from './app.ts'
import { buildConsole } from './console-build.ts'
import type { Parts } from './start.ts'

/** What `npm start` puts together. */
export const parts: Parts = {
  createApp,
  buildConsole: () => buildConsole(join(import.meta.dirname, '../..')),
}
