/** Bills from a retrieval service: fetched statements, their states, and their PDFs. The front door of the slice. */
import type { Config } from '../config.ts'
import type { Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { openProviders } from './choose-provider.ts'
import { statementHandlers } from './list-statements.ts'
import { pdfJob } from './statement-pdfs.ts'

export { retrievalServices, setProviders } from './choose-provider.ts'
export { statementsToImport } from './statements-to-import.ts'
export { drawStatement } from './statement-pdf.ts'

/** Returns the handlers, and sets up the configured services for them and for the tasks. */
export function billRetrievalHandlers(machinery: Machinery, config: Config): Handler[] {
  openProviders(machinery, config)
  return statementHandlers
}

export const billRetrievalJobs: readonly JobDefinition[] = [pdfJob]
