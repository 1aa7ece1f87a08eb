import { expect, test } from 'vitest'
import { accepts } from './accepts.ts'
import { kindsText, sizeText } from './file-field.tsx'

test('a dropped file is held to the same rule as a chosen one', () => {
  expect(accepts('.csv,text/csv', { name: 'Bills.CSV', type: '' })).toBe(true)
  expect(accepts('image/*', { name: 'a.png', type: 'image/png' })).toBe(true)
  expect(accepts('.csv', { name: 'a.pdf', type: 'application/pdf' })).toBe(false)
  expect(accepts(undefined, { name: 'a.pdf', type: '' })).toBe(true)
})

test('what is allowed is named once for each kind, without content types', () => {
  expect(kindsText('.csv,text/csv')).toBe('CSV')
  expect(kindsText('.png,.jpg,.jpeg,.jpe,.tif,.tiff')).toBe('PNG, JPG, TIFF')
  expect(kindsText('.jpeg')).toBe('JPEG')
  expect(kindsText('image/*')).toBe('image/*')
})

test('sizes are read in their own unit', () => {
  expect([sizeText(900), sizeText(1536), sizeText(3 * 1024 * 1024)]).toEqual(['900 B', '1.5 KB', '3.0 MB'])
})
