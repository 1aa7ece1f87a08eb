import { existsSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, the slowest first. The last one to start decides when the run ends. */
const slowest = [
  'src/server/bill-scans/bombs.test.ts',
  'test/every-call.test.ts',
  'test/figures-oracle.test.ts',
  'test/every-token.test.ts',
  'test/full-database.test.ts',
  'test/every-list.test.ts',
  'src/server/bill-retrieval/killed-import.test.ts',
  'test/broken-connections.test.ts',
  'test/every-body.test.ts',
  'test/start.test.ts',
  'test/task-endings.test.ts',
  'src/server/demo/demo.test.ts',
  'test/bad-input.test.ts',
  'test/scope-oracle.test.ts',
  'src/server/bill-retrieval/audit-scores.test.ts',
  'src/server/payment-batches/killed-batches.test.ts',
  'test/supervised-start.test.ts',
  'test/floods.test.ts',
  'src/server/kernel/work/jobs.test.ts',
  'src/server/bill-scans/bill-scans.test.ts',
  'src/server/bill-scans/scan-pages.test.ts',
  'src/server/bill-reading/inflated-size.test.ts',
  'src/server/imports/killed-csv-import.test.ts',
  'src/server/bills/killed-saves.test.ts',
  'test/messages.test.ts',
  'test/full-disk.test.ts',
  'src/server/kernel/postgres/embedded-postgres.test.ts',
  'test/e2e/every-control.test.ts',
  'test/e2e/every-route.test.ts',
  'test/e2e/every-list-screen.test.ts',
  'test/e2e/bill-form.test.ts',
  'test/e2e/combobox.test.ts',
  'test/e2e/imports.test.ts',
  'test/e2e/menus.test.ts',
  'test/e2e/shell.test.ts',
  'test/e2e/global-batches.test.ts',
  'test/e2e/failed-saves.test.ts',
  'test/e2e/estate.test.ts',
  'test/e2e/retrieval-import.test.ts',
  'test/e2e/dashboard.test.ts',
  'test/e2e/bill-corrections.test.ts',
  'test/e2e/documents.test.ts',
  'test/e2e/hierarchy.test.ts',
  'test/e2e/lists.test.ts',
  'test/e2e/bill-scans.test.ts',
  'test/e2e/clients.test.ts',
  'test/e2e/group-accounts.test.ts',
  'test/e2e/story.test.ts',
]

/** Starts the slowest files of each project first. Throws if the list names a missing file. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = slowest.find((file) => !existsSync(file))
    if (missing !== undefined) throw new Error(`test/support/slow-first.ts names ${missing}, which is not there`)
    const usual = super.sort.bind(this)
    const sorted = await usual(files)
    const place = new Map(sorted.map((file, index) => [file, index]))
    return sorted.toSorted(
      (a, b) => orderOf(a) - orderOf(b) || nameOf(a, b) || rankOf(a) - rankOf(b) || (place.get(a) ?? 0) - (place.get(b) ?? 0),
    )
  }
}

const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

function nameOf(a: TestSpecification, b: TestSpecification): number {
  return a.project.name < b.project.name ? -1 : Number(a.project.name > b.project.name)
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = slowest.findIndex((file) => moduleId.endsWith(`/${file}`))
  return rank < 0 ? slowest.length : rank
}
