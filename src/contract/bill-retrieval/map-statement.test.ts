import { describe, expect, test } from 'vitest'
import { mapStatement, recordOf, type RetrievedBill } from './map-statement.ts'
import { retrievalRecord, statement, statementFilename, type Meter, type Statement, type StatementInput } from './statement.ts'
import { isTaxName } from './statement-meters.ts'
import { billingCycleOf, relationToEarlier, type EarlierBill } from './statement-history.ts'

const terms = { client: 'ACME', paymentTermsDays: 19 }

describe('the head of the bill', () => {
  test('amount_due is the statement’s, balance_forward the rest', () => {
    const bill = mapped({ amount_due: '150.00', current_charges: '120.00', late_fee: '5.00', balance_forward: null })
    expect([bill.amount_due, bill.current_charges, bill.late_fee, bill.balance_forward]).toEqual(['150.00', '120.00', '5.00', '25.00'])
  })

  test('a credit is a negative amount due', () => {
    const bill = mapped({ amount_due: '-80.00', current_charges: '20.00' })
    expect([bill.amount_due, bill.balance_forward]).toEqual(['-80.00', '-100.00'])
  })

  test('a due date that is not printed is bill date plus the vendor’s terms, and marked as assumed', () => {
    const record = recordOf(statementWith({ due_date: null }), terms)
    expect(record).toMatchObject({ due_date: '2026-03-24', assumed: ['due_date'], notes: expect.stringContaining('Due date assumed') })
    expect(recordOf(statementWith({ due_date: '2026-03-20' }), terms)).toMatchObject({ due_date: '2026-03-20', assumed: [] })
  })

  test('without a statement date the bill date is the end of the service period', () => {
    expect(recordOf(statementWith({ bill_date: null, due_date: null }), terms)).toMatchObject({
      bill_date: '2026-03-02',
      due_date: '2026-03-21',
      assumed: ['bill_date', 'due_date'],
    })
  })

  test('an adjustment is a rebill', () => {
    expect(mapped({ kind: 'adjustment' }).rebill_adjustment).toBe(true)
    expect(mapped({}).rebill_adjustment).toBe(false)
  })

  test('what does not add up is said', () => {
    expect(mapped({ current_charges: '90.00', meters: [meterWith({ utility_charges: '100.00' })] }).notes).toContain('add up to $100.00')
    expect(mapped({ balance_forward: '7.00', amount_due: '120.00', current_charges: '120.00' }).notes).toContain(
      'outstanding balance of $7.00',
    )
  })
})

describe('of three figures that disagree', () => {
  const meters = (utility_charges: string) => [meterWith({ utility_charges })]
  const head = ({ current_charges, balance_forward, notes }: RetrievedBill) => ({ current_charges, balance_forward, notes })

  test('the value of two counts, whichever they are, and the third is named', () => {
    const printed = { amount_due: '150.00', balance_forward: '30.00' }
    expect(head(mapped({ ...printed, current_charges: '99.00', meters: meters('120.00') }))).toMatchObject({
      current_charges: '120.00',
      balance_forward: '30.00',
      notes: expect.stringContaining('new charges of $99.00'),
    })
    expect(head(mapped({ ...printed, current_charges: '120.00', meters: meters('99.00') }))).toMatchObject({
      current_charges: '120.00',
      balance_forward: '30.00',
      notes: expect.stringContaining('add up to $99.00'),
    })
    expect(head(mapped({ ...printed, current_charges: '140.00', meters: meters('140.00') }))).toMatchObject({
      current_charges: '140.00',
      balance_forward: '10.00',
      notes: expect.stringContaining('less the outstanding balance of $30.00 is $120.00'),
    })
    expect(mapped({ ...printed, current_charges: '120.00', meters: meters('120.00') }).notes).toBeNull()
  })

  test('the amount due less the outstanding balance counts where no two agree, and both others are named', () => {
    const bill = mapped({ amount_due: '150.00', balance_forward: '30.00', current_charges: '99.00', meters: meters('80.00') })
    expect(head(bill)).toMatchObject({ current_charges: '120.00', balance_forward: '30.00' })
    expect(bill.notes).toContain('new charges of $99.00 and lines of $80.00')
    expect(bill.notes).toContain('is $120.00, which is taken')
  })

  test('0.00 in the place of new charges is no figure, and agrees with nothing', () => {
    const bill = mapped({ amount_due: '150.00', balance_forward: '0.00', current_charges: '0.00', meters: meters('80.00') })
    expect(head(bill)).toMatchObject({ current_charges: '150.00', balance_forward: '0.00' })
  })

  test('a previous balance that makes the amount due together with the new charges was not paid; a correction takes it back', () => {
    const printed = { amount_due: '150.00', balance_forward: '0.00', previous_balance: '30.00', current_charges: '120.00' }
    const bill = mapped({ ...printed, meters: meters('80.00') })
    expect(head(bill)).toMatchObject({ current_charges: '120.00', balance_forward: '30.00' })
    expect(bill.notes).toContain('the previous balance counts as outstanding, although the statement says $0.00')
    expect(head(mapped({ ...printed, kind: 'adjustment', meters: meters('80.00') }))).toMatchObject({ current_charges: '150.00' })
  })
})

