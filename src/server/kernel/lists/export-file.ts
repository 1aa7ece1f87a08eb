/** The key and the name of an export's file. */
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { now } from '../clock.ts'
import { taskFileKey } from '../work/task-file.ts'

/** Returns the file key of an export. The sweep removes the file by the task's id alone. */
export function exportKey(taskId: number): string {
  return taskFileKey('exports', taskId)
}

/** Returns `{plural}_{YYYYMMDD}_{HHMM}.csv`, in New York time. */
export function exportFileName(plural: string): string {
  const { date, time } = wallTimeIn(NEW_YORK, now())
  return `${plural}_${date.replaceAll('-', '')}_${time.slice(0, 5).replace(':', '')}.csv`
}
