import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { badges, daysDue, type BadgeFacts } from './bill-badges.ts'
import {
  accountingStatus,
  fullStatus,
  fullStatuses,
  holds,
  isClientBatchable,
  isUnswept,
  statusMeanings,
  paymentStatus,
  statusesBefore,
  statusRules,
} from './bill-status.ts'
import type { StatusFacts } from './status-facts.ts'
import { lockedBillFields, lockedLineFields, lockGroups, locks, locksFactor } from './bill-locks.ts'

function factsOf(some: Partial<StatusFacts> = {}): StatusFacts {
  return {
    superseded_by_id: null,
    finalized: false,
    paid: false,
    vendor_payment_id: null,
    payment_batch_is_global: null,
    parked: false,
    qc: false,
    open_errors: 0,
    open_blocking: 0,
    any_linked_errors: false,
    accounting_batch_id: null,
    accounting_batch_closed: null,
    accounting_batch_invoiced: null,
    missing_fields: [],
    ...some,
  }
}

const everything: StatusFacts = {
  superseded_by_id: 9,
  finalized: true,
  paid: true,
  vendor_payment_id: 5,
  payment_batch_is_global: true,
  parked: true,
  qc: true,
  open_errors: 1,
  open_blocking: 1,
  any_linked_errors: true,
  accounting_batch_id: 3,
  accounting_batch_closed: true,
  accounting_batch_invoiced: true,
  missing_fields: ['due_date'],
}

describe('full_status', () => {
  test('[BILL-FIELD-002] [BILL-FIELD-014] each of the twelve values is reached when everything before it is taken away', () => {
    const less: Partial<StatusFacts>[] = [
      {},
      { superseded_by_id: null },
      { finalized: false },
      { paid: false },
      { payment_batch_is_global: false },
      { vendor_payment_id: null },
      { parked: false },
      { qc: false },
      { open_errors: 0, open_blocking: 0, any_linked_errors: false },
      { accounting_batch_closed: false, accounting_batch_invoiced: false },
      { accounting_batch_id: null },
      { missing_fields: [] },
    ]
    let facts = everything
    const seen = less.map((change) => {
      facts = { ...facts, ...change }
      return fullStatus(facts)
    })
    expect(seen).toEqual([
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
    ])
    expect(seen).toEqual([...fullStatuses])
  })

  test.each([
    ['an open error', { open_errors: 1 }, 'Flagged'],
    ['an error on a linked bill', { any_linked_errors: true }, 'Flagged'],
    [
      'an invoiced batch that was never closed',
      { accounting_batch_id: 1, accounting_batch_closed: false, accounting_batch_invoiced: true },
      'Client Batch Closed',
    ],
    ['an open batch', { accounting_batch_id: 1, accounting_batch_closed: false, accounting_batch_invoiced: false }, 'Client Batched'],
    ['finalized comes after paid', { paid: true, finalized: true }, 'Finalized'],
    ['parked inside a vendor batch', { parked: true, vendor_payment_id: 1, payment_batch_is_global: false }, 'Vendor Batched'],
  ] satisfies [string, Partial<StatusFacts>, string][])('%s', (_case, some, status) => {
    expect(fullStatus(factsOf(some))).toBe(status)
  })

  test('a filter of "this rule and none before" selects exactly the bills that show the status', () => {
    const anyFacts = fc.record({
      superseded_by_id: fc.option(fc.constant(1)),
      finalized: fc.boolean(),
      paid: fc.boolean(),
      vendor_payment_id: fc.option(fc.constant(1)),
      payment_batch_is_global: fc.option(fc.boolean()),
      parked: fc.boolean(),
      qc: fc.boolean(),
      open_errors: fc.nat(2),
      open_blocking: fc.nat(1),
      any_linked_errors: fc.boolean(),
      accounting_batch_id: fc.option(fc.constant(1)),
      accounting_batch_closed: fc.option(fc.boolean()),
      accounting_batch_invoiced: fc.option(fc.boolean()),
      missing_fields: fc.constantFrom([], ['date']),
    })
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const selected = fullStatuses.filter(
          (status) => holds(statusRules[status], facts) && !statusesBefore(status).some((earlier) => holds(statusRules[earlier], facts)),
        )
        expect(selected).toEqual([fullStatus(facts)])
      }),
      { numRuns: propertyRuns },
    )
  })
})

