/** Passwords: Argon2id, a rule that asks for length and for none that everybody uses, and the same time for every answer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, verify, type Options } from '@node-rs/argon2'
import { passwordLengthMax } from '#contract/access/auth.ts'
import { invalid } from '../kernel/problem.ts'

/** OWASP's figures for Argon2id, which is the library's own choice of algorithm: 19 MiB, two passes, one lane. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash of no password: checked where an account is absent, so that the answer takes as long as for one that exists. */
const absent = hash('meterbook-absent-account', cost)

let common: ReadonlySet<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), cost)
}

/** Checks a password against a stored hash; without a hash it takes the same time and says no. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const good = await verify(stored ?? (await absent), password.normalize('NFC'))
  return good && stored !== null
}

/** Throws what is wrong with a new password, in the words that the form shows. */
export function checkNewPassword(password: string, confirmation: string, lengthMin: number): void {
  // Counted as a person counts: an emoji is one character, not the several that it is made of.
  const length = Array.from(new Intl.Segmenter().segment(password)).length
  if (length < lengthMin) throw invalid({ password: [`Password must have at least ${lengthMin} characters`] })
  if (length > passwordLengthMax) throw invalid({ password: [`Password must have at most ${passwordLengthMax} characters`] })
  if (isCommon(password)) throw invalid({ password: ['Password is too common. Choose one that others would not think of'] })
  if (password !== confirmation) throw invalid({ password_confirmation: ['Password and password confirmation must match.'] })
}

/** Whether it is one of those that are tried first, in whatever case. */
function isCommon(password: string): boolean {
  common ??= readCommon()
  return common.has(password.normalize('NFC').toLowerCase())
}

/** Read once, when the first password is set. */
function readCommon(): ReadonlySet<string> {
  const lines = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8').split('\n')
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('# ')))
}