describe('an amount that is printed twice counts once', () => {
  const line = (commodity: 'water' | null, name: string, amount: string) => ({ meter_number: commodity && 'M1', commodity, name, amount })
  const sumOf = ({ lines, bill_charges }: RetrievedBill) =>
    [...bill_charges.map(({ amount }) => amount), ...lines.flatMap(({ entry_fields }) => entry_fields.map(({ value }) => value))]
      .map(Number)
      .reduce((sum, one) => sum + one, 0)

  test('an account line that stands under a meter too is evidence, as long as the lines are too many', () => {
    const printed = {
      meters: [meterWith({ utility_charges: '90.00' })],
      account_charges: [
        { name: 'Base Charge', amount: '40.00' },
        { name: 'Fee', amount: '10.00' },
      ],
      printed_lines: [
        line(null, 'Base Charge', '40.00'),
        line(null, 'Fee', '10.00'),
        line('water', 'BASE CHARGE', '40.00'),
        line('water', 'Use', '50.00'),
      ],
    }
    const twice = mapped({ ...printed, current_charges: '100.00', amount_due: '100.00' })
    expect(twice.bill_charges).toEqual([{ name: 'Fee', amount: '10.00' }])
    expect([sumOf(twice), twice.notes]).toEqual([100, 'Lines of $40.00 repeat others of the statement and count once.'])
    expect(sumOf(mapped({ ...printed, current_charges: '140.00', amount_due: '140.00' }))).toBe(140)
  })

  test('one meter’s charges under three meters are charged once, and each keeps its usage', () => {
    const three = ['A', 'B', 'C'].map((meter_number) => meterWith({ meter_number, utility_charges: '50.00', usage: '7' }))
    const bill = mapped({ meters: three, current_charges: '50.00', amount_due: '50.00' })
    expect(bill.lines.map(({ usage, entry_fields }) => [usage, entry_fields[0]?.value])).toEqual([
      ['7.000', '50.00'],
      ['7.000', '0.00'],
      ['7.000', '0.00'],
    ])
    expect(sumOf(mapped({ meters: three, current_charges: '150.00', amount_due: '150.00' }))).toBe(150)
  })

  test('account lines beside meters that make the current charges alone are no charges', () => {
    const account_charges = [{ name: 'Balance Transfer', amount: '500.00' }]
    const bill = mapped({ account_charges, meters: [meterWith({ utility_charges: '100.00' })] })
    expect([bill.bill_charges, bill.notes]).toEqual([[], expect.stringContaining("the account's lines of $500.00 are no part of them")])
  })
})

describe('what cannot become a bill says why', () => {
  test.each([
    ['a notice', { kind: 'notice' }, 'notice'],
    ['a statement without amounts', { amount_due: null, current_charges: null }, 'no amounts'],
    ['a statement without any date', { bill_date: null, interval_end: null }, 'neither a date'],
  ] satisfies [string, Partial<StatementInput>, string][])('%s', (_, change, reason) => {
    expect(mapStatement(statementWith(change), terms)).toEqual({ cannot: expect.stringContaining(reason) })
  })
})