describe('the two axes', () => {
  test('accounting_status follows the client batch', () => {
    const of = (accounting_batch_id: number | null, accounting_batch_closed: boolean, accounting_batch_invoiced: boolean) =>
      accountingStatus({ accounting_batch_id, accounting_batch_closed, accounting_batch_invoiced })
    expect([of(null, false, false), of(1, false, false), of(1, true, false), of(1, true, true)]).toEqual([
      'unbatched',
      'client_batched',
      'closed',
      'invoiced',
    ])
  })

  test('payment_status follows the vendor payment; what NP settled was never paid', () => {
    const of = (some: Partial<StatusFacts>, paid_as: string | null = null, group_bill_id: number | null = null) =>
      paymentStatus({ ...factsOf(some), paid_as, group_bill_id })
    expect(of({})).toBe('unpaid')
    expect(of({}, null, 7)).toBe('group_bill')
    expect(of({ paid: true }, 'ACH', 7)).toBe('paid')
    expect(of({ vendor_payment_id: 1, payment_batch_is_global: false })).toBe('vendor_batched')
    expect(of({ vendor_payment_id: 1, payment_batch_is_global: true })).toBe('global_batched')
    expect(of({ paid: true }, 'ACH')).toBe('paid')
    expect(of({ paid: true, finalized: true }, 'ACH')).toBe('finalized')
    expect(of({ paid: true, finalized: true }, 'NP')).toBe('no_pay')
  })
})

describe('locks', () => {
  test.each([['paid'], ['finalized']] as const)(
    '[BILL-TRANS-001] a %s bill keeps open only notes, files and factors that are measurements',
    (flag) => {
      const locked = locks(factsOf({ [flag]: true }))
      expect(lockGroups.filter((group) => !locked.has(group))).toEqual(['measurements', 'notes', 'files'])
      expect(lockedBillFields(locked).has('notes')).toBe(false)
      expect(lockedBillFields(locked).has('signed_file_ids')).toBe(false)
      expect(
        ['date', 'due_date', 'amount_due', 'current_charges', 'qc', 'parked', 'amount_paid'].every((field) =>
          lockedBillFields(locked).has(field),
        ),
      ).toBe(true)
    },
  )

  test.each(['finalized', 'paid'] as const)('[SBILL-TRANS-001] a %s bill locks every input of its service lines', (flag) => {
    const inputs = [
      'service_id',
      'previous_read_date',
      'read_date',
      'next_read_date',
      'fiscal_month',
      'previous_reading',
      'meter_reading',
      'multiplier',
      'usage',
      'unit_id',
      'estimated',
      'notes',
      'service_bill_entry_fields',
      'service_bill_additional_entry_fields',
    ]
    const locked = lockedLineFields(locks(factsOf({ [flag]: true })))
    expect(inputs.filter((field) => !locked.has(field))).toEqual([])
    expect(lockedLineFields(locks(factsOf())).size).toBe(0)
  })

  test('[SBILL-TRANS-002] usage factors are locked only on a paid or finalized bill, and only adjustment factors', () => {
    for (const flag of ['finalized', 'paid']) {
      const locked = locks(factsOf({ [flag]: true }))
      expect(locksFactor(locked, { adjustment_factor: true })).toBe(true)
      expect(locksFactor(locked, { adjustment_factor: false })).toBe(false)
    }
    expect(locksFactor(locks(factsOf({ accounting_batch_id: 1, accounting_batch_closed: true })), { adjustment_factor: true })).toBe(false)
  })

  test('a bill in a payment keeps its amount paid open', () => {
    const locked = locks(factsOf({ vendor_payment_id: 1, payment_batch_is_global: true }))
    expect([...locked].toSorted()).toEqual(['account', 'amount_due', 'vendor'])
  })

  test('locks add up over every row that holds, also under a status that locks nothing', () => {
    const facts = factsOf({ parked: true, accounting_batch_id: 1, accounting_batch_closed: true })
    expect(fullStatus(facts)).toBe('Parked')
    expect(locks(facts).has('charges')).toBe(true)
    const both = factsOf({ vendor_payment_id: 1, payment_batch_is_global: false, accounting_batch_id: 1, accounting_batch_closed: true })
    expect(locks(both).has('vendor') && locks(both).has('fiscal_month')).toBe(true)
  })

  test('a void bill is locked whole, an open one not at all', () => {
    expect(locks(factsOf({ superseded_by_id: 2 })).size).toBe(lockGroups.length)
    expect(locks(factsOf({ qc: true, open_errors: 3, accounting_batch_id: 1, accounting_batch_closed: false })).size).toBe(0)
  })
})

