/** The public part of imports. */
export { importFailed } from './import-failed.ts'
export { FileImport } from './import-page.tsx'
export { importTargets } from './import-targets.ts'
