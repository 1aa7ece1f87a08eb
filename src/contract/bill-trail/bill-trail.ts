/**
 * The trail of a bill: what was charged, booked and paid, step by step from its document to its payment, each beside what it must equal. The
 * sums come from rows; a step that the reader may not read says so and carries no figure.
 */
import { z } from 'zod'
import { call } from '../kernel/call.ts'

/** The steps, in the order in which they are shown. */
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

/** Facts of one step; all are counted where there are more. */
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
  /** `none`: it has not come to this; `hidden`: the reader may not read it. */
  state: z.enum(['there', 'none', 'hidden']),
  charged: amount.nullable(),
  booked: amount.nullable(),
  paid: amount.nullable(),
  /** `equal` to what it must equal; `explained` where it differs and somebody said why; `broken` where it differs and nobody did. */
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
  /** Null where nothing is booked or paid yet, or where the reader may not read it. */
  booked: amount.nullable(),
  paid: amount.nullable(),
  /** The first step at which a figure breaks. */
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
