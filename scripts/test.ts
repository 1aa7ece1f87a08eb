import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { ClosingReporter, closingLine, type Counts } from '../test/support/reporter.ts'
import { comparedRows } from '../test/support/rows/compared-rows.ts'
import { runChecks } from './check.ts'

const ALL = ['unit', 'web', 'server', 'e2e']
/** `npm test` runs the checks and every project; a word runs a part. `real` runs the tests that read real statements. */
const PARTS = new Map([
  ['unit', ['unit']],
  ['server', ['unit', 'server']],
  ['web', ['web']],
  ['e2e', ['e2e']],
  ['real', ['unit', 'server', 'e2e']],
  ['deep', ALL],
])
/** The deep run tries as much as nobody waits for: more random cases, longer floods, more kills, the limits of production. */
const DEEP: Readonly<Record<string, string>> = {
  PROPERTY_RUNS: '100000',
  TURN: 'all',
  EVERY_CELL: '1',
  EVERY_FILTER: '1',
  EVERY_REFUSAL: '1',
  ENUMERATION_REQUESTS: '500',
  SCOPE_PEOPLE: '400',
  ROLE_ACTORS: '200',
  DEMO_FIGURES_ONE_IN: '1',
  BAD_INPUTS: '200',
  FACT_STEPS: '600',
  DESK_ACTS: '200',
  RACE_ROUNDS: '200',
  EXPORT_KILLS: '200',
  KILL_ROUNDS: '20',
  BATCH_KILL_ROUNDS: '60',
  BATCH_MEETINGS: '40',
  MODEL_ACTS: '1500',
  MODEL_ROUNDS: '300',
  KILL_ROWS: '10000',
  KILL_ACCOUNTS: '120',
  SPRAY_ACCOUNTS: '1000',
  CUT_SECONDS: '60',
  FLOOD_SECONDS: '120',
  BOMB_PAGE_SECONDS: '90',
  BOMB_DOCUMENT_SECONDS: '1200',
}
const DEEP_TIMEOUT_MS = 3_600_000

const [part, ...words] = process.argv.slice(2)
const isChanged = part === '--changed'
const isWhole = part === undefined || isChanged
const filters = isChanged ? filesOfChanges(words[0] ?? 'HEAD') : part === 'real' ? filesOfRealStatements() : words
const projects = isWhole ? ALL : PARTS.get(part)

if (projects === undefined) {
  console.error(`There is no part ${part}: say ${[...PARTS.keys()].join(', ')}, --changed, or nothing for all of it.`)
  process.exit(1)
}
// A variable that the environment sets already keeps its value.
if (part === 'deep') for (const [name, value] of Object.entries(DEEP)) process.env[name] ??= value

const checks = isWhole ? await runChecks() : { passed: 0, failed: 0, skipped: 0 }
const tests = await runComparingRows(projects)
const total = sum(checks, tests)
console.log(closingLine(total))
process.exit(total.failed > 0 ? 1 : 0)

async function runTests(project: string[]): Promise<Counts> {
  const closing = new ClosingReporter()
  const vitest = await startVitest('test', filters, {
    project,
    run: true,
    watch: false,
    reporters: ['default', closing],
    ...(part === 'deep' ? { testTimeout: DEEP_TIMEOUT_MS } : {}),
  })
  await vitest.close()
  const failedOtherwise = process.exitCode !== undefined && process.exitCode !== 0 && closing.counts.failed === 0
  return failedOtherwise ? { ...closing.counts, failed: 1 } : closing.counts
}

/** A whole run of the server's tests compares each row that a statement declares, but for those that are named. */
async function runComparingRows(project: string[]): Promise<Counts> {
  if (!project.includes('server') || filters.length > 0) return runTests(project)
  const folder = mkdtempSync(join(tmpdir(), 'meterbook-rows-'))
  process.env.COMPARED_ROWS_FOLDER = folder
  const counts = await runTests(project)
  const { declared, unchecked, unnamed, superfluous } = comparedRows(folder)
  rmSync(folder, { recursive: true })
  console.log(`rows: ${declared} declared, ${unchecked.length} not compared`)
  for (const name of superfluous) console.log(`rows: the list test/support/rows/unchecked-rows.ts need not name ${name}`)
  for (const name of unnamed) console.log(`FAILED: no test sends the statement of this row (test/support/rows/unchecked-rows.ts): ${name}`)
  return sum(counts, { passed: unnamed.length === 0 ? 1 : 0, failed: unnamed.length > 0 ? 1 : 0, skipped: 0 })
}

function sum(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped }
}

/** Returns the test files that need the real statements. */
function filesOfRealStatements(): string[] {
  return globSync('{src,test}/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("support/real-statements.ts'"))
}

/**
 * Filters for the contract's tests, the tests of each slice that has changed since `commit` (on all sides and in the browser), the test beside
 * each changed source, and each changed test. What only the whole application shows is left to the whole run: almost every test imports the
 * application.
 */
function filesOfChanges(commit: string): string[] {
  const git = (...given: string[]): string[] => execFileSync('git', given, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')]
  const slices = new Set(changed.flatMap((path) => /^src\/(?:server|web|contract)\/([\w-]+)\//.exec(path)?.[1] ?? []))
  slices.delete('kernel')
  return ['src/contract/', ...[...slices].flatMap((slice) => [`/${slice}/`, `test/e2e/${slice}`]), ...changed.flatMap(testOf)]
}

/** Returns the path itself of a test, and that of the test beside a source, which may not exist. */
function testOf(path: string): string[] {
  if (/\.test\.tsx?$/.test(path)) return [path]
  const [, name] = /^(src\/.+)\.tsx?$/.exec(path) ?? []
  return name === undefined ? [] : [`${name}.test.`]
}