describe('service lines', () => {
  test('water and sewer may share a meter number and are two services', () => {
    const bill = mapped({ meters: [meterWith({ commodity: 'water' }), meterWith({ commodity: 'sewer' })] })
    expect(bill.services.map((service) => [service.utility_service, service.meter_number])).toEqual([
      ['Water', 'M1'],
      ['Sewer', 'M1'],
    ])
    expect(bill.lines).toHaveLength(2)
  })

  test('a meter without number is numbered by account and what it measures', () => {
    const bill = mapped({ meters: [meterWith({ meter_number: '', commodity: 'irrigation' })] })
    expect(bill.lines[0]).toMatchObject({ meter_number: '00123-irrigation', utility_service: 'Water', metered: true })
    expect(bill.services[0]).toMatchObject({ service_name_1: 'Irrigation' })
  })

  test('with neither number nor usage it is unmetered and uses 0; with a number the usage is missing', () => {
    expect(mapped({ meters: [meterWith({ meter_number: '', usage: null })] }).lines[0]).toMatchObject({ metered: false, usage: '0.000' })
    expect(mapped({ meters: [meterWith({ usage: null })] }).lines[0]).toMatchObject({ metered: true, usage: null })
  })

  test('two periods of one meter are two lines of one service', () => {
    const bill = mapped({ meters: [meterWith({}), meterWith({ previous_read_date: '2026-01-01', read_date: '2026-02-01' })] })
    expect([bill.lines.length, bill.services.length]).toEqual([2, 1])
  })

  test('registers of one meter in one period add up', () => {
    const bill = mapped({
      meters: [
        meterWith({ usage: '10', utility_charges: '1.10', demand: '5' }),
        meterWith({ usage: '2.5', utility_charges: '2.20', demand: '7' }),
      ],
    })
    expect(bill.lines).toHaveLength(1)
    expect(bill.lines[0]).toMatchObject({
      usage: '12.500',
      entry_fields: [{ name: 'Utility Charges', value: '3.30' }],
      usage_factors: [{ name: 'Demand', value: '7.0000' }],
    })
  })

  test('usage of no unit or of another one is never summed', () => {
    const two = (unit: string | null, other: string | null): number =>
      mapped({ meters: [meterWith({ unit }), meterWith({ unit: other })] }).lines.length
    expect([two('kWh', 'kWh'), two('kWh', null), two(null, null), two('CCF', 'gal')]).toEqual([1, 2, 2, 2])
  })

  test('more than three meters all become lines [IMPORT-FIELD-002]', () => {
    const meters = ['A', 'B', 'C', 'D', 'E'].map((meter_number) => meterWith({ meter_number }))
    const record = recordOf(statementWith({ meters }), terms)
    expect(retrievalRecord.parse(record).meters.map((meter) => meter.meter_number)).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(mapped({ meters }).lines).toHaveLength(5)
  })

  test('demand and power factor become usage factors and not usage', () => {
    const [line] = mapped({ meters: [meterWith({ usage: '100', demand: '55.5', power_factor: '0.97' })] }).lines
    expect(line).toMatchObject({
      usage: '100.000',
      usage_factors: [
        { name: 'Demand', value: '55.5000' },
        { name: 'Power Factor', value: '0.9700' },
      ],
    })
  })

  test('third-party supply stands in its own fields and marks the service', () => {
    const bill = mapped({ meters: [meterWith({ utility_charges: '60.00', supply_charges: '38.00', supply_taxes: '2.00' })] })
    expect(bill.lines[0]?.entry_fields).toEqual([
      { name: 'Utility Charges', value: '60.00' },
      { name: 'Supply Charges', value: '38.00' },
      { name: 'Supply Taxes', value: '2.00' },
    ])
    expect(bill.services[0]?.supply).toBe(true)
  })
})

test('a record carries what the specification names [IMPORT-FIELD-001] [IMPORT-FIELD-003] [IMPORT-FIELD-004] [IMPORT-FIELD-005]', () => {
  const ofMeter = {
    meter_number: 'M7',
    previous_read_date: '2026-02-02',
    read_date: '2026-03-03',
    previous_reading: '11',
    meter_reading: '22',
    multiplier: '3',
    usage: '33',
    unit: 'kWh',
    estimated: true,
    utility_charges: '70.00',
    utility_taxes: '4.00',
    supply_charges: '20.00',
    supply_taxes: '3.00',
    other_charge: '2.00',
    rec_charge: '1.00',
    therm_factor: '1.01',
    adjustment_factor: '1.02',
    demand: '5.5',
    kw_actual: '6.6',
    kw_billed: '7.7',
    power_factor: '0.97',
  }
  const printed = statementWith({
    meters: [meterWith(ofMeter)],
    current_charges: '100.00',
    late_fee: '5.00',
    amount_due: '130.00',
    rebill_adjustment: true,
  })
  const record = retrievalRecord.parse(recordOf(printed, terms))
  expect(record).toMatchObject({
    statement_id: 's1',
    file_id: 'f1',
    client: 'ACME',
    account_number: '00123',
    bill_date: '2026-03-05',
    due_date: '2026-03-20',
    balance_forward: '25.00',
    current_charges: '100.00',
    late_fee: '5.00',
    amount_due: '130.00',
    notes: null,
    rebill_adjustment: true,
    qc: false,
    parked: false,
    attachment: 'ACME_20260305_00123.pdf',
  })
  expect(record.meters).toEqual([expect.objectContaining(ofMeter)])
})

test('file names are client code, date and the last 6 of the account number [IMPORT-FIELD-006]', () => {
  expect(statementFilename('ACME', '2026-03-05', '00123456789')).toBe('ACME_20260305_456789.pdf')
  expect(statementFilename('A/B', '2026-03-05', '12 3')).toBe('A-B_20260305_12-3.pdf')
})

