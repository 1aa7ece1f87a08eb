/** Names from a pattern such as '{client}-{YYYY}-{MM}-{n}': the code of a client batch, and the name of its upload file. */
import type { CalendarDate } from '../kernel/date.ts'

/** Values for a pattern by the word in its braces. The number of n gives the minimum digits of the number. */
export interface NameParts {
  readonly client?: string
  readonly group?: string
  readonly batch_code?: string
  readonly version?: number
  /** The day used for year, month and day. */
  readonly date?: CalendarDate
  readonly number?: number
}

/** The words allowed in a pattern of batch codes. */
export const codeWords = ['client', 'group', 'YYYY', 'YY', 'MM', 'DD', 'n'] as const
/** The words allowed in a pattern of file names. */
export const fileWords = ['client', 'group', 'batch_code', 'version', 'YYYY', 'YY', 'MM', 'DD'] as const

const braces = /\{([^{}]*)\}/g

/** Returns the reason a pattern cannot be used, or null. `words` are the allowed ones. */
export function patternFault(pattern: string, words: readonly string[]): string | null {
  const rest = pattern.replaceAll(braces, '')
  if (/[{}]/.test(rest)) return 'A brace stands alone. A part is written as {YYYY}'
  for (const [, word = ''] of pattern.matchAll(braces)) {
    const known = /^n+$/.test(word) ? 'n' : word
    if (!words.includes(known)) return `{${word}} is no part of a name. Use ${words.map((one) => `{${one}}`).join(', ')}`
  }
  return null
}

/** Returns the name for a pattern and its values. A word without a value is left out. */
export function nameOf(pattern: string, parts: NameParts): string {
  return pattern.replaceAll(braces, (_, word: string) => partOf(word, parts))
}

/** Whether a pattern has a counter, so that its names differ. */
export function isCounting(pattern: string): boolean {
  return /\{n+\}/.test(pattern)
}

function partOf(word: string, { client, group, batch_code, version, date, number }: NameParts): string {
  if (/^n+$/.test(word)) return number === undefined ? '' : String(number).padStart(word.length, '0')
  switch (word) {
    case 'client':
      return client ?? ''
    case 'group':
      return group ?? ''
    case 'batch_code':
      return batch_code ?? ''
    case 'version':
      return version === undefined ? '' : String(version)
    case 'YYYY':
      return (date ?? '').slice(0, 4)
    case 'YY':
      return (date ?? '').slice(2, 4)
    case 'MM':
      return (date ?? '').slice(5, 7)
    default:
      return (date ?? '').slice(8, 10)
  }
}
