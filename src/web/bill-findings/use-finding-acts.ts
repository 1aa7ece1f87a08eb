/** The actions on one finding. Each shows its result and reloads everything that shows the finding. */
import { useState } from 'react'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import type { FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt, type Attempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { saidWithUndo } from '../kernel/notices/undoable.ts'
import { refresh } from '../kernel/query.ts'
import { undoOf } from './undo-finding-act.ts'

/** Groups of the cache that show findings. */
export const findingGroups = ['bill_findings', 'bills', 'history', 'audit_settings', 'exceptions'] as const

export interface FindingActs {
  readonly attempt: Attempt
  /** Repeats the action that failed last. */
  again(): Promise<boolean>
  resolve(reason: FindingReason, comment: string): Promise<boolean>
  reopen(comment: string): Promise<boolean>
  /** `before` is who had it: Undo gives it back. */
  assign(userId: number | null, before: number | null): Promise<boolean>
  comment(text: string): Promise<boolean>
}

/** Each action resolves to whether it was done. */
export function useFindingActs(clientId: number, id: number): FindingActs {
  const attempt = useAttempt()
  const [last, setLast] = useState<(() => Promise<boolean>) | null>(null)
  const params = { client_id: clientId, id }
  const say = (result: Result, back: (() => Promise<Result>) | undefined) =>
    back ? saidWithUndo(result, { undo: undoOf(params, back), after: () => refresh(...findingGroups) }) : resultNotice(result)
  const act = async (ask: () => Promise<Result>, back?: () => Promise<Result>): Promise<boolean> => {
    setLast(() => () => act(ask, back))
    const done = await attempt.run(async () => {
      say(await ask(), back)
      return true
    })
    refresh(...findingGroups)
    return done ?? false
  }
  const give = (assigned_to: number | null) => () => callApi(billFindingCalls.assign, { params, body: { assigned_to } })
  return {
    attempt,
    again: async () => (last ? last() : false),
    resolve: (reason, comment) =>
      act(
        () => callApi(billFindingCalls.resolve, { params, body: { reason, ...given(comment) } }),
        () => callApi(billFindingCalls.reopen, { params, body: {} }),
      ),
    reopen: (comment) => act(() => callApi(billFindingCalls.reopen, { params, body: given(comment) })),
    assign: (assigned_to, before) => act(give(assigned_to), give(before)),
    comment: (text) => act(() => callApi(billFindingCalls.comment, { params, body: { comment: text } })),
  }
}

function given(comment: string): { comment?: string } {
  return comment.trim() === '' ? {} : { comment: comment.trim() }
}
