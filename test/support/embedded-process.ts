/**
 * The whole program with its embedded database, but without the build of the console. For tests that end its database; `launch.ts` starts
 * it.
 */
import { parts } from '../../src/server/parts.ts'
import { run } from '../../src/server/run.ts'

await run({ ...parts, buildConsole: () => Promise.resolve() })
