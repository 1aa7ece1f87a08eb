import { describe, expect, test } from 'vitest'
import type { BillValues, LineValues } from './bill-values.ts'
import { carryOn, isPassed, startingBalance, startingCarried, type CarriedFrom } from './carried.ts'
import { emptyBill, emptyLine } from './starting-values.ts'

const last = { invoice_number: null, balance_forward: '0.00', amount_due: '80.00', amount_paid: null, paid: false, service_bills: [] }
const water = { id: 1, metered: true, meter_multiplier: '1', utility_service_name: 'Water' }
const sewer = { id: 2, metered: true, meter_multiplier: '1', utility_service_name: 'Sewer' }
const entry: CarriedFrom = { payments_managed: false, services: [water, sewer], history: [], last_bill: last }
const used = (service_id: number, usage: string) => ({ service_id, usage, meter_reading: null, service_bill_entry_fields: [] })
const lineOf = (key: string, service_id: number, more: Partial<LineValues> = {}): LineValues => ({
  ...emptyLine(key),
  service_id,
  unit_id: 9,
  previous_read_date: '2026-09-03',
  ...more,
})
const base: BillValues = { ...emptyBill, lines: [lineOf('n1', 1, { previous_reading: '100.00' }), lineOf('n2', 2)] }
const withLine = (values: BillValues, key: string, more: Partial<LineValues>): BillValues => ({
  ...values,
  lines: values.lines.map((line) => (line.key === key ? { ...line, ...more } : line)),
})
const linesOf = (values: BillValues, field: 'read_date' | 'usage') => values.lines.map((line) => line[field])

describe('the balance forward of a new bill', () => {
  test.each([
    ['is 0.00 after a bill that was paid in full', { paid: true, amount_paid: '80.00' }, true, '0.00'],
    ['is typed after a bill that was paid in part', { paid: true, amount_paid: '79.99' }, true, ''],
    ['is typed after a bill that is not paid where payments are made here', {}, true, ''],
    ['is 0.00 after a bill that asked for nothing older where payments are made elsewhere', {}, false, '0.00'],
    ['is typed after a bill that asked for an older one', { balance_forward: '12.00' }, false, ''],
    ['is typed after a credit', { amount_due: '-5.00' }, false, ''],
    ['is typed after a credit that is marked as paid', { amount_due: '-5.00', paid: true, amount_paid: '-5.00' }, true, ''],
  ])('%s', (_, change, payments_managed, balance) => {
    expect(startingBalance({ ...entry, payments_managed, last_bill: { ...last, ...change } })).toBe(balance)
  })

  test('is typed on the first bill of an account', () => {
    expect(startingBalance({ ...entry, last_bill: null })).toBe('')
  })
})

describe('Enter passes', () => {
  const start = (values: BillValues, from: CarriedFrom = entry, read: readonly string[] = []) =>
    Object.keys(startingCarried(values, base, from, (path) => read.includes(path)))

  test('what stands in a new bill, not what is empty, typed over or read from a document', () => {
    expect(start(base)).toEqual(
      expect.arrayContaining(['lines.n1.previous_read_date', 'lines.n1.previous_reading', 'lines.n1.unit_id', 'lines.n1.estimated']),
    )
    expect(start(base)).not.toContain('lines.n2.previous_reading')
    expect(start(withLine(base, 'n1', { previous_reading: '101' }))).not.toContain('lines.n1.previous_reading')
    expect(start(base, entry, ['lines.n1.unit_id'])).not.toContain('lines.n1.unit_id')
  })

  test('a charge and an invoice number that the last bill did not have, and never a required charge', () => {
    const charges = { 'Utility Charges': '', 'Other Charge': '', 'Utility Taxes': '' }
    const values = withLine(base, 'n1', { service_bill_entry_fields: charges })
    const lastLine = { ...used(1, '5'), service_bill_entry_fields: [{ name: 'Utility Taxes', value: '2.00' }] }
    const from = { ...entry, last_bill: { ...last, service_bills: [lastLine] } }
    const passed = Object.keys(startingCarried(values, values, from, () => false))
    expect(passed).toContain('invoice_number')
    expect(passed.filter((path) => path.includes('entry_fields'))).toEqual(['lines.n1.service_bill_entry_fields.Other Charge'])
  })
})

