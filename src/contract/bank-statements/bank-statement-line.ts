/** A line of a bank statement, and the payment that it shows. */
import { z } from 'zod'
import { call, exportOf, listReply } from '../kernel/call.ts'
import { choice, date, derived, entity, instant, integer, money, optional, text, type Row } from '../kernel/entity.ts'
import { idsInput } from '../kernel/lookup.ts'
import { listInputWith } from '../kernel/query.ts'
import { sum } from '../payment-batches/payment-bill.ts'
import { clearableKinds } from './clearable.ts'

export const lineStates = [
  { value: 'matched', label: 'Cleared' },
  { value: 'proposed', label: 'Proposed' },
  { value: 'open', label: 'Open' },
  { value: 'explained', label: 'Explained' },
  { value: 'ignored', label: 'No money' },
] as const

export const lineReasonMax = 500

export const bankStatementLine = entity(
  'bank_statement_line',
  'bank_statement_lines',
  {
    bank_statement_id: derived(integer('Statement')),
    line: derived(integer('Line')),
    day: derived(date('Date')),
    amount: derived(money('Amount')),
    state: derived(choice('State', lineStates)),
    description: derived(text('Description', 500)),
    check_number: derived(optional(text('Check Number'))),
    reference: derived(text('Reference', 500)),
    code: derived(text('Type')),
    /** The payment, part or file that the line shows, or may show while it is proposed. */
    clearable_name: derived(optional(text('Payment', 1_000))),
    clearable_key: derived(optional(text('Payment Key'))),
    /** The reason for the state; of an explained line, the words of the person. */
    reason: derived(text('Reason', 500)),
    settled_at: derived(optional(instant('Settled'))),
    settled_by_name: derived(optional(text('Settled By'))),
  },
  {
    filter: [
      'id',
      'bank_statement_id',
      'line',
      'day',
      'amount',
      'state',
      'description',
      'check_number',
      'reference',
      'code',
      'clearable_name',
      'reason',
      'settled_at',
      'settled_by_name',
    ],
    sort: [
      'line',
      'day',
      'amount',
      'state',
      'description',
      'check_number',
      'reference',
      'code',
      'clearable_name',
      'reason',
      'settled_at',
      'settled_by_name',
      'id',
    ],
    defaultSort: 'line asc',
  },
  { label: 'Statement Line', labels: 'Statement Lines' },
)
export type BankStatementLine = Row<typeof bankStatementLine>

const lineCandidate = z.object({
  key: z.string(),
  kind: z.enum(clearableKinds.map(({ value }) => value)),
  name: z.string(),
  day: z.string(),
  amount: sum,
})
export type LineCandidate = z.infer<typeof lineCandidate>
/** Most candidates of one line, the nearest in days first. */
export const candidatesMax = 50

const words = (label: string) =>
  z
    .string(`${label} must be text`)
    .trim()
    .min(1, `${label} is required`)
    .max(lineReasonMax, `${label} must have at most ${lineReasonMax} characters`)

/** The version of the line that the person saw. If the line or its proposal has changed since, the answer is 409. */
const seen = { lock_version: z.int('Lock Version must be a whole number').min(0, 'Lock Version must be 0 or more') }

const path = '/bank_statement_lines'
const state = z.enum(
  lineStates.map(({ value }) => value),
  'State is unknown',
)
const list = call({
  name: 'bank_statement_lines.list',
  method: 'GET',
  path,
  may: 'global_batch.read',
  summary: 'Lists the lines of bank statements',
  query: listInputWith({ bank_statement_id: idsInput.optional(), state: z.union([state, z.array(state)]).optional() }),
  reply: listReply('bank_statement_lines', bankStatementLine.row),
})

export const bankStatementLineCalls = {
  list,
  exportCsv: exportOf(list, 'the lines of bank statements'),
  candidates: call({
    name: 'bank_statement_lines.candidates',
    method: 'GET',
    path: `${path}/:id/candidates`,
    may: 'global_batch.update',
    summary: 'The outstanding payments, parts and files that have the amount of a line',
    reply: z.object({ candidates: z.array(lineCandidate) }),
  }),
  clear: call({
    name: 'bank_statement_lines.clear',
    method: 'POST',
    path: `${path}/:id/clear`,
    may: 'global_batch.update',
    summary: 'Confirms that a line shows a payment, so that the payment is cleared',
    body: z.strictObject({ clearable_key: z.string('Payment must be text').min(1, 'Payment is required').max(200), ...seen }),
  }),
  explain: call({
    name: 'bank_statement_lines.explain',
    method: 'POST',
    path: `${path}/:id/explain`,
    may: 'global_batch.update',
    summary: 'Says what a line is that shows no payment, such as a fee of the bank',
    body: z.strictObject({ reason: words('Explanation'), ...seen }),
  }),
  undo: call({
    name: 'bank_statement_lines.undo',
    method: 'POST',
    path: `${path}/:id/undo`,
    may: 'global_batch.update',
    summary: 'Opens a cleared or explained line again, with a reason; its payments are outstanding again',
    body: z.strictObject({ reason: words('Reason'), ...seen }),
  }),
}
