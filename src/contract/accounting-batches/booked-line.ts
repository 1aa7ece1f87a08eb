/** Ledger lines as people read them: those of one bill on its page, and those behind one ledger account of a client batch. */
import { z } from 'zod'
import { call } from '../kernel/call.ts'

const amount = z.string().regex(/^-?\d+\.\d\d$/)
export const lineKinds = ['expense', 'late_fee', 'prior_balance', 'payable'] as const

export const bookedLine = z.object({
  bill_id: z.int(),
  kind: z.enum(lineKinds),
  ledger_account_id: z.int().nullable(),
  /** Empty if the line has no ledger account. */
  ledger_account_name: z.string(),
  /** The values of the client's ledger fields, with the names of that day on a frozen line. */
  ledger_values: z.array(z.object({ name: z.string(), value: z.string() })),
  description: z.string(),
  /** A debit is positive. */
  amount,
})
export type BookedLine = z.infer<typeof bookedLine>

/** A line of a batch with the bill that it belongs to. */
export const batchLine = bookedLine.extend({
  account_number: z.string(),
  vendor_name: z.string().nullable(),
  bill_date: z.string(),
})
export type BatchLine = z.infer<typeof batchLine>

/** Most lines of one ledger account that are listed; all are counted. */
export const batchLinesMax = 1_000

const namedBatch = z.object({ id: z.int(), batch_code: z.string() })

export const billLedger = z.object({
  /** `frozen` by the close of its batch, `computed` from the bill as it is now, or `none` for a void bill that no closed batch booked. */
  standing: z.enum(['frozen', 'computed', 'none']),
  batch: namedBatch.nullable(),
  lines: z.array(bookedLine),
  /** The lines by which closed batches took the bill back. */
  reversals: z.array(bookedLine.extend({ batch: namedBatch })),
  /** Set if the bill is void and booked, and an open batch has still to take it back: that batch, or null if there is none yet. */
  owed: z.object({ batch: namedBatch.nullable() }).nullable(),
})
export type BillLedger = z.infer<typeof billLedger>

export const billLedgerCalls = {
  get: call({
    name: 'bills.ledger_lines',
    method: 'GET',
    path: '/clients/:client_id/bills/:id/ledger_lines',
    may: 'accounting_batch.read',
    summary: 'The ledger lines of a bill: as a closed client batch has booked them, or as they follow from the bill now',
    reply: z.object({ ledger: billLedger }),
  }),
}
