import { remittanceAdviceCalls } from '#contract/payment-batches/remittance-advice.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'
import { refresh } from '../kernel/query.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'

export interface ActedAdvice {
  readonly id: number
  readonly state: string
  readonly to_address: string
}

export function sendAdviceAgain({ id }: ActedAdvice): Promise<void> {
  return act(() => callApi(remittanceAdviceCalls.sendAgain, { params: { id } }))
}

/** Returns the act of the signed-in person. It asks for confirmation, because it may stop the advices of all payments to this address. */
export function useMarkBounced(): (advice: ActedAdvice) => Promise<void> {
  const marksAddress = useCan('vendor.update')
  return async ({ id, to_address: address }) => {
    const sure = await confirm({
      message: `Did the remittance advice to ${address} come back?`,
      consequence: marksAddress
        ? 'No further advice goes to this address until the vendor has another one.'
        : 'Further advices still go to this address, until somebody who may change vendors marks it.',
      confirmLabel: 'Mark as Bounced',
    })
    if (sure) await act(() => callApi(remittanceAdviceCalls.markBounced, { params: { id } }))
  }
}

/** Why an advice cannot be sent again or marked; undefined if it can. The server knows further reasons. */
export const whyNotAgain = ({ state }: Pick<ActedAdvice, 'state'>, may: boolean): string | undefined =>
  may ? (state === 'queued' ? 'It is queued already' : undefined) : 'You may not send it'
export const whyNotBounced = ({ state }: Pick<ActedAdvice, 'state'>, may: boolean): string | undefined =>
  may ? (state === 'sent' ? undefined : 'Only a sent advice can come back') : 'You may not mark it'

/** Refreshes after success and failure, so that a user who was too late sees what was done. */
async function act(ask: () => Promise<{ success: boolean; message: string }>): Promise<void> {
  try {
    resultNotice(await ask())
  } catch (error) {
    problemNotice(error)
  } finally {
    refresh('remittance_advices', 'global_batches', 'vendors')
  }
}
