import { defineConfig } from 'vitest/config'
import { ClosingReporter } from './test/support/reporter.ts'
import { SlowFirst } from './test/support/slow-first.ts'

const SECOND = 1000

export default defineConfig({
  test: {
    reporters: ['default', new ClosingReporter()],
    testTimeout: 20 * SECOND,
    hookTimeout: 60 * SECOND,
    teardownTimeout: 30 * SECOND,
    // What is polled without saying how long: a busy machine takes longer than Vitest's one second, and a wait that is over at once costs nothing.
    expect: { poll: { timeout: 15 * SECOND } },
    passWithNoTests: false,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        // Pure functions: no database, nothing to isolate.
        extends: true,
        test: {
          name: 'unit',
          include: ['src/contract/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['src/web/**/*.test.{ts,tsx}'], pool: 'threads', maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', 'scripts/**/*.test.ts', 'test/*.test.ts', 'test/server/**/*.test.ts'],
          globalSetup: ['./test/support/global-setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Two files at a time: a browser test mostly waits for what comes next.
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/support/global-setup.ts', './test/support/built-console.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 120 * SECOND,
          hookTimeout: 180 * SECOND,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
