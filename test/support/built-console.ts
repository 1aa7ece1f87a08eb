import { join } from 'node:path'
import { buildConsole } from '../../src/server/console-build.ts'

/** Builds the console once before the browser tests, whose files run in parallel and must not each build it. */
export async function setup(): Promise<void> {
  await buildConsole(join(import.meta.dirname, '../..'))
}
