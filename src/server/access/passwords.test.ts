import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkNewPassword, hashPassword, isPassword } from './passwords.ts'

const fault = (password: string, lengthMin = 12, confirmation = password): string => {
  try {
    checkNewPassword(password, confirmation, lengthMin)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

test('a password has its least length, counted in characters as people see them, and 256 at most', () => {
  expect(fault('eleven char')).toBe('Password must have at least 12 characters')
  expect(fault('twelve chars')).toBe('')
  expect(fault('👩‍👩‍👧‍👦'.repeat(11))).toBe('Password must have at least 12 characters')
  expect(fault('👩‍👩‍👧‍👦'.repeat(12))).toBe('')
  expect(fault('x'.repeat(257))).toBe('Password must have at most 256 characters')
})

test('a common password is refused in any case, whatever the least length', () => {
  for (const common of ['password', 'Password1', 'QWERTYUIOP', '1234567890']) expect(fault(common, 8)).toMatch('too common')
  for (const common of ['123456789012', 'Qwertyuiop123', 'PasswordPassword']) expect(fault(common)).toMatch('too common')
  expect(fault('gas meter in the cellar')).toBe('')
})

test('the list holds more than the 3,000 most used of every least length that may be set up to 16', () => {
  const lines = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8').split('\n')
  const passwords = lines.filter((line) => line !== '' && !line.startsWith('# '))
  for (let least = 8; least <= 16; least++) expect(passwords.filter(({ length }) => length >= least).length).toBeGreaterThan(3_000)
  expect(passwords.every((one) => one === one.toLowerCase() && !one.includes(' '))).toBe(true)
})

test('a password is kept as Argon2id with 19 MiB, two passes and one lane, and checked in either normal form', async () => {
  const stored = await hashPassword('Grüße aus Köln')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword(stored, 'Gru\u0308ße aus Ko\u0308ln')).toBe(true)
  expect(await isPassword(stored, 'Grüsse aus Köln')).toBe(false)
  expect(await isPassword(null, 'meterbook-absent-account')).toBe(false)
})
