import { billFormCalls, type SavedBill } from '#contract/bills/bill-form.ts'
import type { BillDetail } from '#contract/bills/bill-detail.ts'
import { accepted } from '../kernel/api-problem.ts'
import { callApi } from '../kernel/api.ts'
import { changedBody, newBody, type Sending } from './bill-body.ts'
import type { BillValues } from './bill-values.ts'

export interface SentBill extends Sending {
  readonly stored: BillDetail | null
  readonly base: BillValues
  readonly lockVersion: number | null
  readonly overrideReason: string | undefined
  /** Returns an idempotency key for the body, so that a repeated request has one effect. */
  readonly intent: (body: object) => string
}

/** Sends a new bill, or the changes of a stored one. */
export async function sendBill({ stored, base, lockVersion, overrideReason, intent, ...sending }: SentBill): Promise<SavedBill> {
  const client_id = sending.entry.client_id
  const override = overrideReason ? { override_reason: overrideReason } : {}
  if (stored) {
    const body = { bill: { ...changedBody(sending, base, lockVersion ?? stored.lock_version), ...override } }
    return accepted(await callApi(billFormCalls.update, { params: { client_id, id: stored.id }, body }))
  }
  const body = { bill: { ...newBody(sending), ...override } }
  return accepted(await callApi(billFormCalls.create, { params: { client_id }, body, intent: intent(body) }))
}
