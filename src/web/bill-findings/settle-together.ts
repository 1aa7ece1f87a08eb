/** Resolves several findings at once and shows a notice that can reopen exactly these. */
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import type { FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { bodyOf } from '../bulk-changes/bulk-changes.ts'
import { callApi } from '../kernel/api.ts'
import { randomId } from '../kernel/connection.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { saidWithUndo } from '../kernel/notices/undoable.ts'
import { refresh } from '../kernel/query.ts'
import { findingGroups } from './use-finding-acts.ts'

interface Settling {
  readonly reason: FindingReason
  readonly comment?: string
}

/** @returns whether it was done: all of them or none, except for findings that another user must resolve. */
export async function settleTogether(clientId: number, which: Chosen['which'], { reason, comment = '' }: Settling): Promise<boolean> {
  const body = { ...bodyOf(which), reason, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) }
  try {
    const { message, ids } = await callApi(billFindingCalls.resolveMany, { params: { client_id: clientId }, body, intent: randomId() })
    const undo = () => callApi(billFindingCalls.reopenMany, { params: { client_id: clientId }, body: { ids } })
    saidWithUndo({ message }, ids.length === 0 ? undefined : { undo, after: () => refresh(...findingGroups) })
    return true
  } catch (error) {
    problemNotice(error)
    return false
  } finally {
    refresh(...findingGroups)
  }
}
