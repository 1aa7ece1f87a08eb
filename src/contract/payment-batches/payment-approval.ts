/** The approval of a vendor batch: its requirements, its events, and the data for an approver. */
import { z } from 'zod'
import { call, result } from '../kernel/call.ts'
import { text } from '../kernel/entity.ts'
import { sum } from './payment-bill.ts'

export const approvalStates = [
  { value: 'not_needed', label: 'Not needed' },
  { value: 'needed', label: 'Not asked for' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'held', label: 'Question open' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'approved', label: 'Approved' },
] as const
export type ApprovalState = (typeof approvalStates)[number]['value']
const states = z.enum(approvalStates.map(({ value }) => value))

export const approvalCommentMax = 500
/** Bills shown to an approver first, the largest. */
export const largestBillsMax = 10

/** Unusual properties of a payment, in the words of the approver. */
export const unusualMarks = [
  { value: 'first_payment', label: 'First payment to this vendor' },
  { value: 'largest_in_year', label: 'Largest payment to this vendor in a year' },
  { value: 'same_amount', label: 'Same amount as a payment of the last 45 days' },
  { value: 'bank_changed', label: 'Bank details changed in the last 30 days' },
  { value: 'bank_waiting', label: 'New bank details wait for approval' },
  { value: 'differs', label: 'Something else is paid than the amount due' },
  { value: 'flagged', label: 'Bills with open errors' },
  { value: 'late', label: 'Past due' },
] as const
export type UnusualMark = (typeof unusualMarks)[number]['value']

const event = z.object({
  id: z.int(),
  kind: z.enum(['requested', 'approved', 'rejected', 'asked', 'answered']),
  step_name: z.string().nullable(),
  user_name: z.string().nullable(),
  comment: z.string().nullable(),
  total: sum,
  /** True if one user had duties that are otherwise separated, and typed the total. */
  alone: z.boolean(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  ended_why: z.string().nullable(),
})

const step = z.object({
  id: z.int(),
  name: z.string(),
  above_amount: sum,
  needed: z.boolean(),
  approver_names: z.array(z.string()),
  approved_by_name: z.string().nullable(),
  approved_at: z.string().nullable(),
})

const payment = z.object({
  id: z.int(),
  vendor_name: z.string(),
  bill_count: z.int(),
  amount: sum,
  /** Day and amount of the previous payment. */
  last_date: z.string().nullable(),
  last_amount: sum.nullable(),
  marks: z.array(z.enum(unusualMarks.map(({ value }) => value))),
})

const largest = z.object({
  id: z.int(),
  vendor_name: z.string(),
  account_number: z.string(),
  facility_name: z.string().nullable(),
  date: z.string(),
  due_date: z.string(),
  amount_due: sum,
  amount_paid: sum,
})

export const batchApproval = z.object({
  state: states,
  needed: z.int(),
  given: z.int(),
  total: sum,
  steps: z.array(step),
  events: z.array(event),
  payments: z.array(payment),
  largest: z.array(largest),
  /** Whether the reader may approve now; if not, why. */
  may_approve: z.boolean(),
  why_not: z.string().nullable(),
  /** Set if the reader may approve alone by typing the total: these duties are otherwise separated. */
  alone_because: z.string().nullable(),
})
export type BatchApproval = z.infer<typeof batchApproval>

const one = '/clients/:client_id/payment_batches/:id' as const
const comment = text('Comment', approvalCommentMax).schema

export const approvalDraft = z
  .strictObject({
    act: z.enum(['approve', 'reject', 'ask'], { error: () => 'Act must be one of approve, reject, ask' }),
    /** The total that the approver saw: if it has changed, nothing is done. */
    total: z.string('Total must be an amount').regex(/^-?\d{1,12}\.\d\d$/, 'Total must be an amount with two decimals'),
    comment: comment.nullable().optional(),
    /** The total typed again, if one user has duties that are otherwise separated. */
    confirmation: z.string().max(30, 'Confirmation must be at most 30 characters').nullable().optional(),
  })
  .refine(({ act, comment: said }) => act === 'approve' || (said ?? '') !== '', { path: ['comment'], error: 'Comment is required' })
export type ApprovalDraft = z.infer<typeof approvalDraft>

export const paymentApprovalCalls = {
  get: call({
    name: 'payment_batches.approval',
    method: 'GET',
    path: `${one}/approval`,
    may: 'payment_batch.read',
    summary: 'What the approval of a Vendor Batch needs, what was said of it, and what is unusual about its payments',
    reply: z.object({ approval: batchApproval }),
  }),
  request: call({
    name: 'payment_batches.request_approval',
    method: 'POST',
    path: `${one}/request_approval`,
    may: 'payment_batch.update',
    summary: 'Asks for the approval of a Vendor Batch, or answers what an approver has asked',
    body: z.strictObject({ approval_request: z.strictObject({ comment: comment.nullable().optional() }) }),
    reply: result,
  }),
  decide: call({
    name: 'payment_batches.approve',
    method: 'POST',
    path: `${one}/approve`,
    may: 'payment_batch.read',
    summary: 'Approves a step of a Vendor Batch, rejects it, or asks something, which holds it',
    body: z.strictObject({ approval: approvalDraft }),
    reply: result,
  }),
}
