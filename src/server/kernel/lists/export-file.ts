/** The key and the name of an export's file. */
import type { ExportFormat } from '#contract/kernel/call.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { now } from '../clock.ts'
import { taskFileKey } from '../work/task-file.ts'

/** Returns the file key of an export. The sweep removes the file by the task's id alone, so a workbook has the same key. */
export function exportKey(taskId: number): string {
  return taskFileKey('exports', taskId)
}

/** Returns `{client code}_{plural}_{YYYYMMDD}_{HHMM}.{ending}`, in New York time; without the code if the list is not of one client. */
export function exportFileName(
  plural: string,
  { ending = 'csv', code = '' }: { ending?: ExportFormat; code?: string | undefined } = {},
): string {
  const { date, time } = wallTimeIn(NEW_YORK, now())
  const client = code.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return `${client === '' ? '' : `${client}_`}${plural}_${date.replaceAll('-', '')}_${time.slice(0, 5).replace(':', '')}.${ending}`
}
