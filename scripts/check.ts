import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { closingLine, type Counts } from '../test/support/reporter.ts'

interface Check {
  name: string
  /** The program in node_modules/.bin and its arguments. */
  words: readonly [string, ...string[]]
}

const ROOT = join(import.meta.dirname, '..')

const CHECKS: readonly Check[] = [
  { name: 'types', words: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'lint', words: ['oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'] },
  { name: 'format', words: ['oxfmt', '--check', '.'] },
  { name: 'dead code', words: ['knip', '--no-progress'] },
]

/** Runs every check that needs no test runner, in parallel, and counts each as one test. */
export async function runChecks(): Promise<Counts> {
  const outcomes = await Promise.all(CHECKS.map(runCheck))
  const passed = outcomes.filter(Boolean).length
  return { passed, failed: outcomes.length - passed, skipped: 0 }
}

async function runCheck({ name, words: [program, ...words] }: Check): Promise<boolean> {
  const begun = performance.now()
  const child = spawn(join(ROOT, 'node_modules/.bin', program), words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  const passed = code === 0
  if (!passed) console.log(`${output}${problems}`.trimEnd())
  console.log(`${passed ? 'passed' : 'FAILED'}: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  return passed
}

if (import.meta.main) {
  const counts = await runChecks()
  console.log(closingLine(counts))
  process.exitCode = counts.failed > 0 ? 1 : 0
}
