import { expect, test } from 'vitest'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import type { BillValues } from './bill-values.ts'
import { emptyLine, newValues } from './starting-values.ts'
import { differences } from './bill-differences.ts'
import { merged } from './merge-bills.ts'

const entry: BillEntry = {
  client_id: 1,
  account_type: 'BillableAccount',
  account_id: 1,
  account_number: 'A-1',
  account_name: 'Account',
  facility_name: null,
  vendor_id: null,
  today: '2026-03-01',
  account: {
    active: true,
    is_group_account: false,
    billing_period: null,
    billing_cycle: null,
    effective_from: null,
    effective_to: null,
    audits_off: false,
    tax_ids: [],
  },
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
const line = { ...emptyLine('s1'), id: 1, service_id: 7, usage: '10', service_bill_entry_fields: { Tax: '1.00', Fee: '2.00' } }
const base: BillValues = { ...newValues(entry), invoice_number: 'A', late_fee: '1.00', lines: [line] }

test('what one person changed stays beside what the other changed, down to the values of a line', () => {
  const mine = { ...base, invoice_number: 'MINE', lines: [{ ...line, service_bill_entry_fields: { Tax: '5.00', Fee: '2.00' } }] }
  const theirs = { ...base, late_fee: '9.00', lines: [{ ...line, usage: '20', service_bill_entry_fields: { Tax: '1.00', Fee: '3.00' } }] }
  const both = merged(base, mine, theirs, new Set())
  expect(both).toMatchObject({ invoice_number: 'MINE', late_fee: '9.00' })
  expect(both.lines).toMatchObject([{ usage: '20', service_bill_entry_fields: { Tax: '5.00', Fee: '3.00' } }])
})

test('of what both changed the chosen one counts, and only that is contested', () => {
  const mine = { ...base, invoice_number: 'MINE' }
  const theirs = { ...base, invoice_number: 'THEIRS', late_fee: '9.00' }
  const said = differences(base, mine, theirs, entry).map(({ path, was, theirs: now, mine: own, contested }) => [
    path,
    was,
    now,
    own,
    contested,
  ])
  expect(said).toContainEqual(['invoice_number', 'A', 'THEIRS', 'MINE', true])
  expect(said).toContainEqual(['late_fee', '1.00', '9.00', '1.00', false])
  expect(merged(base, mine, theirs, new Set()).invoice_number).toBe('MINE')
  expect(merged(base, mine, theirs, new Set(['invoice_number'])).invoice_number).toBe('THEIRS')
})

test('a line that was added stays, one that was removed goes, and one that was removed there but changed here comes back as a new one', () => {
  const added = { ...emptyLine('x9'), service_id: 7 }
  expect(merged(base, { ...base, lines: [line, added] }, base, new Set()).lines).toEqual([line, added])
  expect(merged(base, { ...base, lines: [] }, base, new Set()).lines).toEqual([])
  expect(merged(base, base, { ...base, lines: [] }, new Set()).lines).toEqual([])
  const back = merged(base, { ...base, lines: [{ ...line, usage: '11' }] }, { ...base, lines: [] }, new Set()).lines
  expect(back).toMatchObject([{ id: null, usage: '11' }])
})

test('what follows from its parts is computed from both; typed over, it is contested and one of both is chosen', () => {
  const mine = { ...base, current_charges: '100.00' }
  const due = (theirs: BillValues) => differences(base, mine, theirs, entry).find(({ path }) => path === 'amount_due')
  const more = { ...base, late_fee: '9.00' }
  expect(due(more)).toMatchObject({ contested: false, computed: true })
  expect(merged(base, mine, more, new Set())).toMatchObject({ current_charges: '100.00', late_fee: '9.00', amount_due: '' })
  const over = { ...base, amount_due: '77.00' }
  expect(due(over)).toMatchObject({ theirs: '77.00', mine: '101.00', contested: true })
  expect(merged(base, mine, over, new Set()).amount_due).toBe('')
  expect(merged(base, mine, over, new Set(['amount_due'])).amount_due).toBe('77.00')
  expect(merged(base, base, over, new Set()).amount_due).toBe('77.00')
  const read = { ...base, lines: [{ ...line, usage: '', previous_reading: '5', meter_reading: '9' }] }
  expect(merged(base, read, { ...base, lines: [{ ...line, usage: '20' }] }, new Set()).lines).toMatchObject([{ usage: '' }])
  expect(merged(base, read, { ...base, lines: [{ ...line, usage: '20' }] }, new Set(['lines.s1.usage'])).lines).toMatchObject([
    { usage: '20' },
  ])
})

test('a line that one removed and the other changed is contested as a whole, and either choice holds', () => {
  const without = { ...base, lines: [] }
  const changed = { ...base, lines: [{ ...line, usage: '11' }] }
  const said = (mine: BillValues, theirs: BillValues) =>
    differences(base, mine, theirs, entry).map(({ path, theirs: now, mine: own, contested }) => [path, now, own, contested])
  expect(said(changed, without)).toEqual([['lines.s1', 'removed', 'changed', true]])
  expect(merged(base, changed, without, new Set(['lines.s1'])).lines).toEqual([])
  expect(said(without, changed)).toEqual([['lines.s1', 'changed', 'removed', true]])
  expect(merged(base, without, changed, new Set()).lines).toEqual([])
  expect(merged(base, without, changed, new Set(['lines.s1'])).lines).toEqual(changed.lines)
  expect(said(base, without)).toMatchObject([{ 0: 'lines.s1', 1: 'removed', 3: false }])
  expect(said(without, base)).toEqual([])
})
