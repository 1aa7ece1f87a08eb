/** The actions on one finding. Each shows its result and reloads everything that shows the finding. */
import { useState } from 'react'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import type { FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { useAttempt, type Attempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'

/** Groups of the cache that show findings. */
export const findingGroups = ['bill_findings', 'bills', 'history', 'audit_settings', 'exceptions'] as const

export interface FindingActs {
  readonly attempt: Attempt
  /** Repeats the action that failed last. */
  again(): Promise<boolean>
  resolve(reason: FindingReason, comment: string): Promise<boolean>
  reopen(comment: string): Promise<boolean>
  assign(userId: number | null): Promise<boolean>
  comment(text: string): Promise<boolean>
}

/** Each action resolves to whether it was done. */
export function useFindingActs(clientId: number, id: number): FindingActs {
  const attempt = useAttempt()
  const [last, setLast] = useState<(() => Promise<Result>) | null>(null)
  const params = { client_id: clientId, id }
  const act = async (ask: () => Promise<Result>): Promise<boolean> => {
    setLast(() => ask)
    const done = await attempt.run(async () => {
      resultNotice(await ask())
      return true
    })
    refresh(...findingGroups)
    return done ?? false
  }
  return {
    attempt,
    again: async () => (last ? act(last) : false),
    resolve: (reason, comment) => act(() => callApi(billFindingCalls.resolve, { params, body: { reason, ...given(comment) } })),
    reopen: (comment) => act(() => callApi(billFindingCalls.reopen, { params, body: given(comment) })),
    assign: (assigned_to) => act(() => callApi(billFindingCalls.assign, { params, body: { assigned_to } })),
    comment: (text) => act(() => callApi(billFindingCalls.comment, { params, body: { comment: text } })),
  }
}

function given(comment: string): { comment?: string } {
  return comment.trim() === '' ? {} : { comment: comment.trim() }
}
