import { expect, test } from 'vitest'
import { offered, onlyExclusiveVendor, refusedTogether } from './chosen-batches.ts'

const batch = (more: Partial<Parameters<typeof offered>[0][number]> = {}) => ({
  vendor_ids: [1],
  vendor_names: ['City Power'],
  exclusive_vendor_names: [],
  batch_total: '100.00',
  temp_pay_method: null,
  ...more,
})
const solo = batch({ vendor_ids: [2], vendor_names: ['Solo Water'], exclusive_vendor_names: ['Solo Water'] })

test('batches of an exclusive vendor are managed apart, with the words for one click and those for many [GB-RULE-014] [GB-MSG-006] [GB-MSG-007]', () => {
  expect(refusedTogether([batch()], [batch({ vendor_ids: [3] })])).toBeNull()
  expect(refusedTogether([solo], [solo])).toBeNull()
  expect(refusedTogether([solo, batch()], [])).toBeNull()
  expect(refusedTogether([batch()], [solo])).toMatchObject({
    title: 'Not Allowed',
    message: 'Batches with the vendor Solo Water can only be managed with batches with that same vendor',
  })
  expect(refusedTogether([], [batch(), solo])).toMatchObject({
    title: 'Not allowed',
    message: 'Batches with the vendor Solo Water must be managed separately',
  })
})

test('a file is named after an exclusive vendor only where its batches pay that vendor alone [GB-EXPORT-003]', () => {
  expect(onlyExclusiveVendor([solo, solo])).toBe('Solo Water')
  expect(onlyExclusiveVendor([batch()])).toBeNull()
  expect(onlyExclusiveVendor([])).toBeNull()
  const mixed = batch({ vendor_ids: [1, 2], vendor_names: ['City Power', 'Solo Water'], exclusive_vendor_names: ['Solo Water'] })
  expect(onlyExclusiveVendor([mixed])).toBeNull()
})

test('NP takes totals of at most 1.00 that are not there yet, OP no exclusive vendor, Avid what stands on Check and Avid [GB-RULE-016] [GB-RULE-017] [GB-RULE-018]', () => {
  const small = batch({ batch_total: '1.00' })
  expect(offered([small], 'Check')).toEqual({ toNp: true, toOp: true, toAvid: true, back: false })
  expect(offered([batch({ batch_total: '1.01' })], 'Check').toNp).toBe(false)
  expect(offered([small, batch()], null)).toEqual({ toNp: false, toOp: true, toAvid: false, back: false })
  const moved = batch({ batch_total: '0.40', temp_pay_method: 'NP' })
  expect(offered([moved], null)).toMatchObject({ toNp: false, back: true })
  expect(offered([moved], 'NP')).toEqual({ toNp: false, toOp: true, toAvid: false, back: true })
  expect(offered([solo], 'Check').toOp).toBe(false)
  expect(offered([batch({ temp_pay_method: 'OP' })], 'OP')).toMatchObject({ toOp: false, back: true })
  expect(offered([batch({ temp_pay_method: 'Avid' })], 'Avid')).toMatchObject({ toAvid: false, back: true })
  expect(offered([], 'ACH')).toEqual({ toNp: true, toOp: true, toAvid: false, back: false })
})
