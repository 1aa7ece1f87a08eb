import { expect, test } from 'vitest'
import { accepts, sizeText } from './file-field.tsx'

test('a dropped file is held to the same rule as a chosen one', () => {
  expect(accepts('.csv,text/csv', { name: 'Bills.CSV', type: '' })).toBe(true)
  expect(accepts('image/*', { name: 'a.png', type: 'image/png' })).toBe(true)
  expect(accepts('.csv', { name: 'a.pdf', type: 'application/pdf' })).toBe(false)
  expect(accepts(undefined, { name: 'a.pdf', type: '' })).toBe(true)
})

test('sizes are read in their own unit', () => {
  expect([sizeText(900), sizeText(1536), sizeText(3 * 1024 * 1024)]).toEqual(['900 B', '1.5 KB', '3.0 MB'])
})
