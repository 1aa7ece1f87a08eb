import { useState } from 'react'
import { vendorBankChangeCalls } from '#contract/vendors/vendor-bank-change.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice } from '../kernel/notices/notices.ts'
import { useCan } from '../kernel/permissions.tsx'

export type FullNumbers = ReplyOf<typeof vendorBankChangeCalls.reveal>['bank_details']

/** Loads the full numbers on a click. They exist only in this page's state and in no cache. */
export function useFullNumbers(of: 'vendor' | 'change', id: number) {
  const may = useCan('vendor_bank_detail.read')
  const [shown, setShown] = useState<FullNumbers | null>(null)
  const [busy, setBusy] = useState(false)
  const show = () => {
    setBusy(true)
    callApi(of === 'vendor' ? vendorBankChangeCalls.revealVendor : vendorBankChangeCalls.reveal, { params: { id } })
      .then(({ bank_details: details }) => setShown(details))
      .catch(problemNotice)
      .finally(() => setBusy(false))
  }
  return { may, shown, busy, show }
}
