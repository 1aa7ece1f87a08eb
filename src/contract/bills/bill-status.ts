import type { StatusRule, StatusFacts, StatusCondition } from './status-facts.ts'

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
 * Returns the bill's payment status. `paid_as` is the type it was paid by; NP means that it was closed without a payment. A bill that a
 * group's bill includes is paid with that one: `group_bill`.
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
