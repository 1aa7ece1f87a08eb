import { expect, test } from 'vitest'
import { vendor } from '#contract/vendors/vendor.ts'
import { changedKeys, changedValues, filledValues, formWords, rebased, startValues, validate } from './form-values.ts'

const stored = {
  id: 1,
  lock_version: 3,
  name: 'Gas',
  short_code: 'GAS',
  city: null,
  payment_terms_days: 19,
  is_exclusive: false,
  po_box: '•••••1234',
}

test('only what changed is sent, numbers as numbers, an emptied text as empty', () => {
  const base = startValues(vendor, { ...stored, phone: '1' })
  const values = { ...base, payment_terms_days: '30', phone: '' }
  expect(changedValues(vendor, base, values)).toEqual({ payment_terms_days: 30, phone: '' })
})

test('a masked secret is never sent back', () => {
  const base = startValues(vendor, stored)
  expect(base['po_box']).toBeUndefined()
  expect(changedKeys(base, { ...base, name: 'Water' })).toEqual(['name'])
})

test('a new record starts with its defaults and leaves out what is empty', () => {
  const values = { ...startValues(vendor, null), name: 'Gas', short_code: 'G' }
  expect(filledValues(vendor, values)).toEqual({
    name: 'Gas',
    short_code: 'G',
    active: true,
    aliases: [],
    is_exclusive: false,
    account_type: 'checking',
    remittance: 'ctx',
    remittance_by_mail: false,
    prenote_state: 'none',
    payment_terms_days: 19,
    payment_method_ids: [],
  })
})

test('the entity’s own schema says what is missing and what is no number', () => {
  const values = { ...startValues(vendor, null), payment_terms_days: 'soon' }
  expect(validate(vendor.draft, filledValues(vendor, values))).toEqual({
    name: 'Name is required',
    short_code: 'Short Code is required',
    payment_terms_days: 'Payment Terms (days) must be a whole number',
  })
})

test('after a conflict my changes stay and everything that I left alone takes the other person’s values', () => {
  const base = { name: 'Gas', city: 'Austin', phone: '1' }
  expect(rebased(base, { ...base, name: 'Mine' }, { name: 'Theirs', city: 'Dallas', phone: '1' })).toEqual({
    name: 'Mine',
    city: 'Dallas',
    phone: '1',
  })
})

test('a form says a date’s format as its fields take it', () => {
  expect(formWords('Due Date must be a date, YYYY-MM-DD. Fiscal Month must be a month, YYYY-MM')).toBe(
    'Due Date must be a date, MM/DD/YYYY. Fiscal Month must be a month, MM/YYYY',
  )
})