test('billing cycle is the median length of an account’s bills', () => {
  const of = (lengths: readonly [string, string][]) =>
    billingCycleOf(lengths.map(([interval_start, interval_end]) => ({ kind: 'bill' as const, interval_start, interval_end, meters: [] })))
  expect(
    of([
      ['2026-01-01', '2026-01-31'],
      ['2026-01-31', '2026-03-02'],
      ['2026-03-02', '2026-07-01'],
    ]),
  ).toBe(30)
  expect(
    of([
      ['2026-01-01', '2026-01-30'],
      ['2026-01-30', '2026-03-01'],
    ]),
  ).toBe(30)
  expect(billingCycleOf([{ kind: 'adjustment', interval_start: '2026-01-01', interval_end: '2026-06-01', meters: [] }])).toBeNull()
  const spanning = { kind: 'bill' as const, interval_start: '2026-01-09', interval_end: '2026-03-11' }
  const meters = [
    { previous_read_date: '2026-02-04', read_date: '2026-03-05' },
    { previous_read_date: '2026-02-10', read_date: '2026-03-11' },
  ]
  expect(billingCycleOf([{ ...spanning, meters }])).toBe(29)
  expect(billingCycleOf([{ ...spanning, meters: [{ previous_read_date: null, read_date: null }] }])).toBe(61)
})

describe('a statement beside the account’s earlier bills', () => {
  const bill = mapped({ amount_due: '100.00', current_charges: '100.00' })
  const earlier: EarlierBill = {
    id: 7,
    date: '2026-03-05',
    previous_read_date: '2026-02-01',
    read_date: '2026-03-02',
    current_charges: '100.00',
    amount_due: '100.00',
  }

  test('the same date and amounts are a re-publication', () => {
    expect(relationToEarlier(bill, [earlier])).toEqual({ kind: 'duplicate', bill_id: 7 })
  })
  test('another amount for the same period replaces that bill', () => {
    expect(relationToEarlier(bill, [{ ...earlier, current_charges: '110.00', amount_due: '110.00' }])).toEqual({
      kind: 'corrects',
      mode: 'replace',
      bill_ids: [7],
    })
  })
  test('an adjustment over a longer period adds to the bills that it overlaps', () => {
    const adjustment = { ...bill, rebill_adjustment: true, previous_read_date: '2025-12-01' }
    const before = { ...earlier, id: 6, date: '2026-02-05', previous_read_date: '2026-01-01', read_date: '2026-02-01', amount_due: '90.00' }
    const far = { ...before, id: 5, previous_read_date: '2025-10-01', read_date: '2025-11-01' }
    expect(relationToEarlier(adjustment, [{ ...earlier, amount_due: '110.00' }, before, far])).toEqual({
      kind: 'corrects',
      mode: 'add',
      bill_ids: [7, 6],
    })
  })
  test('anything else is the next bill', () => {
    expect(
      relationToEarlier(bill, [{ ...earlier, date: '2026-02-03', previous_read_date: '2026-01-01', read_date: '2026-02-01' }]),
    ).toEqual({ kind: 'next' })
  })
})

test.each([
  ['San Francisco Utility Users’ Tax', true],
  ['County Franchise Taxes', true],
  ['State Surtax', true],
  ['UTILITY USERS FEE', true],
  ['Accumulated Deferred Federal Income Tax', false],
  ['Federal Tax Reform Credit', false],
  ['Taxable usage 100 kWh', false],
  ['State Energy Surcharge', false],
])('%s is a tax: %s', (name, isTax) => {
  expect(isTaxName(name)).toBe(isTax)
})

function statementWith(change: Partial<StatementInput>): Statement {
  return statement.parse({
    statement_id: 's1',
    file_id: 'f1',
    kind: 'bill',
    provider_name: 'City Power',
    account_number: '00123',
    bill_date: '2026-03-05',
    interval_start: '2026-02-01',
    interval_end: '2026-03-02',
    current_charges: '100.00',
    amount_due: '100.00',
    due_date: '2026-03-20',
    ...change,
  })
}

function meterWith(change: Partial<Meter>): NonNullable<StatementInput['meters']>[number] {
  return {
    meter_number: 'M1',
    commodity: 'electric',
    previous_read_date: '2026-02-01',
    read_date: '2026-03-02',
    usage: '10',
    unit: 'kWh',
    utility_charges: '100.00',
    ...change,
  }
}

function mapped(change: Partial<StatementInput>): RetrievedBill {
  const bill = mapStatement(statementWith(change), terms)
  if ('cannot' in bill) throw new Error(bill.cannot)
  return bill
}
