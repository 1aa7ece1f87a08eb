/**
 * The trail of a bill: what was charged, booked and paid, step by step from its document to its payment, each compared with what it must equal.
 * The sums come from rows; a step that the reader may not read is marked as hidden and has no figure.
 */
import { z } from 'zod'
import { call } from '../kernel/call.ts'

/** The steps in display order. */
export const trailSteps = [
  { value: 'document', label: 'Document' },
  { value: 'keyed', label: 'Keyed' },
  { value: 'findings', label: 'Findings' },
  { value: 'ledger', label: 'Ledger lines' },
  { value: 'client_batch', label: 'Client batch' },
  { value: 'upload_file', label: 'Upload file' },
  { value: 'invoice', label: 'Invoice' },
  { value: 'vendor_payment', label: 'Vendor payment' },
  { value: 'approval', label: 'Approval' },
  { value: 'payment_file', label: 'Payment file' },
  { value: 'reversal', label: 'Reversal' },
] as const
const stepKeys = z.enum(trailSteps.map(({ value }) => value))
export type TrailStepKey = z.infer<typeof stepKeys>

/** Most facts listed for one step; all are counted. */
export const trailFactsMax = 100

const amount = z.string().regex(/^-?\d+\.\d\d$/)

const trailFact = z.object({
  text: z.string(),
  amount: amount.nullable(),
  at: z.string().nullable(),
  by: z.string().nullable(),
  /** The page of the record in the console. */
  link: z.string().nullable(),
})
export type TrailFact = z.infer<typeof trailFact>

const trailStep = z.object({
  key: stepKeys,
  /** `none`: the bill has not reached this step; `hidden`: the reader may not read it. */
  state: z.enum(['there', 'none', 'hidden']),
  charged: amount.nullable(),
  booked: amount.nullable(),
  paid: amount.nullable(),
  /** `equal` to what it must equal; `explained` if it differs and a reason was given; `broken` if it differs without one. */
  mark: z.enum(['equal', 'explained', 'broken']).nullable(),
  why: z.string().nullable(),
  facts: z.array(trailFact),
})
export type TrailStep = z.infer<typeof trailStep>

export const billTrail = z.object({
  bill_id: z.int(),
  client_id: z.int(),
  account_number: z.string(),
  vendor_name: z.string().nullable(),
  date: z.string(),
  charged: amount,
  /** Null if nothing is booked or paid yet, or if the reader may not read it. */
  booked: amount.nullable(),
  paid: amount.nullable(),
  /** The first step with a broken figure. */
  breaks_at: stepKeys.nullable(),
  steps: z.array(trailStep),
})
export type BillTrail = z.infer<typeof billTrail>

export const billTrailCalls = {
  get: call({
    name: 'bills.trail',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/trail',
    may: 'bill.read',
    summary: 'The trail of a bill: what was charged, booked and paid, step by step',
    reply: z.object({ trail: billTrail }),
  }),
}
