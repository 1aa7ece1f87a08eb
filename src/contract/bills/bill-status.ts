/**
 * The status of a bill and its locked fields. The status is never stored. Its rules are data, so that the server can turn the same rules into a
 * filter: a bill has a status if that rule holds and no earlier one does.
 */

export interface StatusFacts {
  /** The rebill that replaced this bill. */
  readonly superseded_by_id: number | null
  readonly finalized: boolean
  readonly paid: boolean
  readonly vendor_payment_id: number | null
  /** Whether the payment batch of its vendor payment is a global one; null without a vendor payment. */
  readonly payment_batch_is_global: boolean | null
  readonly parked: boolean
  readonly qc: boolean
  /** Open E and E! findings of the bill and of its lines. */
  readonly open_errors: number
  /** Open E! findings, which are also counted in open_errors. */
  readonly open_blocking: number
  /** Whether a linked supply bill has an open E or E! finding. */
  readonly any_linked_errors: boolean
  readonly accounting_batch_id: number | null
  readonly accounting_batch_closed: boolean | null
  readonly accounting_batch_invoiced: boolean | null
  /** Names of empty required fields; only imports, retrieval and autosave leave any. */
  readonly missing_fields: readonly string[]
}

type IdFact = 'superseded_by_id' | 'vendor_payment_id' | 'accounting_batch_id'
type CountFact = 'open_errors' | 'open_blocking'
type YesNoFact = Exclude<keyof StatusFacts, IdFact | CountFact | 'missing_fields'>

/** One condition on a bill: an id is set, a flag is true, a count is above zero, a list is not empty. */
export type StatusCondition =
  | { readonly fact: IdFact; readonly is: 'set' }
  | { readonly fact: YesNoFact; readonly is: 'true' }
  | { readonly fact: CountFact; readonly is: 'positive' }
  | { readonly fact: 'missing_fields'; readonly is: 'not_empty' }

/** All conditions of `all` hold, and at least one of `any` if it is not empty. */
interface StatusRule {
  readonly all: readonly StatusCondition[]
  readonly any: readonly StatusCondition[]
}

/** In order of precedence, which decides the status that a bill shows. */
export const fullStatuses = [
  'Void',
  'Finalized',
  'Paid',
  'Global Batched',
  'Vendor Batched',
  'Parked',
  'QC',
  'Flagged',
  'Client Batch Closed',
  'Client Batched',
  'Draft',
  'Unbatched',
] as const
export type FullStatus = (typeof fullStatuses)[number]

/** The meaning of each status, as in the console and docs/bill-statuses.md. */
export const statusMeanings: Readonly<Record<FullStatus, string>> = {
  Void: 'Another bill has replaced it. It counts nowhere and is kept for its history.',
  Finalized: 'Paid, and its payment is closed. Nothing of it changes any more.',
  Paid: 'Its payment has gone out.',
  'Global Batched': 'Its vendor payment is in a global batch and goes out with it.',
  'Vendor Batched': 'It belongs to a vendor payment that has not gone out yet.',
  Parked: 'Somebody has put it aside. It waits until it is taken back.',
  QC: 'It is held for a second look before it goes on.',
  Flagged: 'It has open errors, of its own or of a supply bill that it shows.',
  'Client Batch Closed': 'Its client batch is closed or invoiced.',
  'Client Batched': 'It is in a client batch that is still open.',
  Draft: 'Required values are empty. They are filled in before it goes on.',
  Unbatched: 'Complete, without open errors, and in no batch yet.',
}

const always: StatusRule = { all: [], any: [] }

export const statusRules: Readonly<Record<FullStatus, StatusRule>> = {
  Void: { all: [{ fact: 'superseded_by_id', is: 'set' }], any: [] },
  Finalized: { all: [{ fact: 'finalized', is: 'true' }], any: [] },
  Paid: { all: [{ fact: 'paid', is: 'true' }], any: [] },
  'Global Batched': {
    all: [
      { fact: 'vendor_payment_id', is: 'set' },
      { fact: 'payment_batch_is_global', is: 'true' },
    ],
    any: [],
  },
  'Vendor Batched': { all: [{ fact: 'vendor_payment_id', is: 'set' }], any: [] },
  Parked: { all: [{ fact: 'parked', is: 'true' }], any: [] },
  QC: { all: [{ fact: 'qc', is: 'true' }], any: [] },
  Flagged: {
    all: [],
    any: [
      { fact: 'open_errors', is: 'positive' },
      { fact: 'open_blocking', is: 'positive' },
      { fact: 'any_linked_errors', is: 'true' },
    ],
  },
  'Client Batch Closed': {
    all: [{ fact: 'accounting_batch_id', is: 'set' }],
    any: [
      { fact: 'accounting_batch_closed', is: 'true' },
      { fact: 'accounting_batch_invoiced', is: 'true' },
    ],
  },
  'Client Batched': { all: [{ fact: 'accounting_batch_id', is: 'set' }], any: [] },
  Draft: { all: [{ fact: 'missing_fields', is: 'not_empty' }], any: [] },
  Unbatched: always,
}

