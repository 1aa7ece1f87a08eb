import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { account, history, KWH, service, vendor } from '../bill-audits/audit-fixture.ts'
import { auditBill, ordinaryContext, type Finding } from '../bill-audits/bill-audits.ts'
import { billOfBody, reasonsByWire, type StandingBill } from './bill-body.ts'
import type { BillBook } from './bill-book.ts'
import { billDraft, type BillDraft, type CheckedBill } from './bill-draft.ts'
import type { BillAttributes } from './bill-attributes.ts'
import { auditedBill, prepareBill } from './bill-prepare.ts'
import { fullStatuses, holds, statusRules } from './bill-status.ts'
import type { StatusFacts } from './status-facts.ts'
import { lockGroups, locks } from './bill-locks.ts'
import { derivedUsage, numberOfDays } from '../bill-figures/bill-totals.ts'
import { draftOfRows } from '../bill-import/draft-of-rows.ts'
import { billsImport } from '../bill-import/import-bills.ts'
import { addDays } from '../kernel/date.ts'
import { decimalOfUnits } from '../kernel/decimal.ts'

const charges = ['Utility Charges', 'Utility Taxes', 'Supply Charges']
const book: BillBook = {
  account,
  vendor,
  settings: [],
  history,
  services: [
    {
      ...service,
      utility_service_id: 1,
      entry_fields: ['Utility Charges'],
      usage_factors: [{ id: 3, name: 'Demand', adjustment_factor: false, default_value: null, asked: false }],
      additional_entry_fields: [],
    },
  ],
}
const terms = {
  entry_fields: new Map(
    charges.map((name, at) => [name, { id: at + 1, name, category: 'utility' as const, is_tax: name.endsWith('Taxes') }]),
  ),
}
const today = '2026-11-05'
/** Fewer runs: each audits the bill up to three times against two years. */
const auditRuns = propertyRuns / 5

const cents = (from: number, to: number) => fc.integer({ min: from, max: to }).map((units) => decimalOfUnits(BigInt(units), 2))
const anyLine = fc
  .record({
    start: fc.integer({ min: 0, max: 40 }),
    days: fc.integer({ min: 1, max: 60 }),
    previous_reading: fc.option(cents(0, 9_999_999)),
    meter_reading: cents(0, 9_999_999),
    multiplier: fc.option(fc.constantFrom('1', '40', '2.5', '0.125')),
    usage: fc.option(fc.integer({ min: 0, max: 99_999_999 }).map((units) => decimalOfUnits(BigInt(units), 3))),
    estimated: fc.boolean(),
    charge: cents(0, 5_000_000),
    tax: fc.option(cents(-5_000, 50_000)),
    demand: fc.option(fc.integer({ min: 0, max: 9_999_999 }).map((units) => decimalOfUnits(BigInt(units), 4))),
  })
  // A line has its own usage, or readings that it is derived from.
  .map((line) => ({ ...line, usage: line.usage ?? (line.previous_reading === null ? '1.000' : null) }))
const anyBill = fc.record({
  late: fc.integer({ min: -30, max: 30 }),
  due: fc.integer({ min: 0, max: 90 }),
  invoice_number: fc.option(fc.constantFrom('A-1', 'B-2')),
  balance_forward: cents(-10_000, 10_000),
  current_charges: cents(-10_000, 9_000_000),
  late_fee: fc.option(cents(0, 10_000)),
  amount_due: cents(-10_000, 9_000_000),
  line: anyLine,
})
type AnyBill = typeof anyBill extends fc.Arbitrary<infer B> ? B : never

const dated = ({ late, due, line }: AnyBill) => ({
  date: addDays('2026-11-03', late),
  due_date: addDays('2026-11-03', late + due),
  previous_read_date: addDays('2026-09-20', line.start),
  read_date: addDays('2026-09-20', line.start + line.days),
})
const filled = (name: string, value: string | null) => (value === null ? [] : [{ name, value }])

function bodyOf(bill: AnyBill): BillAttributes {
  const { line, invoice_number, balance_forward, current_charges, late_fee, amount_due } = bill
  const { date, due_date, previous_read_date, read_date } = dated(bill)
  const { previous_reading, meter_reading, multiplier, usage, estimated } = line
  const values = [...filled('Utility Charges', line.charge), ...filled('Utility Taxes', line.tax)]
  return {
    account_type: 'BillableAccount',
    account_id: 5,
    date,
    due_date,
    invoice_number,
    balance_forward,
    current_charges,
    late_fee,
    amount_due,
    service_bills_attributes: [
      {
        service_id: service.id,
        previous_read_date,
        read_date,
        previous_reading,
        meter_reading,
        multiplier,
        usage,
        estimated,
        service_bill_entry_fields: values,
        service_bill_usage_factors: filled('Demand', line.demand),
      },
    ],
  }
}

