import { expect, test } from 'vitest'
import { errorTexts } from './auth-calls.ts'
import { emailError, requiredError } from './form-rules.ts'
import { signInMessages, signInSeconds } from './messages.ts'
import { isOwnPath, readCredentials, takeReturnPath } from './session-store.ts'

test('an email is required and has the form of one [AUTH-RULE-002] [AUTH-RULE-003]', () => {
  expect(emailError(' ')).toBe(signInMessages.emailRequired)
  expect(emailError('ann@company')).toBe(signInMessages.emailFormat)
  expect(emailError('ann company.com')).toBe(signInMessages.emailFormat)
  expect(emailError('ann@company.com')).toBeUndefined()
})

test('a password is required [AUTH-RULE-004]', () => {
  expect(requiredError('', signInMessages.passwordRequired)).toBe('Password is required')
  expect(requiredError(' ', signInMessages.passwordRequired)).toBeUndefined()
})

test('the texts and times that the specification fixes [AUTH-MSG-004]', () => {
  expect(signInMessages.signInError).toBe('Sign In Error')
  expect(signInSeconds.signInError).toBe(0.8)
  expect(signInMessages.resetRequested).toBe('Password reset request received')
  expect(signInMessages.resetRequestFailed).toBe('There was an error with the request')
  expect([signInMessages.passwordReset, signInMessages.passwordResetText]).toEqual([
    'Your password has been reset',
    'Please login with your new password',
  ])
  expect(signInMessages.passwordResetFailed).toBe('There was an error updating your password')
})

test('the server speaks by full messages, by a list, or by one message', () => {
  expect(errorTexts({ errors: { full_messages: ['A', 'B'] } })).toEqual(['A', 'B'])
  expect(errorTexts({ errors: ['C'] })).toEqual(['C'])
  expect(errorTexts({ message: 'D' })).toEqual(['D'])
  expect(errorTexts('oops')).toEqual([])
})

test('all three credentials or none', () => {
  const of = (values: Record<string, string>) => readCredentials((name) => values[name] ?? null)
  expect(of({ 'access-token': 't', client: 'c', uid: 'u' })).toEqual({ 'access-token': 't', client: 'c', uid: 'u' })
  for (const missing of ['access-token', 'client', 'uid'])
    expect(of({ 'access-token': 't', client: 'c', uid: 'u', [missing]: '' })).toBeNull()
})

test('after signing in the visitor goes where they wanted to, but never away from the console or back to sign in', () => {
  expect(['/bills?page=2', '/'].every(isOwnPath)).toBe(true)
  expect(
    ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/login', '/reset_password?x=1'].some(isOwnPath),
  ).toBe(false)
  const kept = new Map([['return_to', '/bills']])
  const storage = { getItem: (key: string) => kept.get(key) ?? null, removeItem: (key: string) => void kept.delete(key) }
  expect(takeReturnPath(storage)).toBe('/bills')
  expect(takeReturnPath(storage)).toBe('/')
})
