import { expect, test } from 'vitest'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillValues } from './bill-values.ts'
import { emptyLine, newValues } from './starting-values.ts'
import { correctsNothing } from './corrects-nothing.ts'
import { asksForCharges, withRest } from './typed-charges.ts'

const account = {
  active: true,
  is_group_account: false,
  billing_period: null,
  billing_cycle: null,
  effective_from: null,
  effective_to: null,
  audits_off: false,
  tax_ids: [],
}
const entry: BillEntry = {
  client_id: 1,
  account_type: 'BillableAccount',
  account_id: 1,
  account_number: 'A-1',
  account_name: 'Account',
  facility_name: null,
  vendor_id: null,
  today: '2026-03-01',
  account,
  vendor: null,
  services: [],
  settings: [],
  history: [],
  entry_fields: [],
  payments_managed: true,
  qc_on_error: false,
  override_limit: '0.00',
  last_bill: null,
  group: null,
}
const typed = (charge: string, change: Partial<BillValues> = {}): BillValues => ({
  ...newValues(entry),
  current_charges: '1850.25',
  lines: [{ ...emptyLine('s1'), service_id: 7, service_bill_entry_fields: { 'Utility Charges': charge } }],
  ...change,
})

test('a bill with current charges and none on its lines is asked about before it is saved', () => {
  for (const charge of ['', '0', '0.00']) expect(asksForCharges(typed(charge), null, entry), charge).toBe(true)
  expect(asksForCharges(typed('12.00'), null, entry)).toBe(false)
  expect(asksForCharges(typed('', { current_charges: '0.00' }), null, entry)).toBe(false)
  expect(asksForCharges(typed('', { charges: [{ key: 'x', id: null, name: 'All', amount: '1850.25' }] }), null, entry)).toBe(false)
})

test('nothing is asked of a bill that was stored so, nor of a group’s, whose children carry the charges', () => {
  expect(asksForCharges(typed(''), typed(''), entry)).toBe(false)
  expect(asksForCharges(typed(''), typed('12.00'), entry)).toBe(true)
  const group = { ...entry, account: { ...account, is_group_account: true } }
  expect(asksForCharges(typed('', { lines: [] }), null, group)).toBe(false)
  expect(asksForCharges(typed(''), null, group)).toBe(true)
})

test('a charge takes what the other lines and charges leave of the current charges, and nothing while these cannot be read', () => {
  const taxed = { ...emptyLine('n2'), service_bill_entry_fields: { 'Utility Taxes': '99' } }
  const values = typed('1,800.00', { charges: [{ key: 'c', id: null, name: 'Fee', amount: '5.25' }] })
  const rest = (current_charges: string) =>
    withRest({ ...values, current_charges, lines: [...values.lines, taxed] }, 'n2', 'Utility Taxes').lines.at(-1)?.service_bill_entry_fields
  expect(rest('1850.25')).toEqual({ 'Utility Taxes': '45.00' })
  expect(rest('1800.00')).toEqual({ 'Utility Taxes': '-5.25' })
  expect(rest('1,8x')).toEqual({ 'Utility Taxes': '99' })
})

test('a replacement with the figures of the bill that it replaces corrects nothing, whatever its notes say; an addition always counts', () => {
  const base = typed('5.00', { rebill_of_id: 3, rebill_mode: 'replace' })
  expect(correctsNothing({ ...base, notes: 'Sent again', qc: true }, base)).toBe(true)
  expect(correctsNothing({ ...base, lines: base.lines.map((line) => ({ ...line, notes: 'Again' })) }, base)).toBe(true)
  expect(correctsNothing({ ...base, invoice_number: 'B-2' }, base)).toBe(false)
  expect(correctsNothing({ ...base, lines: base.lines.map((line) => ({ ...line, usage: '5' })) }, base)).toBe(false)
  expect(correctsNothing({ ...base, rebill_mode: 'add' }, { ...base, rebill_mode: 'add' })).toBe(false)
  expect(correctsNothing(typed('5.00'), typed('5.00'))).toBe(false)
})
