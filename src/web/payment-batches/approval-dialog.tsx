import { useState } from 'react'
import { formatMoney } from '#contract/kernel/money.ts'
import { approvalCommentMax, paymentApprovalCalls, type BatchApproval } from '#contract/payment-batches/payment-approval.ts'
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx'

export type ApprovalAct = 'request' | 'answer' | 'approve' | 'reject' | 'ask'

interface DialogProps {
  readonly act: ApprovalAct
  readonly batch: PaymentBatch
  readonly approval: BatchApproval
  readonly onClose: () => void
}

const words: Readonly<Record<ApprovalAct, { title: string; button: string; needsComment: boolean; follows: string }>> = {
  request: {
    title: 'Request approval',
    button: 'Request approval',
    needsComment: false,
    follows: 'The approvers of the first step are told.',
  },
  answer: { title: 'Answer the approver', button: 'Send answer', needsComment: true, follows: 'The approvers are told, and may go on.' },
  approve: {
    title: 'Approve',
    button: 'Approve',
    needsComment: false,
    follows: 'A change of its bills or amounts takes the approval back.',
  },
  reject: { title: 'Reject', button: 'Reject', needsComment: true, follows: 'Nothing of it is paid until approval is asked for again.' },
  ask: { title: 'Ask', button: 'Ask', needsComment: true, follows: 'The batch is held until somebody answers.' },
}

/** One action of the approval: its consequence, a comment, and the typed total if one person works alone. */
export function ApprovalDialog({ act, batch, approval, onClose }: DialogProps) {
  const [comment, setComment] = useState('')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const attempt = useAttempt()
  const { title, button, needsComment, follows } = words[act]
  const isAlone = act === 'approve' && approval.alone_because !== null
  const lacks = needsComment && comment.trim() === ''
  const lacksTotal = isAlone && typed.replaceAll(/[$,\s]/g, '') !== approval.total
  const send = async () => {
    setTried(true)
    if (lacks || lacksTotal) return
    await attempt.run(async () => {
      await sendAct(act, batch, approval.total, {
        comment: comment.trim() === '' ? null : comment.trim(),
        confirmation: isAlone ? typed : null,
      })
      onClose()
    })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={`${title}: ${formatMoney(approval.total)} of ${batch.payer_name}`}
      footer={
        <>
          <FailedAttempt attempt={attempt} again={() => void send()} what="Not done" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={act === 'reject' ? 'danger' : 'primary'} busy={attempt.busy} onClick={() => void send()}>
            {button}
          </Button>
        </>
      }
    >
      <p>{follows}</p>
      <TextAreaField
        label={act === 'reject' ? 'Reason' : 'Comment'}
        required={needsComment}
        autoFocus
        value={comment}
        onChange={setComment}
        maxLength={approvalCommentMax}
        error={tried && lacks ? `${act === 'reject' ? 'Reason' : 'Comment'} is required` : undefined}
      />
      {isAlone && (
        <>
          <p>{`${approval.alone_because ?? ''} Elsewhere somebody else approves it. Here you do, and that is written down.`}</p>
          <TextField
            label={`Type ${approval.total} to confirm`}
            required
            value={typed}
            onChange={setTyped}
            error={tried && lacksTotal ? `Type the total, ${approval.total}, to confirm` : undefined}
          />
        </>
      )}
    </Modal>
  )
}

/** Reloads the page's data after success and failure, because another user may have decided or changed the batch a moment before. */
async function sendAct(
  act: ApprovalAct,
  { client_id, id }: PaymentBatch,
  total: string,
  said: { readonly comment: string | null; readonly confirmation: string | null },
): Promise<void> {
  const params = { client_id, id }
  try {
    const { comment } = said
    const answer =
      act === 'request' || act === 'answer'
        ? await callApi(paymentApprovalCalls.request, { params, body: { approval_request: { comment } } })
        : await callApi(paymentApprovalCalls.decide, { params, body: { approval: { act, total, ...said } } })
    resultNotice(answer)
  } finally {
    refresh('payment_batches')
  }
}
