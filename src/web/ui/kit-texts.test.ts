import { expect, test } from 'vitest'
import { strokeOf } from './shortcuts.ts'
import { figureText, wireText } from './status.tsx'

test('figures are grouped, carry a true minus and lose no digit', () => {
  expect(figureText('-1234.5', 2, true)).toBe('−$1,234.50')
  expect(figureText('99999999999999.99')).toBe('99,999,999,999,999.99')
  expect(figureText('1.2345', 2)).toBe('1.2345')
  expect(figureText('-0.00')).toBe('0.00')
})

test('a value of a finding is read as everywhere else: days, numbers, and numbers after a few words', () => {
  expect(wireText('2026-05-04')).toBe('05/04/2026')
  expect(wireText('39833.00')).toBe('39,833.00')
  expect(wireText('at least 39833.00')).toBe('at least 39,833.00')
  expect(wireText('at most -1200')).toBe('at most −1,200')
  expect(wireText('LP-2026')).toBe('LP-2026')
})

test('a stroke is named as shortcuts are written', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  expect(strokeOf({ ...none, key: 'K', ctrlKey: true })).toBe('mod+k')
  expect(strokeOf({ ...none, key: '?', shiftKey: true })).toBe('?')
  expect(strokeOf({ ...none, key: 'Enter', metaKey: true, shiftKey: true })).toBe('mod+shift+enter')
})
