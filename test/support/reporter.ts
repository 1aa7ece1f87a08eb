import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

/** Number of files in the list of the slowest. */
const SLOWEST = 60

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Returns the line that states the result of a run: `12 passed, 0 failed`, and the number of skipped tests if there are any. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Shows the slowest files, names every skipped and every failed test, and ends the output with the closing line. A file that cannot be loaded is a failure. */
export class ClosingReporter implements Reporter {
  counts: Counts = { passed: 0, failed: 0, skipped: 0 }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    const suites = modules.flatMap((module) => [...module.children.allSuites()])
    const failures = [
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => failedLine(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors)),
      ...modules.filter((module) => module.errors().length > 0).map((module) => failedLine(module.relativeModuleId, module.errors())),
      ...suites
        .filter((suite) => suite.errors().length > 0)
        .map((suite) => failedLine(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors())),
      ...unhandled.map((error) => failedLine('outside of tests', [error])),
    ]
    this.counts = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: failures.length,
      skipped: skipped.length,
    }
    // A run can fail without a failed test: no file matched, or the cluster could not start.
    if (reason !== 'passed' && this.counts.failed === 0) this.counts.failed = 1
    if (modules.length > SLOWEST) console.log(slowestFiles(modules))
    for (const test of skipped) console.log(`SKIPPED, not proven: ${test.module.relativeModuleId} > ${test.fullName}`)
    for (const line of failures) console.log(line)
    console.log(closingLine(this.counts))
  }
}

/** Returns the seconds of the slowest files, one file per line, by which `slow-first.ts` is kept. */
function slowestFiles(modules: readonly TestModule[]): string {
  const timed = modules.map((module) => {
    const { duration, setupDuration, collectDuration } = module.diagnostic()
    return { name: module.relativeModuleId, seconds: Math.round((duration + setupDuration + collectDuration) / 1000) }
  })
  const total = timed.reduce((sum, { seconds }) => sum + seconds, 0)
  const slowest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return [`Slowest of ${timed.length} files (${total} s in all):`, ...slowest.map(({ name, seconds }) => `${seconds} s  ${name}`)].join(
    '\n',
  )
}

/** Returns one line per failure, with the first line of its first error, so that a truncated log still names it. */
function failedLine(name: string, errors: readonly { message: string }[] | undefined): string {
  const reason = errors?.[0]?.message.split('\n').find((line) => line.trim() !== '') ?? 'no error was given'
  return `FAILED: ${name}: ${reason.slice(0, 300)}`
}