/** Returns the draft from an equivalent row of a file, its cells parsed by the import's own columns. */
function draftOfFile(bill: AnyBill): BillDraft {
  const { line, invoice_number, balance_forward, current_charges, late_fee, amount_due } = bill
  const { date, due_date, previous_read_date, read_date } = dated(bill)
  const said: Record<string, unknown> = {
    account_number: 'A-5',
    date,
    due_date,
    invoice_number,
    balance_forward,
    current_charges,
    late_fee,
    amount_due,
    m1_meter_number: service.meter_number,
    m1_previous_read_date: previous_read_date,
    m1_read_date: read_date,
    m1_previous_reading: line.previous_reading,
    m1_reading: line.meter_reading,
    m1_multiplier: line.multiplier,
    m1_usage: line.usage,
    m1_estimated: line.estimated,
    m1_utility_charges: line.charge,
    m1_utility_taxes: line.tax,
    m1_demand: line.demand,
  }
  const cells = Object.fromEntries(
    billsImport.columns.flatMap(({ name, field }) =>
      said[name] === undefined || said[name] === null ? [] : [[name, field.schema.parse(said[name])]],
    ),
  )
  const own = { id: service.id, meter_number: service.meter_number, active: true, names: [], units: [{ unit_id: KWH, symbol: 'kWh' }] }
  const { draft, faults } = draftOfRows(
    [{ line: 2, cells }],
    {
      account_type: 'BillableAccount',
      account_id: 5,
      services: [{ ...own, usage_factors: ['Demand'], additional_entry_fields: [] }],
      group_number: null,
    },
    { today, import_task_id: 9, entry_fields: charges },
  )
  expect(faults).toEqual([])
  return draft
}

/** Returns the draft that a provider's statement is mapped to. */
function draftOfStatement(bill: AnyBill): BillDraft {
  const { service_bills_attributes: lines = [], ...head } = bodyOf(bill)
  const { date = '', due_date = '', balance_forward = '', current_charges = '', amount_due = '' } = head
  return {
    account_type: 'BillableAccount',
    account_id: 5,
    date,
    due_date,
    balance_forward,
    current_charges,
    amount_due,
    invoice_number: head.invoice_number,
    late_fee: head.late_fee,
    service_bills: lines.map(({ id: _id, _destroy, ...line }) => ({ ...line, service_id: service.id })),
    source: 'retrieval',
    retrieval_provider: 'sandbox',
    statement_id: 'S-1',
  }
}

interface Judged {
  readonly draft: Partial<CheckedBill>
  readonly lines: unknown
  readonly missing: readonly string[]
  readonly findings: readonly Finding[]
}
function judged(made: BillDraft): Judged {
  const checked = billDraft.parse(made)
  const prepared = prepareBill(checked, book, terms)
  if ('reasons' in prepared) throw new Error(JSON.stringify(prepared.reasons))
  // Only the source may differ.
  const { source: _s, retrieval_provider: _p, statement_id: _i, import_task_id: _t, imported_history: _h, ...draft } = checked
  const findings = auditBill({ ...book, bill: auditedBill(prepared, 1), today, context: ordinaryContext })
  return { draft, lines: prepared.lines, missing: prepared.missing_fields, findings }
}

describe('one bill by three ways', () => {
  test('the form’s body, the row of a file and a statement make equal drafts, derived values and findings', () => {
    let found = 0
    fc.assert(
      fc.property(anyBill, (bill) => {
        const { draft, faults } = billOfBody(bodyOf(bill), null, undefined)
        expect(faults).toEqual({})
        const typed = judged(draft)
        expect(judged(draftOfFile(bill))).toEqual(typed)
        expect(judged(draftOfStatement(bill))).toEqual(typed)
        found += typed.findings.length
      }),
      { numRuns: auditRuns },
    )
    expect(found, 'bills with nothing to find would prove little').toBeGreaterThan(200)
  })
})

