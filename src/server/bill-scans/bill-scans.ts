/** The inbox: documents that wait to become bills. The front door of the slice. */
import type { Handler } from '../kernel/handler.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { changeScanHandlers } from './change-scans.ts'
import { keepWholeHandler } from './keep-whole.ts'
import { learnScanJobs } from './learn-scan.ts'
import type { ReadingSettings } from './make-room.ts'
import { readScanJobs } from './read-scan.ts'
import { scanHandlers } from './scan-handlers.ts'
import { splitHandler } from './split-scan.ts'
import { takeScanHandlers } from './take-scans.ts'

export { confirmedReading } from './confirmed-reading.ts'
export { scansToEnter } from './scans-to-enter.ts'
export { fileOfScan, finishScan, reopenScans } from './finish-scan.ts'

export const billScanHandlers: readonly Handler[] = [
  ...scanHandlers,
  ...takeScanHandlers,
  ...changeScanHandlers,
  splitHandler,
  keepWholeHandler,
]
export const billScanJobs = (settings: ReadingSettings): readonly JobDefinition[] => [...readScanJobs(settings), ...learnScanJobs]
