/** The list of what slices do in the background. A slice adds its line here. */
import type { JobDefinition } from './kernel/jobs.ts'
import type { Ground } from './start.ts'

export function sliceJobs(_ground: Ground): JobDefinition[] {
  return []
}
