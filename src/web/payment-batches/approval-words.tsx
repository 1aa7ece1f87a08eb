import type { ApprovalState } from '#contract/payment-batches/payment-approval.ts'
import type { PaymentBatch } from '#contract/payment-batches/batch-record.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

type Approved = Pick<PaymentBatch, 'approval_state' | 'approvals_given' | 'approvals_needed'>

const looks: Readonly<Record<ApprovalState, { tone: Tone; shape: StatusShape }>> = {
  not_needed: { tone: 'grey', shape: 'ring' },
  needed: { tone: 'grey', shape: 'ring' },
  waiting: { tone: 'warn', shape: 'ring' },
  held: { tone: 'warn', shape: 'triangle' },
  rejected: { tone: 'bad', shape: 'triangle' },
  approved: { tone: 'ok', shape: 'dot' },
}

/** The number of approvals, '1 of 2', with the mark of the state. */
export function ApprovalMark({ batch }: { batch: Approved }) {
  return <StatusDot {...looks[batch.approval_state]}>{wordOf(batch)}</StatusDot>
}

function wordOf({ approval_state: state, approvals_given: given, approvals_needed: needed }: Approved): string {
  const count = `${given} of ${needed}`
  if (state === 'not_needed') return 'Not needed'
  if (state === 'rejected') return 'Rejected'
  return state === 'held' ? `${count}, question` : count
}

/** Returns why the batch is not paid yet; undefined if its approval is not the reason. */
export function approvalReason({ approval_state: state, approvals_given: given, approvals_needed: needed }: Approved): string | undefined {
  if (state === 'not_needed' || state === 'approved') return undefined
  if (state === 'rejected') return 'It was rejected'
  if (state === 'held') return 'An approver has asked something'
  return state === 'needed' ? 'Ask for its approval first' : `${given} of ${needed} approvals are given`
}
