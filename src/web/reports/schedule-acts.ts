/** Actions on a scheduled report, in its list and on its page. */
import { reportScheduleCalls, type ReportSchedule } from '#contract/reports/report-schedule.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callWith } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'

export function sendNow(row: ReportSchedule): Promise<void> {
  return act(() => callWith(reportScheduleCalls.sendNow, { params: idOf(row) }))
}

export function pauseSchedule(row: ReportSchedule): Promise<void> {
  const body = { report_schedule: { paused: !row.paused, lock_version: row.lock_version } }
  return act(() => callWith(reportScheduleCalls.update, { params: idOf(row), body }))
}

export async function unsubscribe(row: ReportSchedule): Promise<void> {
  const message = 'You will not get this report any more.'
  if (!(await confirm({ message, consequence: row.name, confirmLabel: 'Unsubscribe me' }))) return
  await act(() => callWith(reportScheduleCalls.unsubscribe, { params: idOf(row) }))
}

/** @returns true if it was deleted. */
export async function deleteSchedule(row: ReportSchedule): Promise<void> {
  const message = 'Are you sure you want to delete this scheduled report? What it has made stays under Generated Reports.'
  if (!(await confirm({ message, consequence: row.name, confirmLabel: 'Delete', danger: true }))) return
  await act(() => callWith(reportScheduleCalls.destroy, { params: idOf(row) }))
}

const idOf = ({ client_id, id }: ReportSchedule) => ({ client_id, id })

async function act(work: () => Promise<Result>): Promise<void> {
  try {
    resultNotice(await work())
  } catch (error) {
    problemNotice(error)
  }
  refresh('report_schedules')
  refresh('report_deliveries')
}
