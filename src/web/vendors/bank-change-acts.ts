import { vendorBankChangeCalls, type VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'

/** Asks for confirmation, because payments follow; resolves to whether the change is in force. */
export async function approveChange(change: VendorBankChange): Promise<boolean> {
  const sure = await confirm({
    title: 'Approve the new bank details',
    message: `Payments to ${change.vendor_name} go to the new account from now on.`,
    consequence: 'Have you called the vendor at a number that you know from elsewhere, not from the request?',
    confirmLabel: 'Approve',
  })
  return sure && act(() => callApi(vendorBankChangeCalls.approve, { params: { id: change.id } }))
}

/** Refuses a change. Throws if that failed; the dialog then shows the reason and keeps the typed text. */
export async function refuseChange(id: number, reason: string): Promise<void> {
  try {
    resultNotice(await callApi(vendorBankChangeCalls.refuse, { params: { id }, body: { reason } }))
  } finally {
    refresh('vendor_bank_changes', 'vendors')
  }
}

export async function withdrawChange(change: VendorBankChange): Promise<boolean> {
  const sure = await confirm({
    message: `Withdraw the new bank details of ${change.vendor_name}?`,
    consequence: 'What is in force stays as it is.',
    confirmLabel: 'Withdraw',
  })
  return sure && act(() => callApi(vendorBankChangeCalls.withdraw, { params: { id: change.id } }))
}

/** Refreshes after success and failure, so that a user who was too late sees what was decided. */
async function act(ask: () => Promise<{ success: boolean; message: string }>): Promise<boolean> {
  try {
    const answer = await ask()
    resultNotice(answer)
    return answer.success
  } catch (error) {
    problemNotice(error)
    return false
  } finally {
    refresh('vendor_bank_changes', 'vendors')
  }
}
