/** Names and numbers of files: the modifier of the day and the trace numbers. */
import type { FileFormat } from './layout.ts'
import type { ExportType, FileMoment } from './payment-file.ts'

const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Maximum files per day for one destination and origin. */
export const filesPerDayMax = modifiers.length
/** The largest number of seven digits. */
export const traceSequenceMax = 9_999_999

/** Returns the modifier after `used` ones on the same day; null after the 36th. */
export function modifierAt(used: number): string | null {
  return modifiers[used] ?? null
}

export const modifiersAreUsedUp = `The bank takes at most ${filesPerDayMax} files a day from one sender. Please export the rest tomorrow.`

/** Returns the first of `count` trace numbers after the last used one: they ascend within a file, and start over if they would not fit. */
export function firstTraceAfter(last: number, count: number): number {
  return last + count > traceSequenceMax ? 1 : last + 1
}

interface Named {
  readonly type: ExportType
  readonly format: FileFormat
  readonly moment: FileMoment
  readonly vendor_name: string | null
  readonly is_test: boolean
}

/** Returns the name without its extension. `mark` is the modifier or the sequence. */
export function fileReference({ type, format, moment, vendor_name, is_test }: Named, mark: string): string {
  const vendor = vendor_name === null ? '' : wordsOf(vendor_name.replaceAll('&', ' and '))
  const parts = [wordsOf(type), format, moment.date.replaceAll('-', ''), moment.time.replace(':', ''), mark]
  return [...(is_test ? ['TEST'] : []), ...parts, ...(vendor === '' ? [] : [vendor])].join('_')
}

function wordsOf(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
