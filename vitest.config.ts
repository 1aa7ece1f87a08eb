import { defineConfig } from 'vitest/config'
import { ClosingReporter } from './test/support/reporter.ts'
import { SlowFirst } from './test/support/slow-first.ts'

const SECOND = 1000

/**
 * The files of a worker share one process and its modules, which Node reads by itself: loading the application took longer than most files.
 * A file gives back what it changed of them (each-file.ts does so for the clock), and closes what it opened.
 */
const sharedProcess = {
  pool: 'forks',
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: './test/support/each-file.ts',
} as const

export default defineConfig({
  test: {
    reporters: ['default', new ClosingReporter()],
    // Far more than any test takes on a quiet machine: a busy one must not fail what is merely slow.
    testTimeout: 60 * SECOND,
    hookTimeout: 120 * SECOND,
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
          ...sharedProcess,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Two files at a time: one with its browser takes a little more than one processor.
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/support/global-setup.ts', './test/support/built-console.ts'],
          ...sharedProcess,
          maxWorkers: 2,
          testTimeout: 120 * SECOND,
          hookTimeout: 180 * SECOND,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
