import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The line by which a run is judged: `12 passed, 0 failed`, and how many were skipped if any were. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Names every skipped test and ends the output with the closing line. A file that cannot be loaded is a failure. */
export class ClosingReporter implements Reporter {
  counts: Counts = { passed: 0, failed: 0, skipped: 0 }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    const suites = modules.flatMap((module) => [...module.children.allSuites()])
    const brokenOutsideTests = [...modules, ...suites].filter((suite) => suite.errors().length > 0).length
    this.counts = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: tests.filter((test) => test.result().state === 'failed').length + brokenOutsideTests + unhandled.length,
      skipped: skipped.length,
    }
    // A run can fail without a test that did: no file matched, or the cluster could not start.
    if (reason !== 'passed' && this.counts.failed === 0) this.counts.failed = 1
    for (const test of skipped) console.log(`SKIPPED, not proven: ${test.module.relativeModuleId} > ${test.fullName}`)
    console.log(closingLine(this.counts))
  }
}
