import { globSync, readFileSync } from 'node:fs'
import { startVitest } from 'vitest/node'
import { ClosingReporter, closingLine, type Counts } from '../test/support/reporter.ts'
import { runChecks } from './check.ts'

/** `npm test` runs the checks and every project; a word runs a part. `real` is what the real statements are for. */
const PARTS = new Map([
  ['unit', ['unit']],
  ['server', ['unit', 'server']],
  ['web', ['web']],
  ['e2e', ['e2e']],
  ['real', ['unit', 'server', 'e2e']],
])
const ALL = ['unit', 'web', 'server', 'e2e']

const [part, ...words] = process.argv.slice(2)
const filters = part === 'real' ? filesOfRealStatements() : words
const projects = part === undefined ? ALL : PARTS.get(part)

if (projects === undefined) {
  console.error(`There is no part ${part}: say ${[...PARTS.keys()].join(', ')}, or nothing for all of it.`)
  process.exit(1)
}

const checks = part === undefined ? await runChecks() : { passed: 0, failed: 0, skipped: 0 }
const total = sum(checks, await runTests(projects))
console.log(closingLine(total))
process.exit(total.failed > 0 ? 1 : 0)

async function runTests(project: string[]): Promise<Counts> {
  const closing = new ClosingReporter()
  const vitest = await startVitest('test', filters, { project, run: true, watch: false, reporters: ['default', closing] })
  await vitest.close()
  const failedOtherwise = process.exitCode !== undefined && process.exitCode !== 0 && closing.counts.failed === 0
  return failedOtherwise ? { ...closing.counts, failed: 1 } : closing.counts
}

function sum(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped }
}

/** The test files that ask for the real statements. */
function filesOfRealStatements(): string[] {
  return globSync('{src,test}/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("support/real-statements.ts'"))
}