describe('a read date', () => {
  test('is carried to the lines below, follows until one of them is typed, and never goes up', () => {
    const first = carryOn(base, withLine(base, 'n1', { read_date: '2026-10-03' }), {}, entry)
    expect(linesOf(first.values, 'read_date')).toEqual(['2026-10-03', '2026-10-03'])
    expect(isPassed(first.carried, 'lines.n2.read_date')).toBe(true)
    const second = carryOn(first.values, withLine(first.values, 'n1', { read_date: '2026-10-05' }), first.carried, entry)
    expect(linesOf(second.values, 'read_date')).toEqual(['2026-10-05', '2026-10-05'])
    const typed = withLine(second.values, 'n2', { read_date: '2026-10-06' })
    const third = carryOn(typed, withLine(typed, 'n1', { read_date: '2026-10-07' }), {}, entry)
    expect(linesOf(third.values, 'read_date')).toEqual(['2026-10-07', '2026-10-06'])
    const below = carryOn(base, withLine(base, 'n2', { read_date: '2026-10-03' }), {}, entry)
    expect(linesOf(below.values, 'read_date')).toEqual(['', '2026-10-03'])
  })

  test('is not carried while it is no date, nor to a line that was read on that day or later', () => {
    expect(linesOf(carryOn(base, withLine(base, 'n1', { read_date: '10/0' }), {}, entry).values, 'read_date')).toEqual(['10/0', ''])
    const later = withLine(base, 'n2', { previous_read_date: '2026-10-03' })
    expect(linesOf(carryOn(later, withLine(later, 'n1', { read_date: '2026-10-03' }), {}, entry).values, 'read_date')[1]).toBe('')
  })
})

describe('the usage of water', () => {
  const billed = { ...entry, last_bill: { ...last, service_bills: [used(1, '40.000'), used(2, '40')] } }

  test('is carried to the sewer that the last bill billed on it', () => {
    const read = carryOn(base, withLine(base, 'n1', { meter_reading: '150.00' }), {}, billed)
    expect(read.values.lines[1]?.usage).toBe('50.000')
    expect(isPassed(read.carried, 'lines.n2.usage')).toBe(true)
    const gone = carryOn(read.values, withLine(read.values, 'n1', { meter_reading: '' }), read.carried, billed)
    expect(gone.values.lines[1]?.usage).toBe('')
  })

  test('is not carried to a sewer of another usage, unit or reading, nor over a typed usage', () => {
    const other = { ...billed, last_bill: { ...billed.last_bill, service_bills: [used(1, '40'), used(2, '32')] } }
    expect(carryOn(base, withLine(base, 'n1', { usage: '50' }), {}, other).values.lines[1]?.usage).toBe('')
    expect(carryOn(base, withLine(base, 'n1', { usage: '50' }), {}, entry).values.lines[1]?.usage).toBe('')
    for (const own of [{ unit_id: 8 }, { previous_reading: '1', meter_reading: '5' }]) {
      const values = withLine(base, 'n2', own)
      expect(carryOn(values, withLine(values, 'n1', { usage: '50' }), {}, billed).values.lines[1]?.usage).toBe('')
    }
    const typed = withLine(base, 'n2', { usage: '30' })
    expect(carryOn(typed, withLine(typed, 'n1', { usage: '50' }), {}, billed).values.lines[1]?.usage).toBe('30')
  })
})

describe('a due date', () => {
  const month = (day: string, due_date: string | null) => ({ date: day, due_date })
  const steady = [month('2026-10-05', '2026-10-25'), month('2026-09-05', '2026-09-25'), month('2026-08-05', '2026-08-25')]
  const dated = (history: CarriedFrom['history'], values: BillValues = base) =>
    carryOn(values, { ...values, date: '2026-11-05' }, {}, { ...entry, history })

  test('is proposed by the term that the last three bills had in common, and Enter stops at it', () => {
    const { values, carried } = dated(steady)
    expect(values.due_date).toBe('2026-11-25')
    expect(Object.keys(carried)).toEqual(['due_date'])
    expect(isPassed(carried, 'due_date')).toBe(false)
  })

  test('is typed where terms differ, bills are few or without one, or it was typed already', () => {
    expect(dated([...steady.slice(0, 2), month('2026-08-05', '2026-08-26')]).values.due_date).toBe('')
    expect(dated([...steady.slice(0, 2), month('2026-08-05', null)]).values.due_date).toBe('')
    expect(dated(steady.slice(0, 2)).values.due_date).toBe('')
    expect(dated(steady, { ...base, due_date: '2026-11-30' }).values.due_date).toBe('2026-11-30')
  })
})
