import { expect, test } from 'vitest'
import { readTheme } from './theme-cookie.ts'

test('the theme comes from the cookie named theme, and is dark when that says nothing known [SHELL-RULE-005]', () => {
  expect(readTheme('a=1; theme=light')).toBe('light')
  expect(readTheme('theme=system; b=2')).toBe('system')
  expect(readTheme('mytheme=light')).toBe('dark')
  expect(readTheme('theme=purple')).toBe('dark')
  expect(readTheme('')).toBe('dark')
})
