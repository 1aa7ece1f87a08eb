/** Takes back one act on a finding, unless somebody has changed the finding since. */
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import type { FindingEvent } from '#contract/bill-findings/bill-finding.ts'
import type { Result } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'

type Params = { readonly client_id: number; readonly id: number }

const meanwhile: Partial<Record<FindingEvent['event'], string>> = {
  assigned: 'assigned',
  resolved: 'resolved',
  reopened: 'opened',
  changed: 'changed',
  gone: 'cleared',
}

/** Returns the undo of an act that was just done. A comment of somebody else does not stand in its way. */
export function undoOf(params: Params, back: () => Promise<Result>): () => Promise<Result> {
  const done = lastChange(params)
  // The undo reports the failure.
  done.catch(() => undefined)
  return async () => {
    const [then, now] = [await done, await lastChange(params)]
    if (then?.id !== now?.id)
      throw new Error(
        `${now?.user_name ?? 'Somebody'} ${meanwhile[now?.event ?? 'changed'] ?? 'changed'} the finding meanwhile. It stays as it is.`,
      )
    return back()
  }
}

async function lastChange(params: Params): Promise<FindingEvent | undefined> {
  const { events } = await callApi(billFindingCalls.get, { params: { ...params } })
  return events.filter(({ event }) => meanwhile[event] !== undefined).toSorted((one, other) => other.id - one.id)[0]
}