describe('the body of a change', () => {
  const standing = (bill: AnyBill): StandingBill => ({
    draft: { ...billOfBody(bodyOf(bill), null, undefined).draft, bill_charges: [{ name: 'Fuel', amount: '1.00' }] },
    line_ids: [71],
    charge_ids: [81],
  })
  test('that says nothing changes nothing; that says all of another bill makes that one', () => {
    fc.assert(
      fc.property(anyBill, anyBill, (one, other) => {
        const stands = standing(one)
        expect(billDraft.parse(billOfBody({}, stands, undefined).draft)).toEqual(billDraft.parse(stands.draft))
        const [line = {}] = bodyOf(other).service_bills_attributes ?? []
        const whole = billOfBody(
          { ...bodyOf(other), service_bills_attributes: [{ ...line, id: 71 }], bill_charges_attributes: [{ id: 81, _destroy: true }] },
          stands,
          undefined,
        )
        expect(whole.lines).toEqual([{ id: 71, place: 0 }])
        const { usage: _one, ...made } = billDraft.parse(whole.draft).service_bills[0] ?? {}
        const { usage: _other, ...wanted } = billDraft.parse(billOfBody(bodyOf(other), null, undefined).draft).service_bills[0] ?? {}
        expect(made).toEqual(wanted)
        expect(billDraft.parse(whole.draft).bill_charges).toEqual([])
      }),
      { numRuns: propertyRuns },
    )
  })
  test.each([
    ['readings that usage followed from take it with them', { meter_reading: '30.00' }, '10.00', '20.00', '10.000', null],
    ['usage that was typed otherwise stays', { meter_reading: '30.00' }, '10.00', '20.00', '11.000', '11.000'],
    ['usage that is sent counts', { meter_reading: '30.00', usage: '5' }, '10.00', '20.00', '10.000', '5'],
  ])('%s', (_title, sent, previous_reading, meter_reading, usage, expected) => {
    const stored = { service_id: 1, previous_reading, meter_reading, usage, multiplier: '1' }
    const draft: BillDraft = { ...billOfBody({}, null, undefined).draft, service_bills: [stored] }
    const { draft: made } = billOfBody(
      { service_bills_attributes: [{ id: 7, ...sent }] },
      { draft, line_ids: [7], charge_ids: [] },
      undefined,
    )
    expect(made.service_bills[0]?.usage).toBe(expected)
  })
  test('lines keep their order where some are left out, and take that of the body where all are named', () => {
    const stored = { service_id: 1 }
    const draft: BillDraft = { ...billOfBody({}, null, undefined).draft, service_bills: [stored, stored, stored] }
    const stands: StandingBill = { draft, line_ids: [1, 2, 3], charge_ids: [] }
    const idsOf = (rows: BillAttributes['service_bills_attributes']) =>
      billOfBody({ service_bills_attributes: rows }, stands, undefined).lines.map(({ id, place }) => [id, place])
    expect(idsOf([{ id: 3 }, { service_id: 9 }])).toEqual([
      [1, null],
      [2, null],
      [3, 0],
      [null, 1],
    ])
    expect(idsOf([{ id: 3 }, { service_id: 9 }, { id: 1 }, { id: 2, _destroy: true }])).toEqual([
      [3, 0],
      [null, 1],
      [1, 2],
    ])
    const bill = billOfBody(
      {
        service_bills_attributes: [
          { id: 2, _destroy: true },
          { id: 3, usage: 'x' },
        ],
      },
      stands,
      undefined,
    )
    expect(reasonsByWire({ 'service_bills.1.usage': ['no'], 'service_bills.0.usage': ['stored'], file_ids: ['two'] }, bill)).toEqual({
      'service_bills_attributes.1.usage': ['no'],
      service_bills_attributes: ['stored'],
      signed_file_ids: ['two'],
    })
  })
})

describe('what is derived', () => {
  test('days undo the addition of days, and usage is exact for any readings and multiplier [SBILL-RULE-006] [SBILL-RULE-007]', () => {
    const count = fc.integer({ min: 0, max: 99_999_999_999 })
    fc.assert(
      fc.property(fc.integer({ min: -4_000, max: 4_000 }), count, count, fc.integer({ min: 1, max: 99_999 }), (days, from, to, by) => {
        expect(numberOfDays({ previous_read_date: '2026-01-31', read_date: addDays('2026-01-31', days) })).toBe(days)
        const reading = (units: number) => decimalOfUnits(BigInt(units), 2)
        const usage = derivedUsage({ previous_reading: reading(from), meter_reading: reading(to), multiplier: String(by) })
        expect(usage).toBe(decimalOfUnits(BigInt(to - from) * BigInt(by) * 10n, 3))
      }),
      { numRuns: propertyRuns },
    )
  })
  test('audits find the same in whatever order the past is given', () => {
    fc.assert(
      fc.property(anyBill, fc.shuffledSubarray([...history], { minLength: history.length }), (bill, shuffled) => {
        const prepared = prepareBill(billDraft.parse(billOfBody(bodyOf(bill), null, undefined).draft), book, terms)
        if ('reasons' in prepared) throw new Error('refused')
        const input = { ...book, bill: auditedBill(prepared, 1), today, context: ordinaryContext }
        expect(auditBill({ ...input, history: shuffled })).toEqual(auditBill(input))
      }),
      { numRuns: auditRuns },
    )
  })
})

describe('locks', () => {
  const anyFacts: fc.Arbitrary<StatusFacts> = fc.record({
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
  test('add up: what one more state locks comes on top, and nothing that happens to a bill unlocks it [BILL-TRANS-001]', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const now = locks(facts)
        const further: readonly Partial<StatusFacts>[] = [
          { paid: true },
          { finalized: true },
          { superseded_by_id: 1 },
          { parked: true },
          { qc: true },
        ]
        for (const more of further) {
          const then = locks({ ...facts, ...more })
          expect(lockGroups.filter((group) => now.has(group) && !then.has(group))).toEqual([])
        }
        const isFree =
          fullStatuses.slice(0, 5).every((status) => !holds(statusRules[status], facts)) &&
          !holds(statusRules['Client Batch Closed'], facts)
        expect(now.size === 0).toBe(isFree)
      }),
      { numRuns: propertyRuns },
    )
  })
})