describe('selection and badges', () => {
  test('unswept bills are unpaid, unparked and in no payment; flagged and QC bills are among them', () => {
    expect(isUnswept(factsOf({ qc: true, open_errors: 1 }))).toBe(true)
    const not: Partial<StatusFacts>[] = [
      { paid: true },
      { finalized: true },
      { parked: true },
      { vendor_payment_id: 1 },
      { superseded_by_id: 1 },
    ]
    expect(not.map((some) => isUnswept(factsOf(some)))).toEqual([false, false, false, false, false])
  })

  test('a client batch takes complete bills without a batch that are not parked', () => {
    expect(isClientBatchable(factsOf())).toBe(true)
    const not: Partial<StatusFacts>[] = [
      { accounting_batch_id: 1 },
      { parked: true },
      { missing_fields: ['usage'] },
      { superseded_by_id: 1 },
    ]
    expect(not.map((some) => isClientBatchable(factsOf(some)))).toEqual([false, false, false, false])
  })

  test('badges say what the status hides', () => {
    const facts: BadgeFacts = {
      superseded_by_id: null,
      finalized: false,
      paid: false,
      parked: true,
      qc: true,
      open_errors: 1,
      open_warnings: 2,
      rebill_adjustment: true,
      any_estimated: true,
      due_date: '2026-11-20',
      group_bill_id: null,
      any_duplicate_flag: true,
    }
    expect(badges(facts, '2026-11-21')).toEqual(['Rebill/Adjustment', 'Estimated', 'Flagged (3)', 'QC', 'Parked', 'Past due', 'Duplicate?'])
    // A bill that the group's bill includes is paid with it, and is not overdue by itself.
    expect(badges({ ...facts, group_bill_id: 7 }, '2026-11-21')).toEqual([
      'Rebill/Adjustment',
      'Estimated',
      'Flagged (3)',
      'QC',
      'Parked',
      'Group child',
      'Duplicate?',
    ])
    expect(badges({ ...facts, paid: true }, '2026-11-21')).not.toContain('Past due')
    expect(badges({ ...facts, due_date: '2026-11-21' }, '2026-11-21')).not.toContain('Past due')
  })

  test('days due count down to the due date and below zero after it', () => {
    expect([daysDue('2026-11-25', '2026-11-21'), daysDue('2026-11-21', '2026-11-21'), daysDue('2026-11-01', '2026-11-21')]).toEqual([
      4, 0, -20,
    ])
  })
})

test('each of the twelve statuses is explained, by the same words in the documentation [BILL-FIELD-014] [BILL-FIELD-015]', () => {
  const rows = [...readFileSync('docs/bill-statuses.md', 'utf8').matchAll(/^\| ([A-Z][^|]+) \| ([^|]+) \|$/gm)]
  expect(rows.map(([, status, meaning]) => [status, meaning])).toEqual(fullStatuses.map((status) => [status, statusMeanings[status]]))
})
