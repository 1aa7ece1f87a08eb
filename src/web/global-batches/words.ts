/** Texts of the global batch: those that the specification gives word for word, and our own where it gives none. */
import { formatMoney } from '#contract/kernel/money.ts'
import { seconds } from '../kernel/notices/messages.ts'
import type { NoticeInput } from '../ui/dialogs/notices.ts'
import { counted } from '../kernel/counted.ts'

export { counted }

/** The specification's exact texts. `Not Allowed` and `Not allowed` are both its own, and so is the spelling of `occured`. */
export const words = {
  bank_value_zero: { title: 'Unauthorized value', message: 'Bank value cannot be set to 0' },
  no_bank_value: 'Must input and lock initial bank value before creating batches.',
  bank_value_unlocked: 'Bank value must be locked to continue batching.',
  no_bill_selected: { title: 'No bill selected.', message: 'Must select at least one bill to add.' },
  missing_batches: { title: 'Missing batches', message: 'Must have one or more batches to export' },
  last_bill: { title: 'No bills selected', message: 'Batch must always be left with at least 1 bill' },
  no_paid_batches: {
    title: 'No paid batches.',
    message: 'There are no batches which are paid that have not already been finalized today.',
  },
  move_failed: 'An error has occured',
  export_created: 'Export was created',
  mixed_types: 'All selected bills must have the same payment type',
  create_question: 'Create batches?',
  export_question: 'Create the global export?',
  create_failed: 'An error occurred during the creation. Please check that everything is correct.',
  add_failed: 'An error occurred during the process',
  check_everything: 'Please check that everything is correct.',
  created: 'Batches were created successfully!',
  added: 'Bills were added to batch successfully!',
  continue: 'Continue',
  go_to_today: "Go to Today's Batches",
  stay: 'Stay on page',
  view_updated: 'View updated batch bills',
  yes: 'Yes',
  no: 'no',
} as const

export const viewTodays = (type: string): string => `View Today's ${type} Batches`

/** The notice that an exclusive vendor is mixed with others: after one row was selected, or many at once. */
export function mixedVendors(of: 'Bills' | 'Batches', vendor: string, many: boolean): NoticeInput {
  if (many) {
    const done = of === 'Bills' ? 'batched' : 'managed'
    return error('Not allowed', `${of} with the vendor ${vendor} must be ${done} separately`)
  }
  const rest =
    of === 'Bills' ? 'can only be batched with bills from that same vendor' : 'can only be managed with batches with that same vendor'
  return error('Not Allowed', `${of} with the vendor ${vendor} ${rest}`)
}

/** The notice that a payment type differs from that of the others. */
export function mixedTypes(type: string | null, others: string | null): NoticeInput {
  const message = `your selection has a payment type of ${type ?? noType} while your other selections are of type ${others ?? noType}`
  return { kind: 'error', title: words.mixed_types, message, duration: seconds.payment_type }
}

/** Builds a notice from one of the texts above that have a title and a message. */
export function said({ title, message }: { title: string; message: string }): NoticeInput {
  return error(title, message)
}

function error(title: string, message: string): NoticeInput {
  return { kind: 'error', title, message, duration: seconds.batch }
}

const noType = 'none'

/** Our own texts. */
export const ownWords = {
  footnote: '* The bills of this vendor are exclusive: each can only be batched individually or with bills from the same vendor.',
  last_attempt: 'This is the last change of the bank value today.',
  last_attempt_consequence: (value: string) => `It becomes ${formatMoney(value)} and is locked at once. It can be changed again tomorrow.`,
  no_attempts: 'No changes are left today',
  op_help: 'OP: paid online by staff. NP: not paid, for totals of $1.00 or less.',
  no_amount: 'Amount Paid takes digits with up to 2 decimals',
  amount_stays: 'The amount before stays.',
  gone: 'Batched, paid or parked by somebody else meanwhile',
  overdraws: (amount: string) => `This is ${formatMoney(amount)} more than what remains of the bank value.`,
  unsaid: (count: number) =>
    `${counted(count, 'bill is', 'bills are')} paid with another amount than is due, and nobody said why. The column Why Unpaid takes the reason.`,
  selection_cleared: 'Selection cleared',
  waits: 'Waits',
  waits_tip: 'Waits for a release by a second person',
  no_file_yet: 'Nothing is written before somebody else releases it. Who may is told.',
} as const

/** '2 edits left', out of three per day. */
export const editsLeft = (attempts: number): string => `${attempts} ${attempts === 1 ? 'edit' : 'edits'} left`
