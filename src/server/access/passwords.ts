/** Passwords: Argon2id, a rule that requires length and forbids common ones, and the same duration for every answer. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, verify, type Options } from '@node-rs/argon2'
import { passwordLengthMax } from '#contract/access/auth.ts'
import { invalid } from '../kernel/problem.ts'

/** OWASP's parameters for Argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Dummy hash that is checked if an account is absent, so that the answer takes as long as for an existing one. */
const absent = hash('meterbook-absent-account', cost)

/** A shorter name stands in many good passwords by chance. */
const ownWordMin = 4
/** Letters and digits beside such a word that make a password of their own. */
const restMin = 8

let common: ReadonlySet<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), cost)
}

/** Checks a password against a stored hash; without a hash it takes the same time and returns false. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const good = await verify(stored ?? (await absent), password.normalize('NFC'))
  return good && stored !== null
}

/** Throws what is wrong with a new password, in the words that the form shows. */
export function checkNewPassword(password: string, confirmation: string, lengthMin: number, email = ''): void {
  // Counted as a person counts: an emoji is one character, not the several that it is made of.
  const length = Array.from(new Intl.Segmenter().segment(password)).length
  if (length < lengthMin) throw invalid({ password: [`Password must have at least ${lengthMin} characters`] })
  if (length > passwordLengthMax) throw invalid({ password: [`Password must have at most ${passwordLengthMax} characters`] })
  if (isCommon(password)) throw invalid({ password: ['Password is too common. Choose one that others would not think of'] })
  const guess = guessedFirst(password, email)
  if (guess !== null) throw invalid({ password: [`Password must not hold ${guess}`] })
  if (password !== confirmation) throw invalid({ password_confirmation: ['Password and password confirmation must match.'] })
}

/** Returns the easy guess that a password contains: the product's name, the address, or the like, with a few characters beside it. Null if there is none. */
function guessedFirst(password: string, email: string): string | null {
  const plain = plainLetters(password)
  const [name = ''] = email.split('@')
  const isMostly = (word: string) => word.length >= ownWordMin && plain.includes(word) && plain.length - word.length < restMin
  if (isMostly('meterbook')) return 'the name of this program'
  return [email, name].some((own) => isMostly(plainLetters(own))) ? 'your email address' : null
}

function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
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
