import { useState } from 'react'
import type { VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextAreaField } from '../ui/fields/text-field.tsx'
import { refuseChange } from './bank-change-acts.ts'

const REASON_LENGTH_MAX = 500

/** Asks for the reason, which is sent to the requester. */
export function RefuseDialog({ change, onClose }: { change: VendorBankChange; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const attempt = useAttempt()
  const lacks = reason.trim() === ''
  const send = async () => {
    setTried(true)
    if (lacks) return
    await attempt.run(async () => {
      await refuseChange(change.id, reason.trim())
      onClose()
    })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={`Refuse the new bank details of ${change.vendor_name}`}
      footer={
        <>
          <FailedAttempt attempt={attempt} again={() => void send()} what="Not refused" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={attempt.busy} onClick={() => void send()}>
            Refuse
          </Button>
        </>
      }
    >
      <TextAreaField
        label="Reason"
        required
        autoFocus
        value={reason}
        onChange={setReason}
        maxLength={REASON_LENGTH_MAX}
        hint={`${change.requested_by_name} is told.`}
        error={tried && lacks ? 'Reason is required' : undefined}
      />
    </Modal>
  )
}