export const accountingStatuses = ['unbatched', 'client_batched', 'closed', 'invoiced'] as const
export type AccountingStatus = (typeof accountingStatuses)[number]

export const paymentStatuses = ['unpaid', 'group_bill', 'vendor_batched', 'global_batched', 'paid', 'finalized', 'no_pay'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** The locks: each is a group of wire fields of a bill or of its lines. */
export const lockGroups = [
  'account',
  'vendor',
  'header',
  'amount_due',
  'charges',
  'shares',
  'fiscal_month',
  'line_set',
  'lines',
  'adjustment_factors',
  'measurements',
  'amount_paid',
  'hold',
  'rebill',
  'notes',
  'files',
] as const
export type LockGroup = (typeof lockGroups)[number]

/** The wire fields of each group, on the bill and on its lines. `locksFactor` distinguishes the two kinds of service_bill_usage_factors. */
const lockedFields: Readonly<Record<LockGroup, { readonly bill: readonly string[]; readonly line: readonly string[] }>> = {
  account: { bill: ['account_type', 'account_id'], line: [] },
  vendor: { bill: ['vendor_id'], line: [] },
  header: {
    bill: [
      'date',
      'due_date',
      'invoice_number',
      'bill_id',
      'group_bill_id',
      'group_bill_chosen',
      'read_date',
      'previous_read_date',
      'next_read_date',
    ],
    line: [],
  },
  amount_due: { bill: ['amount_due'], line: [] },
  charges: {
    bill: ['balance_forward', 'current_charges', 'late_fee', 'bill_charges_attributes'],
    line: ['service_bill_entry_fields', 'service_bill_additional_entry_fields'],
  },
  // Shares belong to the service; a closed batch has frozen copies of them, so no field of the bill is locked.
  shares: { bill: [], line: [] },
  fiscal_month: { bill: ['fiscal_month'], line: ['fiscal_month'] },
  line_set: { bill: ['linked_service_bill_ids'], line: ['service_id', '_destroy', 'supply_bill_id'] },
  lines: {
    bill: [],
    line: [
      'previous_read_date',
      'read_date',
      'next_read_date',
      'previous_reading',
      'meter_reading',
      'multiplier',
      'usage',
      'unit_id',
      'raw_unit',
      'estimated',
      'rate_schedule',
      'notes',
    ],
  },
  adjustment_factors: { bill: [], line: [] },
  measurements: { bill: [], line: [] },
  amount_paid: { bill: ['amount_paid'], line: [] },
  hold: { bill: ['qc', 'parked'], line: [] },
  rebill: { bill: ['rebill_adjustment', 'rebill_mode', 'rebill_of_id'], line: [] },
  notes: { bill: ['notes'], line: [] },
  files: { bill: ['signed_file_ids'], line: [] },
}

const OPEN_AFTER_PAYMENT: ReadonlySet<LockGroup> = new Set<LockGroup>(['notes', 'files', 'measurements'])

/** Returns the status that a bill shows: the first rule that holds. */
export function fullStatus(facts: StatusFacts): FullStatus {
  return fullStatuses.find((status) => holds(statusRules[status], facts)) ?? 'Unbatched'
}

/** Whether a rule holds for a bill by itself, whatever the earlier rules. */
export function holds(rule: StatusRule, facts: StatusFacts): boolean {
  return (
    rule.all.every((condition) => isSo(condition, facts)) && (rule.any.length === 0 || rule.any.some((condition) => isSo(condition, facts)))
  )
}

/** Returns the statuses that take precedence over the given one: a filter requires that none of their rules holds. */
export function statusesBefore(status: FullStatus): FullStatus[] {
  return fullStatuses.slice(0, fullStatuses.indexOf(status))
}

/** Returns the bill's status in the client's accounting. */
export function accountingStatus(
  facts: Pick<StatusFacts, 'accounting_batch_id' | 'accounting_batch_closed' | 'accounting_batch_invoiced'>,
): AccountingStatus {
  if (facts.accounting_batch_id === null) return 'unbatched'
  if (facts.accounting_batch_invoiced) return 'invoiced'
  return facts.accounting_batch_closed ? 'closed' : 'client_batched'
}

/**
 * Returns the bill's payment status. `paid_as` is the type it was paid by; NP means that it was settled without a payment. A bill that a group's
 * bill includes is paid with that one: `group_bill`.
 */
export function paymentStatus(
  facts: Pick<StatusFacts, 'finalized' | 'paid' | 'vendor_payment_id' | 'payment_batch_is_global'> & {
    readonly paid_as: string | null
    readonly group_bill_id: number | null
  },
): PaymentStatus {
  if ((facts.finalized || facts.paid) && facts.paid_as === 'NP') return 'no_pay'
  if (facts.finalized) return 'finalized'
  if (facts.paid) return 'paid'
  if (facts.vendor_payment_id === null) return facts.group_bill_id === null ? 'unpaid' : 'group_bill'
  return facts.payment_batch_is_global ? 'global_batched' : 'vendor_batched'
}

/** Returns the groups that may no longer change. The locks of every rule that holds add up, not only those of the shown status. */
export function locks(facts: StatusFacts): Set<LockGroup> {
  const locked = new Set<LockGroup>()
  for (const status of fullStatuses) {
    if (!holds(statusRules[status], facts)) continue
    for (const group of locksOf(status)) locked.add(group)
  }
  return locked
}

/** Returns the locked wire fields of the bill itself. */
export function lockedBillFields(locked: ReadonlySet<LockGroup>): Set<string> {
  return new Set([...locked].flatMap((group) => lockedFields[group].bill))
}

/** Returns the locked wire fields of every service line. A locked `_destroy` or `service_id` also means that no line may be added. */
export function lockedLineFields(locked: ReadonlySet<LockGroup>): Set<string> {
  return new Set([...locked].flatMap((group) => lockedFields[group].line))
}

/** Whether the input of a usage factor is locked: only adjustment factors are, because the others change no amount. */
export function locksFactor(locked: ReadonlySet<LockGroup>, factor: { readonly adjustment_factor: boolean }): boolean {
  return locked.has(factor.adjustment_factor ? 'adjustment_factors' : 'measurements')
}

/** Whether a bill may be chosen for a payment: not paid, not parked, not void and in no payment yet. */
export function isUnswept(facts: Pick<StatusFacts, 'superseded_by_id' | 'finalized' | 'paid' | 'parked' | 'vendor_payment_id'>): boolean {
  return facts.superseded_by_id === null && !facts.paid && !facts.finalized && !facts.parked && facts.vendor_payment_id === null
}

/** Whether a client batch may take a bill: not in one yet, not parked, not void, and complete. */
export function isClientBatchable(
  facts: Pick<StatusFacts, 'superseded_by_id' | 'accounting_batch_id' | 'parked' | 'missing_fields'>,
): boolean {
  return facts.superseded_by_id === null && facts.accounting_batch_id === null && !facts.parked && facts.missing_fields.length === 0
}

function locksOf(status: FullStatus): readonly LockGroup[] {
  switch (status) {
    case 'Void':
      return lockGroups
    case 'Finalized':
    case 'Paid':
      return lockGroups.filter((group) => !OPEN_AFTER_PAYMENT.has(group))
    case 'Global Batched':
    case 'Vendor Batched':
      return ['account', 'vendor', 'amount_due']
    case 'Client Batch Closed':
      // The amount due is the credit of the payable line, the lines are what the charges are booked on, and what the bill replaces was taken
      // back with it.
      return ['account', 'charges', 'amount_due', 'shares', 'fiscal_month', 'line_set', 'rebill']
    default:
      return []
  }
}

function isSo(condition: StatusCondition, facts: StatusFacts): boolean {
  switch (condition.is) {
    case 'set':
      return facts[condition.fact] !== null
    case 'true':
      return facts[condition.fact] === true
    case 'positive':
      return facts[condition.fact] > 0
    case 'not_empty':
      return facts[condition.fact].length > 0
  }
}
